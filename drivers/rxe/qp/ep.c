// SPDX-License-Identifier: GPL-2.0
/*
 * Endpoint: transmit loop, timer, work item, creation and destruction.
 */
#include <linux/hash.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include <roce/info.h>

#include "ip/dest.h"
#include "base/device.h"
#include "qp/ep.h"
#include "base/params.h"
#include "qp/qp.h"
#include "qp/trace.h"
#include "tx/sched.h"
#include "tx/output.h"
#include "tx/skb_build.h"
#include "tx/txq.h"

/* QPNs 0 and 1 are the management QPs (SMI, GSI); 2 to 15 are reserved. */
#define RXE_MIN_QPN 16
#define RXE_MAX_QPN 0xfffffe /* 0xffffff means multicast (IBTA 10.5.2) */

/* WQEs flushed in one pass before the work item continues: bounds the time with softirqs off. */
#define RXE_FLUSH_BUDGET 256

/*
 * Upper bound of the congestion window, packets, by the load of the txq. Backlogged: room for a
 * single QP to keep the hardware busy. Saturated: enough for a QP with little to send; others wait
 * until the transmit scheduler resumes them.
 */
#define RXE_CWND_BACKLOGGED 128
#define RXE_CWND_SATURATED 2

/* Copies of the final ACK of a destroyed QP, which cannot retransmit it after a loss. */
#define RXE_FINAL_ACK_COPIES 5

/*
 * State ERR: users post receives without a system call, so the timer polls the ring and flushes
 * them. The interval doubles from 2 ms to 512 ms.
 */
#define RXE_ERR_POLL_MIN_NS (2 * NSEC_PER_MSEC)
#define RXE_ERR_POLL_MAX_NS (512 * NSEC_PER_MSEC)

/*
 * Timer slack. ACKs usually push the deadline out before the timer fires. Each consecutive early
 * fire adds 8 us or SRTT/8 of slack, whichever is larger, up to 1 ms (SRTT/2, at least 100 us,
 * while a delayed ACK is pending).
 */
#define RXE_TIMER_SLACK_STEP_NS	  8000ull
#define RXE_TIMER_SLACK_RTT_DIV	  8
#define RXE_TIMER_SLACK_MAX_NS	  (1ull * NSEC_PER_MSEC)
#define RXE_TIMER_SLACK_DELACK_NS (100ull * NSEC_PER_USEC)

/* 1 ms: how long the timer waits for packets in a backlog before it looks again. */
#define RXE_TIMER_HOLDOFF_NS (1ull * NSEC_PER_MSEC)

static struct workqueue_struct *rxe_ep_wq;

