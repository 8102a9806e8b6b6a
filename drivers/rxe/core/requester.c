// SPDX-License-Identifier: GPL-2.0
/*
 * The requester (IBTA 9.7.2 to 9.7.4 and 9.7.6): WQEs become request packets in
 * order of their PSNs, within a window of unacknowledged ones.
 *
 * Where it stands is a WQE index and a PSN; the offset within the message follows
 * from the two. Going back is to set both to the oldest unacknowledged PSN.
 */
#include "message.h"
#include "requester.h"
#include "state.h"

/* Retransmission: the first interval, before any round trip has been measured. */
#define ROCE_RTO_INITIAL	(50 * 1000 * 1000ull)
/* How soon the last packet is sent again: alone, so that being wrong costs little. */
#define ROCE_PROBE_MIN		(100 * 1000ull)
#define ROCE_PROBE_INITIAL	(1000 * 1000ull)
/* And that, if nobody waits for its acknowledgement. */
#define ROCE_PROBE_LAZY		(1000 * 1000ull)
/* An attempt lasts as long as that, if the local ACK timeout allows it. */
#define ROCE_ATTEMPT_MIN	(250 * 1000 * 1000ull)
/* Where backing off ends if the local ACK timeout is infinite. */
#define ROCE_RTO_MAX		(4 * 1000 * 1000 * 1000ull)
/* A round trip that is so long, and was shorter, is mostly spent in a queue. */
#define ROCE_RTT_LONG		(50 * 1000 * 1000ull)

/*
 * A peer that holds what arrived ahead of its turn needs little more than the packet
 * that it missed: that one is sent again, and one more, which tells it if the first is
 * lost again; unless there are few in any case. When that was not enough, so often all
 * is sent again at once.
 */
#define ROCE_RESEND_FEW		2u
#define ROCE_RESEND_MANY	8u
#define ROCE_RESEND_ALL		1u

/* What is left of a window however much is lost, and how slowly it grows again. */
#define ROCE_WINDOW_MIN		64u
#define ROCE_WINDOW_STEP	8u

/*
 * A READ is asked for in pieces, so that what the peer sends for it stays within two
 * windows, and a loss costs as much at most. Packets of a piece.
 */
#define ROCE_READ_PIECE		128u

/* So many packets must be on their way for small messages to be gathered, and no more are. */
#define ROCE_GATHER_INFLIGHT	16u
#define ROCE_GATHER_MAX		8u

/*
 * A probe costs more than the acknowledgement that it asks for. Who posts so seldom that it takes
 * one has so many acknowledgements asked for at once.
 */
#define ROCE_IMPATIENT		32u

void roce_post(struct roce_qp *qp, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		roce_sq_wqe(qp, qp->sq.prod + i)->state = ROCE_WQE_POSTED;
	qp->sq.prod += n;
}

/* The local ACK timeout in ns, ROCE_NEVER if infinite (IBTA 9.7.6.1.3). */
static u64 local_ack_timeout(const struct roce_qp *qp)
{
	return qp->attr.timeout ? 4096ull << qp->attr.timeout : ROCE_NEVER;
}

/* What the round trips measured suggest to wait for a response, 0 without any. */
static u64 usual_wait(const struct roce_req *req)
{
	return min(2 * req->srtt + 4 * req->rttvar, ROCE_RTO_MAX);
}

/*
 * How long an attempt lasts that takes a retry. The specification has it last up to four
 * times the local ACK timeout; short ones are stretched, for a peer in software may be
 * kept from running by its scheduler, and losses are repaired long before.
 */
static u64 attempt_timeout(const struct roce_qp *qp)
{
	u64 timeout = local_ack_timeout(qp);

	if (timeout >= ROCE_ATTEMPT_MIN)
		return timeout;
	return min(4 * timeout, ROCE_ATTEMPT_MIN);
}

/* The longest retransmission interval. */
static u64 max_rto(const struct roce_qp *qp)
{
	return min(max(local_ack_timeout(qp), usual_wait(&qp->req)), ROCE_RTO_MAX);
}

