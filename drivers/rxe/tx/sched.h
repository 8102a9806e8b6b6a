/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Endpoints that have something to send while enough waits above their interface's hardware. They
 * get a turn each, in the order in which they have come, as it drains: nothing else would tell
 * them that it has, and if all sent at once, most would be dropped.
 */
#ifndef RXE_TURNS_H
#define RXE_TURNS_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/spinlock.h>

struct rxe_ep;

/* Disciplines that are told apart; those of one number modulo this are counted as one. */
#define RXE_TX_SCHED_QDISCS 64

/**
 * struct rxe_tx_sched - those of a device
 * @lock: protects the rest; inside the endpoints'
 * @eps: whose turn comes, the next one first
 * @served: who has had a turn and wants another; they come after all that had none
 * @waiting: how many
 * @waiting_for: how many of them for each discipline
 * @poll_ns: ns from one look at the interface to the next
 * @timer: runs while there are any
 */
struct rxe_tx_sched {
	spinlock_t lock;
	struct list_head eps;
	struct list_head served;
	u32 waiting;
	u32 waiting_for[RXE_TX_SCHED_QDISCS];
	u64 poll_ns;
	struct hrtimer timer;
};

void rxe_turns_init(struct rxe_tx_sched *turns);

/* Context: process, once the device has no endpoint any more. */
void rxe_turns_stop(struct rxe_tx_sched *turns);

/**
 * rxe_tx_sched_wait() - have rxe_ep_run_unlock() called when it is the endpoint's turn
 * @turns: its device's
 * @ep: endpoint, not dead; nothing happens if it is waiting already
 *
 * Context: the endpoint's lock held.
 */
void rxe_tx_sched_wait(struct rxe_tx_sched *turns, struct rxe_ep *ep);

/**
 * rxe_tx_sched_cancel() - undo rxe_tx_sched_wait()
 * @turns: its device's
 * @ep: endpoint, dead: so it does not come back
 */
void rxe_tx_sched_cancel(struct rxe_tx_sched *turns, struct rxe_ep *ep);

#endif
