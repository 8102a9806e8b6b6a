// SPDX-License-Identifier: GPL-2.0
/*
 * Go-back-N, fast retransmit, and retransmission of single packets. All of them set the send
 * position, a WQE index and a PSN, from which the offset within the message is computed.
 */
#include "transport/common/send_queue.h"
#include "transport/common/send_wqe.h"
#include "transport/requester/ackreq.h"
#include "transport/requester/cc.h"
#include "transport/requester/rewind.h"
#include "transport/requester/rto.h"
#include "transport/requester/rtt.h"
#include "transport/requester/taildup.h"

/* Packets. With this many in flight, or fewer, go-back-N costs no more than fast retransmit. */
#define ROCE_FAST_REXMIT_MIN_INFLIGHT	8u
/* Packets: as many missing READ responses, or fewer, are no burst. */
#define ROCE_BURST_LOSS_MIN		4u

void roce_snd_rewind(struct roce_qp *qp)
{
	qp->req.snd.nxt = qp->req.snd.una;
	roce_snd_update_mode(&qp->req);
	qp->sq.next = qp->sq.cons;
}

void roce_snd_fast_forward(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;

	req->snd.nxt = req->snd.max;
	req->snd.mode = ROCE_SND_NEW;
	for (qp->sq.next = qp->sq.cons; qp->sq.next != qp->sq.prod; qp->sq.next++) {
		const struct roce_send_wqe *wqe = roce_sq_wqe(qp, qp->sq.next);

		if (wqe->state == ROCE_WQE_POSTED ||
		    (wqe->state == ROCE_WQE_STARTED &&
		     !roce_psn_before(wqe->last_psn, req->snd.nxt)))
			break;
	}
}

u32 roce_snd_wqe_of_last_sent(const struct roce_qp *qp)
{
	u32 last = roce_psn_prev(qp->req.snd.max), i = qp->sq.next;

	while (i == qp->sq.prod || roce_sq_wqe(qp, i)->state != ROCE_WQE_STARTED ||
	       roce_psn_after(roce_sq_wqe(qp, i)->first_psn, last))
		i--;
	return i;
}

void roce_snd_retransmit_one(struct roce_qp *qp, u32 i, u32 psn)
{
	qp->sq.next = i;
	qp->req.snd.nxt = psn;
	qp->req.snd.mode = ROCE_SND_TLP;
}

void roce_loss_enter_recovery(struct roce_req *req)
{
	if (req->loss.state == ROCE_LOSS_OPEN)
		req->loss.state = ROCE_LOSS_RECOVERY;
	req->loss.recovery_point = req->snd.max;
}

void roce_loss_go_back_n(struct roce_qp *qp, u64 now, enum roce_rewind cause)
{
	struct roce_req *req = &qp->req;

	roce_snd_rewind(qp);
	roce_snd_end_fill(req);
	if (req->loss.repeat_nak && req->loss.rewind_backoff < ROCE_REWIND_BACKOFF_MAX)
		req->loss.rewind_backoff++;
	req->loss.repeat_nak = false;
	req->loss.rewind = cause;
	req->loss.rewind_time = now;
	req->loss.last_rexmit_time = now;
	roce_taildup_on_go_back_n(req);
	roce_ackreq_on_go_back_n(req);
	if (cause == ROCE_REWIND_RTO)
		roce_rtt_mark_ambiguous(req);
	else
		roce_rtt_cancel_samples(req);
	roce_rto_arm(qp, now);
	qp->ops->count(qp, ROCE_COUNT_REWIND, 1);
}

static void enter_fast_retransmit(struct roce_req *req)
{
	if (roce_req_inflight(req) <= ROCE_FAST_REXMIT_MIN_INFLIGHT)
		return;
	if (req->loss.gbn_fallback) {
		req->loss.gbn_fallback--;
		return;
	}
	req->loss.state = ROCE_LOSS_FAST_REXMIT;
	req->loss.window = ROCE_FAST_REXMIT_PKTS;
}

void roce_loss_retransmit(struct roce_qp *qp, u64 now)
{
	roce_loss_enter_recovery(&qp->req);
	roce_cc_on_loss(&qp->req, now, roce_rtt_of(&qp->req, now, qp->req.snd.una));
	roce_taildup_on_loss(&qp->req);
	roce_loss_go_back_n(qp, now, ROCE_REWIND_NAK);
	enter_fast_retransmit(&qp->req);
}

/*
 * Input: the hole. Decision: a queue has dropped the responses if more than 4 are missing, and more
 * than half of those up to the hole's end; random losses of 10 % do not do that.
 */
static void report_burst(struct roce_req *req, u64 now)
{
	u32 range = (req->hole.end - req->snd.una) & ROCE_PSN_MASK;
	u32 missing = range - min(range, req->hole.ooo_count);

	if (missing > ROCE_BURST_LOSS_MIN && missing > range / 2)
		roce_cc_on_burst_loss(req, now);
}

void roce_loss_fill_hole(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	roce_loss_enter_recovery(req);
	roce_cc_on_loss(req, now, 0);
	report_burst(req, now);
	roce_snd_rewind(qp);
	req->snd.mode = ROCE_SND_FILL_HOLE;
	req->loss.last_rexmit_time = now;
	roce_rtt_cancel_until(req, req->hole.rexmit_end);
	roce_rto_arm(qp, now);
	qp->ops->count(qp, ROCE_COUNT_REWIND, 1);
}