/* The retransmission interval as the round trips measured suggest. */
static u64 estimated_rto(const struct roce_qp *qp)
{
	const struct roce_req *req = &qp->req;
	u64 rto = req->srtt ? max(usual_wait(req), ROCE_RTO_MIN) : ROCE_RTO_INITIAL;

	return min(rto, max_rto(qp));
}

/* How long a response may take before it is asked for, ns. */
static u64 probe_interval(const struct roce_req *req)
{
	if (!req->srtt)
		return ROCE_PROBE_INITIAL;
	return max(req->srtt + max(4 * req->rttvar, req->srtt / 2), ROCE_PROBE_MIN);
}

/* Is no acknowledgement on its way? What was put off may have come along with one. */
static bool nothing_asked(const struct roce_req *req)
{
	return roce_req_inflight(req) <= req->since_ack;
}

static u32 window_room(const struct roce_req *req)
{
	u32 used = (req->psn - req->una) & ROCE_PSN_MASK;
	u32 window = min(req->window, req->cwnd);

	return used < window ? window - used : 0;
}

static void set_deadline(struct roce_req *req, u64 now)
{
	req->deadline = min(req->resend_at, now + req->probe_after);
}

/*
 * Something is in flight: probe after a round trip, retransmit after the
 * interval, count after the timeout.
 */
static void arm(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;
	u64 timeout = attempt_timeout(qp);

	req->resend_at = now + req->rto;
	if (timeout != ROCE_NEVER)
		req->resend_at = min(req->resend_at, req->attempt_at + timeout);
	req->probe_after = probe_interval(req);
	set_deadline(req, now);
}

/* The same for what no acknowledgement has been asked for, as nobody waits for it. */
static void arm_lazily(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	arm(qp, now);
	req->probe_after = max(req->probe_after, ROCE_PROBE_LAZY);
	set_deadline(req, now);
}

/*
 * The queue that packets spend their time in is this QP's own, for all that is known, and
 * what is lost takes as long to be repaired.
 */
static void shorten_queue(struct roce_req *req)
{
	u32 window = req->recovering ? req->ssthresh : req->cwnd;

	req->ssthresh = max(window / 2, ROCE_WINDOW_MIN);
	req->cwnd = min(req->cwnd, req->ssthresh);
}

static void take_rtt_sample(struct roce_req *req, u64 now)
{
	u64 rtt, err;

	if (!req->sample_at || !roce_psn_after(req->una, req->sample_psn))
		return;
	rtt = max(now - req->sample_at, 1ull);
	req->sample_at = 0;
	if (!req->doubtful && (!req->rtt_min || rtt < req->rtt_min))
		req->rtt_min = rtt;
	if (!req->srtt) {
		req->srtt = rtt;
		req->rttvar = rtt / 2;
		return;
	}
	/* If it was lost, what was sent last is answered now, at the earliest: so long it takes. */
	if (req->doubtful)
		rtt = min(rtt, max(4 * req->srtt, now - req->repeated_at));
	if (rtt > ROCE_RTT_LONG && rtt > 2 * req->rtt_min)
		shorten_queue(req);
	err = rtt > req->srtt ? rtt - req->srtt : req->srtt - rtt;
	req->rttvar += err / 4 - req->rttvar / 4;
	req->srtt += rtt / 8 - req->srtt / 8;
}

/*
 * Windows. While nothing has been lost the window grows by what is acknowledged, beyond
 * the initial one only as long as round trips stay short: a path that holds no more
 * would queue it. A loss takes a quarter off; then it grows by a few packets a round trip.
 */

/* Something was lost, or seems to be. What else is lost until it is repaired counts as one. */
static void note_loss(struct roce_req *req)
{
	if (!req->recovering) {
		req->ssthresh = max(req->cwnd - req->cwnd / 4, ROCE_WINDOW_MIN);
		req->cwnd = min(req->cwnd, req->ssthresh);
	}
	req->recovering = true;
	req->recover = req->max_psn;
}

static bool may_queue(const struct roce_req *req)
{
	return req->cwnd < ROCE_WINDOW_INITIAL || req->srtt <= 2 * req->rtt_min;
}