int rxe_ep_init(void)
{
	/* WQ_MEM_RECLAIM: writeback to a block device over RDMA depends on the work item. */
	rxe_ep_wq = alloc_workqueue("rdma_rxe", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	return rxe_ep_wq ? 0 : -ENOMEM;
}

void rxe_ep_exit(void)
{
	/* rxe_ep_release_rcu() must have run before the module's code is unloaded. */
	rcu_barrier();
	destroy_workqueue(rxe_ep_wq);
}

/* Send WQEs of UD drop their destination references once built, also those that failed. */
static void rxe_ep_release_dests(const struct roce_tx_batch *batch)
{
	u32 i;

	for (i = 0; i < batch->nruns; i++)
		rxe_ep_release_wqe(batch->run[i].payload.wqe);
}

static void rxe_ep_build(struct rxe_ep *ep, const struct roce_tx_batch *batch,
			 struct sk_buff_head *skbs)
{
	const struct roce_tx_run *failed;

	if (trace_rxe_tx_enabled())
		rxe_trace_tx(ep, batch);
	ep->flow.una = ep->transport.req.snd.una;
	failed = rxe_skb_build(&ep->flow, batch, skbs);
	if (ep->transport.service == ROCE_OP_UD)
		rxe_ep_release_dests(batch);
	if (failed)
		roce_tx_failed(&ep->transport, ktime_get_ns(), failed);
}

/*
 * Interface that the packets leave by. A UD QP has one route per destination; its load is taken as
 * that of the device's interface, which most of them lead to.
 */
static const struct net_device *rxe_ep_netdev(const struct rxe_ep *ep)
{
	return ep->flow.path.dst ? dst_dev(ep->flow.path.dst) : rcu_dereference(ep->flow.dev->ndev);
}

static const struct netdev_queue *rxe_ep_txq(const struct rxe_ep *ep)
{
	const struct net_device *ndev = rxe_ep_netdev(ep);

	return ndev ? rxe_txq_find(ndev, ep->flow.hash) : NULL;
}

/*
 * Return the load of the txq. One batch of an endpoint that the transmit scheduler found starved is
 * sent as if the txq were only backlogged.
 */
static enum rxe_txq_state rxe_ep_txq_load(struct rxe_ep *ep)
{
	enum rxe_txq_state load = rxe_txq_state(rxe_ep_txq(ep));

	if (unlikely(load == RXE_TXQ_SATURATED && ep->waiter.granted))
		load = RXE_TXQ_BACKLOGGED;
	ep->waiter.granted = false;
	if (likely(load != RXE_TXQ_SATURATED))
		ep->waiter.waiting = false;
	return load;
}

/*
 * UC, UD and raw QPs have no congestion window and no retransmission, so they send nothing to a
 * saturated txq. Exception: QP 1 (management).
 */
static bool rxe_ep_may_send(const struct rxe_ep *ep, enum rxe_txq_state load)
{
	return likely(load != RXE_TXQ_SATURATED) || ep->transport.service == ROCE_OP_RC ||
	       ep->transport.qpn == 1;
}

/*
 * Backpressure: what the endpoint may send, by the load of the txq. Packets beyond the window would
 * wait in the qdisc, which drops them when they are too many or too old. Module parameters are read
 * for each batch, because they may be written at any time.
 */
static void rxe_ep_get_quota(struct rxe_ep *ep, enum rxe_txq_state load,
			     struct roce_tx_quota *quota)
{
	u32 room = load == RXE_TXQ_OPEN	      ? ROCE_CC_MAX_CWND :
		   load == RXE_TXQ_BACKLOGGED ? RXE_CWND_BACKLOGGED :
						RXE_CWND_SATURATED;
	struct rxe_params params;

	rxe_params_get(&params);
	params.cwnd_clamp = min(params.cwnd_clamp, ROCE_CC_MAX_CWND);
	ep->cwnd_limited_by_txq = params.cwnd_limited_by_txq || room < params.cwnd_clamp;
	quota->cwnd_clamp = min(room, params.cwnd_clamp);
	quota->ack_interval = min(params.max_ack_interval, ROCE_ACKREQ_MAX_INTERVAL);
	quota->max_pkts = rxe_ep_may_send(ep, load) ? ROCE_TX_PKTS : 0;
	quota->responses = load != RXE_TXQ_SATURATED;
}

static noinline_for_stack void rxe_ep_dump(const struct rxe_ep *ep)
{
	const struct roce_qp *transport = &ep->transport;
	struct roce_qp_info info;

	roce_qp_get_info(transport, &info);
	ibdev_info(
		&ep->flow.dev->ibdev,
		"qp %#x: error state: send WQEs posted %u, started %u, completed %u; PSNs unacknowledged %#x to %#x, retries left %u; expected from the peer %#x\n",
		transport->qpn, transport->sq.prod, transport->sq.next, transport->sq.cons,
		info.una, info.max, info.retries_left, info.epsn);
}

/* Trace a change of state from @old; log it if the QP entered ERR. */
static void rxe_ep_trace_state(struct rxe_ep *ep, u8 old)
{
	trace_rxe_qp_state(ep, old);
	if (unlikely(ep->transport.state == ROCE_ERR && old != ROCE_ERR && rxe_params_dump_qp()))
		rxe_ep_dump(ep);
}

/*
 * Build the skbs of the next batch, and return the number of packets. Called with a quota of 0
 * packets, too: the transport then completes the UC, UD and raw WQEs of earlier batches.
 *
 * Not inlined: the batch takes more than 1 KiB of stack, which must be free again when
 * rxe_ep_send() calls into the network stack.
 */
static noinline_for_stack u32 rxe_ep_build_batch(struct rxe_ep *ep, struct sk_buff_head *skbs,
						 const struct roce_tx_quota *quota)
{
	struct roce_tx_batch batch __uninitialized;
	u8 state = ep->transport.state;
	u32 n;

	rxe_mem_cache_begin(&ep->mem_cache);
	n = roce_tx(&ep->transport, ktime_get_ns(), quota, &batch);
	if (n)
		rxe_ep_build(ep, &batch, skbs);
	rxe_mem_cache_end(&ep->mem_cache);
	rxe_ep_trace_state(ep, state);
	return n;
}

/* True if there is nothing to send. Ends the wait that counts towards the starvation quota. */
static bool rxe_ep_idle(struct rxe_ep *ep)
{
	if (!roce_tx_idle(&ep->transport))
		return false;
	ep->waiter.granted = false;
	ep->waiter.waiting = false;
	return true;
}

/*
 * Return true if another CPU has to send, because its backlog may hold packets of the endpoint: it
 * has been asked to.
 */
static bool rxe_ep_handed_over(struct rxe_ep *ep)
{
	return unlikely(!rxe_tx_order_here(&ep->flow.order)) &&
	       rxe_tx_order_hand_over(&ep->flow.order);
}

/*
 * Send until nothing is left or the budget (max_iterations) ends. Drops and retakes the lock for
 * each batch; the endpoint may be dead afterwards. Returns true if the budget ended: the caller
 * queues the work item, which continues.
 */
static bool rxe_ep_send(struct rxe_ep *ep)
{
	enum rxe_txq_state load = RXE_TXQ_OPEN;
	struct roce_tx_quota quota;
	struct sk_buff_head skbs;
	u32 n, sent = 0, budget = rxe_params_budget();
	bool congested, ordered;

	__skb_queue_head_init(&skbs);
	ep->sending = true;
	while (!ep->dead && sent < budget && !rxe_ep_idle(ep)) {
		/* ACKs alone may be received before or after other packets. */
		ordered = roce_tx_backlogged(&ep->transport);
		if (ordered && rxe_ep_handed_over(ep))
			break;
		load = rxe_ep_txq_load(ep);
		rxe_ep_get_quota(ep, load, &quota);
		n = rxe_ep_build_batch(ep, &skbs, &quota);
		if (!n)
			break;
		sent += n;

		spin_unlock(&ep->lock);
		congested = rxe_output(&ep->flow, &skbs, ordered);
		spin_lock(&ep->lock);
		if (unlikely(congested) && !ep->dead)
			roce_tx_dropped(&ep->transport, ktime_get_ns());
	}
	ep->sending = false;
	if (unlikely(load == RXE_TXQ_SATURATED) && !ep->dead && roce_tx_backlogged(&ep->transport))
		rxe_tx_sched_wait(ep->flow.dev->tx_sched, &ep->waiter, rxe_ep_txq(ep));
	return sent >= budget;
}

/*
 * Packets that are still in a backlog of this host are not lost, and not yet answered: as for TCP
 * (skb_still_in_host_queue()), the timer waits. Pacing does not.
 */
static bool rxe_ep_timer_waits(struct rxe_ep *ep)
{
	return !ep->sending && !roce_tx_paced(&ep->transport) &&
	       !rxe_tx_order_drained(&ep->flow.order);
}

static u64 rxe_ep_deadline(const struct rxe_ep *ep)
{
	u64 deadline = roce_deadline(&ep->transport);

	/* The awaited packet may be among the deferred ones, which are processed after page-in. */
	if (rxe_page_fault_has_deferred(&ep->fault))
		deadline = ROCE_NEVER;
	if (!roce_tx_paced(&ep->transport))
		deadline = max(deadline, ep->timer_holdoff);
	if (ep->transport.state == ROCE_ERR && ep->flow.user)
		deadline = min(deadline, ktime_get_ns() + ep->err_poll_ns);
	return deadline;
}

static u64 rxe_ep_timer_slack(const struct rxe_ep *ep)
{
	u64 rtt = roce_qp_srtt(&ep->transport), most = RXE_TIMER_SLACK_MAX_NS;

	if (roce_tx_paced(&ep->transport))
		return 0;
	if (roce_delack_pending(&ep->transport))
		most = clamp(rtt / 2, RXE_TIMER_SLACK_DELACK_NS, RXE_TIMER_SLACK_MAX_NS);
	return min(ep->timer_early_fires *
			   max(rtt / RXE_TIMER_SLACK_RTT_DIV, RXE_TIMER_SLACK_STEP_NS),
		   most);
}

static u64 rxe_ep_timer_expires(const struct rxe_ep *ep)
{
	return hrtimer_is_queued((struct hrtimer *)&ep->timer) ?
		       ktime_to_ns(hrtimer_get_expires(&ep->timer)) :
		       ROCE_NEVER;
}

/*
 * Arm the timer only if it would fire later than the deadline and its slack. An ACK that moves the
 * deadline out leaves the timer as it is: it fires early and is then armed for the rest.
 */
static void rxe_ep_arm(struct rxe_ep *ep)
{
	u64 late = rxe_ep_timer_slack(ep), deadline;

	if (ep->transport.state != ROCE_ERR)
		ep->err_poll_ns = RXE_ERR_POLL_MIN_NS;
	deadline = rxe_ep_deadline(ep);
	if (deadline == ROCE_NEVER || deadline + late >= rxe_ep_timer_expires(ep))
		return;
	deadline += late;
	hrtimer_start(&ep->timer, ns_to_ktime(deadline), HRTIMER_MODE_ABS_SOFT);
}

/* A lost CQE ends the QP with an affiliated error (IBTA 10.2.6.4). */
static void rxe_ep_fail_cq_overflow(struct rxe_ep *ep)
{
	u8 state = ep->transport.state;

	ep->cq_full = false;
	if (state == ROCE_ERR || state == ROCE_RESET)
		return;
	roce_modify(&ep->transport, ktime_get_ns(), &(struct roce_attr){ .state = ROCE_ERR },
		    ROCE_QP_STATE);
	__set_bit(ROCE_EVENT_QP_FATAL, &ep->events);
	rxe_ep_trace_state(ep, state);
}

void rxe_ep_run_unlock(struct rxe_ep *ep) __releases(&ep->lock)
{
	bool more = false;

	lockdep_assert_held(&ep->lock);
	if (!ep->sending)
		more = rxe_ep_send(ep);
	if (!ep->dead) {
		if (unlikely(ep->cq_full))
			rxe_ep_fail_cq_overflow(ep);
		if (roce_flush(&ep->transport, RXE_FLUSH_BUDGET))
			more = true;
		rxe_qp_publish_sq(ep->qp);
		rxe_ep_arm(ep);
		if (more || ep->events)
			queue_work(rxe_ep_wq, &ep->work);
	}
	spin_unlock(&ep->lock);
}

/*
 * True with interrupts off, as local_bh_enable() is not allowed then. On PREEMPT_RT, also if
 * local_bh_enable() would run softirqs inside of a spinlock of the caller: the holder of one is in
 * an RCU read-side section, with interrupts on. If the caller has softirqs off, none run.
 */
static bool rxe_ep_must_defer(void)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT) && rcu_preempt_depth() && !softirq_count())
		return true;
	return irqs_disabled();
}

