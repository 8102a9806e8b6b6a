// SPDX-License-Identifier: GPL-2.0
/*
 * The responder of unreliable datagrams (IBTA 9.8.3.2): each packet is a message, and
 * lands behind the 40 bytes that say where it came from (IBTA 11.4.1.2).
 */
#include <linux/errno.h>

#include "transport/responder/execute.h"
#include "transport/common/state.h"
#include "transport/responder/ud.h"

#define GRH_LEN 40u

static enum roce_exec receive(struct roce_qp *qp, const struct roce_pkt *pkt)
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

void roce_ud_rx(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	enum roce_exec verdict;

	if (!roce_takes_requests(qp)) {
		qp->ops->count(qp, ROCE_COUNT_BAD_STATE, 1);
	} else if (pkt->qkey != qp->attr.qkey) {
		qp->ops->count(qp, ROCE_COUNT_BAD_QKEY, 1);
	} else {
		verdict = receive(qp, pkt);
		if (verdict == ROCE_EXEC_AGAIN)
			qp->stalled = true;
		else if (verdict != ROCE_EXEC_OK)
			roce_request_drop(qp, verdict);
	}
}
