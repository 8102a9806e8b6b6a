// SPDX-License-Identifier: GPL-2.0
/*
 * Responder of the unreliable services, UC (IBTA 9.8.2.2) and UD (IBTA 9.8.3.2): requests are
 * executed or dropped, and never acknowledged.
 *
 * UC: a message of which a packet is missing or invalid is dropped, and so are the packets up to
 * the start of the next message. The receive WQE of an incomplete SEND is used by the next SEND.
 *
 * UD: each packet is a message. Its payload is stored behind the 40 bytes of the GRH, which hold
 * the source address (IBTA 11.4.1.2).
 */
#include <linux/errno.h>

#include <roce/psn.h>
#include "transport/common/state.h"
#include "transport/responder/execute.h"
#include "transport/responder/unreliable.h"

#define GRH_LEN 40u

bool roce_uc_rx(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	struct roce_resp *resp = &qp->resp;
	u32 op = pkt->op->flags;
	enum roce_exec verdict;

	if (!roce_request_admit(qp))
		return true;
	if (pkt->psn != resp->epsn) {
		qp->ops->count(qp, ROCE_COUNT_OUT_OF_SEQ, 1);
		resp->cur_msg_class = 0;
	}
	resp->epsn = roce_psn_add(pkt->psn, 1);
	/* The start of a message ends one that is incomplete. */
	if (op & ROCE_IS_FIRST)
		resp->cur_msg_class = 0;
	if (!roce_opcode_follows(resp->cur_msg_class, pkt->op))
		verdict = ROCE_INVALID;
	else if (op & ROCE_IS_SEND)
		verdict = roce_request_send(qp, pkt);
	else
		verdict = roce_request_write(qp, pkt);
	if (verdict == ROCE_EXEC_AGAIN) {
		resp->epsn = pkt->psn;
		return false;
	}
	if (verdict != ROCE_EXEC_OK)
		roce_request_drop(qp, verdict);
	return true;
}

static enum roce_exec receive_datagram(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	const struct roce_recv_wqe *recv = qp->resp.recv_wqe;
	enum roce_exec verdict = roce_recv_get(qp);
	int err;

	if (verdict != ROCE_EXEC_OK)
		return verdict;
	if (recv->length < GRH_LEN || pkt->payload_len > recv->length - GRH_LEN)
		return ROCE_TOO_LONG;
	err = qp->ops->scatter_grh(qp, recv->sge, recv->num_sge, pkt);
	if (!err && pkt->payload_len)
		err = qp->ops->scatter(qp, recv->sge, recv->num_sge, GRH_LEN, pkt);
	if (err)
		return err == -EAGAIN ? ROCE_EXEC_AGAIN : ROCE_RECV_FAULT;
	roce_request_complete(qp, pkt, GRH_LEN + pkt->payload_len);
	return ROCE_EXEC_OK;
}

bool roce_ud_rx(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	enum roce_exec verdict;

	if (!roce_takes_requests(qp)) {
		qp->ops->count(qp, ROCE_COUNT_BAD_STATE, 1);
		return true;
	}
	if (pkt->qkey != qp->attr.qkey) {
		qp->ops->count(qp, ROCE_COUNT_BAD_QKEY, 1);
		return true;
	}
	verdict = receive_datagram(qp, pkt);
	if (verdict == ROCE_EXEC_AGAIN)
		return false;
	if (verdict != ROCE_EXEC_OK)
		roce_request_drop(qp, verdict);
	return true;
}
