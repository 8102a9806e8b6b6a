// SPDX-License-Identifier: GPL-2.0
/*
 * The requester (IBTA 9.7.2 to 9.7.4 and 9.7.6): WQEs become request packets in
 * order of their PSNs, within a window of unacknowledged ones.
 *
 * Where it stands is a WQE index and a PSN; the offset within the message follows
 * from the two. Going back is to set both to the oldest unacknowledged PSN.
 */
#include "transport/requester/hole.h"
#include "transport/common/segment.h"
#include "transport/requester/read_chunk.h"
#include "transport/requester/requester.h"
#include "transport/requester/recovery.h"
#include "transport/common/send_wqe.h"
#include "transport/common/send_queue.h"
#include "transport/requester/cc.h"

/* So many packets must be on their way for small messages to be gathered, and no more are. */
#define ROCE_CORK_MIN_INFLIGHT	16u
#define ROCE_CORK_MAX_WQES		32u

/* Nothing more is sent for now: count why. */
static bool tx_stalled(struct roce_qp *qp, enum roce_count why)
{
	qp->ops->count(qp, why, 1);
	return false;
}

/* Requests that the peer has to answer are limited by the initiator depth (IBTA 9.7.3.3). */
static bool initiator_depth_available(const struct roce_qp *qp)
{
	return qp->req.snd.rd_atomic_inflight + qp->req.snd.read_chunks < qp->attr.max_rd_atomic;
}

static bool start_transport(struct roce_qp *qp, struct roce_send_wqe *wqe)
{
	struct roce_req *req = &qp->req;
	bool answered = roce_wqe_needs_response(wqe);
	u32 npkts = roce_wqe_is_mpe(wqe) ? 1 : roce_npkts(wqe->length, qp->attr.mtu);

	if (answered && !qp->attr.max_rd_atomic)
		return roce_sq_fail_ordered(qp, wqe, ROCE_LOC_QP_OP_ERR);
	if (answered && !initiator_depth_available(qp))
		return tx_stalled(qp, ROCE_COUNT_WAIT_DEPTH);
	if (!roce_sq_sges_ok(qp, wqe))
		return roce_sq_fail_ordered(qp, wqe, ROCE_LOC_PROT_ERR);
	wqe->first_psn = req->snd.nxt;
	wqe->last_psn = roce_psn_add(req->snd.nxt, npkts - 1);
	wqe->state = ROCE_WQE_STARTED;
	if (answered) {
		roce_hole_reset_split(req);
		req->snd.rd_atomic_inflight++;
	}
	return true;
}

static bool start(struct roce_qp *qp, struct roce_send_wqe *wqe)
{
	if (qp->state != ROCE_RTS)
		return false;
	if (wqe->status != ROCE_SUCCESS)
		return roce_sq_fail_ordered(qp, wqe, wqe->status);
	if ((wqe->flags & ROCE_WR_FENCE) && qp->req.snd.rd_atomic_inflight)
		return tx_stalled(qp, ROCE_COUNT_WAIT_FENCE);
	if (roce_wqe_is_local(wqe))
		return roce_sq_start_local(qp, wqe);
	return start_transport(qp, wqe);
}

static void set_ackreq(struct roce_req *req, struct roce_tx_run *run)
{
	run->ack_last = true;
	req->ackreq.pkts_since = 0;
	req->ackreq.wanted = false;
}

/* Account for a run that carries the cursor on to @psn. */
static void commit_run(struct roce_qp *qp, u64 now, struct roce_tx_run *run, u32 psn)
{
	const struct roce_send_wqe *wqe = roce_sq_wqe(qp, qp->sq.next);
	struct roce_req *req = &qp->req;
	bool first_time = req->snd.nxt == req->snd.max,
	     ends = psn == roce_psn_add(wqe->last_psn, 1);

	if (req->loss.deadline == ROCE_NEVER) {
		req->loss.retry_period_start = now;
		roce_rto_arm(qp, now);
	}
	req->ackreq.pkts_since += run->npkts;
	req->ackreq.wanted |= ends && wqe->flags & ROCE_WR_SIGNALED;
	if (req->ackreq.pkts_since >= req->ackreq.interval)
		set_ackreq(req, run);
	if (!req->rtt.sample_start && first_time) {
		/* Of a READ, the first response ends it. */
		req->rtt.sample_psn = roce_psn_add(req->snd.nxt, run->npkts - 1);
		req->rtt.sample_start = now;
		req->rtt.sample_ambiguous = false;
	}
	req->snd.nxt = psn;
	req->snd.tlp = false;
	if (roce_psn_after(psn, req->snd.max) ||
	    ((psn - req->snd.una) & ROCE_PSN_MASK) == ROCE_MAX_INFLIGHT)
		req->snd.max = psn;
	if (ends)
		qp->sq.next++;
}

