/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Direct transmission: from the route to the interface's queue, past what would do
 * nothing on the way.
 */
#ifndef RXE_DIRECT_H
#define RXE_DIRECT_H

#include <linux/types.h>

struct rxe_dev;
struct sk_buff_head;

/**
 * rxe_direct_send() - send the first buffers of a list straight to their interface
 * @dev: device, for the counters
 * @skbs: not empty, each with its route; data at the IP header, which is complete but
 *	for its checksum
 * @at_once: if they are received on this host, that may be before this returns
 *
 * All those from the first on that go to its neighbour by its route, and by its queue, go as one
 * batch: one lock of the queue, and one notice to the hardware. They are consumed.
 *
 * Context: bottom halves off, RCU read lock held, no endpoint's lock held.
 * Return: true; false: nothing has been done, they have to take the way through the
 * stack, since something there wants to see them, or the neighbour is not known yet.
 */
bool rxe_direct_send(struct rxe_dev *dev, struct sk_buff_head *skbs, bool at_once);

#endif