static void grow_window(struct roce_req *req, u32 acked)
{
	bool limited = acked + roce_req_inflight(req) >= req->cwnd;
	u32 step;

	if (req->cwnd >= req->window)
		return;
	if (req->cwnd < req->ssthresh) {
		if (req->recovering || (limited && may_queue(req)))
			req->cwnd = min3(req->cwnd + acked, req->ssthresh, req->window);
		return;
	}
	if (!limited || !may_queue(req))
		return;
	req->credit += acked * ROCE_WINDOW_STEP;
	step = req->credit / req->cwnd;
	req->credit -= step * req->cwnd;
	req->cwnd = min(req->cwnd + step, req->window);
}

/*
 * What was acknowledged after a loss decides how to go on: all of it, and the loss is
 * repaired; less, and either the peer holds nothing or more than a packet was lost.
 * Then all is sent again, and for the next losses as well, at once.
 */
static void widen_window(struct roce_req *req)
{
	u32 acked = (req->una - req->acked) & ROCE_PSN_MASK;
	bool recovered = req->recovering && !roce_psn_before(req->una, req->recover);

	req->acked = req->una;
	if (!recovered && !req->narrow) {
		grow_window(req, acked);
		return;
	}
	if (recovered)
		req->recovering = false;
	else
		req->resend_all = ROCE_RESEND_ALL;
	req->narrow = false;
	req->cwnd = req->ssthresh;
}

static void restart(struct roce_qp *qp)
{
	qp->req.psn = qp->req.una;
	qp->req.probing = false;
	qp->sq.next = qp->sq.cons;
}

/* Go on with what has not been sent yet. */
static void resume(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;

	req->psn = req->max_psn;
	req->probing = false;
	for (qp->sq.next = qp->sq.cons; qp->sq.next != qp->sq.prod; qp->sq.next++) {
		const struct roce_send_wqe *wqe = roce_sq_wqe(qp, qp->sq.next);

		if (wqe->state == ROCE_WQE_POSTED ||
		    (wqe->state == ROCE_WQE_STARTED && !roce_psn_before(wqe->last_psn, req->psn)))
			break;
	}
}

/*
 * The first progress after a timeout. What acknowledges more than has been sent again, and
 * too soon to answer that, shows that what was sent first has arrived or is about to (as
 * RFC 3522 has it for TCP): sending it again would make a slow path slower still.
 */
static void judge_timeout(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	if (!req->timed_out)
		return;
	req->timed_out = false;
	if (!roce_psn_after(req->una, req->psn) || now - req->rewound_at >= req->srtt / 2)
		return;
	req->recovering = false;
	req->cwnd = req->ssthresh;
	resume(qp);
}

void roce_req_progress(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	judge_timeout(qp, now);
	take_rtt_sample(req, now);
	widen_window(req);
	req->retries = qp->attr.retry_cnt;
	req->rnr_retries = qp->attr.rnr_retry;
	req->rewound = false;
	req->rnr_wait = false;	/* what the peer had no receive WQE for, it has taken */
	req->attempt_at = now;
	req->rto = estimated_rto(qp);
	if (roce_psn_before(req->psn, req->una)) {
		/* Sending again, or probing, has become needless. */
		if (req->probing)
			resume(qp);
		else
			restart(qp);
	}
	if (req->una == req->max_psn) {
		req->deadline = ROCE_NEVER;
		req->since_ack = 0;
		req->awaited = false;
	} else if (nothing_asked(req)) {
		arm_lazily(qp, now);
	} else {
		arm(qp, now);
	}
	roce_req_retire_done(qp);
	roce_req_check_drained(qp);
}

void roce_req_rewind(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	restart(qp);
	req->rewound = true;
	req->rewound_at = now;
	req->repeated_at = now;
	req->since_ack = 0;
	req->awaited = true;	/* whatever of it is */
	req->timed_out = false;
	req->sample_at = 0;	/* ambiguous from now on */
	arm(qp, now);
	qp->ops->count(qp, ROCE_COUNT_RETRY, 1);
}

