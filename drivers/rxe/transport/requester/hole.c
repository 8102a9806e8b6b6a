// SPDX-License-Identifier: GPL-2.0
/*
 * Selective repeat of READ responses, with an adaptive reordering window.
 *
 * reo_wnd: the delay after which a missing response counts as lost, ns (as in RACK, RFC 8985).
 *
 * Input: for each response that was missing, how long after a later response it arrived.
 * Decision: a response that arrives without being re-requested, or twice because it was
 *	re-requested too early, was reordered: reo_wnd becomes 5/4 of its delay if that is more. A
 *	response that had to be re-requested was lost: reo_wnd shrinks by 1/8.
 * Bounds: 0 and 2 SRTT.
 */
#include <linux/minmax.h>

#include "transport/common/send_wqe.h"
#include "transport/requester/hole.h"
#include "transport/requester/ooo_read.h"
#include "transport/requester/read_chunk.h"
#include "transport/requester/rewind.h"
#include "transport/requester/rto.h"
#include "transport/requester/rtt.h"

/* A delay of more than SRTT/8 is due to the path, not to the hosts. */
static bool path_reorders(const struct roce_req *req, u64 late)
{
	return late > req->rtt.srtt / 8;
}

/*
 * Responses. As many missing in succession, or more, are taken for one lost request; a short queue
 * loses three in succession where responses enter it four times as fast as they leave it.
 */
#define ROCE_LOST_REQUEST	32u

/* Report how many responses before @end are missing, of those that have not been re-requested. */
static void report_lost(struct roce_req *req, u64 now, u32 end)
{
	u32 psn = roce_psn_after(req->snd.una, req->hole.rexmit_end) ? req->snd.una :
								       req->hole.rexmit_end;
	u32 lost = 0, run = 0, npkts = 0;

	if (path_reorders(req, req->hole.reo_wnd))
		return;
	for (; roce_psn_before(psn, end); psn = roce_psn_add(psn, 1)) {
		if (!roce_ooo_read_received(req, psn)) {
			run++;
			continue;
		}
		npkts++;
		if (run < ROCE_LOST_REQUEST) {
			lost += run;
			npkts += run;
		}
		run = 0;
	}
	if (npkts)
		roce_cc_on_lost_responses(req, now, lost, npkts);
}

void roce_hole_retransmit(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;
	u32 end;

	if (now < req->hole.timer)
		return;
	/* Rearm even if nothing is sent now: after an RNR NAK, go-back-N re-requests them. */
	req->hole.timer = now + (roce_rtt_srtt_or_default(req) << req->hole.backoff);
	if (req->loss.rnr_expires || !roce_rto_charge_retry(qp, now))
		return;
	if (req->hole.backoff < ROCE_REWIND_BACKOFF_MAX)
		req->hole.backoff++;
	/* Go-back-N was in progress: it continues behind the hole. */
	req->hole.go_back_n |= req->snd.mode == ROCE_SND_GO_BACK_N;
	/* The rest is re-requested when these have arrived. */
	end = roce_psn_add(req->snd.una, roce_read_window(req));
	if (roce_psn_after(end, req->hole.end))
		end = req->hole.end;
	report_lost(req, now, end);
	req->hole.rexmit_end = end;
	roce_loss_fill_hole(qp, now);
}

static void extend(struct roce_qp *qp, u64 now, u32 end)
{
	struct roce_req *req = &qp->req;

	roce_rtt_update(req, now, end);
	if (!roce_hole_exists(req)) {
		req->hole.end = end;
		req->hole.detected = now;
		req->hole.next_start = end;
		req->hole.next_detected = now;
		req->hole.rexmit_end = req->snd.una;
		req->hole.backoff = 0;
		req->hole.go_back_n = false;
		req->hole.timer = now + req->hole.reo_wnd;
	} else if (roce_psn_after(end, req->hole.end)) {
		req->hole.end = end;
		/* The peer has accepted packets after the NAK: the refused one was reordered. */
		req->hole.go_back_n = false;
	}
}

void roce_hole_on_response_beyond(struct roce_qp *qp, u64 now, u32 end)
{
	extend(qp, now, end);
	roce_hole_retransmit(qp, now);
}

void roce_hole_on_nak(struct roce_qp *qp, u64 now, u32 psn)
{
	struct roce_req *req = &qp->req;

	extend(qp, now, psn);
	if (psn == req->hole.end && !req->hole.go_back_n) {
		req->hole.go_back_n = true;
		/* The READ request being retransmitted may have been cut off at the hole's end. */
		if (req->snd.mode == ROCE_SND_FILL_HOLE)
			roce_snd_rewind(qp);
	}
	roce_hole_retransmit(qp, now);
}

/* A missing response was reordered: it arrived @late ns after a later one. */
static void widen_reo_wnd(struct roce_req *req, u64 late)
{
	req->hole.reo_wnd =
		max(req->hole.reo_wnd, min(late + late / 4, 2 * roce_rtt_srtt_or_default(req)));
}

/*
 * The missing response of @was has arrived. If it was re-requested, it counts as lost, unless it
 * arrives a second time: then the original was only reordered.
 */
