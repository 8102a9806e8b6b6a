// SPDX-License-Identifier: GPL-2.0
/*
 * Corking of small sends. Input: the WQEs that have not been sent, the packets in flight, and
 * whether an ACK of them will arrive without further action. Bounds: ROCE_CORK_MAX_WQES WQEs, until
 * the next ACK.
 */
#include "transport/common/send_wqe.h"
#include "transport/requester/cork.h"

/* A message of one packet whose completion neither consumer waits for. */
static bool can_cork(const struct roce_qp *qp, const struct roce_send_wqe *wqe)
{
	return wqe->state == ROCE_WQE_POSTED && wqe->status == ROCE_SUCCESS &&
	       !(wqe->flags & (ROCE_WR_SIGNALED | ROCE_WR_SOLICITED | ROCE_WR_FENCE)) &&
	       !roce_wqe_is_local(wqe) && !roce_wqe_needs_response(wqe) &&
	       wqe->length <= qp->attr.mtu;
}

bool roce_cork_small_sends(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;
	u32 i;

	if ((s32)(qp->sq.next - req->cork.end) >= 0)
		req->cork.active = false;
	if (!qp->ackreq_deferral || qp->state != ROCE_RTS ||
	    roce_req_inflight(req) < ROCE_CORK_MIN_INFLIGHT || roce_ackreq_none_outstanding(req) ||
	    req->snd.nxt != req->snd.max || req->loss.state != ROCE_LOSS_OPEN ||
	    qp->sq.prod - qp->sq.next >= ROCE_CORK_MAX_WQES)
		return false;
	if (!req->cork.active)
		req->cork.first = req->cork.end = qp->sq.next;
	/* The first corked WQEs have been sent, and a batch was full: send the others, too. */
	if (req->cork.first != qp->sq.next)
		return false;
	for (i = req->cork.end; i != qp->sq.prod; i++) {
		if (!can_cork(qp, roce_sq_wqe(qp, i)))
			return false;
		req->cork.active = true;
	}
	req->cork.end = i;
	return true;
}
