// SPDX-License-Identifier: GPL-2.0
/*
 * ibv_post_send() and ibv_post_recv(): send WQEs from a user's ring after a doorbell, or from the
 * list of WRs of a kernel consumer.
 */
#include <rdma/ib_mad.h>
#include <rdma/ib_verbs.h>

#include "ip/ah.h"
#include "ip/dest.h"
#include "base/device.h"
#include "mem/frmr.h"
#include "qp/qp.h"
#include "tx/raw.h"
#include "qp/ring.h"
#include "qp/wqe.h"

/* Opcodes, flags and SGEs of ib_core are copied to the transport without conversion. */
static_assert(ROCE_WR_WRITE == (u32)IB_WR_RDMA_WRITE);
static_assert(ROCE_WR_WRITE_IMM == (u32)IB_WR_RDMA_WRITE_WITH_IMM);
static_assert(ROCE_WR_SEND == (u32)IB_WR_SEND);
static_assert(ROCE_WR_SEND_IMM == (u32)IB_WR_SEND_WITH_IMM);
static_assert(ROCE_WR_READ == (u32)IB_WR_RDMA_READ);
static_assert(ROCE_WR_COMPARE_SWAP == (u32)IB_WR_ATOMIC_CMP_AND_SWP);
static_assert(ROCE_WR_FETCH_ADD == (u32)IB_WR_ATOMIC_FETCH_AND_ADD);
static_assert(ROCE_WR_SEND_INV == (u32)IB_WR_SEND_WITH_INV);
static_assert(ROCE_WR_LOCAL_INV == (u32)IB_WR_LOCAL_INV);
static_assert(ROCE_WR_FLUSH == (u32)IB_WR_FLUSH);
static_assert(ROCE_WR_ATOMIC_WRITE == (u32)IB_WR_ATOMIC_WRITE);
static_assert(ROCE_WR_FENCE == (u32)IB_SEND_FENCE);
static_assert(ROCE_WR_SIGNALED == (u32)IB_SEND_SIGNALED);
static_assert(ROCE_WR_SOLICITED == (u32)IB_SEND_SOLICITED);
static_assert(ROCE_WR_INLINE == (u32)IB_SEND_INLINE);
static_assert(sizeof(struct ib_sge) == sizeof(struct roce_sge));
static_assert(offsetof(struct ib_sge, length) == offsetof(struct roce_sge, length));
static_assert(offsetof(struct ib_sge, lkey) == offsetof(struct roce_sge, lkey));

/* True in the states in which send WRs may be posted: RTS, SQD, SQE, ERR (IBTA 10.3.1). */
static bool rxe_qp_accepts_sends(const struct roce_qp *transport)
{
	return transport->state >= ROCE_RTS;
}

/*
 * A Q_Key with its highest bit set selects the Q_Key of the QP, so that programs cannot send with a
 * controlled one: setting it on a QP takes a privilege (IBTA 10.2.5).
 */
static u32 rxe_qp_qkey(const struct rxe_qp *qp, u32 qkey)
{
	return qkey & IB_QP_SET_QKEY ? qp->ep->transport.attr.qkey : qkey;
}

/* Take the destination of a user's datagram. A WQE without a valid one completes with an error. */
static void rxe_qp_get_dest(struct rxe_qp *qp, const void *elem, struct roce_send_wqe *wqe)
{
	struct rxe_dev *dev = qp->ep->flow.dev;
	struct rxe_wqe_dest to;
	struct rxe_dest *dest;

	rxe_wqe_dest_from_user(elem, &to);
	if (wqe->status != ROCE_SUCCESS)
		return;
	dest = to.ah_num ? rxe_dest_find(dev, qp->ibqp.pd, to.ah_num) :
			   rxe_dest_create_from_av(dev, qp->ibqp.pd, &to.av);
	if (IS_ERR_OR_NULL(dest)) {
		rxe_wqe_set_failed(wqe, ROCE_LOC_QP_OP_ERR);
		return;
	}
	wqe->av = dest;
	wqe->dest_qpn = to.dest_qpn;
	wqe->qkey = rxe_qp_qkey(qp, to.qkey);
}