/* May a piece of @npkts be asked for that has not been before? What has come takes no room. */
static bool chunk_allowed(const struct roce_qp *qp, u32 npkts)
{
	const struct roce_req *req = &qp->req;
	u32 inflight = roce_req_inflight(req);

	/* The WQE's own place among rd_atomic is its last piece's. */
	if (req->snd.rd_atomic_inflight + req->snd.read_chunks > qp->attr.max_rd_atomic)
		return false;
	if (req->hole.ooo_count && inflight + npkts > ROCE_OOO_READ_WINDOW)
		return false;
	return !inflight ||
	       inflight - req->hole.ooo_count + npkts <= 2 * min(req->cc.cwnd, req->cc.cwnd_clamp);
}

/* May the next request that ends with a response of its own be sent? */
static bool request_allowed(const struct roce_qp *qp, u32 npkts)
{
	const struct roce_req *req = &qp->req;

	if (req->snd.nxt == req->snd.max)
		return chunk_allowed(qp, npkts);
	return req->hole.filling || roce_cc_send_allowance(req);
}

/* It is sent. A piece that is not the last of its READ has a place of its own from then on. */
static void account_chunk(struct roce_req *req, const struct roce_send_wqe *wqe, u32 npkts)
{
	if (req->snd.nxt == req->snd.max)
		req->snd.read_chunks += roce_psn_add(req->snd.nxt, npkts - 1) != wqe->last_psn;
}

static bool emit_read_or_atomic(struct roce_qp *qp, u64 now,
				struct roce_send_wqe *wqe,
				struct roce_tx_batch *batch)
{
	struct roce_req *req = &qp->req;
	u32 npkts = roce_hole_request_len(req, wqe);
	struct roce_tx_run *run;
	struct roce_hdr hdr;

	if (!request_allowed(qp, npkts))
		return tx_stalled(qp, ROCE_COUNT_WAIT_DEPTH);
	account_chunk(req, wqe, npkts);
	roce_message_hdr(qp, wqe, roce_read_offset(qp, wqe, req->snd.nxt), &hdr);
	hdr.dma_len = min(hdr.dma_len, npkts * qp->attr.mtu);
	hdr.opcode = wqe->opcode == ROCE_WR_READ ? ROCE_READ_REQUEST :
		     wqe->opcode == ROCE_WR_COMPARE_SWAP ? ROCE_COMPARE_SWAP :
							   ROCE_FETCH_ADD;
	run = roce_batch_add(batch, &hdr, 1, 0);
	commit_run(qp, now, run, roce_psn_add(req->snd.nxt, npkts));
	return true;
}

/* A FLUSH, or an ATOMIC WRITE with its eight bytes. */
static bool send_mpe_request(struct roce_qp *qp, u64 now, struct roce_send_wqe *wqe,
			struct roce_tx_batch *batch)
{
	bool flush = wqe->opcode == ROCE_WR_FLUSH;
	struct roce_tx_run *run;
	struct roce_hdr hdr;

	if (!request_allowed(qp, 1))
		return tx_stalled(qp, ROCE_COUNT_WAIT_DEPTH);
	roce_message_hdr(qp, wqe, 0, &hdr);
	hdr.opcode = flush ? ROCE_FLUSH : ROCE_ATOMIC_WRITE;
	hdr.flush_type = wqe->flush_type;
	hdr.flush_level = wqe->flush_level;
	run = roce_batch_add(batch, &hdr, 1, flush ? 0 : sizeof(u64));
	if (!flush)
		run->payload.wqe = wqe;
	if (!roce_batch_commit(qp, batch))
		return false;
	commit_run(qp, now, run, roce_psn_add(qp->req.snd.nxt, 1));
	return true;
}