void roce_req_resend(struct roce_qp *qp, u64 now, bool all)
{
	struct roce_req *req = &qp->req;

	/* Each response lost makes all that follow it vain: fewer are to be under way each time. */
	if (all)
		req->recovering = false;
	note_loss(req);
	roce_req_rewind(qp, now);
	if (all || roce_req_inflight(req) <= ROCE_RESEND_MANY)
		return;
	if (req->resend_all) {
		req->resend_all--;
		return;
	}
	req->narrow = true;
	req->cwnd = min(req->cwnd, ROCE_RESEND_FEW);
}

void roce_req_complete(struct roce_qp *qp, enum roce_status status)
{
	struct roce_send_wqe *wqe = roce_sq_wqe(qp, qp->sq.cons);
	bool reads = roce_wqe_is_read_or_atomic(wqe);
	bool answered = roce_wqe_is_answered(wqe);
	struct roce_wc wc = {
		.wr_id = wqe->wr_id,
		.status = status,
		.opcode = wqe->opcode,
		.solicited = status != ROCE_SUCCESS,
		.byte_len = reads ? wqe->length : 0,
	};

	if (answered && wqe->state == ROCE_WQE_STARTED)
		qp->req.rd_atomic--;
	if (status == ROCE_SUCCESS &&
	    (wqe->opcode == ROCE_WR_SEND || wqe->opcode == ROCE_WR_SEND_IMM ||
	     wqe->opcode == ROCE_WR_SEND_INV))
		qp->ops->count(qp, ROCE_COUNT_SENDS, 1);
	if (qp->sq.next == qp->sq.cons)
		qp->sq.next++;
	qp->sq.cons++;
	if (status != ROCE_SUCCESS || (wqe->flags & ROCE_WR_SIGNALED))
		qp->ops->complete(qp, &wc);
}

void roce_req_flush_oldest(struct roce_qp *qp)
{
	bool done = roce_sq_wqe(qp, qp->sq.cons)->state == ROCE_WQE_DONE;

	roce_req_complete(qp, done ? ROCE_SUCCESS : ROCE_WR_FLUSH_ERR);
}

void roce_req_fail(struct roce_qp *qp, enum roce_status status)
{
	roce_req_complete(qp, status);
	if (qp->service == ROCE_OP_RC)
		roce_qp_to_err(qp);
	else
		qp->state = ROCE_SQE;
}

bool roce_req_retry(struct roce_qp *qp)
{
	if (qp->req.retries) {
		qp->req.retries--;
		return true;
	}
	qp->ops->count(qp, ROCE_COUNT_RETRY_EXC, 1);
	roce_req_fail(qp, ROCE_RETRY_EXC_ERR);
	return false;
}

bool roce_req_count_attempt(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;
	u64 timeout = attempt_timeout(qp);

	if (timeout == ROCE_NEVER)
		timeout = ROCE_RTO_MAX;
	if (now - req->attempt_at < timeout)
		return true;
	req->attempt_at = now;
	return roce_req_retry(qp);
}

void roce_req_retire_done(struct roce_qp *qp)
{
	while (qp->sq.cons != qp->sq.prod &&
	       roce_sq_wqe(qp, qp->sq.cons)->state == ROCE_WQE_DONE)
		roce_req_complete(qp, ROCE_SUCCESS);
}

static bool midway(const struct roce_qp *qp)
{
	return qp->sq.cons != qp->sq.prod &&
	       roce_sq_wqe(qp, qp->sq.cons)->state != ROCE_WQE_POSTED;
}

void roce_req_check_drained(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;

	if (qp->state != ROCE_SQD || req->drained || midway(qp))
		return;
	req->drained = true;
	qp->ops->event(qp, ROCE_EVENT_SQ_DRAINED);
}

/*
 * A round trip that a probe ends looks longer than it was, or is longer than it used to
 * be: it counts, within limits. What was sent first of all may have met a peer that was
 * not ready: then the round trip counts from the first probe on.
 */
static void measure_from_probe(struct roce_req *req, u64 now)
{
	req->doubtful = true;
	if (req->srtt || req->probe_after != ROCE_PROBE_INITIAL)
		return;
	req->sample_psn = roce_psn_prev(req->max_psn);
	req->sample_at = now;
}