static void rxe_qp_copy_datagram(struct rxe_qp *qp, const void *elem, struct roce_send_wqe *wqe)
{
	rxe_ep_release_wqe(wqe);
	rxe_wqe_from_user(elem, &qp->rules, wqe);
	rxe_qp_get_dest(qp, elem, wqe);
}

static void rxe_qp_copy_frame(struct rxe_qp *qp, const void *elem, struct roce_send_wqe *wqe)
{
	rxe_wqe_from_user(elem, &qp->rules, wqe);
	if (wqe->status == ROCE_SUCCESS && !rxe_raw_length_ok(qp->ep->flow.dev, wqe->length))
		rxe_wqe_set_failed(wqe, ROCE_LOC_LEN_ERR);
}

/* WQEs taken under one lock: bounds the time for which softirqs of this CPU are delayed. */
#define RXE_POST_BATCH 256

/*
 * Take up to RXE_POST_BATCH send WQEs posted since the last doorbell; return true if more are left.
 * The user may write any producer index: it is masked, which limits the WQEs to one ring.
 */
static bool rxe_post_user_ring(struct rxe_qp *qp, struct roce_qp *transport)
{
	u32 prod = rxe_ring_user_producer(&qp->sq);
	u32 all = min((prod - transport->sq.prod) & qp->sq.mask, roce_sq_room(transport));
	u32 i, n = min_t(u32, all, RXE_POST_BATCH);

	for (i = 0; i < n; i++) {
		const void *elem = rxe_ring_elem(&qp->sq, transport->sq.prod + i);
		struct roce_send_wqe *wqe = roce_sq_wqe(transport, transport->sq.prod + i);

		if (transport->service == ROCE_OP_UD)
			rxe_qp_copy_datagram(qp, elem, wqe);
		else if (transport->service == ROCE_RAW)
			rxe_qp_copy_frame(qp, elem, wqe);
		else
			rxe_wqe_from_user(elem, &qp->rules, wqe);
	}
	roce_post(transport, n);
	return n < all;
}

static int rxe_doorbell(struct rxe_qp *qp)
{
	/* At most one ring: WQEs that other threads post concurrently have their own doorbells. */
	u32 rounds = qp->sq.mask / RXE_POST_BATCH + 1;
	struct rxe_ep *ep = qp->ep;
	bool more;
	int err;

	err = rxe_ep_prepare_sq(ep);
	if (err)
		return err;
	do {
		rxe_ep_lock_bh(ep);
		if (!rxe_qp_accepts_sends(&ep->transport)) {
			rxe_ep_unlock_bh(ep);
			return -EINVAL;
		}
		more = rxe_post_user_ring(qp, &ep->transport);
		rxe_ep_run_bh(ep);
		cond_resched();
	} while (more && --rounds);
	return 0;
}

/*
 * Return the transport's opcode, or ROCE_WR_OPCODES if kernel consumers cannot post it: struct
 * ib_send_wr has no operands of FLUSH and no field for the data of ATOMIC WRITE.
 */
static u32 rxe_wr_opcode(const struct ib_send_wr *wr)
{
	switch (wr->opcode) {
	case IB_WR_REG_MR:
		return ROCE_WR_REG_MR;
	case IB_WR_RDMA_WRITE:
	case IB_WR_RDMA_WRITE_WITH_IMM:
	case IB_WR_SEND:
	case IB_WR_SEND_WITH_IMM:
	case IB_WR_SEND_WITH_INV:
	case IB_WR_RDMA_READ:
	case IB_WR_ATOMIC_CMP_AND_SWP:
	case IB_WR_ATOMIC_FETCH_AND_ADD:
	case IB_WR_LOCAL_INV:
		return wr->opcode;
	default:
		return ROCE_WR_OPCODES;
	}
}