static void update_reo_wnd(struct roce_req *req, u64 now, u32 was)
{
	u64 late = now - req->hole.detected;

	if (!roce_psn_before(was, req->hole.rexmit_end)) {
		widen_reo_wnd(req, late);
		if (path_reorders(req, late))
			roce_cc_on_reordered_responses(req);
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

static void hole_filled(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	req->hole.timer = ROCE_NEVER;
	if (req->hole.go_back_n && req->snd.una != req->snd.max)
		roce_loss_retransmit(qp, now);
	else if (req->snd.mode == ROCE_SND_FILL_HOLE)
		roce_snd_fast_forward(qp);
}

void roce_hole_on_progress(struct roce_qp *qp, u64 now, u32 prior_una)
{
	struct roce_req *req = &qp->req;

	update_reo_wnd(req, now, prior_una);
	if (!roce_psn_before(req->snd.una, req->hole.next_start)) {
		req->hole.detected = req->hole.next_detected;
		req->hole.next_start = req->hole.end;
		req->hole.next_detected = now;
	}
	req->hole.backoff = 0;
	if (!roce_psn_before(req->snd.una, req->hole.end)) {
		hole_filled(qp, now);
		return;
	}
	if (roce_psn_before(req->snd.una, req->hole.rexmit_end)) {
		req->hole.timer = now + roce_rtt_srtt_or_default(req);
		return;
	}
	req->hole.timer = now + req->hole.reo_wnd;
	roce_hole_retransmit(qp, now);
}

/* Move snd.nxt to the next missing response of the READ; false if there is none. */
static bool skip_to_missing(struct roce_req *req, const struct roce_send_wqe *wqe)
{
	while (!roce_psn_after(req->snd.nxt, wqe->last_psn) &&
	       roce_ooo_read_received(req, req->snd.nxt))
		roce_snd_skip(req, roce_psn_add(req->snd.nxt, 1));
	return !roce_psn_after(req->snd.nxt, wqe->last_psn);
}

/* The same for a WQE of any opcode: only some have responses of their own. */
static bool is_missing(struct roce_req *req, const struct roce_send_wqe *wqe)
{
	if (wqe->opcode == ROCE_WR_READ)
		return skip_to_missing(req, wqe);
	return roce_wqe_needs_response(wqe);
}

/* Move sq.next and snd.nxt to the next missing response of the hole; false if there is none. */
static bool next_missing_request(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;

	while (roce_psn_before(req->snd.nxt, req->hole.rexmit_end)) {
		const struct roce_send_wqe *wqe = roce_sq_wqe(qp, qp->sq.next);

		if (wqe->state == ROCE_WQE_STARTED) {
			if (is_missing(req, wqe))
				return roce_psn_before(req->snd.nxt, req->hole.rexmit_end);
			if (!roce_psn_before(wqe->last_psn, req->hole.rexmit_end)) {
				roce_snd_skip(req, req->hole.rexmit_end);
				return false;
			}
			roce_snd_skip(req, roce_psn_add(wqe->last_psn, 1));
		}
		qp->sq.next++;
	}
	return false;
}

static void skip_to_hole(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;

	if (next_missing_request(qp))
		return;
	if (req->hole.go_back_n)
		roce_snd_end_fill(req);
	else
		roce_snd_fast_forward(qp);
	req->hole.go_back_n = false;
}

static void skip_received_reads(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;

	while (req->snd.nxt != req->snd.max && qp->sq.next != qp->sq.prod) {
		const struct roce_send_wqe *wqe = roce_sq_wqe(qp, qp->sq.next);

		if (wqe->state != ROCE_WQE_STARTED || wqe->opcode != ROCE_WR_READ ||
		    skip_to_missing(req, wqe))
			return;
		qp->sq.next++;
	}
}

void roce_hole_skip_received(struct roce_qp *qp)
{
	if (qp->req.snd.mode == ROCE_SND_FILL_HOLE)
		skip_to_hole(qp);
	if (qp->req.hole.ooo_count)
		skip_received_reads(qp);
}

/*
 * The responses may only be late, and a re-request brings all of those that it asks for: a probe,
 * and the first one after an RTO, ask for one.
 */
static bool single_response(const struct roce_req *req)
{
	if (req->snd.mode == ROCE_SND_TLP)
		return req->loss.probe_single;
	return req->snd.mode == ROCE_SND_GO_BACK_N && req->loss.window == 1;
}

u32 roce_hole_request_len(struct roce_req *req, const struct roce_send_wqe *wqe)
{
	u32 left = roce_chunk_left(wqe, req->snd.nxt), part = left, end;

	if (req->snd.nxt == req->snd.max)
		return left;
	if (single_response(req))
		part = 1;
	if (req->snd.mode == ROCE_SND_FILL_HOLE && !req->hole.go_back_n)
		part = min(part, (req->hole.rexmit_end - req->snd.nxt) & ROCE_PSN_MASK);
	while (part > 1 && roce_ooo_read_received(req, roce_psn_add(req->snd.nxt, part - 1)))
		part--;
	end = roce_psn_add(req->snd.nxt, part);
	if (part < left && roce_psn_after(end, req->hole.split_end))
		req->hole.split_end = end;
	return part;
}