/*
 * Where to ask again for a piece of a READ that ends at @last: at the first response that
 * is awaited of it, as whenever it is asked for again. Not at the last one, which would be
 * enough for a probe: responders are found that forget a READ up to where it was asked for
 * again, and are silent when it is from further ahead. And no less than all the rest: if the
 * first request was lost, this one takes its place.
 */
static u32 probe_of_read(const struct roce_qp *qp, const struct roce_send_wqe *wqe, u32 last)
{
	u32 done = (last - wqe->first_psn) & ROCE_PSN_MASK;
	u32 first = roce_psn_add(wqe->first_psn, done - done % ROCE_READ_PIECE);

	return roce_psn_before(first, qp->req.una) ? qp->req.una : first;
}

/*
 * No response: send the last packet again, which asks for an acknowledgement. If
 * only that was lost, it comes now; if the packet itself or some before it were,
 * the peer says which. All of it costs a packet and a round trip, where going
 * back for nothing costs a window.
 */
static void probe(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;
	u32 last = roce_psn_prev(req->max_psn), i = qp->sq.next;
	struct roce_send_wqe *wqe;

	if (req->since_ack) {
		/* It has never been asked for. */
		if (nothing_asked(req))
			req->impatient = ROCE_IMPATIENT;
		req->since_ack = 0;
		req->awaited = true;
	}
	measure_from_probe(req, now);
	req->repeated_at = now;
	req->probe_after *= 2;
	set_deadline(req, now);
	if (req->psn != req->max_psn) {
		/* There are packets to be sent as it is, unless those sent again must do. */
		if (!window_room(req))
			restart(qp);
		return;
	}
	while (i == qp->sq.prod || roce_sq_wqe(qp, i)->state != ROCE_WQE_STARTED ||
	       roce_psn_after(roce_sq_wqe(qp, i)->first_psn, last))
		i--;
	wqe = roce_sq_wqe(qp, i);
	qp->sq.next = i;
	req->psn = wqe->opcode == ROCE_WR_READ ? probe_of_read(qp, wqe, last) : last;
	req->probing = true;
}

void roce_req_hurry(struct roce_qp *qp)
{
	if (qp->req.since_ack)
		qp->req.deadline = 0;
}

void roce_req_timeout(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;
	u64 sample_at;

	if (req->rnr_wait) {
		if (now < req->rnr_until)
			return;
		req->rnr_wait = false;
		req->attempt_at = now;
		arm(qp, now);
		return;
	}
	if (now < req->deadline)
		return;
	if (now < req->resend_at) {
		probe(qp, now);
		return;
	}
	if (qp->attr.timeout && !roce_req_count_attempt(qp, now))
		return;
	req->rto = min(req->rto * 2, max_rto(qp));
	/*
	 * A peer that has stalled finds one packet for each interval that it did, and
	 * not a window, of which it would still be busy at the next.
	 */
	note_loss(req);
	req->cwnd = 1;
	qp->ops->count(qp, ROCE_COUNT_TIMEOUT, 1);
	sample_at = req->sample_at;
	roce_req_rewind(qp, now);
	req->sample_at = sample_at;
	req->doubtful = true;
	req->timed_out = true;
}

/*
 * Starting a WQE. All of these look at the WQE at sq.next, which nobody has
 * transmitted from; psn == max_psn then.
 */

bool roce_req_fail_in_turn(struct roce_qp *qp, struct roce_send_wqe *wqe,
			   enum roce_status status)
{
	wqe->status = status;
	if (qp->sq.cons == qp->sq.next)
		roce_req_fail(qp, status);
	return false;
}

bool roce_req_start_local(struct roce_qp *qp, struct roce_send_wqe *wqe)
{
	enum roce_status status;

	if (wqe->opcode == ROCE_WR_LOCAL_INV && qp->sq.cons != qp->sq.next) {
		qp->req.awaited = true;
		return false;
	}
	status = qp->ops->local_op(qp, wqe);
	if (status != ROCE_SUCCESS)
		return roce_req_fail_in_turn(qp, wqe, status);
	wqe->state = ROCE_WQE_DONE;
	roce_req_retire_done(qp);
	return true;
}

