/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Completion queues, CQ (IBTA 10.2.5): CQEs, notification of the consumer, overflow, resizing.
 */
#ifndef RXE_CQ_H
#define RXE_CQ_H

#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <rdma/ib_verbs.h>
#include <rdma/uverbs_ioctl.h>

#include "qp/ring.h"

/* Value of rxe_cq.consumer_at_event that no index of a ring has. */
#define RXE_CQ_POLLED_SINCE U32_MAX

/**
 * struct rxe_cq - a completion queue
 * @ibcq: the RDMA core's part
 * @lock: protects @ring, @armed, @overflowed and the four members from @produced on. Taken inside
 *	an endpoint's lock. With interrupts off if @polled_anywhere, else with bottom halves off
 * @polled_anywhere: a kernel consumer polls the CQ itself, in any context, or has handlers of its
 *	own, which @notify calls; else user space or the RDMA core does (ib_alloc_cq())
 * @ring: CQEs: struct ib_uverbs_wc for user space, struct ib_wc for the kernel
 * @armed: notification that the consumer has requested: 0, IB_CQ_SOLICITED or IB_CQ_NEXT_COMP
 * @overflowed: a completion was lost. Final: the CQ accepts no more
 * @produced: number of CQEs inserted, modulo 2^32
 * @produced_solicited: @produced after the last CQE that is an event for IB_CQ_SOLICITED
 * @produced_at_event: @produced at the last event
 * @consumer_at_event: the consumer's index at the last event; RXE_CQ_POLLED_SINCE if it has changed
 * @comp_pending: @notify has to call the completion handler; it clears this without @lock
 * @overflow_pending: @notify has to raise IB_EVENT_CQ_ERR; the same
 * @resize: serialises resizing
 * @notify: tasklet that calls the handlers, if @polled_anywhere
 */
struct rxe_cq {
	struct ib_cq ibcq;
	spinlock_t lock;
	bool polled_anywhere;
	struct rxe_ring ring;
	u8 armed;
	bool overflowed;
	bool comp_pending;
	bool overflow_pending;
	u32 produced;
	u32 produced_solicited;
	u32 produced_at_event;
	u32 consumer_at_event;
	struct mutex resize;
	struct tasklet_struct notify;
};

static inline struct rxe_cq *to_rxe_cq(struct ib_cq *ibcq)
{
	return container_of(ibcq, struct rxe_cq, ibcq);
}

/* Return true if the consumer is in user space. */
static inline bool rxe_cq_is_user(const struct rxe_cq *cq)
{
	return cq->ibcq.uobject;
}

struct roce_wc;

/**
 * rxe_cq_post() - insert a CQE, and notify the consumer if the CQ is armed
 * @cq: CQ
 * @ibqp: QP that the completion belongs to
 * @wc: the completion
 *
 * The handlers of user space and of the RDMA core (ib_alloc_cq()) are called directly: they only
 * wake a thread, or schedule work or a softirq. A kernel consumer's own are called from a tasklet:
 * one at a time, and never from within its own post, as they may take locks and post.
 *
 * Context: bottom halves or interrupts off; an endpoint's lock may be held.
 *
 * Return: true; false: the completion was lost, as the CQ is full, or has overflowed before.
 */
bool rxe_cq_post(struct rxe_cq *cq, struct ib_qp *ibqp, const struct roce_wc *wc);

int rxe_create_cq(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr, rxe_cq_attrs *attrs);
int rxe_destroy_cq(struct ib_cq *ibcq, struct ib_udata *udata);
int rxe_resize_cq(struct ib_cq *ibcq, rxe_cqe_t cqe, struct ib_udata *udata);
int rxe_poll_cq(struct ib_cq *ibcq, int n, struct ib_wc *wc);
int rxe_req_notify_cq(struct ib_cq *ibcq, enum ib_cq_notify_flags flags);
int rxe_peek_cq(struct ib_cq *ibcq, int n);

#endif
