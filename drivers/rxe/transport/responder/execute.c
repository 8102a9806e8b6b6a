// SPDX-License-Identifier: GPL-2.0
/*
 * Execution of SEND and WRITE requests, packet by packet.
 */
#include <linux/errno.h>

#include <roce/psn.h>
#include "transport/responder/execute.h"
#include "transport/common/state.h"

enum roce_status roce_verdict_status(enum roce_exec verdict)
{
	static const u8 status[ROCE_VERDICTS] = {
		[ROCE_TOO_LONG] = ROCE_LOC_LEN_ERR,
		[ROCE_INV_FAILED] = ROCE_LOC_ACCESS_ERR,
		[ROCE_RECV_MALFORMED] = ROCE_LOC_QP_OP_ERR,
		[ROCE_RECV_FAULT] = ROCE_LOC_PROT_ERR,
	};

	return status[verdict];
}

bool roce_request_admit(struct roce_qp *qp)
{
	if (!roce_takes_requests(qp)) {
		qp->ops->count(qp, ROCE_COUNT_BAD_STATE, 1);
		return false;
	}
	if (qp->state == ROCE_RTR && !qp->resp.comm_est) {
		qp->resp.comm_est = true;
		qp->ops->event(qp, ROCE_EVENT_COMM_EST);
	}
	return true;
}

void roce_recv_complete(struct roce_qp *qp, struct roce_wc *wc)
{
	wc->wr_id = qp->resp.recv_wqe->wr_id;
	wc->is_recv = true;
	if (wc->status != ROCE_SUCCESS)
		wc->solicited = true;
	qp->resp.has_recv = false;
	qp->ops->complete(qp, wc);
}

void roce_recv_fail(struct roce_qp *qp, enum roce_status status)
{
	struct roce_wc wc = { .status = status, .opcode = ROCE_WR_SEND };

	roce_recv_complete(qp, &wc);
}

enum roce_exec roce_recv_get(struct roce_qp *qp)
{
	struct roce_resp *resp = &qp->resp;
	int err;

	if (resp->has_recv)
		return ROCE_EXEC_OK;
	err = qp->ops->get_recv_wqe(qp, resp->recv_wqe);
	if (err == -ENOENT)
		return ROCE_NO_RECV;
	resp->has_recv = true;
	return err ? ROCE_RECV_MALFORMED : ROCE_EXEC_OK;
}

/* The payload length must match the position in the message (IBTA 9.7.4.1.6, 9.8.2.2.6). */
static bool payload_fits_opcode(const struct roce_qp *qp, const struct roce_pkt *pkt)
{
	u32 op = pkt->op->flags;

	if (!(op & ROCE_IS_LAST))
		return pkt->payload_len == qp->attr.mtu;
	if (!(op & ROCE_IS_FIRST) && !pkt->payload_len)
		return false;
	return pkt->payload_len <= qp->attr.mtu;
}

void roce_msg_complete(struct roce_resp *resp)
{
	resp->cur_msg_class = 0;
	resp->msn = (resp->msn + 1) & ROCE_PSN_MASK;
}

void roce_request_complete(struct roce_qp *qp, const struct roce_pkt *pkt, u32 len)
{
	u32 op = pkt->op->flags;
	struct roce_wc wc = {
		.opcode = op & ROCE_IS_SEND ? ROCE_WR_SEND : ROCE_WR_WRITE_IMM,
		.solicited = pkt->solicited,
		.has_imm = op & ROCE_HAS_IMM,
		.has_inv = op & ROCE_HAS_IETH,
		.byte_len = len,
	};

	if (wc.has_imm)
		wc.imm = pkt->imm;
	if (wc.has_inv)
		wc.inv_rkey = pkt->inv_rkey;
	if (op & ROCE_HAS_DETH) {
		wc.src_qpn = pkt->src_qpn;
		wc.pkt = pkt;
	}
	qp->ops->count(qp, ROCE_COUNT_RECVS, 1);
	roce_recv_complete(qp, &wc);
}

