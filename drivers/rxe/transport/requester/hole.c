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

void roce_gap_ask(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	if (now < req->ask_at)
		return;
	req->ask_at = now + (roce_req_round_trip(req) << req->asked);
	if (req->rnr_wait || !roce_req_count_attempt(qp, now))
		return;
	if (req->asked < ROCE_IN_VAIN_MAX)
		req->asked++;
	req->beyond |= resending(req);
	req->asked_to = req->gap_to;
	roce_window_note_loss(req);
	roce_req_restart(qp);
	req->asking = true;
	req->repeated_at = now;
	if (req->sample_at && roce_psn_before(req->sample_psn, req->asked_to))
		req->sample_at = 0;
	roce_req_arm(qp, now);
	qp->ops->count(qp, ROCE_COUNT_RETRY, 1);
}

static void note(struct roce_qp *qp, u64 now, u32 end)
{
	struct roce_req *req = &qp->req;

	roce_window_take_rtt(req, now, end);
	if (!roce_gap_known(req)) {
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

void roce_gap_note(struct roce_qp *qp, u64 now, u32 end)
{
	note(qp, now, end);
	roce_gap_ask(qp, now);
}

void roce_gap_refused(struct roce_qp *qp, u64 now, u32 psn)
{
	struct roce_req *req = &qp->req;

	note(qp, now, psn);
	if (psn == req->gap_to && !req->beyond) {
		req->beyond = true;
		/* A piece that it has been begun with may have been cut short. */
		if (req->asking)
			roce_req_restart(qp);
	}
	roce_gap_ask(qp, now);
}

/* Others had overtaken what was missing: the next ones are given as much time. */
static void tolerate(struct roce_req *req, u64 late)
{
	req->tolerance = max(req->tolerance, min(late + late / 4, 2 * roce_req_round_trip(req)));
}

/*
 * What was missing at @was has come. If it was asked for again, this is the answer to that, or it
 * was not lost: then the answer comes as well.
 */
static void learn(struct roce_req *req, u64 now, u32 was)
{
	u64 late = now - req->gap_at;

	if (!roce_psn_before(was, req->asked_to)) {
		tolerate(req, late);
		return;
	}
	if (req->answered != ROCE_PSN_NONE)
		req->tolerance -= req->tolerance / 8;
	req->answered = was;
	req->answered_late = late;
}

void roce_gap_duplicate(struct roce_req *req)
{
	tolerate(req, req->answered_late);
	req->answered = ROCE_PSN_NONE;
}

/* Nothing is missing any more. */
static void close_gap(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	req->ask_at = ROCE_NEVER;
	if (req->beyond && req->una != req->max_psn)
		roce_req_resend(qp, now);
	else if (req->asking)
		roce_req_resume(qp);
}

void roce_gap_moved(struct roce_qp *qp, u64 now, u32 was)
{
	struct roce_req *req = &qp->req;

	learn(req, now, was);
	if (!roce_psn_before(req->una, req->later_from)) {
		req->gap_at = req->later_at;
		req->later_from = req->gap_to;
		req->later_at = now;
	}
	req->asked = 0;
	if (!roce_psn_before(req->una, req->gap_to)) {
		close_gap(qp, now);
		return;
	}
	if (roce_psn_before(req->una, req->asked_to)) {
		req->ask_at = now + roce_req_round_trip(req);
		return;
	}
	req->ask_at = now + req->tolerance;
	roce_gap_ask(qp, now);
}

/* Bring req.psn to what is missing of the READ; false if all the rest is there. */
static bool missing_of_read(struct roce_req *req, const struct roce_send_wqe *wqe)
{
	while (!roce_psn_after(req->psn, wqe->last_psn) && roce_early_has(req, req->psn))
		req->psn = roce_psn_add(req->psn, 1);
	return !roce_psn_after(req->psn, wqe->last_psn);
}

/* Has @wqe a part in what is missing, from req.psn on? */
static bool is_missing(struct roce_req *req, const struct roce_send_wqe *wqe)
{
	if (wqe->opcode == ROCE_WR_READ)
		return missing_of_read(req, wqe);
	return roce_wqe_is_answered(wqe);
}

/* Bring the requester to the next request that has a part in it. */
static bool seek(struct roce_qp *qp)
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

	if (seek(qp))
		return;
	if (req->beyond)
		req->asking = false;
	else
		roce_req_resume(qp);
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

void roce_gap_skip(struct roce_qp *qp)
{
	if (qp->req.asking)
		skip_answered(qp);
	if (qp->req.nearly)
		skip_early(qp);
}

u32 roce_gap_part(struct roce_req *req, const struct roce_send_wqe *wqe)
{
	u32 left = roce_piece_left(wqe, req->psn), part = left, end;

	if (req->psn == req->max_psn)
		return left;
	if (req->asking && !req->beyond)
		part = min(part, (req->asked_to - req->psn) & ROCE_PSN_MASK);
	while (part > 1 && roce_early_has(req, roce_psn_add(req->psn, part - 1)))
		part--;
	end = roce_psn_add(req->psn, part);
	if (part < left && roce_psn_after(end, req->parts_to))
		req->parts_to = end;
	return part;
}
