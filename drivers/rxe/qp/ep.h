/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Endpoint: the part of a QP that packets and timers reach. It outlives the verbs object by an RCU
 * grace period, so that destroying a QP does not wait for receivers.
 *
 * The lock order of the module is in docs/architecture.md. A context holds the lock of one endpoint
 * at a time, with bottom halves off, or after rxe_ep_lock_verb().
 *
 * rxe_ep.lock is dropped while packets are handed to the network stack: a packet that veth receives
 * inline (tx/veth.h) gets to rxe_ep_rx(), of this or another endpoint, before the call returns. The
 * transmit scheduler drops its own lock to resume an endpoint.
 *
 * What runs asynchronously, and what stops it:
 *
 *	@timer: armed by rxe_ep_run_unlock(); rxe_ep_destroy() cancels it
 *	@work: queued when a budget ends, when an event is pending, or by a verb that must not send
 *		(rxe_ep_run_verb()); rxe_ep_destroy() cancels it
 *	@fault: queued when a page fault defers packets or WQEs; rxe_ep_destroy() cancels it
 *	@waiter: queued in the transmit scheduler; rxe_ep_destroy() removes it
 *	@flow.order: queued when another CPU has to send; rxe_ep_destroy() removes it
 *	packets: found under RCU; @dead stops them, the grace period frees the endpoint
 *
 * The first five are started with the lock held and @dead false, so none starts after
 * rxe_ep_destroy() has set @dead. A verb does not test @dead: ib_core destroys no QP during its
 * verbs. When the process exits or the device is unregistered (interface or network namespace
 * removed, module unloaded), ib_core destroys the QP: rxe_ep_destroy() runs.
 */
#ifndef RXE_EP_H
#define RXE_EP_H

#include <linux/hrtimer.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <roce/qp.h>

#include "base/counters.h"
#include "mem/cache.h"
#include "qp/page_fault.h"
#include "qp/ring.h"
#include "tx/flow.h"
#include "tx/sched.h"

struct rxe_dev;
struct rxe_qp;

/**
 * struct rxe_ep - an endpoint
 * @lock: protects all fields
 * @qp: the verbs object; NULL once @dead
 * @cq_full: a CQE was lost because the CQ was full: the QP goes to state ERR
 * @transport: state of the transport; the endpoint owns the arrays that it points to
 * @flow: the endpoint as a sender; @flow.dev is valid while @dead is false, and from then on to
 *	the end of the RCU read-side section
 * @timer: fires at roce_deadline(@transport) or later by rxe_ep_timer_slack(). If the deadline has
 *	moved since it was armed, it fires early and is armed again
 * @timer_early_fires: consecutive early fires of @timer
 * @timer_holdoff: the timer does not fire before this time, because packets wait in a backlog; 0
 *	if none did when it fired last
 * @err_poll_ns: state ERR of a user's QP: interval to the next poll of the receive queue, ns
 * @work: continues after a budget ended, sends for a verb that must not, and raises @events
 * @fault: page-in of memory, and the packets deferred until it ends
 * @mem_cache: reference to the memory that was accessed last
 * @waiter: entry in the transmit scheduler of the device
 * @events: bit mask of enum roce_event to be reported to the consumer by @work
 * @cwnd_limited_by_txq: the congestion window is bounded by inflight_skbs_per_qp_high or by the
 *	backlog of the txq: stalls are counted in wait_skb instead of wait_psn
 * @sending: a context is in rxe_ep_send(), which drops @lock to hand packets to the stack. Other
 *	contexts leave sending to it, so that packets stay in order
 * @dead: rxe_ep_destroy() has run: only @lock and @dead may be used. A context that was in
 *	rxe_ep_send() then goes on to use @flow for its batch, and clears @sending
 * @rcu: frees the endpoint after a grace period
 */
struct rxe_ep {
	spinlock_t lock;
	struct rxe_qp *qp;
	struct roce_qp transport;
	struct rxe_tx_flow flow;
	struct hrtimer timer;
	u32 timer_early_fires;
	u64 timer_holdoff;
	u64 err_poll_ns;
	struct work_struct work;
	struct rxe_page_fault fault;
	struct rxe_mem_cache mem_cache;
	struct rxe_tx_waiter waiter;
	unsigned long events;
	bool cwnd_limited_by_txq;
	bool sending;
	bool cq_full;
	bool dead;
	struct rcu_head rcu;
};

static inline struct rxe_ep *to_rxe_ep(struct roce_qp *transport)
{
	return container_of(transport, struct rxe_ep, transport);
}

/*
 * Add @n to the counter @what of the device or of the bound counter set.
 * Context: bottom halves off, RCU read lock held.
 */
static inline void rxe_ep_count(struct rxe_ep *ep, enum rxe_counter what, u64 n)
{
	rxe_tx_count(&ep->flow, what, n);
}

/*
 * Create and destroy the module's workqueue. rxe_ep_exit() waits for the RCU callbacks that free
 * endpoints. Context: process. Return: 0 or -ENOMEM.
 */
int rxe_ep_init(void);
void rxe_ep_exit(void);

