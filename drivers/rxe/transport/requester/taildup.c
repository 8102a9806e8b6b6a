// SPDX-License-Identifier: GPL-2.0
/*
 * Tail duplication: a copy of the last packet of a flight, in an skb of its own.
 */
#include "transport/common/send_wqe.h"
#include "transport/requester/ackreq.h"
#include "transport/requester/hole.h"
#include "transport/requester/rewind.h"
#include "transport/requester/rtt.h"
#include "transport/requester/taildup.h"

bool roce_taildup_prepare(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;
	u32 i;

	if (req->snd.nxt != req->snd.max || req->taildup.last_max == req->snd.max ||
	    qp->sq.next != qp->sq.prod || roce_hole_exists(req))
		return false;
	i = roce_snd_wqe_of_last_sent(qp);
	if (roce_wqe_needs_response(roce_sq_wqe(qp, i)))
		return false;
	roce_snd_retransmit_one(qp, i, roce_psn_prev(req->snd.max));
	return true;
}

void roce_taildup_on_sent(struct roce_qp *qp, u64 now, struct roce_tx_run *run)
{
	struct roce_req *req = &qp->req;

	run->new_skb = true;
	roce_ackreq_set(req, now, run);
	req->taildup.budget--;
	req->taildup.last_max = req->snd.max;
	req->taildup.outstanding = true;
	qp->ops->count(qp, ROCE_COUNT_TAIL_DUP, 1);
}

bool roce_taildup_is_nak(struct roce_req *req, u64 now)
{
	bool second = req->taildup.outstanding && req->loss.rewind != ROCE_REWIND_NONE &&
		      now - req->loss.rewind_time < roce_rtt_srtt_or_default(req);

	if (second)
		req->taildup.outstanding = false;
	return second;
}
