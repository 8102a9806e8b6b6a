// SPDX-License-Identifier: GPL-2.0
/*
 * Loss detection and recovery of the requester (IBTA 9.7.5.2, 9.7.6.1): go-back-N, with a window,
 * an RTO from the RTT, tail loss probes, and selective repeat of missing READ responses.
 *
 * Loss signals
 *
 *   signal                  input                            reaction
 *   sequence NAK            roce_loss_on_nak()               enter recovery; go-back-N, or fast
 *   of snd.una                                               retransmit of two packets (see
 *                                                            States); ignored within SRTT of the
 *                                                            last (nak_triggers_rewind())
 *   response, ACK or NAK    roce_hole_on_response_beyond(),  enter recovery; re-request the
 *   beyond a missing        roce_loss_on_nak()               missing READ responses (hole.c)
 *   READ response
 *   RTO                     roce_loss_on_timeout()           enter recovery; go-back-N with a
 *                                                            window of one packet
 *   PTO, or a request of    roce_loss_on_timeout(),          retransmit one packet: tail loss
 *   the peer before it      roce_loss_on_peer_request()      probe (TLP)
 *   RNR NAK                 roce_loss_on_nak()               no loss: wait for the RNR timer, then
 *                                                            go-back-N, from one packet up
 *
 * Of a READ, the one packet of an RTO or a probe is a request of one response.
 *
 * Timers of the requester. The QP's deadline is the earliest of them.
 *
 * name              armed when                   expires after                effect
 *
 * RTO               packets are in flight;       2 SRTT + 4 RTTVAR, at least  go-back-N; doubles
 * rto.expires       again with each ACK that     2 ms; 50 ms before the       the RTO, at most 4 s
 *                   moves snd.una and each       first RTT sample; at the
 *                   retransmission               end of the retry period
 *                                                at the latest
 *
 * PTO               with the RTO; again with     SRTT + max(4 RTTVAR,         tail loss probe;
 * rto.base +        each probe                   SRTT/2), at least 100 us;    doubles the PTO
 * rto.pto                                        1 ms before the first RTT
 *                                                sample; at least 1 ms while
 *                                                no AckReq is outstanding
 *
 * retry period      the first packet is sent;    the local ACK timeout, if    the next RTO, NAK or
 *                   again with each ACK that     250 ms or more; else four    hole takes a retry:
 *                   moves snd.una                times that, at most 250 ms;  if none is left, the
 * rto.retry_period_start                         never if it is infinite      QP enters ERR
 *
 * hole              a response has arrived       reo_wnd, which adapts, at    re-requests the
 * hole.timer        beyond a missing one         most 2 SRTT; after a         missing responses
 *                                                re-request SRTT, doubling
 *
 * RNR               RNR NAK                      as the NAK says (IBTA        one packet is sent,
 * loss.rnr_expires                               table 45)                    twice as many after
 *                                                                             each ACK
 *
 * pacing            packets may be sent by the   cwnd per SRTT, times 5/4     the next packets are
 * cc.next_tx        window, but not yet                                       sent
 *
 * If the local ACK timeout is infinite, an RTO costs no retry: a silent peer is waited for forever.
 * Sequence NAKs and holes cost one in 4 s: the peer responds, but some packet never arrives.
 *
 * States
 *
 *   OPEN          no loss that has not been repaired.
 *                 sequence NAK, more than 8 packets in flight -> FAST_REXMIT
 *                 any other loss signal -> RECOVERY
 *   FAST_REXMIT   two packets from snd.una on have been retransmitted; the peer may have buffered
 *                 the others.
 *                 ACK of the recovery point -> OPEN
 *                 other ACK that moves snd.una -> RECOVERY: the others are retransmitted, too, and
 *                 the next loss goes to RECOVERY directly
 *   RECOVERY      a loss is being repaired; losses cost no more of the window.
 *                 ACK of the recovery point -> OPEN
 *                 sequence NAK, more than 8 packets in flight -> FAST_REXMIT
 *                 the RTO proves to be spurious -> OPEN
 *
 * The recovery point is snd.max when the last loss was detected. An RTO does not leave FAST_REXMIT.
 */
#include "transport/common/send_queue.h"
#include "transport/common/send_wqe.h"
#include "transport/common/state.h"
#include "transport/requester/ackreq.h"
#include "transport/requester/cc.h"
#include "transport/requester/hole.h"
#include "transport/requester/pacing.h"
#include "transport/requester/read_chunk.h"
#include "transport/requester/recovery.h"
#include "transport/requester/rewind.h"
#include "transport/requester/rto.h"
#include "transport/requester/rtt.h"
#include "transport/requester/taildup.h"

