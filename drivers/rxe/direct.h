/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Direct transmission: from the route to the interface's queue, past what would do
 * nothing on the way.
 */
#ifndef RXE_DIRECT_H
#define RXE_DIRECT_H

#include <linux/types.h>

struct dst_entry;
struct rxe_dev;
struct sk_buff_head;

/**
 * rxe_direct_send() - send the first buffers of a list straight to their interface
 * @dev: device, for the counters
 * @skbs: not empty, each with its route; data at the IP header, which is complete but
 *	for its checksum
 *
 * All those from the first on that go to its neighbour by its route go as one batch: one
 * lock of the queue, and one notice to the hardware. They are consumed.
 *
 * Context: bottom halves off, RCU read lock held, no endpoint's lock held.
 * Return: true; false: nothing has been done, they have to take the way through the
 * stack, since something there wants to see them, or the neighbour is not known yet.
 */
bool rxe_direct_send(struct rxe_dev *dev, struct sk_buff_head *skbs);

/**
 * rxe_direct_stopped() - does the interface take no more packets for the moment?
 * @dst: route to it
 * @hash: of the flow, which tells the queue
 *
 * Context: RCU read lock held.
 * Return: true if what is sent now would only wait. False may be a guess: where the
 * interface chooses queues by itself, it is not known which one it will be.
 */
bool rxe_direct_stopped(const struct dst_entry *dst, u32 hash);

#endif
