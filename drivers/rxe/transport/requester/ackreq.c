// SPDX-License-Identifier: GPL-2.0
/*
 * AckReq deferral: the last packet of unsignaled messages does not set AckReq; that of a later
 * message does, for all of them.
 */
#include <roce/psn.h>
#include "transport/requester/ackreq.h"
#include "transport/requester/cc.h"
#include "transport/requester/cork.h"
#include "transport/requester/rto.h"
#include "transport/requester/rtt.h"

/*
 * The consumer does not see the completion of an unsignaled WQE, but needs its slot of the send
 * queue, and its share of the window: so a deferral ends at 1/4 of the slots, or 1/2 of the window.
 */
static bool ackreq_can_defer(const struct roce_qp *qp)
{
	const struct roce_req *req = &qp->req;

	return qp->ackreq_deferral && !req->ackreq.wanted && !req->ackreq.quick &&
	       qp->state == ROCE_RTS && qp->sq.next == qp->sq.prod &&
	       req->snd.nxt == req->snd.max && req->ackreq.pkts_since < (qp->sq.mask + 1) / 4 &&
	       req->ackreq.pkts_since < roce_cc_window(req) / 2 && !roce_cork_needs_ack(req);
}

/*
 * Cancel the RTT sample of a packet whose ACK is deferred: it would include the time until a later
 * message asks for the ACK. While no AckReq is outstanding, the PTO is relaxed: no ACK is due.
 */
static void defer_ackreq(struct roce_qp *qp, u64 now)
{
	if (!roce_ackreq_none_outstanding(&qp->req))
		return;
	roce_rtt_cancel_samples(&qp->req);
	roce_rto_start_relaxed(qp, now);
}

void roce_ackreq_finish(struct roce_qp *qp, u64 now, struct roce_tx_run *run)
{
	if (ackreq_can_defer(qp)) {
		defer_ackreq(qp, now);
		return;
	}
	roce_ackreq_set(&qp->req, now, run);
	if (qp->req.ackreq.quick)
		qp->req.ackreq.quick--;
}