/* Losses handled by plain go-back-N after a fast retransmit that did not repair the loss. */
#define ROCE_GBN_FALLBACK_LOSSES	1u

/*
 * First progress after an RTO. Input: the peer has sent no NAK, and acknowledges more than the one
 * packet that has been retransmitted. Decision: the original packets have arrived, and the RTO was
 * spurious (as F-RTO, RFC 5682): the peer was not scheduled, or its host is slow.
 * Bound: not in the first slow start, nor within a second after congestion, where the RTO reduces
 * the load; else 64 QPs lose up to 11 % of their packets (tests/sim/shared). Responses of READs
 * arrive one by one: another one than that requested must have arrived, and no hole.
 */
static bool frto_is_spurious(const struct roce_req *req, u32 acked)
{
	if (req->cc.prior_congested || req->cc.prior_ssthresh == ROCE_CC_SSTHRESH_INFINITE)
		return false;
	if (!req->snd.rd_atomic_inflight)
		return acked > 1;
	return roce_psn_after(req->snd.una, req->snd.nxt) && !roce_hole_exists(req);
}

/*
 * An ACK less than SRTT/2 after the rewind is not the response to the retransmission (as the Eifel
 * algorithm, RFC 3522), unless that was not the first.
 */
static bool ack_is_of_original(const struct roce_req *req, u64 now)
{
	return req->loss.rewind == ROCE_REWIND_RTO && roce_psn_after(req->snd.una, req->snd.nxt) &&
	       now - req->loss.rewind_time < req->rtt.srtt / 2;
}

/*
 * Undo an RTO that was spurious. The rest of the window need not be retransmitted. After F-RTO,
 * slow start from the packets acknowledged: the path may have become slow.
 */
static void undo_spurious_rto(struct roce_qp *qp, u64 now, u32 acked)
{
	struct roce_req *req = &qp->req;

	if (req->loss.repeat_nak || (req->loss.rewind != ROCE_REWIND_RTO &&
				     req->loss.rewind != ROCE_REWIND_REPEATED_RTO))
		return;
	if (ack_is_of_original(req, now))
		req->loss.window = ROCE_LOSS_WINDOW_INFINITE;
	else if (frto_is_spurious(req, acked))
		req->loss.window = acked;
	else
		return;
	roce_cc_undo(req);
	req->loss.state = ROCE_LOSS_OPEN;
	roce_snd_fast_forward(qp);
}

/*
 * The ACK after a sequence NAK. One that arrives less than SRTT/4 after the retransmission is not
 * the response to it (as the Eifel algorithm, RFC 3522).
 */
static void detect_reordering(struct roce_req *req, u64 now)
{
	if (req->loss.rewind == ROCE_REWIND_NAK && req->rtt.srtt && !req->rtt.srtt_ambiguous)
		roce_cc_on_repair(req, now - req->loss.rewind_time < req->rtt.srtt / 4);
}

/* Slow start of the limit that a loss has set: as many packets as were acknowledged, twice. */
static void grow_window(struct roce_req *req, u32 acked)
{
	if (req->loss.window == ROCE_LOSS_WINDOW_INFINITE)
		return;
	req->loss.window += acked;
	if (req->loss.window >= req->cc.cwnd / ROCE_CC_PKT)
		req->loss.window = ROCE_LOSS_WINDOW_INFINITE;
}

/*
 * Input: the first ACK after a fast retransmit. Decision: the peer keeps requests that arrive out
 * of order if it acknowledges more than the two packets that have been retransmitted.
 * Bound: not after two NAKs, nor within 3/4 of the minimum RTT: the ACK may be the response to an
 * earlier retransmission then.
 */
static bool peer_buffers(const struct roce_req *req, u64 now, u32 acked)
{
	u64 min_rtt = roce_rtt_min(req);

	return req->loss.rewind == ROCE_REWIND_NAK && !req->loss.repeat_nak &&
	       acked > ROCE_FAST_REXMIT_PKTS && roce_psn_after(req->snd.una, req->snd.nxt) &&
	       now - req->loss.rewind_time >= min_rtt - min_rtt / 4;
}

