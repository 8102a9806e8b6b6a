// SPDX-License-Identifier: GPL-2.0
/* Congestion notification: CNPs sent for CE marks, and the reaction to CNPs. */
#include "transport/common/batch.h"
#include "transport/cnp.h"
#include "transport/requester/cc.h"
#include "transport/common/send_queue.h"
#include "transport/responder/read_pacing.h"

/* The default P_Key, whatever that of the QP is. */
#define CNP_PKEY	0xffff

static bool is_ack(const struct roce_pkt *pkt)
{
	return (pkt->op->flags & (ROCE_IS_RESPONSE | ROCE_HAS_PAYLOAD)) == ROCE_IS_RESPONSE;
}

static bool is_read_response(const struct roce_pkt *pkt)
{
	return pkt->op->flags & ROCE_IS_READ && pkt->op->flags & ROCE_IS_RESPONSE;
}

static void reduce_window(struct roce_qp *qp, u64 now)
{
	if (roce_req_inflight(&qp->req))
		roce_cc_on_ecn(&qp->req, now);
}

void roce_cnp_on_ce(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt)
{
	qp->ops->count(qp, ROCE_COUNT_CE, 1);
	if (is_read_response(pkt) && roce_req_inflight(&qp->req))
		roce_cc_on_marked_response(&qp->req, now);
	if (now >= qp->cnp.next_time && !is_ack(pkt))
		qp->cnp.pending = true;
}

void roce_congestion_react(struct roce_qp *qp, u64 now)
{
	reduce_window(qp, now);
	roce_read_pacing_on_congestion(&qp->resp, now);
}

static void handle_cnp(struct roce_qp *qp, u64 now)
{
	qp->ops->count(qp, ROCE_COUNT_CNP_HANDLED, 1);
	reduce_window(qp, now);
	roce_read_pacing_on_cnp(&qp->resp, now);
}

void roce_becn_rx(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt)
{
	if (pkt->op->flags & ROCE_IS_READ && !(pkt->op->flags & ROCE_IS_RESPONSE))
		roce_read_pacing_on_becn(&qp->resp);
	else
		handle_cnp(qp, now);
}

void roce_cnp_tx(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch)
{
	struct roce_hdr hdr = {
		.opcode = ROCE_CNP,
		.becn = true,
		.pkey = CNP_PKEY,
		.qpn = qp->attr.dest_qpn,
	};

	if (!qp->cnp.pending)
		return;
	qp->cnp.pending = false;
	qp->cnp.next_time = now + ROCE_CNP_INTERVAL_NS;
	roce_batch_add(batch, &hdr, 1, 0)->cnp = true;
	qp->ops->count(qp, ROCE_COUNT_SENT_CNP, 1);
}