/**
 * rxe_ep_alloc() - allocate an endpoint in state RESET, without a QPN
 * @dev: device
 * @service: ROCE_OP_RC, ROCE_OP_UC, ROCE_OP_UD or ROCE_RAW
 * @sq_slots: slots of the send queue, a power of two
 * @sq_stride: size of a send WQE, bytes
 * @max_recv_sge: maximum SGEs of a receive WQE
 *
 * Context: process; may sleep.
 * Return: the endpoint, to be freed by rxe_ep_free(), or NULL: no memory.
 */
struct rxe_ep *rxe_ep_alloc(struct rxe_dev *dev, u8 service, u32 sq_slots, u32 sq_stride,
			    u32 max_recv_sge);

/**
 * rxe_ep_prepare_sq() - allocate the slots of the send queue, unless that has been done
 * @ep: endpoint
 *
 * To be called before the first send WQE is posted. A QP that only responds never needs them.
 *
 * Context: process; may sleep. Several callers may run at the same time.
 * Return: 0 or -ENOMEM.
 */
int rxe_ep_prepare_sq(struct rxe_ep *ep);

/*
 * Free an endpoint that was never published, or that rxe_ep_destroy() has destroyed, after an RCU
 * grace period. Context: any; does not sleep.
 */
void rxe_ep_free(struct rxe_ep *ep);

/**
 * rxe_ep_publish() - assign a QPN and make the endpoint visible to received packets
 * @ep: endpoint without a QPN
 * @qp: the verbs object
 * @qpn: the QPN; 0: any free one, unpredictable and not reused soon (IBTA 10.2.4.4, id_alloc.h)
 *
 * Context: process; may sleep.
 * Return: 0, -ENOMEM, -ENOSPC with all QPNs in use, or -EBUSY if @qpn is.
 */
int rxe_ep_publish(struct rxe_ep *ep, struct rxe_qp *qp, u32 qpn);

/**
 * rxe_ep_destroy() - undo rxe_ep_publish()
 * @ep: endpoint
 *
 * When it returns, no packet, timer or work item uses the verbs object.
 *
 * Context: process; sleeps until a running timer, page-in or event handler of the endpoint ends.
 */
void rxe_ep_destroy(struct rxe_ep *ep);

/**
 * rxe_ep_find() - look up an endpoint by QPN
 * @dev: device
 * @qpn: the QPN
 *
 * Context: RCU read lock held; it keeps the result valid.
 * Return: the endpoint or NULL.
 */
struct rxe_ep *rxe_ep_find(struct rxe_dev *dev, u32 qpn);

/**
 * rxe_ep_rx() - process received packets and send the responses
 * @ep: the endpoint
 * @pkts: packets for this endpoint, parsed, with ICRC and P_Key verified; pkt->cookie is the skb,
 *	payload_off is relative to its data pointer
 * @n: number of packets
 *
 * Context: softirq or bottom halves off, RCU read lock held.
 */
void rxe_ep_rx(struct rxe_ep *ep, struct roce_pkt *pkts, u32 n);

/**
 * rxe_ep_run_unlock() - send, flush WQEs, publish ring indices, arm the timer, unlock
 * @ep: the endpoint; its lock is held and is released by this function
 *
 * Context: bottom halves off, RCU read lock held.
 */
void rxe_ep_run_unlock(struct rxe_ep *ep) __releases(&ep->lock);

/*
 * Drop the destination reference of a send WQE of UD, if it has one: when the WQE has been sent,
 * before its slot is reused, and when the endpoint is destroyed. Context: the endpoint's lock held.
 */
void rxe_ep_release_wqe(struct roce_send_wqe *wqe);

/*
 * Lock an endpoint with bottom halves off and the RCU read lock held; unlock it, or unlock it by
 * rxe_ep_run_unlock(). Context: process or softirq, interrupts on.
 */
static inline void rxe_ep_lock_bh(struct rxe_ep *ep) __acquires(&ep->lock)
{
	local_bh_disable();
	rcu_read_lock();
	spin_lock(&ep->lock);
}

static inline void rxe_ep_unlock_bh(struct rxe_ep *ep) __releases(&ep->lock)
{
	spin_unlock(&ep->lock);
	rcu_read_unlock();
	local_bh_enable();
}

static inline void rxe_ep_run_bh(struct rxe_ep *ep) __releases(&ep->lock)
{
	rxe_ep_run_unlock(ep);
	rcu_read_unlock();
	local_bh_enable();
}

/*
 * The same for verbs that kernel consumers may call with interrupts off (ib_cm does for MADs).
 * local_bh_enable() is not allowed then: rxe_ep_lock_verb() leaves bottom halves as they are, and
 * rxe_ep_run_verb() leaves sending to the work item. They do so as well on PREEMPT_RT in an RCU
 * read-side section with softirqs on: the caller may hold a spinlock, which leaves interrupts on,
 * and softirqs must not run inside of it. @deferred: the result of rxe_ep_lock_verb().
 * Context: any but hard interrupt.
 */
bool rxe_ep_lock_verb(struct rxe_ep *ep) __acquires(RCU) __acquires(&ep->lock);
void rxe_ep_run_verb(struct rxe_ep *ep, bool deferred) __releases(&ep->lock) __releases(RCU);

/* Operations table of the transport (transport_ops.c). */
extern const struct roce_ops rxe_ep_ops;

#endif