static bool emit_send_or_write(struct roce_qp *qp, u64 now,
			       struct roce_send_wqe *wqe,
			       struct roce_tx_batch *batch)
{
	struct roce_req *req = &qp->req;
	u32 max = min(roce_cc_send_allowance(req), req->ackreq.interval - req->ackreq.pkts_since);
	struct roce_tx_run *run = roce_segment_next(qp, wqe, ROCE_OP_RC, max, batch);

	if (!roce_batch_commit(qp, batch))
		return false;
	commit_run(qp, now, run, roce_psn_add(req->snd.nxt, run->npkts));
	return true;
}

static bool send_next(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch)
{
	struct roce_send_wqe *wqe;

	if (roce_hole_exists(&qp->req))
		roce_hole_skip_received(qp);
	if (qp->sq.next == qp->sq.prod)
		return false;
	wqe = roce_sq_wqe(qp, qp->sq.next);
	if (wqe->state == ROCE_WQE_DONE) {
		qp->sq.next++;
		return true;
	}
	if (wqe->state == ROCE_WQE_POSTED)
		return start(qp, wqe);
	if (roce_wqe_is_read_or_atomic(wqe))
		return emit_read_or_atomic(qp, now, wqe, batch);
	if (roce_wqe_is_mpe(wqe))
		return send_mpe_request(qp, now, wqe, batch);
	if (!roce_cc_send_allowance(&qp->req))
		return tx_stalled(qp, ROCE_COUNT_WAIT_PSN);
	return emit_send_or_write(qp, now, wqe, batch);
}

/* Will more packets follow without anything having to be acknowledged first? */
static bool more_to_send(struct roce_qp *qp)
{
	const struct roce_send_wqe *wqe;

	if (roce_hole_exists(&qp->req))
		roce_hole_skip_received(qp);
	if (qp->sq.next == qp->sq.prod || !roce_cc_send_allowance(&qp->req))
		return false;
	wqe = roce_sq_wqe(qp, qp->sq.next);
	if (wqe->state != ROCE_WQE_STARTED)
		return false;
	return !roce_wqe_needs_response(wqe) ||
	       request_allowed(qp, roce_chunk_left(wqe, qp->req.snd.nxt));
}

/*
 * Has an acknowledgement released what had been gathered? Then that asks for the next one to gather
 * behind. Where acknowledgements come sooner than the next message nothing is ever gathered.
 */
static bool needs_ack_clock(const struct roce_qp *qp)
{
	const struct roce_req *req = &qp->req;

	return req->cork.active && roce_ackreq_none_outstanding(req) &&
	       roce_req_inflight(req) >= ROCE_CORK_MIN_INFLIGHT;
}

/*
 * Does nobody wait for the packets sent since the last AckReq? The completion of what was posted
 * without a signal is not seen, but its slot is needed again, and so is its part of the window.
 * The acknowledgement may be for what is posted next; if nothing is, a probe asks for it.
 */
static bool ackreq_can_defer(const struct roce_qp *qp)
{
	const struct roce_req *req = &qp->req;

	return qp->ackreq_deferral && !req->ackreq.wanted && !req->ackreq.quick &&
	       qp->state == ROCE_RTS && qp->sq.next == qp->sq.prod &&
	       req->snd.nxt == req->snd.max && req->ackreq.pkts_since < (qp->sq.mask + 1) / 4 &&
	       req->ackreq.pkts_since < min(req->cc.cwnd_clamp, req->cc.cwnd) / 2 &&
	       !needs_ack_clock(qp);
}

/*
 * What is acknowledged with what comes later tells nothing of the round trip, and while nothing
 * has been asked for, nothing is late.
 */
static void defer_ackreq(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	if (req->rtt.sample_start &&
	    roce_psn_diff(req->snd.nxt, req->rtt.sample_psn) <= (s32)req->ackreq.pkts_since)
		req->rtt.sample_start = 0;
	if (roce_ackreq_none_outstanding(req)) {
		req->loss.retry_period_start = now;
		roce_rto_arm_relaxed(qp, now);
	}
}