enum roce_exec roce_request_send(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	struct roce_resp *resp = &qp->resp;
	u32 op = pkt->op->flags;
	enum roce_exec verdict;
	int err;

	if (!payload_fits_opcode(qp, pkt))
		return ROCE_INVALID;
	verdict = roce_recv_get(qp);
	if (verdict != ROCE_EXEC_OK)
		return verdict;
	if (op & ROCE_IS_FIRST)
		resp->offset = 0;
	if (pkt->payload_len > resp->recv_wqe->length - resp->offset)
		return ROCE_TOO_LONG;
	if (pkt->payload_len) {
		err = qp->ops->scatter(qp, resp->recv_wqe->sge, resp->recv_wqe->num_sge,
				       resp->offset, pkt);
		if (err)
			return err == -EAGAIN ? ROCE_EXEC_AGAIN : ROCE_RECV_FAULT;
	}
	resp->offset += pkt->payload_len;
	resp->cur_msg_class = ROCE_IS_SEND;
	if (!(op & ROCE_IS_LAST))
		return ROCE_EXEC_OK;
	if ((op & ROCE_HAS_IETH) && qp->ops->invalidate(qp, pkt->inv_rkey))
		return ROCE_INV_FAILED;
	roce_msg_complete(resp);
	roce_request_complete(qp, pkt, resp->offset);
	return ROCE_EXEC_OK;
}

bool roce_request_check_access(struct roce_qp *qp, const struct roce_pkt *pkt, u32 access)
{
	if (!(qp->attr.access & access))
		return false;
	if (!pkt->dma_len)
		return true;
	return !qp->ops->check_rkey(qp, pkt->rkey, pkt->va, pkt->dma_len, access);
}

/* The RETH of the first packet (IBTA 9.7.4.1.2). */
static enum roce_exec begin_write(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	struct roce_resp *resp = &qp->resp;

	if (pkt->dma_len > ROCE_MAX_MSG)
		return ROCE_INVALID;
	if (!roce_request_check_access(qp, pkt, ROCE_ACCESS_REMOTE_WRITE))
		return ROCE_EXEC_ACCESS;
	resp->rkey = pkt->rkey;
	resp->va = pkt->va;
	resp->length = pkt->dma_len;
	resp->offset = 0;
	return ROCE_EXEC_OK;
}

/* The sum of the payloads must match the length in the RETH. */
static bool write_length_ok(const struct roce_resp *resp, const struct roce_pkt *pkt)
{
	u32 left = resp->length - resp->offset;

	if (pkt->op->flags & ROCE_IS_LAST)
		return pkt->payload_len == left;
	return pkt->payload_len < left;
}

enum roce_exec roce_request_write(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	struct roce_resp *resp = &qp->resp;
	u32 op = pkt->op->flags;
	enum roce_exec verdict = ROCE_EXEC_OK;
	int err;

	if (!payload_fits_opcode(qp, pkt))
		return ROCE_INVALID;
	if (op & ROCE_IS_FIRST)
		verdict = begin_write(qp, pkt);
	if (verdict != ROCE_EXEC_OK)
		return verdict;
	if (!write_length_ok(resp, pkt))
		return ROCE_INVALID;
	if (op & ROCE_USES_RECV)
		verdict = roce_recv_get(qp);
	if (verdict != ROCE_EXEC_OK)
		return verdict;
	if (pkt->payload_len) {
		err = qp->ops->write(qp, resp->rkey, resp->va + resp->offset, pkt);
		if (err)
			return err == -EAGAIN ? ROCE_EXEC_AGAIN : ROCE_EXEC_ACCESS;
	}
	resp->offset += pkt->payload_len;
	resp->cur_msg_class = ROCE_IS_WRITE;
	if (!(op & ROCE_IS_LAST))
		return ROCE_EXEC_OK;
	roce_msg_complete(resp);
	if (op & ROCE_USES_RECV)
		roce_request_complete(qp, pkt, resp->length);
	return ROCE_EXEC_OK;
}

void roce_request_drop(struct roce_qp *qp, enum roce_exec verdict)
{
	qp->resp.cur_msg_class = 0;
	if (verdict == ROCE_NO_RECV) {
		qp->ops->count(qp, ROCE_COUNT_NO_RECV, 1);
	} else if (verdict == ROCE_RECV_MALFORMED || verdict == ROCE_RECV_FAULT ||
		   (verdict == ROCE_TOO_LONG && qp->srq)) {
		roce_recv_fail(qp, roce_verdict_status(verdict));
		roce_qp_to_err(qp);
	} else {
		qp->ops->count(qp, ROCE_COUNT_BAD_REQUEST, 1);
	}
}
