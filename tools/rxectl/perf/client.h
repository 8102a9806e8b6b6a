/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Test of the path to another host. A server there and a client here exchange QP numbers over TCP.
 * The client measures with RDMA WRITEs and READs, which need no action of the server process.
 */
#ifndef RXECTL_CLIENT_H
#define RXECTL_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/nldev.h"
#include "util/errbuf.h"

#define PEER_PORT 4792 /* TCP; UDP port 4791 is RoCEv2 */

/* Steps of a test, in order. */
enum peer_step { PEER_REACH, PEER_CONNECT, PEER_MTU, PEER_LATENCY, PEER_BANDWIDTH, PEER_STEPS };

/**
 * struct peer_result - result of a test
 * @done: number of successful steps; step @done failed unless it is PEER_STEPS
 * @why: reason of the failure
 * @remedy: for the failure; may be ""
 * @address: of the peer
 * @device: local RDMA device
 * @index: local GID index
 * @mtu: largest path MTU that arrived, bytes
 * @port_mtu: smaller MTU of the two ports, bytes
 * @latency: median of READs of 8 bytes, seconds
 * @bandwidth: of WRITEs of 64 KiB, bit/s
 */
struct peer_result {
	enum peer_step done;
	char why[ERRBUF_SIZE];
	char remedy[128];
	char address[64];
	char device[NLDEV_NAME_SIZE];
	unsigned int index;
	unsigned int mtu;
	unsigned int port_mtu;
	double latency;
	double bandwidth;
};

/**
 * peer_test() - run the client
 * @host: name or address of the peer; NULL to test against a server on this host
 * @device: for that server; NULL for any
 * @port: TCP port of the server
 * @seconds: duration of the bandwidth measurement
 * @result: receives the result
 */
void peer_test(const char *host, const char *device, uint16_t port, double seconds,
	       struct peer_result *result);

#endif