bool rxe_ep_lock_verb(struct rxe_ep *ep) __acquires(RCU) __acquires(&ep->lock)
{
	bool deferred = rxe_ep_must_defer();

	if (!deferred)
		local_bh_disable();
	rcu_read_lock();
	spin_lock(&ep->lock);
	return deferred;
}

void rxe_ep_run_verb(struct rxe_ep *ep, bool deferred) __releases(&ep->lock) __releases(RCU)
{
	if (!deferred) {
		rxe_ep_run_bh(ep);
		return;
	}
	queue_work(rxe_ep_wq, &ep->work);
	spin_unlock(&ep->lock);
	rcu_read_unlock();
}

void rxe_ep_rx(struct rxe_ep *ep, struct roce_pkt *pkts, u32 n)
{
	u32 taken = 0;
	u8 state;

	spin_lock(&ep->lock);
	if (ep->dead) {
		spin_unlock(&ep->lock);
		return;
	}
	if (trace_rxe_rx_enabled())
		rxe_trace_rx(ep, pkts, n);
	state = ep->transport.state;
	if (likely(!rxe_page_fault_has_deferred(&ep->fault))) {
		rxe_mem_cache_begin(&ep->mem_cache);
		taken = roce_rx(&ep->transport, ktime_get_ns(), pkts, n);
		rxe_mem_cache_end(&ep->mem_cache);
	}
	if (unlikely(taken < n))
		rxe_page_fault_defer(ep, pkts + taken, n - taken);
	rxe_ep_trace_state(ep, state);
	rxe_ep_run_unlock(ep);
}