bool roce_req_sges_ok(struct roce_qp *qp, struct roce_send_wqe *wqe)
{
	u32 access = roce_wqe_is_read_or_atomic(wqe) ? ROCE_ACCESS_LOCAL_WRITE : 0;

	if (wqe->flags & ROCE_WR_INLINE)
		return true;
	return !qp->ops->check_sges(qp, wqe->sge, wqe->num_sge, access);
}

/* Nothing more is sent for now: count why. */
static bool stop(struct roce_qp *qp, enum roce_count why)
{
	qp->ops->count(qp, why, 1);
	return false;
}

/* Requests that the peer has to answer are limited by the initiator depth (IBTA 9.7.3.3). */
static bool depth_allows(const struct roce_qp *qp)
{
	return qp->req.rd_atomic + qp->req.read_pieces < qp->attr.max_rd_atomic;
}

static bool start_transport(struct roce_qp *qp, struct roce_send_wqe *wqe)
{
	struct roce_req *req = &qp->req;
	bool answered = roce_wqe_is_answered(wqe);
	u32 npkts = roce_wqe_is_placed(wqe) ? 1 : roce_npkts(wqe->length, qp->attr.mtu);

	if (answered && !qp->attr.max_rd_atomic)
		return roce_req_fail_in_turn(qp, wqe, ROCE_LOC_QP_OP_ERR);
	if (answered && !depth_allows(qp))
		return stop(qp, ROCE_COUNT_WAIT_DEPTH);
	if (!roce_req_sges_ok(qp, wqe))
		return roce_req_fail_in_turn(qp, wqe, ROCE_LOC_PROT_ERR);
	wqe->first_psn = req->psn;
	wqe->last_psn = roce_psn_add(req->psn, npkts - 1);
	wqe->state = ROCE_WQE_STARTED;
	req->rd_atomic += answered;
	return true;
}

static bool start(struct roce_qp *qp, struct roce_send_wqe *wqe)
{
	if (qp->state != ROCE_RTS)
		return false;
	if (wqe->status != ROCE_SUCCESS)
		return roce_req_fail_in_turn(qp, wqe, wqe->status);
	if ((wqe->flags & ROCE_WR_FENCE) && qp->req.rd_atomic)
		return stop(qp, ROCE_COUNT_WAIT_FENCE);
	if (roce_wqe_is_local(wqe))
		return roce_req_start_local(qp, wqe);
	return start_transport(qp, wqe);
}

/*
 * Packets of a started WQE.
 */

static void ask_for_ack(struct roce_req *req, struct roce_tx_run *run)
{
	run->ack_last = true;
	req->since_ack = 0;
	req->awaited = false;
}

/* Account for a run that carries the cursor on to @psn. */
static void advance(struct roce_qp *qp, u64 now, struct roce_tx_run *run, u32 psn)
{
	const struct roce_send_wqe *wqe = roce_sq_wqe(qp, qp->sq.next);
	struct roce_req *req = &qp->req;
	bool first_time = req->psn == req->max_psn, ends = psn == roce_psn_add(wqe->last_psn, 1);

	if (req->deadline == ROCE_NEVER) {
		req->attempt_at = now;
		arm(qp, now);
	}
	req->since_ack += run->npkts;
	req->awaited |= ends && wqe->flags & ROCE_WR_SIGNALED;
	if (req->since_ack >= req->ack_interval)
		ask_for_ack(req, run);
	if (!req->sample_at && first_time) {
		/* Of a READ, the first response ends it. */
		req->sample_psn = roce_psn_add(req->psn, run->npkts - 1);
		req->sample_at = now;
		req->doubtful = false;
	}
	req->psn = psn;
	req->probing = false;
	if (roce_psn_after(psn, req->max_psn) ||
	    ((psn - req->una) & ROCE_PSN_MASK) == ROCE_MAX_INFLIGHT)
		req->max_psn = psn;
	if (ends)
		qp->sq.next++;
}

