/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Direct transmission: from the route to the interface's queue, past what would do
 * nothing on the way.
 */
#ifndef RXE_DIRECT_H
#define RXE_DIRECT_H

#include <linux/types.h>

struct net_device;
struct netdev_queue;
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

/**
 * enum rxe_txq_state - how an interface's transmit queue is
 * @RXE_QUEUE_OPEN: what is sent now goes to the hardware
 * @RXE_TXQ_BACKLOGGED: it waits for what has been sent before, in the queueing discipline
 * @RXE_TXQ_SATURATED: so much waits there that the hardware will not run out of it soon
 */
enum rxe_txq_state {
	RXE_QUEUE_OPEN,
	RXE_TXQ_BACKLOGGED,
	RXE_TXQ_SATURATED,
};

/**
 * rxe_direct_txq() - the transmit queue of a flow
 * @ndev: interface; for a VLAN, that which carries it is looked at
 * @hash: of the flow, which tells the queue
 *
 * Context: RCU read lock held, bottom halves off, here and below.
 * Return: the queue; NULL where the interface chooses queues by itself, or the stack by more than
 * the hash, as it is not known which one it will be.
 */
const struct netdev_queue *rxe_direct_txq(const struct net_device *ndev, u32 hash);

/* How is the queue at present? Of one that is not known, RXE_QUEUE_OPEN is the guess. */
enum rxe_txq_state rxe_direct_queue(const struct netdev_queue *txq);

/*
 * A number for its discipline, the same for all queues that share one, and the packets, whoever's,
 * that have left that since it was made; 0 of a queue that is not known.
 */
u32 rxe_txq_qdisc_id(const struct netdev_queue *txq);
u64 rxe_txq_dequeued(const struct netdev_queue *txq);

#endif
