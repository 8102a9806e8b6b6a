/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Endpoints: the part of a QP that packets and timers reach. It outlives the
 * verbs object by an RCU grace period, so that destroying a QP waits for nobody.
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
 * @lock: protects the endpoint; taken with bottom halves off
 * @qp: the verbs object; NULL once @dead
 * @cq_full: a completion found no room, with which the QP ends
 * @core: the transport's state; the arrays it points to belong to the endpoint
 * @flow: the endpoint as a sender; @flow.dev is valid under RCU until @dead is seen
 * @timer: fires at roce_deadline(@core), a little later, or before and looks again
 * @timer_at: when @timer is going to fire, ROCE_NEVER if it is not armed
 * @timer_early_fires: how often it has fired in vain, since it last did not
 * @err_poll_ns: in state ERR: until the next look for receives posted late
 * @work: continues where a budget ended, and raises @events
 * @fault: page-in of memory, and the packets deferred until it ends
 * @mem_cache: reference to the memory that was accessed last
 * @waiter: entry in the transmit scheduler of the device
 * @events: bits of enum roce_event that the consumer is to be told
 * @cwnd_limited_by_txq: the window's limit is inflight_skbs_per_qp_high, or the interface's room,
 *	for the counters
 * @sending: a context is between roce_tx() and handing the packets to the
 *	stack; it looks again before it leaves, so that one context at a time
 *	sends for an endpoint and packets stay in order
 * @dead: destroyed; nothing but @lock and @dead may be used
 *
 * One context at a time transmits, without holding @lock while it calls into the
 * network stack (which may come back into the receive path at once).
 */
struct rxe_ep {
	spinlock_t lock;
	struct rxe_qp *qp;
	struct roce_qp core;
	struct rxe_tx_flow flow;
	struct hrtimer timer;
	u64 timer_at;
	u32 timer_early_fires;
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

static inline struct rxe_ep *to_rxe_ep(struct roce_qp *core)
{
	return container_of(core, struct rxe_ep, core);
}

/* Context: bottom halves off. */
static inline void rxe_ep_count(struct rxe_ep *ep, enum rxe_counter what, u64 n)
{
	rxe_tx_count(&ep->flow, what, n);
}

/* Once for the module. rxe_ep_exit() also waits for memory being freed by RCU. */
int rxe_ep_init(void);
void rxe_ep_exit(void);

/**
 * rxe_ep_alloc() - an endpoint in state RESET, not yet reachable
 * @dev: device
 * @service: ROCE_OP_RC, ROCE_OP_UC, ROCE_OP_UD or ROCE_RAW
 * @sq_slots: send WQEs, a power of two
 * @sq_stride: bytes of each of them
 * @max_recv_sge: SGEs of the receive WQE in use
 *
 * Return: the endpoint, to be released by rxe_ep_free(); NULL: no memory.
 */
struct rxe_ep *rxe_ep_alloc(struct rxe_dev *dev, u8 service, u32 sq_slots, u32 sq_stride,
			    u32 max_recv_sge);

/**
 * rxe_ep_prepare_sq() - have memory for send WQEs
 * @ep: endpoint
 *
 * To be called before the first is posted: a QP that only answers needs none. Context: may sleep;
 * others may do the same.
 *
 * Return: 0 or -ENOMEM.
 */
int rxe_ep_prepare_sq(struct rxe_ep *ep);

/* Release the endpoint, once no RCU reader can hold it any more. */
void rxe_ep_free(struct rxe_ep *ep);

/**
 * rxe_ep_publish() - give the endpoint a QPN and let packets find it
 * @ep: endpoint whose QPN is not set
 * @qp: the verbs object
 * @qpn: which QPN; 0: any that is free
 *
 * QPNs are not soon used again (IBTA 10.2.4.4), nor known beforehand: ids.h.
 *
 * Return: 0, -ENOMEM, -ENOSPC with all QPNs in use, or -EBUSY if @qpn is.
 */
int rxe_ep_publish(struct rxe_ep *ep, struct rxe_qp *qp, u32 qpn);

/**
 * rxe_ep_destroy() - undo rxe_ep_publish()
 * @ep: endpoint
 *
 * When it returns, neither packets, timers nor the work item touch the verbs
 * object. Context: process; waits for a running timer or event handler only.
 */
void rxe_ep_destroy(struct rxe_ep *ep);

/**
 * rxe_ep_find() - the endpoint of a QPN
 * Context: RCU read lock held, which is what keeps the result alive.
 */
struct rxe_ep *rxe_ep_find(struct rxe_dev *dev, u32 qpn);

/**
 * rxe_ep_rx() - hand received packets to an endpoint, and send what they cause
 * @ep: the endpoint
 * @pkts: parsed, ICRC and P_Key checked, all for this endpoint; pkt->cookie is
 *	the skb, payload_off counts from its data pointer: see rcv.h
 * @n: how many
 *
 * Context: softirq or bottom halves off, RCU read lock held.
 */
void rxe_ep_rx(struct rxe_ep *ep, struct roce_pkt *pkts, u32 n);

/**
 * rxe_ep_run_unlock() - send what there is to send, flush, publish indices, arm the timer
 * @ep: the endpoint, not dead; its lock is held and is released by this function
 *
 * Context: bottom halves off, RCU read lock held.
 */
void rxe_ep_run_unlock(struct rxe_ep *ep) __releases(&ep->lock);

/*
 * Let go of what a send WQE refers to, if that has not been done: it has been
 * sent, or its slot is needed. Context: the endpoint's lock held, or nobody else
 * knows it.
 */
void rxe_ep_release_wqe(struct roce_send_wqe *wqe);

/* The same pair for a context that is in no softirq. */
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
 * The pair for verbs of the kernel's users, who may have interrupts off, as connection management
 * has when it sends: softirqs must not run then, so that what there is to be done is left to the
 * work item.
 */
void rxe_ep_lock_verb(struct rxe_ep *ep) __acquires(RCU) __acquires(&ep->lock);
void rxe_ep_run_verb(struct rxe_ep *ep) __releases(&ep->lock) __releases(RCU);

/* How the transport reaches memory and the consumer (ep_ops.c). */
extern const struct roce_ops rxe_ep_ops;

#endif