/* The transmit scheduler resumes the endpoint: see rxe_tx_waiter.try. */
static enum rxe_tx_try rxe_ep_try_tx(struct rxe_tx_waiter *w)
{
	struct rxe_ep *ep = container_of(w, struct rxe_ep, waiter);
	const struct netdev_queue *txq;
	bool room;

	spin_lock(&ep->lock);
	if (ep->dead) {
		spin_unlock(&ep->lock);
		return RXE_TX_BLOCKED;
	}
	txq = rxe_ep_txq(ep);
	room = rxe_txq_state(txq) != RXE_TXQ_SATURATED;
	w->granted = !room && rxe_tx_sched_starved(w, txq);
	if (room || w->granted) {
		rxe_ep_run_unlock(ep);
		return room ? RXE_TX_ROOM : RXE_TX_GRANTED;
	}
	/* Single ACKs, which are sent without room, may have emptied its backlog. */
	if (roce_tx_backlogged(&ep->transport))
		rxe_tx_sched_requeue(ep->flow.dev->tx_sched, w, txq);
	spin_unlock(&ep->lock);
	return RXE_TX_BLOCKED;
}

/* The endpoint has been handed over to this CPU: see rxe_tx_order.run. */
static void rxe_ep_run_here(struct rxe_tx_order *order)
{
	struct rxe_ep *ep = container_of(order, struct rxe_ep, flow.order);

	spin_lock(&ep->lock);
	if (ep->dead)
		spin_unlock(&ep->lock);
	else
		rxe_ep_run_unlock(ep);
}

