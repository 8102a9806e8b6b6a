// SPDX-License-Identifier: GPL-2.0
/*
 * Send queue (IBTA 10.8.3, 10.8.5): WQEs are started and completed in order, for all services.
 */
#include "transport/common/send_wqe.h"
#include "transport/common/send_queue.h"
#include "transport/common/state.h"

void roce_post(struct roce_qp *qp, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		roce_sq_wqe(qp, qp->sq.prod + i)->state = ROCE_WQE_POSTED;
	qp->sq.prod += n;
}

void roce_sq_complete(struct roce_qp *qp, enum roce_status status)
{
	struct roce_send_wqe *wqe = roce_sq_wqe(qp, qp->sq.cons);
	bool reads = roce_wqe_is_read_or_atomic(wqe);
	bool needs_response = roce_wqe_needs_response(wqe);
	struct roce_wc wc = {
		.wr_id = wqe->wr_id,
		.status = status,
		.opcode = wqe->opcode,
		.solicited = status != ROCE_SUCCESS,
		.byte_len = reads ? wqe->length : 0,
	};

	if (needs_response && wqe->state == ROCE_WQE_STARTED)
		qp->req.snd.rd_atomic_inflight--;
	if (status == ROCE_SUCCESS &&
	    (wqe->opcode == ROCE_WR_SEND || wqe->opcode == ROCE_WR_SEND_IMM ||
	     wqe->opcode == ROCE_WR_SEND_INV))
		qp->ops->count(qp, ROCE_COUNT_SENDS, 1);
	if (qp->sq.next == qp->sq.cons)
		qp->sq.next++;
	qp->sq.cons++;
	if (status != ROCE_SUCCESS || (wqe->flags & ROCE_WR_SIGNALED))
		qp->ops->complete(qp, &wc);
}

void roce_sq_flush_oldest(struct roce_qp *qp)
{
	bool done = roce_sq_wqe(qp, qp->sq.cons)->state == ROCE_WQE_DONE;

	roce_sq_complete(qp, done ? ROCE_SUCCESS : ROCE_WR_FLUSH_ERR);
}

void roce_sq_fail(struct roce_qp *qp, enum roce_status status)
{
	roce_sq_complete(qp, status);
	if (qp->service == ROCE_OP_RC)
		roce_qp_to_err(qp);
	else
		qp->state = ROCE_SQE;
}

void roce_sq_retire_local(struct roce_qp *qp)
{
	while (qp->sq.cons != qp->sq.prod &&
	       roce_sq_wqe(qp, qp->sq.cons)->state == ROCE_WQE_DONE)
		roce_sq_complete(qp, ROCE_SUCCESS);
}

static bool sq_head_in_progress(const struct roce_qp *qp)
{
	return qp->sq.cons != qp->sq.prod &&
	       roce_sq_wqe(qp, qp->sq.cons)->state != ROCE_WQE_POSTED;
}

void roce_sq_check_drained(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;

	if (qp->state != ROCE_SQD || req->snd.sq_drained_reported || sq_head_in_progress(qp))
		return;
	req->snd.sq_drained_reported = true;
	qp->ops->event(qp, ROCE_EVENT_SQ_DRAINED);
}

bool roce_sq_fail_ordered(struct roce_qp *qp, struct roce_send_wqe *wqe,
			   enum roce_status status)
{
	wqe->status = status;
	if (qp->sq.cons == qp->sq.next)
		roce_sq_fail(qp, status);
	return false;
}

bool roce_sq_start_local(struct roce_qp *qp, struct roce_send_wqe *wqe)
{
	enum roce_status status;

	if (wqe->opcode == ROCE_WR_LOCAL_INV && qp->sq.cons != qp->sq.next) {
		qp->req.ackreq.wanted = true;
		return false;
	}
	status = qp->ops->local_op(qp, wqe);
	if (status != ROCE_SUCCESS)
		return roce_sq_fail_ordered(qp, wqe, status);
	wqe->state = ROCE_WQE_DONE;
	roce_sq_retire_local(qp);
	return true;
}

bool roce_sq_sges_ok(struct roce_qp *qp, struct roce_send_wqe *wqe)
{
	u32 access = roce_wqe_is_read_or_atomic(wqe) ? ROCE_ACCESS_LOCAL_WRITE : 0;

	if (wqe->flags & ROCE_WR_INLINE)
		return true;
	return !qp->ops->check_sges(qp, wqe->sge, wqe->num_sge, access);
}