/* The operands of REG_MR are copied from the MR when the WR is posted, not when it executes. */
static int rxe_wr_copy_reg(struct roce_send_wqe *wqe, const struct ib_reg_wr *wr)
{
	struct rxe_reg reg = {
		.key = wr->key,
		.access = wr->access,
		.iova = wr->mr->iova,
		.length = wr->mr->length,
	};

	rxe_reg_pack(&reg, wqe);
	return rxe_frmr_check(wr->mr, &reg);
}

static void rxe_wr_copy_operands(struct roce_send_wqe *wqe, const struct ib_send_wr *wr)
{
	switch (wr->opcode) {
	case IB_WR_RDMA_WRITE:
	case IB_WR_RDMA_WRITE_WITH_IMM:
	case IB_WR_RDMA_READ:
		wqe->remote_addr = rdma_wr(wr)->remote_addr;
		wqe->rkey = rdma_wr(wr)->rkey;
		break;
	case IB_WR_ATOMIC_CMP_AND_SWP:
		wqe->remote_addr = atomic_wr(wr)->remote_addr;
		wqe->rkey = atomic_wr(wr)->rkey;
		wqe->compare = atomic_wr(wr)->compare_add;
		wqe->swap_add = atomic_wr(wr)->swap;
		break;
	case IB_WR_ATOMIC_FETCH_AND_ADD:
		wqe->remote_addr = atomic_wr(wr)->remote_addr;
		wqe->rkey = atomic_wr(wr)->rkey;
		wqe->swap_add = atomic_wr(wr)->compare_add;
		break;
	case IB_WR_SEND_WITH_INV:
		wqe->inv_rkey = wr->ex.invalidate_rkey;
		break;
	case IB_WR_LOCAL_INV:
		wqe->rkey = wr->ex.invalidate_rkey;
		break;
	default:
		break;
	}
	if (wr->opcode == IB_WR_SEND_WITH_IMM || wr->opcode == IB_WR_RDMA_WRITE_WITH_IMM)
		wqe->imm = wr->ex.imm_data;
}

/* The SGEs of inline data of a kernel consumer contain kernel virtual addresses. */
static int rxe_wr_copy_inline(struct roce_send_wqe *wqe, const struct ib_send_wr *wr,
			      u32 max_inline)
{
	int i;

	for (i = 0; i < wr->num_sge; i++) {
		const struct ib_sge *sge = &wr->sg_list[i];

		if (sge->length > max_inline - wqe->length)
			return -EINVAL;
		memcpy(wqe->data + wqe->length, (void *)(uintptr_t)sge->addr, sge->length);
		wqe->length += sge->length;
	}
	return 0;
}

static int rxe_wr_copy_data(struct roce_send_wqe *wqe, const struct ib_send_wr *wr,
			    const struct rxe_wqe_limits *rules)
{
	if (wqe->flags & ROCE_WR_INLINE)
		return rxe_wr_copy_inline(wqe, wr, rules->max_inline);
	if (wr->num_sge < 0 || wr->num_sge > rules->max_send_sge)
		return -EINVAL;
	wqe->num_sge = wr->num_sge;
	memcpy(wqe->sge, wr->sg_list, wqe->num_sge * sizeof(wqe->sge[0]));
	return 0;
}