static enum hrtimer_restart rxe_ep_timer(struct hrtimer *timer)
{
	struct rxe_ep *ep = container_of(timer, struct rxe_ep, timer);
	u64 now;
	u8 state;

	rcu_read_lock();
	spin_lock(&ep->lock);
	if (ep->dead) {
		spin_unlock(&ep->lock);
	} else {
		ep->err_poll_ns = min_t(u64, 2 * ep->err_poll_ns, RXE_ERR_POLL_MAX_NS);
		now = ktime_get_ns();
		trace_rxe_timer(ep, now);
		state = ep->transport.state;
		ep->timer_early_fires =
			now < roce_deadline(&ep->transport) ? ep->timer_early_fires + 1 : 0;
		ep->timer_holdoff = rxe_ep_timer_waits(ep) ? now + RXE_TIMER_HOLDOFF_NS : 0;
		/* The awaited packet may be among those deferred by a page fault. */
		if (!rxe_page_fault_has_deferred(&ep->fault) && !ep->timer_holdoff)
			roce_timeout(&ep->transport, now);
		rxe_ep_trace_state(ep, state);
		rxe_ep_run_unlock(ep);
	}
	rcu_read_unlock();
	return HRTIMER_NORESTART;
}

static void rxe_ep_raise_events(struct rxe_qp *qp, unsigned long events)
{
	static const enum ib_event_type types[] = {
		[ROCE_EVENT_COMM_EST] = IB_EVENT_COMM_EST,
		[ROCE_EVENT_SQ_DRAINED] = IB_EVENT_SQ_DRAINED,
		[ROCE_EVENT_QP_FATAL] = IB_EVENT_QP_FATAL,
		[ROCE_EVENT_REQ_ERR] = IB_EVENT_QP_REQ_ERR,
		[ROCE_EVENT_ACCESS_ERR] = IB_EVENT_QP_ACCESS_ERR,
		[ROCE_EVENT_LAST_WQE] = IB_EVENT_QP_LAST_WQE_REACHED,
	};
	struct ib_qp *ibqp = &qp->ibqp;
	struct ib_event event = { .device = ibqp->device, .element.qp = ibqp };
	unsigned int i;

	if (!ibqp->event_handler)
		return;
	for_each_set_bit(i, &events, ARRAY_SIZE(types)) {
		event.event = types[i];
		ibqp->event_handler(&event, ibqp->qp_context);
	}
}

