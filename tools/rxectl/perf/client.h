/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A test of the way to another host: a server there, and a client here that finds out what the
 * way can do. The two talk over TCP; what is tested are WRITEs and READs of the client, in which
 * the server's program takes no part.
 */
#ifndef RXECTL_CLIENT_H
#define RXECTL_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/nldev.h"
#include "util/errbuf.h"

#define PEER_PORT 4792 /* of TCP; next to RoCE's own, of UDP */

/* The steps of a test, in order. */
enum peer_step { PEER_REACH, PEER_CONNECT, PEER_MTU, PEER_LATENCY, PEER_BANDWIDTH, PEER_STEPS };

/**
 * struct peer_result - what a test has found
 * @done: steps that succeeded; the one of this number failed, unless it is PEER_STEPS
 * @why: it did
 * @remedy: for it; may be empty
 * @address: the peer's
 * @device, @index: used here, and its GID
 * @mtu: that packets of the largest size came through with, bytes
 * @port_mtu: what the two ports would allow
 * @latency: of a READ of 8 bytes, median, seconds
 * @bandwidth: of WRITEs of 64 KiB, bits a second
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
 * peer_test() - be the client
 * @host: name or address of the peer; NULL to have a server of its own on a device of this host
 * @device: for that; NULL for any
 * @port: of the server
 * @seconds: for the bandwidth
 */
void peer_test(const char *host, const char *device, uint16_t port, double seconds,
	       struct peer_result *result);

#endif
