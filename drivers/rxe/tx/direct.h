/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Direct transmit: from the route to the transmit queue of the interface, without the parts of the
 * network stack that would do nothing.
 */
#ifndef RXE_DIRECT_H
#define RXE_DIRECT_H

#include <linux/types.h>

struct rxe_dev;
struct sk_buff_head;

/**
 * rxe_direct_send() - hand the first buffers of a list directly to their interface
 * @dev: device, for the counters
 * @skbs: not empty; each buffer has its route, and data at the IP header, which lacks only the
 *	checksum
 * @at_once: a receiver on this host may get the buffers before the function returns
 *
 * The buffers from the first on with the same route, neighbour and transmit queue are one batch:
 * the queue is locked once, and the hardware is notified once. They are consumed.
 *
 * Context: bottom halves off, RCU read lock held, no endpoint's lock held.
 * Return: true; false if the buffers have to go through the network stack, with @skbs unchanged.
 * The conditions are listed in ip/bypass.h.
 */
bool rxe_direct_send(struct rxe_dev *dev, struct sk_buff_head *skbs, bool at_once);

#endif