static void rxe_ep_work(struct work_struct *work)
{
	struct rxe_ep *ep = container_of(work, struct rxe_ep, work);
	unsigned long events;
	struct rxe_qp *qp;

	rxe_ep_lock_bh(ep);
	if (ep->dead) {
		rxe_ep_unlock_bh(ep);
		return;
	}
	qp = ep->qp;
	events = ep->events;
	ep->events = 0;
	rxe_ep_run_bh(ep);

	/* The QP stays valid: rxe_ep_destroy() waits for this work item. */
	rxe_ep_raise_events(qp, events);
}

static void rxe_ep_page_fault_done(struct rxe_page_fault *fault, int err)
{
	struct rxe_ep *ep = container_of(fault, struct rxe_ep, fault);

	rxe_ep_lock_bh(ep);
	if (ep->dead) {
		rxe_ep_unlock_bh(ep);
		return;
	}
	rxe_page_fault_finish(ep, err);
	rxe_ep_run_bh(ep);
}

static void rxe_ep_release(struct rxe_ep *ep)
{
	kfree(ep->transport.resp.res);
	kfree(ep->transport.resp.reorder.pkts);
	kfree(ep->transport.resp.recv_wqe);
	kvfree(ep->transport.sq.wqes);
	kfree(ep);
}

static void rxe_ep_release_rcu(struct rcu_head *rcu)
{
	rxe_ep_release(container_of(rcu, struct rxe_ep, rcu));
}

/* A larger one would take 4 KiB of kmalloc(). Debug kernels have larger locks. */
static_assert(IS_ENABLED(CONFIG_DEBUG_SPINLOCK) || sizeof(struct rxe_ep) <= 2048);

struct rxe_ep *rxe_ep_alloc(struct rxe_dev *dev, u8 service, u32 sq_slots, u32 sq_stride,
			    u32 max_recv_sge)
{
	struct rxe_ep *ep;

	ep = kzalloc(sizeof(*ep), GFP_KERNEL_ACCOUNT);
	if (!ep)
		return NULL;
	ep->transport.resp.recv_wqe = kzalloc(
		struct_size(ep->transport.resp.recv_wqe, sge, max_recv_sge), GFP_KERNEL_ACCOUNT);
	if (!ep->transport.resp.recv_wqe) {
		rxe_ep_release(ep);
		return NULL;
	}
	spin_lock_init(&ep->lock);
	ep->flow.dev = dev;
	ep->flow.counters = dev->counters;
	ep->transport.ops = &rxe_ep_ops;
	ep->transport.service = service;
	ep->flow.service = service;
	ep->flow.mem_cache = &ep->mem_cache;
	ep->transport.sq.mask = sq_slots - 1;
	ep->transport.sq.stride = sq_stride;
	ep->err_poll_ns = RXE_ERR_POLL_MIN_NS;
	hrtimer_setup(&ep->timer, rxe_ep_timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_SOFT);
	INIT_WORK(&ep->work, rxe_ep_work);
	rxe_tx_order_init(&ep->flow.order, rxe_ep_run_here);
	rxe_tx_waiter_init(&ep->waiter, rxe_ep_try_tx);
	rxe_page_fault_init(ep, rxe_ep_page_fault_done);
	return ep;
}

int rxe_ep_prepare_sq(struct rxe_ep *ep)
{
	struct roce_sq *sq = &ep->transport.sq;
	void *wqes;

	if (READ_ONCE(sq->wqes))
		return 0;
	wqes = kvcalloc(sq->mask + 1, sq->stride, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!wqes)
		return -ENOMEM;
	if (cmpxchg(&sq->wqes, NULL, wqes))
		kvfree(wqes);
	return 0;
}

void rxe_ep_free(struct rxe_ep *ep)
{
	call_rcu(&ep->rcu, rxe_ep_release_rcu);
}