static int rxe_wqe_from_kernel(struct roce_send_wqe *wqe, const struct ib_send_wr *wr,
			       const struct rxe_wqe_limits *rules)
{
	u32 opcode = rxe_wr_opcode(wr);
	int err;

	if (opcode == ROCE_WR_OPCODES || !rxe_wqe_on_service(opcode, rules->service))
		return -EOPNOTSUPP;
	memset(wqe, 0, offsetof(struct roce_send_wqe, sge));
	wqe->wr_id = wr->wr_id;
	wqe->opcode = opcode;
	wqe->flags = wr->send_flags &
		     (ROCE_WR_FENCE | ROCE_WR_SIGNALED | ROCE_WR_SOLICITED | ROCE_WR_INLINE);
	if (rules->signal_all)
		wqe->flags |= ROCE_WR_SIGNALED;
	rxe_wr_copy_operands(wqe, wr);
	err = opcode == ROCE_WR_REG_MR ? rxe_wr_copy_reg(wqe, reg_wr(wr)) :
					 rxe_wr_copy_data(wqe, wr, rules);
	if (err)
		return err;
	switch (rxe_wqe_check(wqe)) {
	case ROCE_SUCCESS:
		return 0;
	case ROCE_LOC_QP_OP_ERR:
		return -EOPNOTSUPP;
	default:
		return -EINVAL;
	}
}

static int rxe_wr_get_dest(struct rxe_qp *qp, const struct ib_ud_wr *wr, struct roce_send_wqe *wqe)
{
	if (!wr->ah || wr->ah->pd != qp->ibqp.pd || wr->pkey_index)
		return -EINVAL;
	wqe->dest_qpn = wr->remote_qpn & ROCE_BTH_QPN;
	wqe->qkey = rxe_qp_qkey(qp, wr->remote_qkey);
	wqe->av = rxe_dest_get(to_rxe_ah(wr->ah)->dest);
	return 0;
}

static int rxe_qp_post_wr(struct rxe_qp *qp, const struct ib_send_wr *wr)
{
	struct roce_qp *transport = &qp->ep->transport;
	struct roce_send_wqe *wqe;
	int err;

	if (!rxe_qp_accepts_sends(transport))
		return -EINVAL;
	if (!roce_sq_room(transport))
		return -ENOMEM;
	wqe = roce_sq_wqe(transport, transport->sq.prod);
	rxe_ep_release_wqe(wqe);
	err = rxe_wqe_from_kernel(wqe, wr, &qp->rules);
	if (!err && transport->service == ROCE_OP_UD)
		err = rxe_wr_get_dest(qp, ud_wr(wr), wqe);
	if (!err && transport->service == ROCE_RAW &&
	    !rxe_raw_length_ok(qp->ep->flow.dev, wqe->length))
		err = -EINVAL;
	if (!err)
		roce_post(transport, 1);
	return err;
}

int rxe_post_send(struct ib_qp *ibqp, const struct ib_send_wr *wr, const struct ib_send_wr **bad_wr)
{
	struct rxe_qp *qp = to_rxe_qp(ibqp);
	bool deferred;
	int err = 0;

	if (qp->ep->flow.user) {
		if (!wr)
			return rxe_doorbell(qp);
		*bad_wr = wr;
		return -EOPNOTSUPP;
	}

	deferred = rxe_ep_lock_verb(qp->ep);
	for (; wr; wr = wr->next) {
		err = rxe_qp_post_wr(qp, wr);
		if (err) {
			*bad_wr = wr;
			break;
		}
	}
	rxe_ep_run_verb(qp->ep, deferred);
	return err;
}

static int rxe_qp_post_recv(struct rxe_qp *qp, const struct ib_recv_wr *wr)
{
	if (qp->ep->transport.state == ROCE_RESET)
		return -EINVAL;
	return rxe_ring_insert_recv(&qp->rq, wr, qp->rules.max_recv_sge);
}

int rxe_post_recv(struct ib_qp *ibqp, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad_wr)
{
	struct rxe_qp *qp = to_rxe_qp(ibqp);
	bool deferred;
	int err = 0;

	if (qp->ep->flow.user || qp->srq) {
		*bad_wr = wr;
		return -EOPNOTSUPP;
	}

	deferred = rxe_ep_lock_verb(qp->ep);
	for (; wr; wr = wr->next) {
		err = rxe_qp_post_recv(qp, wr);
		if (err) {
			*bad_wr = wr;
			break;
		}
	}
	/* Flushes the WRs if the QP is in state ERR. */
	rxe_ep_run_verb(qp->ep, deferred);
	return err;
}