/* Packets from @psn to the end of its piece; pieces lie where they lie, whatever is resent. */
static u32 left_in_piece(const struct roce_send_wqe *wqe, u32 psn)
{
	u32 done = (psn - wqe->first_psn) & ROCE_PSN_MASK;
	u32 left = ((wqe->last_psn - psn) & ROCE_PSN_MASK) + 1;

	return min(left, ROCE_READ_PIECE - done % ROCE_READ_PIECE);
}

bool roce_req_ends_piece(const struct roce_send_wqe *wqe, u32 psn)
{
	return psn != wqe->last_psn && left_in_piece(wqe, psn) == 1;
}

/* May a piece of @npkts be asked for that has not been before? */
static bool piece_allowed(const struct roce_qp *qp, u32 npkts)
{
	const struct roce_req *req = &qp->req;
	u32 inflight = roce_req_inflight(req);

	/* The WQE's own place among rd_atomic is its last piece's. */
	return req->rd_atomic + req->read_pieces <= qp->attr.max_rd_atomic &&
	       (!inflight || inflight + npkts <= 2 * min(req->cwnd, req->window));
}

/* May the next request that ends with a response of its own be sent? */
static bool request_allowed(struct roce_qp *qp, const struct roce_send_wqe *wqe, u32 npkts)
{
	struct roce_req *req = &qp->req;

	if (req->psn != req->max_psn)
		return window_room(req);
	if (!piece_allowed(qp, npkts))
		return false;
	req->read_pieces += roce_psn_add(req->psn, npkts - 1) != wqe->last_psn;
	return true;
}

static bool emit_read_or_atomic(struct roce_qp *qp, u64 now,
				struct roce_send_wqe *wqe,
				struct roce_tx_batch *batch)
{
	struct roce_req *req = &qp->req;
	u32 offset = ((req->psn - wqe->first_psn) & ROCE_PSN_MASK) * qp->attr.mtu;
	u32 npkts = left_in_piece(wqe, req->psn);
	struct roce_tx_run *run;
	struct roce_hdr hdr;

	if (!request_allowed(qp, wqe, npkts))
		return stop(qp, ROCE_COUNT_WAIT_DEPTH);
	roce_message_hdr(qp, wqe, offset, &hdr);
	hdr.dma_len = min(hdr.dma_len, npkts * qp->attr.mtu);
	hdr.opcode = wqe->opcode == ROCE_WR_READ ? ROCE_READ_REQUEST :
		     wqe->opcode == ROCE_WR_COMPARE_SWAP ? ROCE_COMPARE_SWAP :
							   ROCE_FETCH_ADD;
	run = roce_batch_add(batch, &hdr, 1, 0);
	advance(qp, now, run, roce_psn_add(req->psn, npkts));
	return true;
}

/* A FLUSH, or an ATOMIC WRITE with its eight bytes. */
static bool emit_placed(struct roce_qp *qp, u64 now, struct roce_send_wqe *wqe,
			struct roce_tx_batch *batch)
{
	bool flush = wqe->opcode == ROCE_WR_FLUSH;
	struct roce_tx_run *run;
	struct roce_hdr hdr;

	if (!request_allowed(qp, wqe, 1))
		return stop(qp, ROCE_COUNT_WAIT_DEPTH);
	roce_message_hdr(qp, wqe, 0, &hdr);
	hdr.opcode = flush ? ROCE_FLUSH : ROCE_ATOMIC_WRITE;
	hdr.flush_type = wqe->flush_type;
	hdr.flush_level = wqe->flush_level;
	run = roce_batch_add(batch, &hdr, 1, flush ? 0 : sizeof(u64));
	if (!flush)
		run->payload.wqe = wqe;
	if (!roce_batch_ready(qp, batch))
		return false;
	advance(qp, now, run, roce_psn_add(qp->req.psn, 1));
	return true;
}

static bool emit_send_or_write(struct roce_qp *qp, u64 now,
			       struct roce_send_wqe *wqe,
			       struct roce_tx_batch *batch)
{
	struct roce_req *req = &qp->req;
	u32 max = min(window_room(req), req->ack_interval - req->since_ack);
	struct roce_tx_run *run = roce_message_add(qp, wqe, ROCE_OP_RC, max, batch);

