// SPDX-License-Identifier: GPL-2.0
/*
 * The responder of an unreliable connection (IBTA 9.8.2.2). A message of which a
 * packet is missing or wrong is dropped, with no word to the peer, and so is what comes
 * before the start of another. A SEND dropped midway leaves its receive WQE to the next.
 */
#include <roce/psn.h>
#include "transport/responder/execute.h"
#include "transport/responder/uc.h"

void roce_uc_rx(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	struct roce_resp *resp = &qp->resp;
	u32 op = pkt->op->flags;
	enum roce_exec verdict;

	if (!roce_request_admit(qp))
		return;
	if (pkt->psn != resp->epsn) {
		qp->ops->count(qp, ROCE_COUNT_OUT_OF_SEQ, 1);
		resp->cur_msg_class = 0;
	}
	resp->epsn = roce_psn_add(pkt->psn, 1);
	/* The start of a message ends one that is not complete. */
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
		qp->stalled = true;
	} else if (verdict != ROCE_EXEC_OK) {
		roce_request_drop(qp, verdict);
	}
}
