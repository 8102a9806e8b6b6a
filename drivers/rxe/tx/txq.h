/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Transmit queues (txq) of an interface: the txq of a flow, and the backlog of its qdisc.
 *
 * Context of all functions: RCU read lock held, bottom halves off.
 */
#ifndef RXE_TXQ_H
#define RXE_TXQ_H

#include <linux/types.h>

struct net_device;
struct netdev_queue;

/**
 * enum rxe_txq_state - load of a transmit queue
 * @RXE_TXQ_OPEN: a packet sent now goes to the hardware at once
 * @RXE_TXQ_BACKLOGGED: a packet sent now waits in the qdisc, or the queue is stopped
 * @RXE_TXQ_SATURATED: at least TXQ_SATURATED_PKTS packets wait in the qdisc
 */
enum rxe_txq_state {
	RXE_TXQ_OPEN,
	RXE_TXQ_BACKLOGGED,
	RXE_TXQ_SATURATED,
};

/**
 * rxe_txq_is_hashed() - check whether the flow hash alone selects the transmit queue
 * @ndev: interface
 * @n: its number of transmit queues
 *
 * Return: true if there is only one queue, or if the module parameter skb_hash_to_txq is set and
 * the interface has neither ndo_select_queue() nor traffic classes.
 */
bool rxe_txq_is_hashed(const struct net_device *ndev, u32 n);

/**
 * rxe_txq_find() - find the transmit queue of a flow
 * @ndev: interface; for a VLAN, the queues are those of its lower interface
 * @hash: flow hash
 *
 * Return: the queue; NULL if the hash alone does not select it, so that it is not known before
 * transmission.
 */
const struct netdev_queue *rxe_txq_find(const struct net_device *ndev, u32 hash);

/* Return the load of @txq; RXE_TXQ_OPEN if it is NULL. */
enum rxe_txq_state rxe_txq_state(const struct netdev_queue *txq);

/* Return a number for the qdisc of @txq, equal for all queues that share one; 0 for NULL. */
u32 rxe_txq_qdisc_id(const struct netdev_queue *txq);

/*
 * Return how many packets, of all senders, have left the qdisc of @txq since it was created; 0 for
 * NULL.
 */
u64 rxe_txq_dequeued(const struct netdev_queue *txq);

#endif