/* A message that may be sent together with what is posted after it: nobody waits for it alone. */
static bool can_cork(const struct roce_qp *qp, const struct roce_send_wqe *wqe)
{
	return wqe->state == ROCE_WQE_POSTED && wqe->status == ROCE_SUCCESS &&
	       !(wqe->flags & (ROCE_WR_SIGNALED | ROCE_WR_SOLICITED | ROCE_WR_FENCE)) &&
	       !roce_wqe_is_local(wqe) && !roce_wqe_needs_response(wqe) &&
	       wqe->length <= qp->attr.mtu;
}

/*
 * Are there but a few small messages, while many are on their way and an acknowledgement of some
 * has been asked for? When it comes all of them are sent, or when there are more: a batch of them
 * costs both ends little more than one.
 */
static bool cork_small_sends(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;
	u32 i;

	if ((s32)(qp->sq.next - req->cork.end) >= 0)
		req->cork.active = false;
	if (!qp->ackreq_deferral || qp->state != ROCE_RTS ||
	    roce_req_inflight(req) < ROCE_CORK_MIN_INFLIGHT || roce_ackreq_none_outstanding(req) ||
	    req->snd.nxt != req->snd.max || req->loss.recovering ||
	    qp->sq.prod - qp->sq.next >= ROCE_CORK_MAX_WQES)
		return false;
	if (!req->cork.active)
		req->cork.first = req->cork.end = qp->sq.next;
	/* Some have been sent: so are the others, if it takes several batches. */
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

bool roce_req_idle(struct roce_qp *qp)
{
	const struct roce_req *req = &qp->req;

	if (roce_hole_exists(req))
		return false;
	if (qp->sq.next != qp->sq.prod)
		return cork_small_sends(qp);
	return !req->ackreq.pkts_since || !req->ackreq.wanted;
}

static void send_requests(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch)
{
	struct roce_req *req = &qp->req;
	u32 before = batch->nruns;

	while (roce_batch_room(batch) && send_next(qp, now, batch))
		;
	/* Where there is room left, nothing more can be sent. */
	if (!req->ackreq.pkts_since || (!roce_batch_room(batch) && more_to_send(qp)))
		return;
	if (batch->nruns == before) {
		if (req->ackreq.wanted)
			roce_rto_expire_pto(qp);
		return;
	}
	if (ackreq_can_defer(qp)) {
		defer_ackreq(qp, now);
		return;
	}
	set_ackreq(req, &batch->run[batch->nruns - 1]);
	if (req->ackreq.quick)
		req->ackreq.quick--;
}

/*
 * Packets have been sent, and an acknowledgement asked for. If they are the last that there are,
 * and some have been lost of late, the last one is sent twice: what is lost with the end of a
 * message, the peer tells at once then, instead of when it is probed for.
 */
static void send_tail_duplicate(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch)
{
	struct roce_req *req = &qp->req;
	u32 n = batch->nruns;

	if (!roce_batch_room(batch) || !roce_taildup_prepare(qp))
		return;
	if (!send_next(qp, now, batch)) {
		roce_snd_fast_forward(qp);
		return;
	}
	qp->sq.next = qp->sq.prod;
	batch->run[n].new_skb = true;
	set_ackreq(req, &batch->run[n]);
	req->taildup.budget--;
	req->taildup.last_max = req->snd.max;
	req->taildup.outstanding = true;
	qp->ops->count(qp, ROCE_COUNT_TAIL_DUP, 1);
}

void roce_req_tx(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch)
{
	struct roce_req *req = &qp->req;
	u32 before = batch->nruns;

	if (qp->state != ROCE_RTS && qp->state != ROCE_SQD)
		return;
	if (req->loss.rnr_timer_active || cork_small_sends(qp))
		return;
	send_requests(qp, now, batch);
	if (req->taildup.budget && batch->nruns != before && !req->ackreq.pkts_since)
		send_tail_duplicate(qp, now, batch);
}