/* @was_fast: the state was FAST_REXMIT before undo_spurious_rto(). */
static void update_state(struct roce_req *req, u64 now, u32 acked, bool was_fast)
{
	u64 rtt = roce_rtt_update(req, now, req->snd.una);
	bool recovered = req->loss.state != ROCE_LOSS_OPEN &&
			 !roce_psn_before(req->snd.una, req->loss.recovery_point);

	if (was_fast && peer_buffers(req, now, acked))
		req->loss.peer_buffers = true;
	roce_cc_on_ack(req, now, acked, rtt);
	if (!recovered && !was_fast) {
		grow_window(req, acked);
		return;
	}
	if (recovered) {
		req->loss.state = ROCE_LOSS_OPEN;
	} else {
		/*
		 * Fast retransmit did not repair the loss, or the RTO was spurious: use go-back-N
		 * for the next loss.
		 */
		req->loss.gbn_fallback = ROCE_GBN_FALLBACK_LOSSES;
		if (req->loss.state == ROCE_LOSS_FAST_REXMIT && acked <= ROCE_FAST_REXMIT_PKTS)
			roce_cc_on_burst_loss(req, now);
		if (req->loss.state == ROCE_LOSS_FAST_REXMIT)
			req->loss.state = ROCE_LOSS_RECOVERY;
	}
	req->loss.window = ROCE_LOSS_WINDOW_INFINITE;
}

/* snd.una has advanced since the last rewind, if there was one. */
static void confirm_rewind(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;

	if (req->loss.state == ROCE_LOSS_OPEN)
		req->loss.rewind_backoff = 0;
	else if (req->loss.rewind != ROCE_REWIND_NONE && req->loss.rewind_backoff)
		req->loss.rewind_backoff--;
	if (!roce_loss_frto_pending(qp))
		req->loss.rewind = ROCE_REWIND_NONE;
	req->loss.repeat_nak = false;
}

/* The response to the last probe of a single one has arrived, and none behind it. */
static bool probe_answered(const struct roce_req *req)
{
	return req->snd.una == req->loss.probe_end && req->snd.una != req->snd.max;
}

static void restart_timers(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	if (req->snd.una == req->snd.max) {
		roce_ackreq_on_all_acked(req);
	} else if (roce_ackreq_none_outstanding(req)) {
		roce_rto_start_relaxed(qp, now);
	} else {
		roce_rto_start(qp, now);
	}
	if (probe_answered(req) || roce_loss_frto_pending(qp))
		roce_rto_hasten_pto(req);
}

void roce_loss_start(struct roce_qp *qp, u64 now)
{
	roce_loss_restore_rnr_retries(qp);
	roce_rto_on_progress(qp, now);
}

void roce_loss_on_progress(struct roce_qp *qp, u64 now, u32 prior_una)
{
	struct roce_req *req = &qp->req;
	u32 acked = (req->snd.una - prior_una) & ROCE_PSN_MASK;
	bool was_fast = req->loss.state == ROCE_LOSS_FAST_REXMIT;

	undo_spurious_rto(qp, now, acked);
	detect_reordering(req, now);
	update_state(req, now, acked, was_fast);
	confirm_rewind(qp);
	roce_loss_restore_rnr_retries(qp);
	req->loss.rnr_expires = 0; /* the peer has accepted the message */
	roce_rto_on_progress(qp, now);
	if (roce_psn_before(req->snd.nxt, req->snd.una)) {
		/* The packets at snd.nxt have been acknowledged: do not retransmit them. */
		if (req->snd.mode == ROCE_SND_TLP)
			roce_snd_fast_forward(qp);
		else
			roce_snd_rewind(qp);
	}
	restart_timers(qp, now);
	if (roce_hole_exists(req))
		roce_hole_on_progress(qp, now, prior_una);
	roce_sq_retire_local(qp);
	roce_sq_check_drained(qp);
}

/*
 * NAK suppression. A sequence NAK within one SRTT of a rewind may have been caused by packets sent
 * before the rewind, and is ignored. If snd.una has not advanced when the SRTT is over, the RTO
 * expires then, or the next NAK causes a rewind. The interval doubles with each rewind that brings
 * no progress, up to the RTO: RTTs may be longer than SRTT, as go-back-N cancels RTT samples.
 */
static bool nak_triggers_rewind(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;
	u64 settled = req->loss.rewind_time + min(roce_rtt_srtt_or_default(req)
							  << req->loss.rewind_backoff,
						  req->rto.timeout);

	if (req->loss.rnr_expires)
		return false;
	req->loss.repeat_nak = req->loss.rewind != ROCE_REWIND_NONE;
	if (!req->loss.repeat_nak || now >= settled)
		return roce_rto_charge_retry(qp, now);
	roce_rto_expire_by(req, settled);
	return false;
}

