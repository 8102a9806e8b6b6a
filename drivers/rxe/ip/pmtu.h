/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Path MTU (PMTU): peers to which packets exceeded the MTU of the route, or of a link beyond it.
 */
#ifndef RXE_PMTU_H
#define RXE_PMTU_H

#include <linux/types.h>

struct in6_addr;
struct rxe_dev;
struct rxe_path;

/**
 * rxe_pmtu_too_big() - note that packets to a peer exceed the MTU of the route, and are dropped
 * @dev: device
 * @path: path
 * @len: bytes of an IP packet
 * @mtu: MTU of the route, bytes
 *
 * Logs the MTU, once for each of the last RXE_PMTU_PEERS peers.
 *
 * Context: the path's lock held, or @path not shared; bottom halves off.
 */
void rxe_pmtu_too_big(struct rxe_dev *dev, const struct rxe_path *path, u32 len, u32 mtu);

/**
 * rxe_pmtu_reported() - note that a router reports packets that exceed the MTU of its next link
 * @dev: device
 * @daddr: destination of the packet, or an IPv4-mapped address
 * @len: bytes of the IP packet
 * @mtu: MTU that the router reports, bytes; 0: it does not say
 *
 * Logs the MTU as rxe_pmtu_too_big() does, and counts the report (rcvd_too_big).
 *
 * Context: softirq.
 */
void rxe_pmtu_reported(struct rxe_dev *dev, const struct in6_addr *daddr, u32 len, u32 mtu);

/**
 * rxe_pmtu_fits() - check that a path MTU fits into the MTU of the route
 * @path: path; a route that has expired is looked up
 * @path_mtu: path MTU, bytes
 *
 * Without a route it fits: packets are lost for that reason alone.
 *
 * Context: bottom halves off, RCU read lock held, the path's lock held.
 * Return: 0, or the MTU of the route if it is too small.
 */
u32 rxe_pmtu_fits(struct rxe_path *path, u32 path_mtu);

/* Write the attribute pmtu_exceeded to @buf, a page. Context: process. Return: its length. */
ssize_t rxe_pmtu_show(struct rxe_dev *dev, char *buf);

#endif
