// SPDX-License-Identifier: GPL-2.0
/*
 * What is unacknowledged (IBTA 9.7.5.2 and 9.7.6.1): how long an answer is waited for, when it is
 * asked for once more, what is sent again, and when that is given up.
 */
#include "transport/requester/hole.h"
#include "transport/requester/read_chunk.h"
#include "transport/requester/recovery.h"
#include "transport/common/send_wqe.h"
#include "transport/common/send_queue.h"
#include "transport/requester/cc.h"

/* Retransmission: the first interval, before any round trip has been measured. */
#define ROCE_RTO_INITIAL	(50 * 1000 * 1000ull)
/* How soon the last packet is sent again: alone, so that being wrong costs little. */
#define ROCE_PTO_MIN_NS		(100 * 1000ull)
#define ROCE_PTO_INITIAL_NS	(1000 * 1000ull)
/* And that, if nobody waits for its acknowledgement. */
#define ROCE_PTO_RELAXED_NS		(1000 * 1000ull)
/* An attempt lasts as long as that, if the local ACK timeout allows it. */
#define ROCE_RETRY_PERIOD_MIN_NS	(250 * 1000 * 1000ull)
/* Where backing off ends if the local ACK timeout is infinite. */
#define ROCE_RTO_MAX		(4 * 1000 * 1000 * 1000ull)

/*
 * A probe costs more than the acknowledgement that it asks for. Who posts so seldom that it takes
 * one has so many acknowledgements asked for at once.
 */
#define ROCE_ACKREQ_QUICK_COUNT		32u

/* So many last packets are sent twice after a loss. */
#define ROCE_TAILDUP_BUDGET		255u

/* The local ACK timeout in ns, ROCE_NEVER if infinite (IBTA 9.7.6.1.3). */
static u64 local_ack_timeout(const struct roce_qp *qp)
{
	return qp->attr.timeout ? 4096ull << qp->attr.timeout : ROCE_NEVER;
}

/* What the round trips measured suggest to wait for a response, 0 without any. */
static u64 rto_from_rtt(const struct roce_req *req)
{
	return min(2 * req->rtt.srtt + 4 * req->rtt.rttvar, ROCE_RTO_MAX);
}

/*
 * How long an attempt lasts that takes a retry. The specification has it last up to four
 * times the local ACK timeout; short ones are stretched, for a peer in software may be
 * kept from running by its scheduler, and losses are repaired long before.
 */
static u64 retry_period(const struct roce_qp *qp)
{
	u64 timeout = local_ack_timeout(qp);

	if (timeout >= ROCE_RETRY_PERIOD_MIN_NS)
		return timeout;
	return min(4 * timeout, ROCE_RETRY_PERIOD_MIN_NS);
}

/* The longest retransmission interval. */
static u64 max_rto(const struct roce_qp *qp)
{
	return min(max(local_ack_timeout(qp), rto_from_rtt(&qp->req)), ROCE_RTO_MAX);
}

/* The retransmission interval as the round trips measured suggest. */
static u64 estimated_rto(const struct roce_qp *qp)
{
	const struct roce_req *req = &qp->req;
	u64 rto = req->rtt.srtt ? max(rto_from_rtt(req), ROCE_RTO_MIN) : ROCE_RTO_INITIAL;

	return min(rto, max_rto(qp));
}

/* How long a response may take before it is asked for, ns. */
static u64 pto_interval(const struct roce_req *req)
{
	if (!req->rtt.srtt)
		return ROCE_PTO_INITIAL_NS;
	return max(req->rtt.srtt + max(4 * req->rtt.rttvar, req->rtt.srtt / 2), ROCE_PTO_MIN_NS);
}

static void set_deadline(struct roce_req *req, u64 now)
{
	req->loss.timer_base = now;
	req->loss.deadline = min(req->loss.rto_expires, now + req->loss.pto);
}

void roce_rto_arm(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;
	u64 timeout = retry_period(qp);

	req->loss.rto_expires = now + req->loss.rto;
	if (timeout != ROCE_NEVER)
		req->loss.rto_expires =
			min(req->loss.rto_expires, req->loss.retry_period_start + timeout);
	req->loss.pto = pto_interval(req);
	set_deadline(req, now);
}

void roce_rto_arm_relaxed(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	roce_rto_arm(qp, now);
	req->loss.pto = max(req->loss.pto, ROCE_PTO_RELAXED_NS);
	set_deadline(req, now);
}

void roce_snd_rewind(struct roce_qp *qp)
{
	qp->req.snd.nxt = qp->req.snd.una;
	qp->req.snd.tlp = false;
	qp->sq.next = qp->sq.cons;
}

void roce_snd_fast_forward(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;

	req->snd.nxt = req->snd.max;
	req->snd.tlp = false;
	req->hole.filling = false;
	for (qp->sq.next = qp->sq.cons; qp->sq.next != qp->sq.prod; qp->sq.next++) {
		const struct roce_send_wqe *wqe = roce_sq_wqe(qp, qp->sq.next);

		if (wqe->state == ROCE_WQE_POSTED ||
		    (wqe->state == ROCE_WQE_STARTED &&
		     !roce_psn_before(wqe->last_psn, req->snd.nxt)))
			break;
	}
}