static void seq_nak(struct roce_qp *qp, u64 now)
{
	qp->ops->count(qp, ROCE_COUNT_RCVD_SEQ_NAK, 1);
	if (!roce_taildup_is_nak(&qp->req, now) && nak_triggers_rewind(qp, now))
		roce_loss_retransmit(qp, now);
}

static void rnr_nak(struct roce_qp *qp, u64 now, u8 code)
{
	struct roce_req *req = &qp->req;

	qp->ops->count(qp, ROCE_COUNT_RCVD_RNR, 1);
	if (roce_taildup_is_nak(req, now) || req->loss.rnr_expires)
		return;
	if (!req->loss.rnr_retries_left) {
		qp->ops->count(qp, ROCE_COUNT_RNR_RETRY_EXC, 1);
		roce_sq_fail(qp, ROCE_RNR_RETRY_EXC_ERR);
		return;
	}
	if (qp->attr.rnr_retry != 7)
		req->loss.rnr_retries_left--;
	/* The peer is alive; RNR NAKs have a retry counter of their own. */
	roce_rto_restore_retries(qp);
	roce_loss_go_back_n(qp, now, ROCE_REWIND_NAK);
	req->loss.window = 1;
	req->loss.rnr_expires = now + roce_rnr_ns(code);
}

void roce_loss_on_nak(struct roce_qp *qp, u64 now, u32 psn, u8 syndrome)
{
	if (qp->req.snd.una != psn)
		roce_hole_on_nak(qp, now, psn);
	else if ((syndrome & ROCE_AETH_KIND) == ROCE_AETH_RNR_NAK)
		rnr_nak(qp, now, syndrome & ROCE_AETH_VALUE);
	else
		seq_nak(qp, now);
}

/*
 * First PSN of the part of the chunk of @last that snd.una has not passed, for a probe. @last alone
 * would be enough, but in-tree responders forget a READ before the PSN at which it is re-requested.
 * The whole part is requested, as the first request may have been lost; only responses that have
 * arrived are left out at both ends (roce_hole_skip_received(), roce_hole_request_len()).
 */
static u32 tlp_read_psn(const struct roce_qp *qp, const struct roce_send_wqe *wqe, u32 last)
{
	u32 first = roce_chunk_first(wqe, last);

	return roce_psn_before(first, qp->req.snd.una) ? qp->req.snd.una : first;
}

/*
 * Re-request one response of the oldest READ: if the responses are only late, that costs one
 * packet, and shows no hole. Others may be requested once it has arrived: the responder resources
 * that one READ takes in parts are then no more than the initiator depth.
 */
static bool probe_oldest_read(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;
	const struct roce_send_wqe *wqe = roce_sq_wqe(qp, qp->sq.cons);

	if (wqe->state != ROCE_WQE_STARTED || wqe->opcode != ROCE_WR_READ || probe_answered(req))
		return false;
	req->loss.probe_single = true;
	req->loss.probe_end = roce_psn_add(req->snd.una, 1);
	roce_snd_retransmit_one(qp, qp->sq.cons, req->snd.una);
	return true;
}

static void retransmit_tail(struct roce_qp *qp)
{
	u32 i = roce_snd_wqe_of_last_sent(qp), last = roce_psn_prev(qp->req.snd.max);
	const struct roce_send_wqe *wqe = roce_sq_wqe(qp, i);

	if (wqe->opcode == ROCE_WR_READ) {
		if (probe_oldest_read(qp))
			return;
		last = tlp_read_psn(qp, wqe, last);
	}
	qp->req.loss.probe_single = false;
	roce_snd_retransmit_one(qp, i, last);
}

/* The window does not apply to the re-request of a hole, nor to the probe of a READ. */
static bool held_by_window(const struct roce_qp *qp)
{
	const struct roce_req *req = &qp->req;

	if (req->snd.mode == ROCE_SND_FILL_HOLE)
		return false;
	if (req->snd.mode == ROCE_SND_TLP &&
	    roce_wqe_is_read_or_atomic(roce_sq_wqe(qp, qp->sq.next)))
		return false;
	return !roce_cc_send_allowance(req);
}

/* One past the first response that the next probe asks for. */
static u32 probe_response_end(const struct roce_qp *qp)
{
	const struct roce_send_wqe *wqe = roce_sq_wqe(qp, qp->sq.cons);

	if (wqe->state == ROCE_WQE_STARTED && wqe->opcode == ROCE_WR_READ)
		return roce_psn_add(qp->req.snd.una, 1);
	return qp->req.snd.max;
}

