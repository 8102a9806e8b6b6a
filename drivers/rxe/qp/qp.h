/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Queue pair (struct rxe_qp, ib_qp): the verbs object. It owns the endpoint (ep.h), on which
 * packets and timers work. The verbs that create, modify and destroy it are in verbs/verbs.h.
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
 * @ibqp: the QP of ib_core
 * @ep: endpoint; NULL once destroyed, see rxe_qp_lock_ep(). Constant until then
 * @mem_ctx: device and protection domains against which memory keys are checked
 * @scq: CQ of the send queue
 * @rcq: CQ of the receive queue
 * @sq: ring of send WQEs of a user; unused by kernel consumers, whose WQEs are written directly to
 *	the slots of @ep
 * @rq: ring of receive WQEs, of a user or a kernel consumer; unused with @srq
 * @srq: shared receive queue, or NULL
 * @rules: limits of WQEs
 * @cap: capacities, as reported to the consumer
 * @sqd_notify: the consumer requested an event when the send queue has drained (state SQD)
 * @modify: serialises rxe_modify_qp() and rxe_query_qp()
 * @av: address vector, for queries; without a reference to its GID
 * @access: bit mask of IB_ACCESS_*, for queries
 * @max_dest_rd_atomic: READs and atomics that the responder accepts at a time, for queries
 *
 * The endpoint's lock protects @sq, @rq and @sqd_notify. @modify protects @av, @access and
 * @max_dest_rd_atomic. The other fields, except for @mem_ctx.has_type2_mw, are constant after
 * creation.
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
 * rxe_qp_lock_ep() - lock the endpoint of a QP that may be destroyed at any time
 * @qp: the QP, whose own memory the caller keeps
 *
 * For resource tracking: RDMA cores without rdma_restrack_begin_del() query a QP and bind counters
 * to it while rxe_destroy_qp() runs, and after it has returned. All other verbs exclude
 * rxe_destroy_qp(), and use @qp->ep.
 *
 * Context: process, interrupts on.
 * Return: the endpoint, not dead, so that the rings of the QP exist as well; to be unlocked by
 *	rxe_qp_unlock_ep(). NULL: it has been destroyed.
 */
static inline struct rxe_ep *rxe_qp_lock_ep(const struct rxe_qp *qp)
{
	struct rxe_ep *ep;

	local_bh_disable();
	rcu_read_lock();
	/* Pairs with the grace period of rxe_ep_free(), before which @ep is set to NULL. */
	ep = READ_ONCE(qp->ep);
	if (ep) {
		spin_lock(&ep->lock);
		if (!ep->dead) {
			/* For sparse, which knows no conditional locks. */
			__release(&ep->lock);
			__release(RCU);
			return ep;
		}
		spin_unlock(&ep->lock);
	}
	rcu_read_unlock();
	local_bh_enable();
	return NULL;
}

/* Undo rxe_qp_lock_ep(). */
static inline void rxe_qp_unlock_ep(struct rxe_ep *ep)
{
	__acquire(RCU);
	__acquire(&ep->lock);
	rxe_ep_unlock_bh(ep);
}

/**
 * rxe_qp_publish_sq() - publish the consumer index of the send queue to user space
 * @qp: the QP; nothing happens for one of a kernel consumer
 *
 * Must precede the CQE: a user that has polled the CQE may reuse the slot at once.
 *
 * Context: the endpoint's lock held.
 */
static inline void rxe_qp_publish_sq(struct rxe_qp *qp)
{
	u32 cons = qp->ep->transport.sq.cons;

	if (!qp->ep->flow.user || qp->sq.index == cons)
		return;
	qp->sq.index = cons;
	rxe_ring_publish_consumer(&qp->sq);
}

/**
 * rxe_post_send() - post send WRs, or process the doorbell of a user
 * @ibqp: the QP
 * @wr: list of WRs of a kernel consumer; NULL: doorbell, the WQEs are in the user's ring
 * @bad_wr: result: the first WR that was not posted; not set by a doorbell
 *
 * The requester sends before the function returns, unless:
 *	interrupts are off; PREEMPT_RT: the caller is in an RCU read-side section with softirqs on:
 *		the work item of the endpoint sends
 *	another context sends for the endpoint: it looks for new WQEs before it stops
 *	the endpoint is bound to another CPU (tx/order.h): that CPU sends
 *	max_iterations packets have been sent: the work item continues
 *	the transmit queue is saturated: the transmit scheduler resumes the endpoint
 *
 * Context: kernel consumer: any but hard interrupt, does not sleep; doorbell: process, may sleep.
 * Return: 0; -EINVAL: the state of the QP does not allow it, or a WR is malformed; -ENOMEM: the
 *	send queue is full, or no memory for its slots; -EOPNOTSUPP: the opcode is not
 *	supported, or WRs were passed for a QP of a user.
 */
int rxe_post_send(struct ib_qp *ibqp, const struct ib_send_wr *wr,
		  const struct ib_send_wr **bad_wr);

/**
 * rxe_post_recv() - post receive WRs of a kernel consumer
 * @ibqp: the QP, without an SRQ
 * @wr: list of WRs
 * @bad_wr: result on error: the first WR that was not posted
 *
 * Users write receive WQEs to their ring without a system call.
 *
 * Context: any but hard interrupt; does not sleep.
 * Return: 0; -EINVAL: state RESET, or too many SGEs; -ENOMEM: the ring is full; -EOPNOTSUPP: a QP
 *	of a user, or with an SRQ.
 */
int rxe_post_recv(struct ib_qp *ibqp, const struct ib_recv_wr *wr,
		  const struct ib_recv_wr **bad_wr);

#endif