	if (!roce_batch_ready(qp, batch))
		return false;
	advance(qp, now, run, roce_psn_add(req->psn, run->npkts));
	return true;
}

static bool send_next(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch)
{
	struct roce_send_wqe *wqe;

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
	if (roce_wqe_is_placed(wqe))
		return emit_placed(qp, now, wqe, batch);
	if (!window_room(&qp->req))
		return stop(qp, ROCE_COUNT_WAIT_PSN);
	return emit_send_or_write(qp, now, wqe, batch);
}

/* Will more packets follow without anything having to be acknowledged first? */
static bool more_will_follow(const struct roce_qp *qp)
{
	return qp->sq.next != qp->sq.prod && window_room(&qp->req) &&
	       roce_sq_wqe(qp, qp->sq.next)->state == ROCE_WQE_STARTED;
}

/*
 * Does nobody wait for the packets sent since the last AckReq? The completion of what was posted
 * without a signal is not seen, but its slot is needed again, and so is its part of the window.
 * The acknowledgement may be for what is posted next; if nothing is, a probe asks for it.
 */
static bool ack_can_wait(const struct roce_qp *qp)
{
	const struct roce_req *req = &qp->req;

	return qp->moderate_acks && !req->awaited && !req->impatient && qp->state == ROCE_RTS &&
	       qp->sq.next == qp->sq.prod && req->psn == req->max_psn &&
	       req->since_ack < (qp->sq.mask + 1) / 4 &&
	       req->since_ack < min(req->window, req->cwnd) / 2;
}

/*
 * What is acknowledged with what comes later tells nothing of the round trip, and while nothing
 * has been asked for, nothing is late.
 */
static void put_off_ack(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	if (req->sample_at && roce_psn_diff(req->psn, req->sample_psn) <= (s32)req->since_ack)
		req->sample_at = 0;
	if (nothing_asked(req)) {
		req->attempt_at = now;
		arm_lazily(qp, now);
	}
}

/* A message that may be sent together with what is posted after it: nobody waits for it alone. */
static bool may_be_gathered(const struct roce_qp *qp, const struct roce_send_wqe *wqe)
{
	return wqe->state == ROCE_WQE_POSTED && wqe->status == ROCE_SUCCESS &&
	       !(wqe->flags & (ROCE_WR_SIGNALED | ROCE_WR_SOLICITED | ROCE_WR_FENCE)) &&
	       !roce_wqe_is_local(wqe) && !roce_wqe_is_answered(wqe) &&
	       wqe->length <= qp->attr.mtu;
}

/*
 * Are there but a few small messages, while many are on their way and an acknowledgement of some
 * has been asked for? When it comes they are sent, or when there are more of them: a batch of
 * them costs both ends little more than one.
 */
static bool gathers(const struct roce_qp *qp)
{
	const struct roce_req *req = &qp->req;
	u32 i;

	if (!qp->moderate_acks || qp->state != ROCE_RTS ||
	    roce_req_inflight(req) < ROCE_GATHER_INFLIGHT ||
	    nothing_asked(req) || req->psn != req->max_psn || req->recovering ||
	    qp->sq.prod - qp->sq.next >= ROCE_GATHER_MAX)
		return false;
	for (i = qp->sq.next; i != qp->sq.prod; i++)
		if (!may_be_gathered(qp, roce_sq_wqe(qp, i)))
			return false;
	return true;
}

void roce_req_tx(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch)
{
	struct roce_req *req = &qp->req;
	u32 before = batch->nruns;

	if (qp->state != ROCE_RTS && qp->state != ROCE_SQD)
		return;
	if (req->rnr_wait || gathers(qp))
		return;
	while (roce_batch_room(batch) && send_next(qp, now, batch))
		;
	if (!req->since_ack || more_will_follow(qp))
		return;
	if (batch->nruns == before) {
		if (req->awaited)
			roce_req_hurry(qp);
		return;
	}
	if (ack_can_wait(qp)) {
		put_off_ack(qp, now);
		return;
	}
	ask_for_ack(req, &batch->run[batch->nruns - 1]);
	if (req->impatient)
		req->impatient--;
}