/* Reserve a QPN without an entry: packets must not find an endpoint that has no QPN yet. */
static int rxe_ep_reserve_qpn(struct rxe_dev *dev, u32 wanted, u32 *qpn)
{
	if (wanted) {
		*qpn = wanted;
		return xa_insert(&dev->eps, wanted, NULL, GFP_KERNEL);
	}
	return rxe_id_alloc(&dev->qpns, &dev->eps, XA_LIMIT(RXE_MIN_QPN, RXE_MAX_QPN), qpn);
}

int rxe_ep_publish(struct rxe_ep *ep, struct rxe_qp *qp, u32 qpn)
{
	struct rxe_dev *dev = ep->flow.dev;
	int err;

	err = rxe_ep_reserve_qpn(dev, qpn, &ep->transport.qpn);
	if (err)
		return err;
	ep->qp = qp;
	ep->flow.hash = hash_32(ep->transport.qpn, 32);
	ep->mem_cache.ctx = &qp->mem_ctx;
	roce_qp_init(&ep->transport);
	roce_set_cc(&ep->transport, rxe_params_cc());
	err = xa_err(xa_store(&dev->eps, ep->transport.qpn, ep, GFP_KERNEL));
	if (err)
		xa_erase(&dev->eps, ep->transport.qpn);
	return err;
}

void rxe_ep_release_wqe(struct roce_send_wqe *wqe)
{
	rxe_dest_put((struct rxe_dest *)wqe->av);
	wqe->av = NULL;
}

/*
 * Drop the destination references of send WQEs that were flushed and never built. WQEs that were
 * sent have dropped theirs in rxe_ep_build().
 */
static void rxe_ep_release_wqes(struct rxe_ep *ep)
{
	u32 i;

	if (ep->transport.service != ROCE_OP_UD || !ep->transport.sq.wqes)
		return;
	for (i = 0; i <= ep->transport.sq.mask; i++)
		rxe_ep_release_wqe(roce_sq_wqe(&ep->transport, i));
}

/* Build copies of the last ACK, each in an skb of its own: a full queue drops whole skbs. */
static noinline_for_stack void rxe_ep_build_final_acks(struct rxe_ep *ep, struct sk_buff_head *skbs)
{
	struct roce_tx_batch batch;
	int i;

	for (i = 0; i < RXE_FINAL_ACK_COPIES && roce_final_ack(&ep->transport, &batch); i++)
		rxe_ep_build(ep, &batch, skbs);
}

void rxe_ep_destroy(struct rxe_ep *ep)
{
	struct sk_buff_head skbs;

	__skb_queue_head_init(&skbs);
	rxe_ep_lock_bh(ep);
	rxe_ep_build_final_acks(ep, &skbs);
	/* RESET also frees the packets of the reorder queue. */
	roce_modify(&ep->transport, ktime_get_ns(), &(struct roce_attr){ .state = ROCE_RESET },
		    ROCE_QP_STATE);
	rxe_page_fault_purge(ep);
	WRITE_ONCE(ep->dead, true);
	ep->qp = NULL;
	rxe_path_close(&ep->flow.path);
	rxe_ep_release_wqes(ep);
	spin_unlock(&ep->lock);
	/*
	 * Another context may still be in rxe_ep_send(), and own @flow.order: unordered packets do
	 * not use it, so @sending is not needed.
	 */
	rxe_output(&ep->flow, &skbs, false);
	rcu_read_unlock();
	local_bh_enable();

	/*
	 * Later packets do not find the endpoint; those that have found it stop at @dead. A device
	 * that leaves a namespace finds the endpoint as long as it has a path.
	 */
	xa_erase(&ep->flow.dev->eps, ep->transport.qpn);

	/* They are started with the lock held and @dead false, so none starts from here on. */
	rxe_tx_sched_cancel(ep->flow.dev->tx_sched, &ep->waiter);
	rxe_tx_order_cancel(&ep->flow.order);
	hrtimer_cancel(&ep->timer);
	cancel_work_sync(&ep->work);
	rxe_page_fault_cancel(ep);
}

struct rxe_ep *rxe_ep_find(struct rxe_dev *dev, u32 qpn)
{
	return xa_load(&dev->eps, qpn);
}
