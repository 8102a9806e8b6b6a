/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Transmit scheduler of a device. Endpoints that find their transmit queue saturated wait here and
 * are resumed in FIFO order as the qdisc drains. The network stack does not signal space in a
 * qdisc, so a timer polls. Without the scheduler, the packets of many backlogged QPs overrun the
 * limit of the qdisc, which drops most of them.
 */
#ifndef RXE_TX_SCHED_H
#define RXE_TX_SCHED_H

#include <linux/list.h>
#include <linux/types.h>

struct netdev_queue;
struct rxe_tx_sched;

/**
 * enum rxe_tx_try - result of an attempt to resume a waiter
 * @RXE_TX_BLOCKED: no room; nothing was sent
 * @RXE_TX_GRANTED: no room, but the waiter was starved and has sent: see rxe_tx_sched_starved()
 * @RXE_TX_ROOM: room; the waiter has sent
 */
enum rxe_tx_try { RXE_TX_BLOCKED, RXE_TX_GRANTED, RXE_TX_ROOM };

/**
 * struct rxe_tx_waiter - a sender's entry in the transmit scheduler
 * @node: in rxe_tx_sched.waiters or .served; empty if not queued
 * @try: resumes the sender: takes its lock and sends if there is room or if the sender is starved.
 *	If it is blocked and still has packets to send, @try calls rxe_tx_sched_requeue(). Context:
 *	bottom halves off, RCU read lock held, no lock of the scheduler held.
 * @qdisc: bucket of the sender's qdisc, below RXE_TX_SCHED_QDISCS; valid while queued
 * @wait_start: rxe_txq_dequeued() when @waiting was set, packets
 * @quota: packets that leave the qdisc from @wait_start on until the sender is starved
 * @waiting: the sender waits for room, and has not sent since @wait_start more than is allowed
 *	without room; cleared by the owner
 * @granted: the sender may send one batch without room; cleared by the owner
 *
 * @node and @qdisc are protected by the scheduler's lock, the other fields by the sender's.
 */
struct rxe_tx_waiter {
	struct list_head node;
	enum rxe_tx_try (*try)(struct rxe_tx_waiter *w);
	u32 qdisc;
	u64 wait_start;
	u64 quota;
	bool waiting;
	bool granted;
};

/* Allocate a scheduler. Context: process. Return: NULL if there is no memory. */
struct rxe_tx_sched *rxe_tx_sched_create(void);

/* Cancel the timer and free @sched, which has no waiter, or is NULL. Context: process; sleeps. */
void rxe_tx_sched_destroy(struct rxe_tx_sched *sched);

/* Initialise @w, which is zeroed; the owner implements @try. */
void rxe_tx_waiter_init(struct rxe_tx_waiter *w, enum rxe_tx_try (*try)(struct rxe_tx_waiter *w));

/**
 * rxe_tx_sched_wait() - queue a sender until its transmit queue has room
 * @sched: scheduler of its device
 * @w: sender's entry; may be queued already
 * @txq: transmit queue of the sender, or NULL if not known
 *
 * Starts the count for the starvation quota, unless @w->waiting is set already.
 *
 * Context: the sender's lock held, RCU read lock held, bottom halves off.
 */
void rxe_tx_sched_wait(struct rxe_tx_sched *sched, struct rxe_tx_waiter *w,
		       const struct netdev_queue *txq);

/* Queue @w again, for its @try, without a change to its quota. Context: as rxe_tx_sched_wait(). */
void rxe_tx_sched_requeue(struct rxe_tx_sched *sched, struct rxe_tx_waiter *w,
			  const struct netdev_queue *txq);

/**
 * rxe_tx_sched_starved() - check whether a waiter has to be served without room
 * @w: sender's entry
 * @txq: its transmit queue, or NULL
 *
 * Context: as rxe_tx_sched_wait().
 * Return: true if its quota of packets has left the qdisc since it began to wait.
 */
bool rxe_tx_sched_starved(const struct rxe_tx_waiter *w, const struct netdev_queue *txq);

/*
 * Dequeue @w. Its @try may still run until an RCU grace period has passed. Context: process; the
 * sender is dead, so it is not queued again.
 */
void rxe_tx_sched_cancel(struct rxe_tx_sched *sched, struct rxe_tx_waiter *w);

#endif
