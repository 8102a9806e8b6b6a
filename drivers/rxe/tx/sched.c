// SPDX-License-Identifier: GPL-2.0
/*
 * Transmit scheduler: FIFO of waiting endpoints and adaptive poll timer.
 *
 * The only timer is rxe_tx_sched.timer. Armed: when an endpoint is queued, and after each poll that
 * leaves waiters. Expires after: poll_ns, 50 to 800 us. Effect: resumes waiters. Not re-armed when
 * the list is empty; cancelled by rxe_tx_sched_destroy().
 */
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <roce/qp.h>

#include "tx/sched.h"
#include "tx/txq.h"

/*
 * Bounds of the poll interval. It halves after a poll that finds room for a waiter, and doubles
 * after one that finds none, so it approaches the time that the qdisc takes to drain.
 */
#define POLL_MIN_NS (50 * NSEC_PER_USEC)
#define POLL_MAX_NS (800 * NSEC_PER_USEC)

/* Maximum of waiters tried per poll; bounds the time in the softirq. */
#define MAX_TRIES_PER_POLL 64

/*
 * Starvation quota, packets per waiter. A waiter is starved, and may send a batch without room, if
 * this many packets times the number of waiters of its qdisc have left the qdisc since it began to
 * wait. Otherwise other senders that keep the qdisc full would block it forever. The quota is twice
 * the batch of a starved waiter, so a qdisc full of packets of this module still drains. Without
 * other senders, room appears before the quota is used up.
 */
#define STARVATION_QUOTA (2 * ROCE_TX_PKTS)

/* Buckets for the count of waiters per qdisc. Qdisc numbers equal modulo this share a bucket. */
#define RXE_TX_SCHED_QDISCS 64

/**
 * struct rxe_tx_sched - transmit scheduler
 * @lock: protects all fields; taken inside the waiters' locks
 * @waiters: waiters in the order in which they are tried
 * @served: waiters that were served in this poll and queued themselves again; they are appended to
 *	@waiters at its end, behind all that were not served
 * @waiting: length of both lists
 * @waiting_for: length of both lists, by bucket of the waiters' qdisc
 * @poll_ns: poll interval, ns, POLL_MIN_NS to POLL_MAX_NS
 * @timer: poll timer, in softirq; armed while there are waiters
 */
struct rxe_tx_sched {
	spinlock_t lock;
	struct list_head waiters;
	struct list_head served;
	u32 waiting;
	u32 waiting_for[RXE_TX_SCHED_QDISCS];
	u64 poll_ns;
	struct hrtimer timer;
};

/* Returns the number of waiters in the bucket of the qdisc of @w, including @w. */
static u32 tx_sched_insert(struct rxe_tx_sched *sched, struct rxe_tx_waiter *w,
			   const struct netdev_queue *txq)
{
	u32 waiting;

	spin_lock(&sched->lock);
	if (list_empty(&w->node)) {
		w->qdisc = rxe_txq_qdisc_id(txq) % RXE_TX_SCHED_QDISCS;
		list_add_tail(&w->node, &sched->waiters);
		sched->waiting++;
		sched->waiting_for[w->qdisc]++;
	}
	waiting = sched->waiting_for[w->qdisc];
	if (!hrtimer_is_queued(&sched->timer))
		hrtimer_start(&sched->timer, ns_to_ktime(sched->poll_ns), HRTIMER_MODE_REL_SOFT);
	spin_unlock(&sched->lock);
	return waiting;
}

void rxe_tx_sched_wait(struct rxe_tx_sched *sched, struct rxe_tx_waiter *w,
		       const struct netdev_queue *txq)
{
	u32 waiting = tx_sched_insert(sched, w, txq);

	if (w->waiting)
		return;
	w->waiting = true;
	w->wait_start = rxe_txq_dequeued(txq);
	w->quota = (u64)STARVATION_QUOTA * waiting;
}

void rxe_tx_sched_requeue(struct rxe_tx_sched *sched, struct rxe_tx_waiter *w,
			  const struct netdev_queue *txq)
{
	tx_sched_insert(sched, w, txq);
}

