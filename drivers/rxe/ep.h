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

#include "path.h"
#include "ring.h"

struct rxe_qp;

/**
 * struct rxe_ep - an endpoint
 * @lock: protects the endpoint; taken with bottom halves off
 * @dev: device; valid under RCU until @dead is seen
 * @qp: the verbs object; NULL once @dead
 * @core: the transport's state
 * @path: where packets go
 * @timer: fires at roce_deadline(@core)
 * @work: continues sending where a budget ended
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
	struct rxe_dev *dev;
	struct rxe_qp *qp;
	struct roce_qp core;
	struct rxe_path path;
	struct hrtimer timer;
	struct work_struct work;
	bool sending;
	bool dead;
	struct rcu_head rcu;
};

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
 * rxe_ep_run() - send what there is to send, publish indices, arm the timer
 * @ep: the endpoint; its lock is held and is released by this function
 *
 * Context: bottom halves off.
 */
void rxe_ep_run(struct rxe_ep *ep) __releases(&ep->lock);

#endif
