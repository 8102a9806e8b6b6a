// SPDX-License-Identifier: GPL-2.0
#include <linux/minmax.h>

#include "transport/requester/ooo_read.h"
#include "transport/requester/hole.h"
#include "transport/requester/read_chunk.h"
#include "transport/requester/recovery.h"
#include "transport/common/send_wqe.h"
#include "transport/requester/cc.h"

/* What has been sent is being sent again, and not as part of the gap. */
static bool resending(const struct roce_req *req)
{
	return req->psn != req->max_psn && !req->asking && !req->probing;
}

void roce_hole_retransmit(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	if (now < req->ask_at)
		return;
	req->ask_at = now + (roce_rtt_srtt_or_default(req) << req->asked);
	if (req->rnr_wait || !roce_loss_charge_retry(qp, now))
		return;
	if (req->asked < ROCE_REWIND_BACKOFF_MAX)
		req->asked++;
	req->beyond |= resending(req);
	req->asked_to = req->gap_to;
	roce_cc_on_loss(req);
	roce_snd_rewind(qp);
	req->asking = true;
	req->repeated_at = now;
	if (req->sample_at && roce_psn_before(req->sample_psn, req->asked_to))
		req->sample_at = 0;
	roce_rto_arm(qp, now);
	qp->ops->count(qp, ROCE_COUNT_REWIND, 1);
}

static void note(struct roce_qp *qp, u64 now, u32 end)
{
	struct roce_req *req = &qp->req;

	roce_rtt_update(req, now, end);
	if (!roce_hole_exists(req)) {
		req->gap_to = end;
		req->gap_at = now;
		req->later_from = end;
		req->later_at = now;
		req->asked_to = req->una;
		req->asked = 0;
		req->beyond = false;
		req->ask_at = now + req->tolerance;
	} else if (roce_psn_after(end, req->gap_to)) {
		req->gap_to = end;
		/* What was refused has been taken since: others had overtaken it. */
		req->beyond = false;
	}
}

void roce_hole_extend(struct roce_qp *qp, u64 now, u32 end)
{
	note(qp, now, end);
	roce_hole_retransmit(qp, now);
}

void roce_hole_on_nak(struct roce_qp *qp, u64 now, u32 psn)
{
	struct roce_req *req = &qp->req;

	note(qp, now, psn);
	if (psn == req->gap_to && !req->beyond) {
		req->beyond = true;
		/* A piece that it has been begun with may have been cut short. */
		if (req->asking)
			roce_snd_rewind(qp);
	}
	roce_hole_retransmit(qp, now);
}

/* Others had overtaken what was missing: the next ones are given as much time. */
static void widen_reo_wnd(struct roce_req *req, u64 late)
{
	req->tolerance =
		max(req->tolerance, min(late + late / 4, 2 * roce_rtt_srtt_or_default(req)));
}

/*
 * What was missing at @was has come. If it was asked for again, this is the answer to that, or it
 * was not lost: then the answer comes as well.
 */
static void update_reo_wnd(struct roce_req *req, u64 now, u32 was)
{
	u64 late = now - req->gap_at;

	if (!roce_psn_before(was, req->asked_to)) {
		widen_reo_wnd(req, late);
		return;
	}
	if (req->answered != ROCE_PSN_NONE)
		req->tolerance -= req->tolerance / 8;
	req->answered = was;
	req->answered_late = late;
}

void roce_hole_on_duplicate(struct roce_req *req)
{
	widen_reo_wnd(req, req->answered_late);
	req->answered = ROCE_PSN_NONE;
}

/* Nothing is missing any more. */
static void hole_filled(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	req->ask_at = ROCE_NEVER;
	if (req->beyond && req->una != req->max_psn)
		roce_loss_retransmit(qp, now);
	else if (req->asking)
		roce_snd_fast_forward(qp);
}

void roce_hole_on_progress(struct roce_qp *qp, u64 now, u32 was)
{
	struct roce_req *req = &qp->req;

	update_reo_wnd(req, now, was);
	if (!roce_psn_before(req->una, req->later_from)) {
		req->gap_at = req->later_at;
		req->later_from = req->gap_to;
		req->later_at = now;
	}
	req->asked = 0;
	if (!roce_psn_before(req->una, req->gap_to)) {
		hole_filled(qp, now);
		return;
	}
	if (roce_psn_before(req->una, req->asked_to)) {
		req->ask_at = now + roce_rtt_srtt_or_default(req);
		return;
	}
	req->ask_at = now + req->tolerance;
	roce_hole_retransmit(qp, now);
}

/* Bring req.psn to what is missing of the READ; false if all the rest is there. */
static bool missing_of_read(struct roce_req *req, const struct roce_send_wqe *wqe)
{
	while (!roce_psn_after(req->psn, wqe->last_psn) && roce_ooo_read_received(req, req->psn))
		req->psn = roce_psn_add(req->psn, 1);
	return !roce_psn_after(req->psn, wqe->last_psn);
}

/* Has @wqe a part in what is missing, from req.psn on? */
static bool is_missing(struct roce_req *req, const struct roce_send_wqe *wqe)
{
	if (wqe->opcode == ROCE_WR_READ)
		return missing_of_read(req, wqe);
	return roce_wqe_needs_response(wqe);
}

/* Bring the requester to the next request that has a part in it. */
static bool next_missing_request(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;

	while (roce_psn_before(req->psn, req->asked_to)) {
		const struct roce_send_wqe *wqe = roce_sq_wqe(qp, qp->sq.next);

		if (wqe->state == ROCE_WQE_STARTED) {
			if (is_missing(req, wqe))
				return roce_psn_before(req->psn, req->asked_to);
			if (!roce_psn_before(wqe->last_psn, req->asked_to)) {
				req->psn = req->asked_to;
				return false;
			}
			req->psn = roce_psn_add(wqe->last_psn, 1);
		}
		qp->sq.next++;
	}
	return false;
}

static void skip_answered(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;

	if (next_missing_request(qp))
		return;
	if (req->beyond)
		req->asking = false;
	else
		roce_snd_fast_forward(qp);
	req->beyond = false;
}

static void skip_early(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;

	while (req->psn != req->max_psn && qp->sq.next != qp->sq.prod) {
		const struct roce_send_wqe *wqe = roce_sq_wqe(qp, qp->sq.next);

		if (wqe->state != ROCE_WQE_STARTED || wqe->opcode != ROCE_WR_READ ||
		    missing_of_read(req, wqe))
			return;
		qp->sq.next++;
	}
}

void roce_hole_skip_received(struct roce_qp *qp)
{
	if (qp->req.asking)
		skip_answered(qp);
	if (qp->req.nearly)
		skip_early(qp);
}

u32 roce_hole_request_len(struct roce_req *req, const struct roce_send_wqe *wqe)
{
	u32 left = roce_chunk_left(wqe, req->psn), part = left, end;

	if (req->psn == req->max_psn)
		return left;
	if (req->asking && !req->beyond)
		part = min(part, (req->asked_to - req->psn) & ROCE_PSN_MASK);
	while (part > 1 && roce_ooo_read_received(req, roce_psn_add(req->psn, part - 1)))
		part--;
	end = roce_psn_add(req->psn, part);
	if (part < left && roce_psn_after(end, req->parts_to))
		req->parts_to = end;
	return part;
}
