// SPDX-License-Identifier: GPL-2.0
/*
 * Requester (IBTA 9.7.2 to 9.7.4 and 9.7.6): send WQEs become request packets in the order of their
 * PSNs, within the window and the initiator depth.
 *
 * The send position is a WQE index, sq.next, and a PSN, snd.nxt, from which the offset within the
 * message is computed. For retransmission both move back (rewind.h).
 */
#include "transport/common/segment.h"
#include "transport/common/send_queue.h"
#include "transport/common/send_wqe.h"
#include "transport/requester/ackreq.h"
#include "transport/requester/cc.h"
#include "transport/requester/cork.h"
#include "transport/requester/hole.h"
#include "transport/requester/pacing.h"
#include "transport/requester/read_chunk.h"
#include "transport/requester/requester.h"
#include "transport/requester/rewind.h"
#include "transport/requester/rto.h"
#include "transport/requester/rtt.h"
#include "transport/requester/taildup.h"

/* Returns false, for callers that return whether more packets can be sent. */
static bool tx_stalled(struct roce_qp *qp, enum roce_count why)
{
	qp->ops->count(qp, why, 1);
	return false;
}

/* READs and atomics, and FLUSHes and ATOMIC WRITEs, share the initiator depth (IBTA 9.7.3.3). */
static bool initiator_depth_available(const struct roce_qp *qp)
{
	return qp->req.snd.rd_atomic_inflight + qp->req.snd.read_chunks < qp->attr.max_rd_atomic;
}