bool rxe_tx_sched_starved(const struct rxe_tx_waiter *w, const struct netdev_queue *txq)
{
	return w->waiting && rxe_txq_dequeued(txq) - w->wait_start >= w->quota;
}

static void tx_sched_remove(struct rxe_tx_sched *sched, struct rxe_tx_waiter *w)
{
	if (list_empty(&w->node))
		return;
	list_del_init(&w->node);
	sched->waiting--;
	sched->waiting_for[w->qdisc]--;
}

/* rxe_tx_sched_cancel() does not wait for a popped waiter: the caller's RCU read lock keeps it. */
static struct rxe_tx_waiter *tx_sched_pop(struct rxe_tx_sched *sched)
{
	struct rxe_tx_waiter *w;

	spin_lock(&sched->lock);
	w = list_first_entry_or_null(&sched->waiters, struct rxe_tx_waiter, node);
	if (w)
		tx_sched_remove(sched, w);
	spin_unlock(&sched->lock);
	return w;
}

/* Round robin: a served waiter that waits again is not tried twice in one poll. */
static void tx_sched_mark_served(struct rxe_tx_sched *sched, struct rxe_tx_waiter *w)
{
	spin_lock(&sched->lock);
	if (!list_empty(&w->node))
		list_move_tail(&w->node, &sched->served);
	spin_unlock(&sched->lock);
}

/* Returns true if there was room. */
static bool tx_sched_run_one(struct rxe_tx_sched *sched, struct rxe_tx_waiter *w)
{
	enum rxe_tx_try result = w->try(w);

	if (result != RXE_TX_BLOCKED)
		tx_sched_mark_served(sched, w);
	return result == RXE_TX_ROOM;
}

static enum hrtimer_restart tx_sched_poll(struct hrtimer *timer)
{
	struct rxe_tx_sched *sched = container_of(timer, struct rxe_tx_sched, timer);
	/* A waiter that joins at this moment may be counted or not: the next poll is for it. */
	u32 n = min_t(u32, data_race(READ_ONCE(sched->waiting)), MAX_TRIES_PER_POLL);
	struct rxe_tx_waiter *w;
	bool any_room = false;

	rcu_read_lock();
	while (n-- && (w = tx_sched_pop(sched)))
		any_room |= tx_sched_run_one(sched, w);
	rcu_read_unlock();

	spin_lock(&sched->lock);
	list_splice_tail_init(&sched->served, &sched->waiters);
	sched->poll_ns = any_room ? max_t(u64, sched->poll_ns / 2, POLL_MIN_NS) :
				    min_t(u64, sched->poll_ns * 2, POLL_MAX_NS);
	if (sched->waiting)
		hrtimer_start(timer, ns_to_ktime(sched->poll_ns), HRTIMER_MODE_REL_SOFT);
	spin_unlock(&sched->lock);
	return HRTIMER_NORESTART;
}

struct rxe_tx_sched *rxe_tx_sched_create(void)
{
	struct rxe_tx_sched *sched = kzalloc(sizeof(*sched), GFP_KERNEL);

	if (!sched)
		return NULL;
	spin_lock_init(&sched->lock);
	INIT_LIST_HEAD(&sched->waiters);
	INIT_LIST_HEAD(&sched->served);
	sched->poll_ns = POLL_MIN_NS;
	hrtimer_setup(&sched->timer, tx_sched_poll, CLOCK_MONOTONIC, HRTIMER_MODE_REL_SOFT);
	return sched;
}

void rxe_tx_sched_destroy(struct rxe_tx_sched *sched)
{
	if (!sched)
		return;
	hrtimer_cancel(&sched->timer);
	kfree(sched);
}

void rxe_tx_waiter_init(struct rxe_tx_waiter *w, enum rxe_tx_try (*try)(struct rxe_tx_waiter *w))
{
	INIT_LIST_HEAD(&w->node);
	w->try = try;
}

void rxe_tx_sched_cancel(struct rxe_tx_sched *sched, struct rxe_tx_waiter *w)
{
	spin_lock_bh(&sched->lock);
	tx_sched_remove(sched, w);
	spin_unlock_bh(&sched->lock);
}
