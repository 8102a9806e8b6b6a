/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Completion queues.
 */
#ifndef RXE_CQ_H
#define RXE_CQ_H

#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <rdma/ib_verbs.h>
#include <rdma/uverbs_ioctl.h>

#include "qp/ring.h"

/**
 * struct rxe_cq - a completion queue
 * @ibcq: the RDMA core's part
 * @lock: protects the rest; taken inside an endpoint's lock. With interrupts off if the consumer is
 *	the kernel, which may poll in any context; with bottom halves off if it is a user
 * @user: the consumer is a user
 * @ring: CQEs: struct ib_uverbs_wc for a user, struct ib_wc for the kernel
 * @armed: consumer asked to be notified: 0, IB_CQ_SOLICITED or IB_CQ_NEXT_COMP
 * @overflowed: a completion was lost, of which the consumer is told once
 * @comp_pending: @notify is to tell the kernel consumer of a completion
 * @overflow_pending: @notify is to tell it of the one that was lost
 * @resize: one resize at a time
 * @notify: calls a kernel consumer's handlers
 */
struct rxe_cq {
	struct ib_cq ibcq;
	spinlock_t lock;
	struct rxe_ring ring;
	bool user;
	u8 armed;
	bool overflowed;
	bool comp_pending;
	bool overflow_pending;
	struct mutex resize;
	struct tasklet_struct notify;
};

static inline struct rxe_cq *to_rxe_cq(struct ib_cq *ibcq)
{
	return container_of(ibcq, struct rxe_cq, ibcq);
}

struct roce_wc;

/**
 * rxe_cq_post() - add a completion
 * @cq: where
 * @ibqp: the QP it belongs to
 * @wc: what completed
 *
 * Writes the CQE, and notifies the consumer if armed for it: a user's event
 * handler directly, a kernel consumer's from a tasklet, so never from within its
 * own post and one at a time.
 *
 * Context: bottom halves disabled; an endpoint's lock may be held.
 * Return: false if there was no room, then or at some time before: a CQ that has overflowed
 * takes no completions any more.
 */
bool rxe_cq_post(struct rxe_cq *cq, struct ib_qp *ibqp, const struct roce_wc *wc);

int rxe_create_cq(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr, rxe_cq_attrs *attrs);
int rxe_destroy_cq(struct ib_cq *ibcq, struct ib_udata *udata);
int rxe_resize_cq(struct ib_cq *ibcq, rxe_cqe_t cqe, struct ib_udata *udata);
int rxe_poll_cq(struct ib_cq *ibcq, int n, struct ib_wc *wc);
int rxe_req_notify_cq(struct ib_cq *ibcq, enum ib_cq_notify_flags flags);
int rxe_peek_cq(struct ib_cq *ibcq, int n);

#endif
