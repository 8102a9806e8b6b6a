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
	return req->snd.nxt != req->snd.max && !req->hole.filling && !req->snd.tlp;
}

void roce_hole_retransmit(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	if (now < req->hole.reo_timer)
		return;
	req->hole.reo_timer = now + (roce_rtt_srtt_or_default(req) << req->hole.rexmits);
	if (req->loss.rnr_timer_active || !roce_loss_charge_retry(qp, now))
		return;
	if (req->hole.rexmits < ROCE_REWIND_BACKOFF_MAX)
		req->hole.rexmits++;
	req->hole.rexmit_past_end |= resending(req);
	req->hole.rexmit_end = req->hole.end;
	roce_cc_on_loss(req);
	roce_snd_rewind(qp);
	req->hole.filling = true;
	req->loss.last_rexmit_time = now;
	if (req->rtt.sample_start && roce_psn_before(req->rtt.sample_psn, req->hole.rexmit_end))
		req->rtt.sample_start = 0;
	roce_rto_arm(qp, now);
	qp->ops->count(qp, ROCE_COUNT_REWIND, 1);
}

static void note(struct roce_qp *qp, u64 now, u32 end)
{
	struct roce_req *req = &qp->req;

	roce_rtt_update(req, now, end);
	if (!roce_hole_exists(req)) {
		req->hole.end = end;
		req->hole.detected = now;
		req->hole.next_start = end;
		req->hole.next_detected = now;
		req->hole.rexmit_end = req->snd.una;
		req->hole.rexmits = 0;
		req->hole.rexmit_past_end = false;
		req->hole.reo_timer = now + req->hole.reo_wnd;
	} else if (roce_psn_after(end, req->hole.end)) {
		req->hole.end = end;
		/* What was refused has been taken since: others had overtaken it. */
		req->hole.rexmit_past_end = false;
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
	if (psn == req->hole.end && !req->hole.rexmit_past_end) {
		req->hole.rexmit_past_end = true;
		/* A piece that it has been begun with may have been cut short. */
		if (req->hole.filling)
			roce_snd_rewind(qp);
	}
	roce_hole_retransmit(qp, now);
}

/* Others had overtaken what was missing: the next ones are given as much time. */
static void widen_reo_wnd(struct roce_req *req, u64 late)
{
	req->hole.reo_wnd =
		max(req->hole.reo_wnd, min(late + late / 4, 2 * roce_rtt_srtt_or_default(req)));
}

/*
 * What was missing at @was has come. If it was asked for again, this is the answer to that, or it
 * was not lost: then the answer comes as well.
 */
static void update_reo_wnd(struct roce_req *req, u64 now, u32 was)
{
	u64 late = now - req->hole.detected;

	if (!roce_psn_before(was, req->hole.rexmit_end)) {
		widen_reo_wnd(req, late);
		return;
	}
	if (req->hole.rexmit_arrived_psn != ROCE_PSN_NONE)
		req->hole.reo_wnd -= req->hole.reo_wnd / 8;
	req->hole.rexmit_arrived_psn = was;
	req->hole.rexmit_arrived_delay = late;
}

void roce_hole_on_duplicate(struct roce_req *req)
{
	widen_reo_wnd(req, req->hole.rexmit_arrived_delay);
	req->hole.rexmit_arrived_psn = ROCE_PSN_NONE;
}

/* Nothing is missing any more. */
static void hole_filled(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	req->hole.reo_timer = ROCE_NEVER;
	if (req->hole.rexmit_past_end && req->snd.una != req->snd.max)
		roce_loss_retransmit(qp, now);
	else if (req->hole.filling)
		roce_snd_fast_forward(qp);
}

void roce_hole_on_progress(struct roce_qp *qp, u64 now, u32 was)
{
	struct roce_req *req = &qp->req;

	update_reo_wnd(req, now, was);
	if (!roce_psn_before(req->snd.una, req->hole.next_start)) {
		req->hole.detected = req->hole.next_detected;
		req->hole.next_start = req->hole.end;
		req->hole.next_detected = now;
	}
	req->hole.rexmits = 0;
	if (!roce_psn_before(req->snd.una, req->hole.end)) {
		hole_filled(qp, now);
		return;
	}
	if (roce_psn_before(req->snd.una, req->hole.rexmit_end)) {
		req->hole.reo_timer = now + roce_rtt_srtt_or_default(req);
		return;
	}
	req->hole.reo_timer = now + req->hole.reo_wnd;
	roce_hole_retransmit(qp, now);
}

/* Bring req.snd.nxt to what is missing of the READ; false if all the rest is there. */
static bool missing_of_read(struct roce_req *req, const struct roce_send_wqe *wqe)
{
	while (!roce_psn_after(req->snd.nxt, wqe->last_psn) &&
	       roce_ooo_read_received(req, req->snd.nxt))
		req->snd.nxt = roce_psn_add(req->snd.nxt, 1);
	return !roce_psn_after(req->snd.nxt, wqe->last_psn);
}

/* Has @wqe a part in what is missing, from req.snd.nxt on? */
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

	while (roce_psn_before(req->snd.nxt, req->hole.rexmit_end)) {
		const struct roce_send_wqe *wqe = roce_sq_wqe(qp, qp->sq.next);

		if (wqe->state == ROCE_WQE_STARTED) {
			if (is_missing(req, wqe))
				return roce_psn_before(req->snd.nxt, req->hole.rexmit_end);
			if (!roce_psn_before(wqe->last_psn, req->hole.rexmit_end)) {
				req->snd.nxt = req->hole.rexmit_end;
				return false;
			}
			req->snd.nxt = roce_psn_add(wqe->last_psn, 1);
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
	if (req->hole.rexmit_past_end)
		req->hole.filling = false;
	else
		roce_snd_fast_forward(qp);
	req->hole.rexmit_past_end = false;
}

static void skip_early(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;

	while (req->snd.nxt != req->snd.max && qp->sq.next != qp->sq.prod) {
		const struct roce_send_wqe *wqe = roce_sq_wqe(qp, qp->sq.next);

		if (wqe->state != ROCE_WQE_STARTED || wqe->opcode != ROCE_WR_READ ||
		    missing_of_read(req, wqe))
			return;
		qp->sq.next++;
	}
}

void roce_hole_skip_received(struct roce_qp *qp)
{
	if (qp->req.hole.filling)
		skip_answered(qp);
	if (qp->req.hole.ooo_count)
		skip_early(qp);
}

u32 roce_hole_request_len(struct roce_req *req, const struct roce_send_wqe *wqe)
{
	u32 left = roce_chunk_left(wqe, req->snd.nxt), part = left, end;

	if (req->snd.nxt == req->snd.max)
		return left;
	if (req->hole.filling && !req->hole.rexmit_past_end)
		part = min(part, (req->hole.rexmit_end - req->snd.nxt) & ROCE_PSN_MASK);
	while (part > 1 && roce_ooo_read_received(req, roce_psn_add(req->snd.nxt, part - 1)))
		part--;
	end = roce_psn_add(req->snd.nxt, part);
	if (part < left && roce_psn_after(end, req->hole.split_end))
		req->hole.split_end = end;
	return part;
}
