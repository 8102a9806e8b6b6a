/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Queue pairs as verbs objects: creation and destruction; qp_attr.h has their attributes.
 * What packets and timers work on is the endpoint (ep.h), which a QP owns.
 */
#ifndef RXE_QP_H
#define RXE_QP_H

#include <linux/mutex.h>
#include <rdma/ib_verbs.h>

#include "mem/mem.h"
#include "qp/ep.h"
#include "qp/ring.h"
#include "qp/wqe.h"

struct rxe_cq;
struct rxe_srq;

/**
 * struct rxe_qp - a queue pair
 * @ibqp: the RDMA core's part
 * @ep: the endpoint
 * @mem_ctx: what grants access to memory
 * @scq: completions of the send queue
 * @rcq: completions of the receive queue
 * @sq: a user's ring of send WQEs; kernel consumers have none, their WQEs are
 *	built in the endpoint's slots at once
 * @rq: ring of receive WQEs, of a user or of the kernel; unused with @srq
 * @srq: shared receive queue, or NULL
 * @rules: what WQEs may ask for
 * @cap: capacities as reported to the consumer
 * @sqd_notify: the consumer wants to know when the send queue has drained
 * @modify: serialises changes of attributes
 * @av: address vector, for queries; holds no reference to its GID
 * @access: IB_ACCESS_*, for queries
 * @max_dest_rd_atomic: READs and atomics accepted at a time
 *
 * The endpoint's lock protects the rings and @sqd_notify, @modify the rest.
 */
struct rxe_qp {
	struct ib_qp ibqp;
	struct rxe_ep *ep;
	struct rxe_mem_ctx mem_ctx;
	struct rxe_cq *scq;
	struct rxe_cq *rcq;
	struct rxe_ring sq;
	struct rxe_ring rq;
	struct rxe_srq *srq;
	struct rxe_wqe_limits rules;
	struct ib_qp_cap cap;
	bool sqd_notify;
	struct mutex modify;
	struct rdma_ah_attr av;
	u32 access;
	u8 max_dest_rd_atomic;
};

static inline struct rxe_qp *to_rxe_qp(struct ib_qp *ibqp)
{
	return container_of(ibqp, struct rxe_qp, ibqp);
}

/**
 * rxe_qp_publish_sq() - publish the consumer index of the send queue to user space
 * @qp: the QP; nothing happens for a kernel consumer's
 *
 * Must precede the CQE: a user that has polled the CQE may reuse the slot at once.
 *
 * Context: the endpoint's lock held.
 */
static inline void rxe_qp_publish_sq(struct rxe_qp *qp)
{
	u32 cons = qp->ep->core.sq.cons;

	if (!qp->ep->flow.user || qp->sq.index == cons)
		return;
	qp->sq.index = cons;
	rxe_ring_publish_consumer(&qp->sq);
}

/**
 * rxe_post_send() - post send WQEs, or take them from the user's ring
 * @ibqp: the QP
 * @wr: list of WRs of a kernel consumer; a user's doorbell has none
 * @bad_wr: the WR that an error is about
 *
 * Runs the requester in the caller. Context: any but hard interrupt.
 *
 * Return: 0; -EINVAL: the QP is in a state that takes none, or a WR is malformed;
 *	-ENOMEM: the queue is full, or there is no memory for a user's first WQEs;
 *	-EOPNOTSUPP: an opcode that is not supported.
 */
int rxe_post_send(struct ib_qp *ibqp, const struct ib_send_wr *wr,
		  const struct ib_send_wr **bad_wr);

/* Post receives of a kernel consumer; users do without a call. */
int rxe_post_recv(struct ib_qp *ibqp, const struct ib_recv_wr *wr,
		  const struct ib_recv_wr **bad_wr);

#endif
