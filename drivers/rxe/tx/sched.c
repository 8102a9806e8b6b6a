// SPDX-License-Identifier: GPL-2.0
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>

#include "qp/ep.h"
#include "tx/sched.h"

/*
 * How long the interface is left alone. It halves when there was room, and doubles when there
 * was none: so it becomes about as long as the interface takes to drain.
 */
#define PAUSE_MIN_NS (50 * NSEC_PER_USEC)
#define PAUSE_MAX_NS (800 * NSEC_PER_USEC)

/* Turns given before others may use the processor. */
#define MAX_TURNS 64

/*
 * It may be others who keep the queue full, and leave no room. When so many packets have left it
 * for an endpoint, and for each that waited for the same discipline before, it has its turn all the
 * same. That is twice what it sends then, so that a queue which is full of our own packets still
 * drains; and where nobody else sends, there is room before it comes to that.
 */
#define STARVATION_QUOTA (2 * ROCE_TX_PKTS)

/* Returns how many wait for its discipline, or for one that is counted with it. */
static u32 rxe_turns_add(struct rxe_tx_sched *turns, struct rxe_ep *ep)
{
	u32 waiting;

	spin_lock(&turns->lock);
	if (list_empty(&ep->waiter)) {
		ep->turn_discipline = rxe_ep_discipline(ep) % RXE_TX_SCHED_QDISCS;
		list_add_tail(&ep->waiter, &turns->eps);
		turns->waiting++;
		turns->waiting_for[ep->turn_discipline]++;
	}
	waiting = turns->waiting_for[ep->turn_discipline];
	if (!hrtimer_is_queued(&turns->timer))
		hrtimer_start(&turns->timer, ns_to_ktime(turns->poll_ns), HRTIMER_MODE_REL_SOFT);
	spin_unlock(&turns->lock);
	return waiting;
}

void rxe_tx_sched_wait(struct rxe_tx_sched *turns, struct rxe_ep *ep)
{
	u32 waiting;

	lockdep_assert_held(&ep->lock);
	waiting = rxe_turns_add(turns, ep);
	if (ep->waiting)
		return;
	ep->waiting = true;
	ep->wait_start = rxe_ep_txq_dequeued(ep);
	ep->wait_quota = (u64)STARVATION_QUOTA * waiting;
}

static void rxe_turns_remove(struct rxe_tx_sched *turns, struct rxe_ep *ep)
{
	if (list_empty(&ep->waiter))
		return;
	list_del_init(&ep->waiter);
	turns->waiting--;
	turns->waiting_for[ep->turn_discipline]--;
}

/* RCU keeps it, whatever becomes of it now. */
static struct rxe_ep *rxe_turns_take(struct rxe_tx_sched *turns)
{
	struct rxe_ep *ep;

	spin_lock(&turns->lock);
	ep = list_first_entry_or_null(&turns->eps, struct rxe_ep, waiter);
	if (ep)
		rxe_turns_remove(turns, ep);
	spin_unlock(&turns->lock);
	return ep;
}

/* If it waits again, then behind those who had no turn, and not for the same pass. */
static void tx_sched_requeue(struct rxe_tx_sched *turns, struct rxe_ep *ep)
{
	spin_lock(&turns->lock);
	if (!list_empty(&ep->waiter))
		list_move_tail(&ep->waiter, &turns->served);
	spin_unlock(&turns->lock);
}

static bool tx_sched_starved(const struct rxe_ep *ep)
{
	return ep->waiting && rxe_ep_txq_dequeued(ep) - ep->wait_start >= ep->wait_quota;
}

/* Returns whether there was room for it to send. */
static bool tx_sched_run_one(struct rxe_tx_sched *turns, struct rxe_ep *ep)
{
	bool room;

	spin_lock(&ep->lock);
	room = !ep->dead && rxe_ep_txq_has_room(ep);
	ep->granted = !ep->dead && !room && tx_sched_starved(ep);
	if (room || ep->granted) {
		rxe_ep_run_unlock(ep);
		tx_sched_requeue(turns, ep);
		return room;
	}
	/* It may have sent, an acknowledgement at a time, what it waited with. */
	if (!ep->dead && roce_tx_backlogged(&ep->core))
		rxe_turns_add(turns, ep);
	spin_unlock(&ep->lock);
	return false;
}

static enum hrtimer_restart rxe_turns_timer(struct hrtimer *timer)
{
	struct rxe_tx_sched *turns = container_of(timer, struct rxe_tx_sched, timer);
	u32 n = min(READ_ONCE(turns->waiting), MAX_TURNS);
	struct rxe_ep *ep;
	bool any = false;

	rcu_read_lock();
	while (n-- && (ep = rxe_turns_take(turns)))
		any |= tx_sched_run_one(turns, ep);
	rcu_read_unlock();

	spin_lock(&turns->lock);
	list_splice_tail_init(&turns->served, &turns->eps);
	turns->poll_ns = any ? max(turns->poll_ns / 2, PAUSE_MIN_NS) :
			     min(turns->poll_ns * 2, PAUSE_MAX_NS);
	if (turns->waiting)
		hrtimer_start(timer, ns_to_ktime(turns->poll_ns), HRTIMER_MODE_REL_SOFT);
	spin_unlock(&turns->lock);
	return HRTIMER_NORESTART;
}

void rxe_turns_init(struct rxe_tx_sched *turns)
{
	spin_lock_init(&turns->lock);
	INIT_LIST_HEAD(&turns->eps);
	INIT_LIST_HEAD(&turns->served);
	turns->poll_ns = PAUSE_MIN_NS;
	hrtimer_setup(&turns->timer, rxe_turns_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_SOFT);
}

void rxe_turns_stop(struct rxe_tx_sched *turns)
{
	hrtimer_cancel(&turns->timer);
}

void rxe_tx_sched_cancel(struct rxe_tx_sched *turns, struct rxe_ep *ep)
{
	spin_lock_bh(&turns->lock);
	rxe_turns_remove(turns, ep);
	spin_unlock_bh(&turns->lock);
}