/*
 * The first progress after a timeout. What acknowledges more than has been sent again, and
 * too soon to answer that, shows that what was sent first has arrived or is about to (as
 * RFC 3522 has it for TCP): sending it again would make a slow path slower still.
 */
static void undo_spurious_rto(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	if (!req->loss.rto_undo_pending)
		return;
	req->loss.rto_undo_pending = false;
	if (!roce_psn_after(req->snd.una, req->snd.nxt) ||
	    now - req->loss.rewind_time >= req->rtt.srtt / 2)
		return;
	req->loss.recovering = false;
	req->cc.cwnd = req->cc.ssthresh;
	roce_snd_fast_forward(qp);
}

void roce_loss_on_progress(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;
	u32 was = req->loss.prior_una;

	undo_spurious_rto(qp, now);
	roce_rtt_update(req, now, req->snd.una);
	roce_cc_on_ack(req);
	req->loss.retries_left = qp->attr.retry_cnt;
	req->loss.rnr_retries_left = qp->attr.rnr_retry;
	if (!req->loss.recovering)
		req->loss.rewind_backoff = 0;
	else if (req->loss.rewind_unconfirmed && req->loss.rewind_backoff)
		req->loss.rewind_backoff--;
	req->loss.rewind_unconfirmed = false;
	req->loss.repeat_nak = false;
	req->loss.rnr_timer_active = false; /* what the peer had no receive WQE for, it has taken */
	req->loss.retry_period_start = now;
	req->loss.rto = estimated_rto(qp);
	if (roce_psn_before(req->snd.nxt, req->snd.una)) {
		/* Sending again, or probing, has become needless. */
		if (req->snd.tlp)
			roce_snd_fast_forward(qp);
		else
			roce_snd_rewind(qp);
	}
	if (req->snd.una == req->snd.max) {
		req->loss.deadline = ROCE_NEVER;
		req->ackreq.pkts_since = 0;
		req->ackreq.wanted = false;
	} else if (roce_ackreq_none_outstanding(req)) {
		roce_rto_arm_relaxed(qp, now);
	} else {
		roce_rto_arm(qp, now);
	}
	if (roce_hole_exists(req))
		roce_hole_on_progress(qp, now, was);
	roce_sq_retire_local(qp);
	roce_sq_check_drained(qp);
}

void roce_loss_go_back_n(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	roce_snd_rewind(qp);
	req->hole.filling = false;
	if (req->loss.repeat_nak && req->loss.rewind_backoff < ROCE_REWIND_BACKOFF_MAX)
		req->loss.rewind_backoff++;
	req->loss.repeat_nak = false;
	req->loss.rewind_unconfirmed = true;
	req->taildup.last_max = req->snd.max;
	req->loss.rewind_time = now;
	req->loss.last_rexmit_time = now;
	req->ackreq.pkts_since = 0;
	req->ackreq.wanted = true;	/* whatever of it is */
	req->loss.rto_undo_pending = false;
	req->rtt.sample_start = 0;	/* ambiguous from now on */
	roce_rto_arm(qp, now);
	qp->ops->count(qp, ROCE_COUNT_REWIND, 1);
}

void roce_loss_retransmit(struct roce_qp *qp, u64 now)
{
	roce_cc_on_loss(&qp->req);
	qp->req.taildup.budget = ROCE_TAILDUP_BUDGET;
	roce_loss_go_back_n(qp, now);
	roce_loss_enter_fast_retransmit(&qp->req);
}

static bool consume_retry(struct roce_qp *qp)
{
	if (qp->req.loss.retries_left) {
		qp->req.loss.retries_left--;
		return true;
	}
	qp->ops->count(qp, ROCE_COUNT_RETRY_EXC, 1);
	roce_sq_fail(qp, ROCE_RETRY_EXC_ERR);
	return false;
}

bool roce_loss_charge_retry(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;
	u64 timeout = retry_period(qp);

	if (timeout == ROCE_NEVER)
		timeout = ROCE_RTO_MAX;
	if (now - req->loss.retry_period_start < timeout)
		return true;
	req->loss.retry_period_start = now;
	return consume_retry(qp);
}

/*
 * A round trip that a probe ends looks longer than it was, or is longer than it used to
 * be: it counts, within limits. What was sent first of all may have met a peer that was
 * not ready: then the round trip counts from the first probe on.
 */
static void rtt_sample_from_tlp(struct roce_req *req, u64 now)
{
	req->rtt.sample_ambiguous = true;
	if (req->rtt.srtt || req->loss.pto != ROCE_PTO_INITIAL_NS)
		return;
	req->rtt.sample_psn = roce_psn_prev(req->snd.max);
	req->rtt.sample_start = now;
}

/*
 * Where to ask again for a piece of a READ that ends at @last: at the first response that
 * is awaited of it, as whenever it is asked for again. Not at the last one, which would be
 * enough for a probe: responders are found that forget a READ up to where it was asked for
 * again, and are silent when it is from further ahead. And no less than all the rest: if the
 * first request was lost, this one takes its place.
 */