static bool start_transport(struct roce_qp *qp, struct roce_send_wqe *wqe)
{
	struct roce_req *req = &qp->req;
	bool needs_response = roce_wqe_needs_response(wqe);
	u32 npkts = roce_wqe_is_mpe(wqe) ? 1 : roce_npkts(wqe->length, qp->attr.mtu);

	if (needs_response && !qp->attr.max_rd_atomic)
		return roce_sq_fail_ordered(qp, wqe, ROCE_LOC_QP_OP_ERR);
	if (needs_response && !initiator_depth_available(qp))
		return tx_stalled(qp, ROCE_COUNT_WAIT_DEPTH);
	if (!roce_sq_sges_ok(qp, wqe))
		return roce_sq_fail_ordered(qp, wqe, ROCE_LOC_PROT_ERR);
	wqe->first_psn = req->snd.nxt;
	wqe->last_psn = roce_psn_add(req->snd.nxt, npkts - 1);
	wqe->state = ROCE_WQE_STARTED;
	if (needs_response) {
		roce_read_chunk_choose(req, wqe, qp->attr.max_rd_atomic, npkts);
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

/* The packets of @run are being sent; @psn follows the last of them. */
static void commit_run(struct roce_qp *qp, u64 now, struct roce_tx_run *run, u32 psn)
{
	const struct roce_send_wqe *wqe = roce_sq_wqe(qp, qp->sq.next);
	struct roce_req *req = &qp->req;
	bool ends = psn == roce_psn_add(wqe->last_psn, 1);
	u32 pkts;

	if (!roce_req_inflight(req))
		roce_rto_start(qp, now);
	roce_rto_on_sent(req);
	req->ackreq.is_new = req->snd.nxt == req->snd.max;
	/* The ACK of a packet without AckReq, or a NAK, may be the first sign of the RTT. */
	if (req->ackreq.is_new && (!req->rtt.count || roce_wqe_is_read_or_atomic(wqe)))
		roce_rtt_start_sample(req, now, roce_psn_add(req->snd.nxt, run->npkts));
	roce_ackreq_on_sent(req, now, run, ends && wqe->flags & ROCE_WR_SIGNALED);
	pkts = (psn - req->snd.nxt) & ROCE_PSN_MASK;
	/* Two windows of READ responses may be in flight. */
	roce_pacing_on_sent(req, now, roce_wqe_is_read_or_atomic(wqe) ? (pkts + 1) / 2 : pkts);
	roce_snd_advance(req, psn);
	if (ends)
		qp->sq.next++;
}

/*
 * A READ chunk of @npkts, requested for the first time. Responses that have arrived out of order do
 * not count.
 */
static bool chunk_allowed(const struct roce_qp *qp, u32 npkts)
{
	const struct roce_req *req = &qp->req;
	u32 inflight = roce_req_inflight(req);

	/* rd_atomic_inflight counts the last chunk of each READ, read_chunks the others. */
	if (req->snd.rd_atomic_inflight + req->snd.read_chunks > roce_read_depth(qp))
		return false;
	if (req->hole.ooo_count && inflight + npkts > ROCE_OOO_READ_WINDOW)
		return false;
	return !inflight || inflight - req->hole.ooo_count + npkts <= roce_read_window(req);
}

/* For requests that have responses of their own. All reasons to wait count as wait_depth. */
static bool request_allowed(const struct roce_qp *qp, const struct roce_send_wqe *wqe, u32 npkts)
{
	const struct roce_req *req = &qp->req;

	if (req->snd.nxt == req->snd.max)
		return chunk_allowed(qp, npkts);
	if (roce_read_chunk_must_wait(qp, wqe) || roce_loss_frto_pending(qp))
		return false;
	/* A probe may exceed the window (RFC 8985, 7.3). */
	return req->snd.mode == ROCE_SND_FILL_HOLE || req->snd.mode == ROCE_SND_TLP ||
	       roce_cc_send_allowance(req);
}

/* Each chunk counts against the initiator depth; the last one since the READ was started. */
static void account_chunk(struct roce_req *req, const struct roce_send_wqe *wqe, u32 npkts)
{
	if (req->snd.nxt == req->snd.max) {
		req->snd.read_chunks += roce_psn_add(req->snd.nxt, npkts - 1) != wqe->last_psn;
		req->snd.read_end = roce_psn_add(req->snd.nxt, npkts);
	}
}

static bool emit_read_or_atomic(struct roce_qp *qp, u64 now,
				struct roce_send_wqe *wqe,
				struct roce_tx_batch *batch)
{
	struct roce_req *req = &qp->req;
	struct roce_tx_run *run;
	struct roce_hdr hdr;
	bool probe;
	u32 npkts;

	if (req->snd.nxt == req->snd.max && req->cc.congested && wqe->opcode == ROCE_WR_READ)
		roce_read_chunk_reduce(qp, wqe);
	npkts = roce_hole_request_len(req, wqe);
	if (!request_allowed(qp, wqe, npkts))
		return tx_stalled(qp, ROCE_COUNT_WAIT_DEPTH);
	account_chunk(req, wqe, npkts);
	roce_message_hdr(qp, wqe, roce_read_offset(qp, wqe, req->snd.nxt), &hdr);
	hdr.dma_len = min(hdr.dma_len, npkts * qp->attr.mtu);
	hdr.opcode = wqe->opcode == ROCE_WR_READ ? ROCE_READ_REQUEST :
		     wqe->opcode == ROCE_WR_COMPARE_SWAP ? ROCE_COMPARE_SWAP :
							   ROCE_FETCH_ADD;
	if (wqe->opcode == ROCE_WR_READ)
		hdr.becn = roce_cc_take_read_becn(req);
	run = roce_batch_add(batch, &hdr, 1, 0);
	probe = req->snd.mode == ROCE_SND_TLP;
	commit_run(qp, now, run, roce_psn_add(req->snd.nxt, npkts));
	if (probe)
		roce_snd_fast_forward(qp);
	return true;
}

/* A FLUSH, or an ATOMIC WRITE with a payload of 8 bytes (memory placement extensions, A19). */
static bool send_mpe_request(struct roce_qp *qp, u64 now, struct roce_send_wqe *wqe,
			struct roce_tx_batch *batch)
{
	bool flush = wqe->opcode == ROCE_WR_FLUSH;
	struct roce_tx_run *run;
	struct roce_hdr hdr;

	if (!request_allowed(qp, wqe, 1))
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
	u32 max = min3(roce_cc_send_allowance(req), roce_pacing_allowance(req, now),
		       req->ackreq.interval - req->ackreq.pkts_since);
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
	if (qp->req.snd.mode != ROCE_SND_FILL_HOLE && !roce_pacing_allowance(&qp->req, now))
		return false;
	if (roce_wqe_is_read_or_atomic(wqe))
		return emit_read_or_atomic(qp, now, wqe, batch);
	if (roce_wqe_is_mpe(wqe))
		return send_mpe_request(qp, now, wqe, batch);
	if (!roce_cc_send_allowance(&qp->req))
		return tx_stalled(qp, ROCE_COUNT_WAIT_PSN);
	return emit_send_or_write(qp, now, wqe, batch);
}

/* True if more packets can be sent without waiting for an ACK. */
static bool more_to_send(struct roce_qp *qp, u64 now)
{
	const struct roce_send_wqe *wqe;

	if (roce_hole_exists(&qp->req))
		roce_hole_skip_received(qp);
	if (qp->sq.next == qp->sq.prod || !roce_cc_send_allowance(&qp->req) ||
	    !roce_pacing_allowance(&qp->req, now))
		return false;
	wqe = roce_sq_wqe(qp, qp->sq.next);
	if (wqe->state != ROCE_WQE_STARTED)
		return false;
	return !roce_wqe_needs_response(wqe) ||
	       request_allowed(qp, wqe, roce_chunk_left(wqe, qp->req.snd.nxt));
}

bool roce_req_idle(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;

	if (roce_hole_exists(req))
		return false;
	if (qp->sq.next != qp->sq.prod) {
		if (!roce_cork_small_sends(qp))
			return false;
		/* Corked WQEs wait for an ACK. */
		req->cc.paced = false;
		return true;
	}
	return !req->ackreq.pkts_since || !req->ackreq.wanted;
}

static void send_requests(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch)
{
	struct roce_req *req = &qp->req;
	u32 before = batch->nruns;

	while (roce_batch_room(batch) && send_next(qp, now, batch))
		;
	/* If the batch is not full, no more packets can be sent now. */
	if (!req->ackreq.pkts_since || (!roce_batch_room(batch) && more_to_send(qp, now)))
		return;
	if (batch->nruns != before)
		roce_ackreq_finish(qp, now, &batch->run[batch->nruns - 1]);
	else if (req->ackreq.wanted)
		roce_rto_expire_pto(qp);
}

static void send_tail_duplicate(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch)
{
	u32 n = batch->nruns;

	if (!roce_batch_room(batch) || !roce_taildup_prepare(qp))
		return;
	if (!send_next(qp, now, batch)) {
		roce_snd_fast_forward(qp);
		return;
	}
	qp->sq.next = qp->sq.prod;
	roce_taildup_on_sent(qp, now, &batch->run[n]);
}

void roce_req_tx(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch)
{
	struct roce_req *req = &qp->req;
	u32 before = batch->nruns;

	if (qp->state != ROCE_RTS && qp->state != ROCE_SQD)
		return;
	req->cc.paced = false;
	if (req->rtt.srtt && !roce_req_inflight(req) && now - req->rto.base >= ROCE_CC_IDLE_NS)
		roce_cc_restart(req);
	if (req->loss.rnr_expires || roce_cork_small_sends(qp))
		return;
	send_requests(qp, now, batch);
	if (req->taildup.budget && batch->nruns != before && !req->ackreq.pkts_since)
		send_tail_duplicate(qp, now, batch);
}