/*
 * Tail loss probe (as RFC 8985, 7): retransmit the last packet, with an AckReq. If only the ACK was
 * lost, the peer repeats it; if packets were, the peer sends a NAK. Of READs, the oldest missing
 * response is re-requested alone. If it arrives, but none behind it, the next probe re-requests the
 * last chunk from its first missing response on. A spurious probe costs one packet; a spurious
 * rewind a window.
 */
static void send_tlp(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	/* The hole timer will re-request the missing responses. */
	if (roce_hole_exists(req) && !req->ackreq.pkts_since) {
		roce_rto_back_off_pto(req, now);
		return;
	}
	roce_ackreq_on_tlp(req);
	roce_rtt_on_tlp(req, now, roce_rto_pto_is_initial(req), probe_response_end(qp));
	req->loss.last_rexmit_time = now;
	roce_rto_back_off_pto(req, now);
	if (req->snd.nxt == req->snd.max) {
		retransmit_tail(qp);
		return;
	}
	/* No response has followed: they have been lost. */
	if (roce_loss_frto_pending(qp))
		req->loss.rewind = ROCE_REWIND_NONE;
	/* The QP is retransmitting: the packets at snd.nxt are the probe, or those at snd.una. */
	if (held_by_window(qp))
		roce_snd_rewind(qp);
}

void roce_loss_on_peer_request(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	if ((qp->state != ROCE_RTS && qp->state != ROCE_SQD) || !req->rtt.srtt ||
	    now - req->rto.base < req->rtt.srtt + req->rtt.srtt / 2)
		return;
	/* A probe has been sent, or retransmissions are due, or no AckReq is outstanding. */
	if (roce_rto_pto_extended(req) || req->snd.nxt != req->snd.max)
		return;
	/* The peer may send requests before the response to a READ or atomic. */
	if (!roce_wqe_needs_response(roce_sq_wqe(qp, roce_snd_wqe_of_last_sent(qp))))
		send_tlp(qp, now);
}

/* A NAK since snd.una last moved has shown that packets were lost. */
static enum roce_rewind cause_of_rto(const struct roce_req *req)
{
	if (req->loss.rewind == ROCE_REWIND_NAK || req->loss.repeat_nak)
		return ROCE_REWIND_NAK;
	if (req->loss.rewind == ROCE_REWIND_NONE)
		return ROCE_REWIND_RTO;
	return ROCE_REWIND_REPEATED_RTO;
}

/* A retry is for a retransmission: none is charged while pacing holds that back. */
static bool charge_rto(struct roce_qp *qp, u64 now)
{
	const struct roce_req *req = &qp->req;

	if (!qp->attr.timeout)
		return true;
	if (req->rto.sent || !roce_pacing_active(req) || now >= req->cc.next_tx)
		return roce_rto_charge_retry(qp, now);
	roce_rto_waive_retry(qp, now);
	return true;
}

static void on_rto(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;
	enum roce_rewind cause = cause_of_rto(req);

	if (!charge_rto(qp, now))
		return;
	roce_rto_back_off(qp);
	if (!req->rtt.srtt && probe_oldest_read(qp)) {
		qp->ops->count(qp, ROCE_COUNT_TIMEOUT, 1);
		roce_rto_arm(qp, now);
		return;
	}
	roce_loss_enter_recovery(req);
	roce_cc_on_rto(req, now, cause != ROCE_REWIND_REPEATED_RTO);
	req->loss.window = 1;
	qp->ops->count(qp, ROCE_COUNT_TIMEOUT, 1);
	roce_loss_go_back_n(qp, now, ROCE_REWIND_RTO);
	req->loss.rewind = cause;
}

void roce_loss_on_timeout(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	if (req->loss.rnr_expires) {
		if (now < req->loss.rnr_expires)
			return;
		req->loss.rnr_expires = 0;
		roce_rto_start(qp, now);
	}
	/* It may have expired while the requester waited for the RNR timer. */
	if (now >= req->hole.timer) {
		roce_hole_retransmit(qp, now);
		/* The retransmission may have used the last retry. */
		if (qp->state == ROCE_ERR)
			return;
	}
	if (now < roce_rto_deadline(req))
		return;
	if (now < req->rto.expires)
		send_tlp(qp, now);
	else
		on_rto(qp, now);
}