static u32 tlp_read_psn(const struct roce_qp *qp, const struct roce_send_wqe *wqe, u32 last)
{
	u32 first = roce_chunk_first(wqe, last);

	return roce_psn_before(first, qp->req.snd.una) ? qp->req.snd.una : first;
}

/* The WQE that the last packet sent belongs to. */
static u32 wqe_of_last_sent(const struct roce_qp *qp)
{
	u32 last = roce_psn_prev(qp->req.snd.max), i = qp->sq.next;

	while (i == qp->sq.prod || roce_sq_wqe(qp, i)->state != ROCE_WQE_STARTED ||
	       roce_psn_after(roce_sq_wqe(qp, i)->first_psn, last))
		i--;
	return i;
}

/* Once more what is at @psn in WQE @i, and nothing else. */
static void retransmit_one(struct roce_qp *qp, u32 i, u32 psn)
{
	qp->sq.next = i;
	qp->req.snd.nxt = psn;
	qp->req.snd.tlp = true;
}

/*
 * No response: send the last packet again, which asks for an acknowledgement. If
 * only that was lost, it comes now; if the packet itself or some before it were,
 * the peer says which. All of it costs a packet and a round trip, where going
 * back for nothing costs a window.
 */
static void send_tlp(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;
	u32 i, last = roce_psn_prev(req->snd.max);
	struct roce_send_wqe *wqe;

	if (roce_hole_exists(req) && !req->ackreq.pkts_since) {
		/* What is missing will be asked for in its time. */
		req->loss.pto *= 2;
		set_deadline(req, now);
		return;
	}
	if (req->ackreq.pkts_since) {
		/* It has never been asked for. */
		if (roce_ackreq_none_outstanding(req))
			req->ackreq.quick = ROCE_ACKREQ_QUICK_COUNT;
		req->ackreq.pkts_since = 0;
	}
	req->ackreq.wanted = true;
	rtt_sample_from_tlp(req, now);
	req->loss.last_rexmit_time = now;
	req->loss.pto *= 2;
	set_deadline(req, now);
	if (req->snd.nxt != req->snd.max) {
		/* There are packets to be sent as it is, unless those sent again must do. */
		if (!req->hole.filling && !roce_cc_send_allowance(req))
			roce_snd_rewind(qp);
		return;
	}
	i = wqe_of_last_sent(qp);
	wqe = roce_sq_wqe(qp, i);
	retransmit_one(qp, i, wqe->opcode == ROCE_WR_READ ? tlp_read_psn(qp, wqe, last) : last);
}

bool roce_taildup_prepare(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;
	u32 i;

	if (req->snd.nxt != req->snd.max || req->taildup.last_max == req->snd.max ||
	    qp->sq.next != qp->sq.prod || roce_hole_exists(req))
		return false;
	i = wqe_of_last_sent(qp);
	if (roce_wqe_needs_response(roce_sq_wqe(qp, i)))
		return false;
	retransmit_one(qp, i, roce_psn_prev(req->snd.max));
	return true;
}

void roce_loss_on_peer_request(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	if ((qp->state != ROCE_RTS && qp->state != ROCE_SQD) || !req->rtt.srtt ||
	    now - req->loss.timer_base < req->rtt.srtt + req->rtt.srtt / 2)
		return;
	/* Asked for before, or to be asked for by what is sent again as it is. */
	if (req->loss.pto > pto_interval(req) || req->snd.nxt != req->snd.max)
		return;
	/* The peer may send a request of its own before what it has been asked for. */
	if (!roce_wqe_needs_response(roce_sq_wqe(qp, wqe_of_last_sent(qp))))
		send_tlp(qp, now);
}

void roce_rto_expire_pto(struct roce_qp *qp)
{
	if (qp->req.ackreq.pkts_since)
		qp->req.loss.deadline = 0;
}

void roce_loss_on_timeout(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;
	u64 sample_at;

	if (req->loss.rnr_timer_active) {
		if (now < req->loss.rnr_expires)
			return;
		req->loss.rnr_timer_active = false;
		req->loss.retry_period_start = now;
		roce_rto_arm(qp, now);
		return;
	}
	roce_hole_retransmit(qp, now);
	if (now < req->loss.deadline)
		return;
	if (now < req->loss.rto_expires) {
		send_tlp(qp, now);
		return;
	}
	if (qp->attr.timeout && !roce_loss_charge_retry(qp, now))
		return;
	req->loss.rto = min(req->loss.rto * 2, max_rto(qp));
	/*
	 * A peer that has stalled finds one packet for each interval that it did, and
	 * not a window, of which it would still be busy at the next.
	 */
	roce_cc_on_loss(req);
	req->cc.cwnd = 1;
	qp->ops->count(qp, ROCE_COUNT_TIMEOUT, 1);
	sample_at = req->rtt.sample_start;
	roce_loss_go_back_n(qp, now);
	req->rtt.sample_start = sample_at;
	req->rtt.sample_ambiguous = true;
	req->loss.rto_undo_pending = true;
}
