// SPDX-License-Identifier: GPL-2.0
/*
 * Congestion control "delay": additive increase, multiplicative decrease, with the delay of the
 * path as evidence.
 *
 * A loss counts as congestion only if the queue of the path was long when the packet was lost: a
 * drop-tail queue drops when it is full. Random losses, which have no queue, cost no window. Until
 * such a loss, delay does not slow the growth of the window: the RTT of a loaded host varies. For
 * CONGESTED_NS after it, the window grows slowly while there is a queue, and packets are paced. A
 * queue as long as when packets were lost reduces the window a little (FULL_SHIFT). A queue longer
 * than the delay limit reduces the window without a loss, unless that does not shorten the queue:
 * then other flows fill it, and the QP competes with them by losses and by full queues.
 */
#include <linux/math64.h>
#include <linux/minmax.h>

#include "transport/common/loss_trial.h"
#include "transport/common/queue_delay.h"
#include "transport/common/send_queue.h"
#include "transport/requester/cc.h"
#include "transport/requester/pacing.h"
#include "transport/requester/rtt.h"

/* Delay limit: 4 ms, or the minimum RTT if that is longer. */
#define DELAY_LIMIT_NS		(4 * 1000 * 1000ull)

/* Reductions for delay, one per RTT, after which the queue must have become shorter. */
#define DELAY_ROUNDS		6u

/*
 * Multiplicative decrease: one half, as in Reno. With 7/10, as in CUBIC, a QP has 5 times the rate
 * of a CUBIC flow behind a queue with a limit in bytes, where its shorter packets find room more
 * often; with one half, 3.2 times (4 QPs beside 4 CUBIC flows in tests/sim/shared).
 */
#define BETA_NUM		1u
#define BETA_DEN		2u

/*
 * Losses per packet, smoothed over 256 packets, in 1/65536. Above 12 % the queue may be shorter
 * than ROCE_QUEUE_MIN_NS; this ends below 1 %.
 */
#define LOSS_WINDOW		256u
#define LOSSY_BEGIN		(65536u * 12 / 100)
#define LOSSY_END		(65536u / 100)

/*
 * Many QPs at a short queue. Input: congestion in the last CONGESTED_NS, the smoothed losses, and
 * an RTT that is a quarter above the minimum but was never above the threshold of a queue.
 * Decision: from 2 % of losses on, bursts of them and RTOs may leave less than RANDOM_MIN_CWND, and
 * from 1 % on, the window grows by half a packet per RTT. Not for READs, which have limits of their
 * own.
 * At 10 Gb/s, 16 QPs get 73 % of the line through a queue of 64 packets, with 8 % of drops; without
 * this 58 %, with 28 %. An incast of 32 x 1 MiB takes 1.19 to 1.30 times the ideal with 4 seeds,
 * without this 1.25 to 1.34 (tests/sim/shared). Without the bounds of the RTT, a QP that loses 5 %
 * at random takes 1.6 times as long.
 */
#define CONTENDED_REDUCE	(65536u * 2 / 100)
#define CONTENDED_GROW		(65536u / 100)
#define CONTENDED_STEP		(ROCE_CC_PKT / 2)
#define CONTENDED_RTT_SHIFT	2

/*
 * Part of the RTT of a READ request that is no queue of the path: the responses to the READs before
 * it are sent first. Two windows of them, at 1 Gb/s and a path MTU of 1024: 16 us for each packet
 * of the window, 1 ms at most.
 */
#define READ_SELF_DELAY_PKT_NS	(16 * 1000ull)
#define READ_SELF_DELAY_NS	(1000 * 1000ull)
/* Window that a burst of lost READ responses leaves: 8 responses. */
#define READ_MIN_CWND		(4 * ROCE_CC_PKT)

/*
 * Increase per RTT of the window of READs while there is a queue: 1/10, at most one packet, which
 * are two responses. Not in the search for a window, nor while a short queue drops responses.
 * Beside CUBIC flows, QPs get 0.5 to 1.2 of the share of a flow with this. With the increase of
 * WRITEs they got 0.04 to 0.4, as reductions by full queues do not apply to READs. With 1/12, 16
 * QPs beside 16 flows get 0.45 to 0.5; with 1/8, 16 QPs that start behind a slow line lose a tenth
 * more than CUBIC flows do (tests/sim/shared).
 */
#define READ_STEP_DIV		10u

/*
 * Input: the RTT of a round; the RTT at the last losses, smoothed, or that of a longer round since.
 * Decision: a queue within 1/32 of that is full, and reduces the window to 7/8. Other flows lose
 * packets then, but in a queue with a limit in bytes the shorter packets of a QP still find room:
 * without this, 4 QPs take 3.2 times the rate of 4 CUBIC flows, with it 1.6 to 1.8 times, and 2.3
 * times with one of 8 seeds (tests/sim/shared).
 * Bound: while the path is congested, and once until a round is shorter: a path without a queue has
 * a steady RTT, too. Not for READs, whose responses add to the RTT. With 1/16 instead of 1/32, or
 * 3/4 in each full round, 16 QPs share unequally.
 */
#define FULL_SHIFT		5
#define FULL_NUM		7u
#define FULL_DEN		8u

/* How long a path counts as congested after the last loss or mark, 1 s. */
#define CONGESTED_NS		(1000 * 1000 * 1000ull)

/*
 * Smallest minimum RTT that may contain a queue all the time, 150 us, and the smallest range of
 * RTTs that a queue causes, 1/64 of the minimum; 1/8 for READs, as the responder sends earlier
 * responses first, if there are any. Of 250 QPs with a READ of one packet each, 59 % of the
 * responses are lost at 100 Mb/s with 1/8, and 27 % with 1/64, as of WRITEs (tests/sim/shared).
 */
#define STANDING_MIN_NS		(150 * 1000ull)
#define STANDING_RANGE_SHIFT	6
#define READ_RANGE_SHIFT	3

/*
 * Consecutive losses, or an RTO, without a queue leave this much: 64 packets, or 64 packets per ms
 * of the minimum RTT, which is 0.5 Gb/s at a path MTU of 1024. The window grows by 8 packets per
 * RTT again, at least.
 */
#define RANDOM_MIN_CWND		(64 * ROCE_CC_PKT)
#define RANDOM_STEP		(8 * ROCE_CC_PKT)

/*
 * Short queue. Input: losses, and whether consecutive packets were lost; only of peers that buffer
 * packets, as with others each loss looks like that. Decision: the queue is shorter than a burst if
 * the smoothed share is 120/255 or more, and until it is below 2: then a loss is congestion without
 * a queue in the RTT, the window grows by 1/64 per RTT, and bursts are short (pacing.h). The share
 * rises by a quarter of the rest with each burst of losses, and falls by 1/8 with each loss. If all
 * losses are bursts it becomes 170; with random losses of 10 % 42, of 25 % 85.
 * At 10 Gb/s a queue of 16, 32 or 64 packets gives a QP 68, 72 and 79 % of the line, and 10, 12 and
 * 28 % without this; TCP has 87 to 94 % (tests/sim/shared).
 */
#define BURSTY_BEGIN		120u
#define BURSTY_END		2u
#define BURSTY_STEP_SHIFT	6

/*
 * Short queue, READs. Input: the share of READ responses that are missing where others have
 * arrived, smoothed over 256 responses; they count a second time, as received, when they have been
 * repaired. Decision: as above if it is 14 % or more, and for 1 s after that; and then the window
 * grows by half a packet per RTT, until the share is below 1 %. Random losses of 10 % stay below.
 * With a threshold of 12 % they do not; with 16 % a queue of 8 packets gives a QP a tenth less.
 * At 10 Gb/s a queue of 8, 16 or 64 packets gives a QP 40, 59 and 79 % of the line, and 12, 18 and
 * 42 % without this, with 60, 59 and 42 % of drops (tests/sim/shared).
 */
#define READ_BURSTY_BEGIN	(65536u * 14 / 100)
#define READ_BURSTY_NS		(1000 * 1000 * 1000ull)

/*
 * Short queue, peer that buffers no requests: of 16 losses, none has shown that it does. Input: how
 * many packets arrive from one loss to the next. Decision: a trial of pacing (common/loss_trial.h)
 * shows whether losses are due to the rate. It begins with a window of as many, at most half of the
 * present one. While it runs, and after it has been won, the window grows by 1/16 per RTT up to 8
 * times as many, and each loss is congestion.
 * At 10 Gb/s a queue of 8, 16 or 64 packets gives a QP 62, 63 and 72 % of the line, and 5, 10 and
 * 31 % without this, with 44, 44 and 2 % of drops (tests/sim/shared).
 */
#define UNBUFFERED_MIN		16u
#define TRIAL_GROWTH		8u

/*
 * Minimum window after a mark, as in TCP, and after a loss at RTTs below 1 ms: 2 packets. The
 * jitter of a loaded host looks like a queue then, and a QP that loses 10 % of its packets at
 * random would become slower and slower.
 */
#define SMALL_CWND		(2 * ROCE_CC_PKT)
#define SMALL_CWND_RTT_NS	(1000 * 1000ull)

/*
 * Minimum window: one packet in 64 ms, so that 250 QPs of one packet can share 100 Mb/s. With a
 * bound of 64 RTTs, the window of a slow host would take longer to grow again.
 */
#define MIN_CWND_NS		(64 * 1000 * 1000ull)
#define MIN_CWND		(ROCE_CC_PKT / 64)

/* Minimum window after a delay without a loss: 4 packets, as in BBR. */
#define DELAY_MIN_CWND		(4 * ROCE_CC_PKT)

/*
 * Increase per RTT after marks, while no queue shows in the RTT: 1/256 of the window, at least a
 * packet. Switches mark packets from a queue on that is shorter than the threshold of a queue. With
 * 1/16 as after losses, a QP takes 7 to 19 times the rate of a CUBIC flow with ECN at 10 Gb/s, or
 * at 1 Gb/s and an RTT of 10 ms; with this 0.8 to 1.0 times. With two packets, 16 QPs take 2.3
 * times the rate of 16 flows at 10 Gb/s (tests/sim/shared).
 */
#define MARKED_STEP_SHIFT	8

/* Increase of a window of less than one packet, per ACK: 1/16. */
#define SMALL_STEP_SHIFT	4
/* Increase per RTT while there is no queue: 1/16 of the window, at least a packet. */
#define PROBE_STEP_SHIFT	4

static u64 queue_threshold(const struct roce_req *req)
{
	return roce_queue_threshold(roce_rtt_min(req));
}

static u64 delay_limit(const struct roce_req *req)
{
	u64 min_rtt = roce_rtt_min(req);

	return min_rtt + max(DELAY_LIMIT_NS, min_rtt);
}

static u32 min_cwnd(const struct roce_req *req)
{
	u64 srtt = min(req->rtt.srtt, MIN_CWND_NS);

	return max_t(u64, div_u64(srtt * ROCE_CC_PKT, MIN_CWND_NS), MIN_CWND);
}

static void set_cwnd(struct roce_req *req, u64 cwnd)
{
	u64 most = (u64)req->cc.cwnd_clamp * ROCE_CC_PKT;

	req->cc.cwnd = max_t(u64, min(cwnd, most), min_cwnd(req));
}

static void reduce(struct roce_req *req, u32 num, u32 den, u32 least)
{
	least = min(req->cc.cwnd, least);
	req->cc.drain_cwnd = div_u64((u64)req->cc.drain_cwnd * num, den);
	set_cwnd(req, max_t(u64, div_u64((u64)req->cc.cwnd * num, den), least));
	req->cc.ssthresh = req->cc.cwnd;
}

/* Lower limit of the window after a loss. */
static u32 small_cwnd(const struct roce_req *req)
{
	return max(req->rtt.latest, req->rtt.srtt) < SMALL_CWND_RTT_NS ? SMALL_CWND : MIN_CWND;
}

/* @rtt: the smallest of a round. */
static bool queue_full(const struct roce_req *req, u64 rtt)
{
	return req->cc.congested && req->cc.full_rtt && !req->snd.rd_atomic_inflight &&
	       rtt + ((rtt - roce_rtt_min(req)) >> FULL_SHIFT) >= req->cc.full_rtt;
}

static void react_to_full_queue(struct roce_req *req, u64 rtt)
{
	bool full = queue_full(req, rtt);

	if (full && !req->cc.full)
		reduce(req, FULL_NUM, FULL_DEN, MIN_CWND);
	req->cc.full = full;
}

/* @rtt: the smallest of the round that has ended. */
static void end_round(struct roce_req *req, u64 rtt)
{
	u64 limit = delay_limit(req);

	if (req->cc.full_rtt && !req->snd.rd_atomic_inflight)
		req->cc.full_rtt = max(req->cc.full_rtt, rtt);
	if (req->cc.drain_cwnd) {
		req->cc.cwnd = max(req->cc.cwnd, req->cc.drain_cwnd);
		req->cc.drain_cwnd = 0;
		req->rtt.min = rtt;
		return;
	}
	if (req->rtt.min_expired) {
		req->rtt.min_expired = false;
		if (rtt > queue_threshold(req)) {
			req->cc.drain_cwnd = req->cc.cwnd;
			set_cwnd(req, req->cc.cwnd / 4);
			return;
		}
	}
	if (rtt <= queue_threshold(req)) {
		req->cc.delay_rounds = 0;
		req->cc.compete = false;
		return;
	}
	if (req->cc.cwnd < req->cc.ssthresh) {
		/* End of slow start (as HyStart++, RFC 9406). */
		req->cc.ssthresh = req->cc.cwnd;
	}
	if (rtt <= limit || req->cc.compete)
		react_to_full_queue(req, rtt);
	if (rtt <= limit) {
		if (rtt - roce_rtt_min(req) < (limit - roce_rtt_min(req)) / 2)
			req->cc.compete = false;
		req->cc.delay_rounds = 0;
		return;
	}
	if (req->cc.compete)
		return;
	if (!req->cc.delay_rounds++) {
		req->cc.delay_rtt = rtt;
	} else if (req->cc.delay_rounds > DELAY_ROUNDS) {
		req->cc.delay_rounds = 0;
		if (rtt > req->cc.delay_rtt - req->cc.delay_rtt / 4) {
			req->cc.compete = true;
			roce_rtt_forget_min(req);
			set_cwnd(req, req->cc.prior_cwnd);
			return;
		}
	}
	if (req->cc.delay_rounds == 1)
		req->cc.prior_cwnd = req->cc.cwnd;
	/* Leave half of the limit in the queue. */
	reduce(req, 4, 5, DELAY_MIN_CWND);
}

static void update_round(struct roce_req *req, u64 rtt)
{
	if (rtt && (!req->cc.round_rtt || rtt < req->cc.round_rtt))
		req->cc.round_rtt = rtt;
	if (roce_psn_before(req->snd.una, req->cc.round_end))
		return;
	if (req->cc.round_rtt) {
		req->cc.last_round_rtt = req->cc.round_rtt;
		end_round(req, req->cc.round_rtt);
	}
	req->cc.round_rtt = 0;
	req->cc.round_end = req->snd.max;
}

static u64 read_self_delay(const struct roce_req *req)
{
	u64 delay = (u64)roce_cc_cwnd_pkts(req) * READ_SELF_DELAY_PKT_NS;

	return req->snd.rd_atomic_inflight ? min(delay, READ_SELF_DELAY_NS) : 0;
}

static bool has_queue(const struct roce_req *req, u64 rtt)
{
	u64 self = read_self_delay(req);

	/* READ responses beyond a hole end samples, but acknowledge nothing. */
	if (req->snd.rd_atomic_inflight)
		rtt = max(rtt, req->rtt.latest);
	return max(rtt, req->cc.last_round_rtt) > queue_threshold(req) + self;
}

/*
 * The RTT has always been about the same: too high for a queue that was empty at times, and not
 * steady enough for a long path without a queue.
 */
static bool never_varied(const struct roce_req *req)
{
	bool behind_others = req->snd.rd_atomic_inflight && roce_req_inflight(req) > 1;
	u32 shift = behind_others ? READ_RANGE_SHIFT : STANDING_RANGE_SHIFT;
	u64 range = req->rtt.max - roce_rtt_min(req);

	return req->rtt.max <= queue_threshold(req) && roce_rtt_min(req) >= STANDING_MIN_NS &&
	       range > roce_rtt_min(req) >> shift;
}

/*
 * Search for a window that the path holds. A QP that starts in a queue which others keep full has
 * never seen the path without it, so that the RTT is no evidence.
 * Input: losses; the acknowledgement of the packets in flight at the last one, and of a window
 * behind them.
 * Decision: the first loss begins the search. While it runs, each loss is a sign of congestion, and
 * READs have one window of responses in flight. Bound: not after a loss at an RTT that shows an
 * empty queue; and an RTO begins none, as the peer may be busy.
 * Of 16 QPs that start behind a queue of 62.5 KB at 100 Mb/s, WRITEs lose 6 to 7 % of the packets
 * of the first 2 s, and 21 to 24 % without this (tests/sim/shared).
 */
static bool searching(const struct roce_req *req)
{
	return req->cc.search == ROCE_CC_SEARCH_RUNS;
}

/* The RTT is near a minimum that is too short for a queue that never drained. */
static bool shows_no_queue(const struct roce_req *req, u64 rtt)
{
	rtt = max3(rtt, req->cc.last_round_rtt, req->rtt.latest);
	return rtt && roce_rtt_min(req) < STANDING_MIN_NS && rtt <= queue_threshold(req);
}

static void extend_search(struct roce_req *req)
{
	req->cc.search_end = roce_psn_add(req->snd.max, roce_cc_cwnd_pkts(req));
}

static void update_search(struct roce_req *req, u64 rtt)
{
	if (req->cc.search == ROCE_CC_SEARCH_NONE)
		req->cc.search = shows_no_queue(req, rtt) ? ROCE_CC_SEARCH_OVER :
							    ROCE_CC_SEARCH_RUNS;
	extend_search(req);
}

/* What losses without a queue leave. */
static u64 random_min_cwnd(const struct roce_req *req)
{
	u64 least = div_u64(roce_rtt_min(req) * RANDOM_MIN_CWND, 1000 * 1000);

	return clamp_t(u64, least, RANDOM_MIN_CWND, ROCE_CC_MAX_CWND * ROCE_CC_PKT);
}

/*
 * If the RTT is as steady as that of a long path without a queue, the losses were random: slow
 * start goes on. One sample does not tell.
 */
static void end_search(struct roce_req *req)
{
	u64 range = req->rtt.max - roce_rtt_min(req);

	if (req->rtt.max && !range) {
		extend_search(req);
		return;
	}
	req->cc.search = ROCE_CC_SEARCH_OVER;
	if (!req->rtt.max || range > roce_rtt_min(req) >> STANDING_RANGE_SHIFT)
		return;
	req->cc.ssthresh = max_t(u64, req->cc.ssthresh, random_min_cwnd(req));
	set_cwnd(req, max(req->cc.cwnd, SMALL_CWND));
	req->cc.congested = false;
}

/*
 * True if a loss now is a sign of congestion. Not if the path has shown a queue before, and has
 * none now. A path that has never shown one may have had it all the time, or has a short one.
 */
static bool is_congestion(const struct roce_req *req, u64 rtt)
{
	return has_queue(req, rtt) || never_varied(req) || req->cc.bursty || searching(req);
}

static bool loses_responses(const struct roce_req *req)
{
	return req->cc.bursty && req->cc.read_loss_rate >= LOSSY_END;
}

/* Losses of at least @loss_rate are those of many QPs at a short queue. */
static bool contended(const struct roce_req *req, u32 loss_rate)
{
	u64 rtt = max(req->rtt.srtt, req->cc.last_round_rtt);
	u64 min_rtt = roce_rtt_min(req);

	if (req->snd.rd_atomic_inflight || req->rtt.max > queue_threshold(req))
		return false;
	return req->cc.congested && req->cc.loss_rate >= loss_rate &&
	       rtt > min_rtt + (min_rtt >> CONTENDED_RTT_SHIFT);
}

static bool below_trial_target(const struct roce_req *req)
{
	return req->cc.trial.state != ROCE_LOSS_TRIAL_NONE &&
	       req->cc.cwnd < req->cc.trial.per_loss * TRIAL_GROWTH * ROCE_CC_PKT;
}

/* Packets per RTT, in units of cwnd. */
static u32 increase(const struct roce_req *req)
{
	bool slow = req->cc.bursty && !below_trial_target(req);
	u32 probe_shift = slow ? BURSTY_STEP_SHIFT : PROBE_STEP_SHIFT, step;

	if (!req->cc.congested)
		return max(req->cc.cwnd >> PROBE_STEP_SHIFT, RANDOM_STEP);
	if (!has_queue(req, 0) && !req->cc.lossy && !loses_responses(req)) {
		if (contended(req, CONTENDED_GROW))
			return CONTENDED_STEP;
		if (req->cc.marked)
			return max(req->cc.cwnd >> MARKED_STEP_SHIFT, ROCE_CC_PKT);
		return max(req->cc.cwnd >> probe_shift, ROCE_CC_PKT);
	}
	if (req->snd.rd_atomic_inflight && !searching(req) && !loses_responses(req))
		return clamp(req->cc.cwnd / READ_STEP_DIV, ROCE_CC_PKT / 64, ROCE_CC_PKT);
	step = clamp(req->cc.cwnd >> PROBE_STEP_SHIFT, ROCE_CC_PKT / 64, ROCE_CC_PKT / 2);
	if (req->cc.last_round_rtt >= req->cc.full_rtt - req->cc.full_rtt / 8)
		step /= 4;
	return step;
}

static void update_loss_rate(struct roce_req *req, u32 acked)
{
	u64 lost = (u64)req->cc.loss_rate * min(acked, LOSS_WINDOW);

	req->cc.loss_rate -= div_u64(lost + LOSS_WINDOW - 1, LOSS_WINDOW);
	if (req->cc.loss_rate < LOSSY_END)
		req->cc.lossy = false;
	req->cc.read_loss_rate -= req->cc.read_loss_rate * min(acked, LOSS_WINDOW) / LOSS_WINDOW;
}

static void count_loss(struct roce_req *req)
{
	req->cc.loss_rate += (65536 - req->cc.loss_rate) / LOSS_WINDOW;
	if (req->cc.loss_rate >= LOSSY_BEGIN)
		req->cc.lossy = true;
}

/*
 * The window does not grow while a loss is being repaired. That of a requester of READs does, once
 * the reduction is over: one that loses responses at random repairs losses all the time.
 */
static bool recovering(const struct roce_req *req)
{
	if (req->loss.state == ROCE_LOSS_OPEN)
		return false;
	return !req->snd.rd_atomic_inflight || roce_cc_reduction_done(req) ||
	       req->rtt.latest > roce_rtt_min(req) + ROCE_QUEUE_MIN_NS;
}

static void delay_on_ack(struct roce_req *req, const struct roce_cc_sample *sample)
{
	u32 acked = sample->acked * ROCE_CC_PKT;

	update_round(req, req->rtt.srtt_ambiguous ? 0 : sample->rtt);
	update_loss_rate(req, sample->acked);
	if (searching(req) && !roce_psn_before(req->snd.una, req->cc.search_end))
		end_search(req);
	if (req->cc.congested && sample->now - req->cc.congested_time >= CONGESTED_NS) {
		req->cc.congested = false;
		req->cc.marked = false;
	}
	if (!sample->limited || recovering(req))
		return;
	/* After a reduction, more than a window may be acknowledged at once. */
	acked = min(acked, max(req->cc.cwnd, ROCE_CC_PKT));
	if (req->cc.cwnd < ROCE_CC_PKT)
		set_cwnd(req, req->cc.cwnd + max(req->cc.cwnd >> SMALL_STEP_SHIFT, 1u));
	else if (req->cc.cwnd < req->cc.ssthresh)
		set_cwnd(req, min_t(u64, (u64)req->cc.cwnd + acked, req->cc.ssthresh));
	else
		set_cwnd(req, req->cc.cwnd +
				      max(div_u64((u64)increase(req) * acked, req->cc.cwnd), 1ull));
}

/* Without congestion for CONGESTED_NS, the other flows are assumed to have ended. */
static void set_congested(struct roce_req *req, u64 now)
{
	req->cc.congested = true;
	req->cc.congested_time = now;
}

static void reduce_random(struct roce_req *req)
{
	u64 least = random_min_cwnd(req);

	if (req->cc.lossy || contended(req, CONTENDED_REDUCE))
		least = SMALL_CWND;
	least = max_t(u64, least, req->cc.cwnd - req->cc.cwnd / 4);
	req->cc.drain_cwnd -= req->cc.drain_cwnd / 4;
	/* Slow start goes on up to the minimum. */
	req->cc.ssthresh = min_t(u64, least, ROCE_CC_MAX_CWND * ROCE_CC_PKT);
	set_cwnd(req, min(req->cc.cwnd, req->cc.ssthresh));
}

static void begin_trial(struct roce_req *req, u64 now)
{
	req->cc.untried_cwnd = req->cc.cwnd;
	req->cc.bursty = true;
	req->cc.drain_cwnd = 0;
	set_congested(req, now);
	set_cwnd(req, clamp(req->cc.trial.per_loss * ROCE_CC_PKT, SMALL_CWND,
			    max(req->cc.cwnd / 2, SMALL_CWND)));
	req->cc.ssthresh = req->cc.cwnd;
}

static void end_trial(struct roce_req *req)
{
	req->cc.bursty = false;
	req->cc.congested = false;
	set_cwnd(req, max(req->cc.cwnd, req->cc.untried_cwnd));
}

static void delay_on_each_loss(struct roce_req *req, u64 now, u64 rtt)
{
	enum roce_loss_trial_state before = req->cc.trial.state, state;

	update_search(req, rtt);
	if (req->loss.peer_buffers)
		roce_loss_trial_end(&req->cc.trial);
	if (req->snd.rd_atomic_inflight || req->loss.peer_buffers)
		return;
	if (req->cc.unbuffered < UNBUFFERED_MIN) {
		req->cc.unbuffered++;
		return;
	}
	state = roce_loss_trial_on_loss(&req->cc.trial, now, req->snd.una,
					roce_pacing_active(req));
	if (before == ROCE_LOSS_TRIAL_NONE && state != before)
		begin_trial(req, now);
	else if (before != ROCE_LOSS_TRIAL_NONE && state == ROCE_LOSS_TRIAL_NONE)
		end_trial(req);
}

static bool delay_is_congestion(struct roce_req *req, u64 now, u64 rtt)
{
	count_loss(req);
	req->cc.bursts -= (req->cc.bursts + 7) / 8;
	if (req->cc.bursts < BURSTY_END && now - req->cc.bursty_time >= READ_BURSTY_NS &&
	    req->cc.trial.state == ROCE_LOSS_TRIAL_NONE)
		req->cc.bursty = false;
	/* The loss that begins a trial has been reacted to by begin_trial(). */
	if (req->cc.trial.state == ROCE_LOSS_TRIAL_RUNS)
		return false;
	return is_congestion(req, rtt) || req->cc.lossy;
}

static void delay_on_lost_responses(struct roce_req *req, u64 now, u32 lost, u32 npkts)
{
	s32 change = lost * 65536 / npkts - req->cc.read_loss_rate;

	req->cc.read_loss_rate += change * (s32)min(npkts, LOSS_WINDOW) / (s32)LOSS_WINDOW;
	if (req->cc.read_loss_rate < READ_BURSTY_BEGIN)
		return;
	req->cc.bursty = true;
	req->cc.bursty_time = now;
	set_congested(req, now);
}

static void delay_on_loss(struct roce_req *req, u64 now, u64 rtt)
{
	if (!is_congestion(req, rtt)) {
		reduce_random(req);
		return;
	}
	rtt = max(rtt, req->cc.last_round_rtt);
	if (!req->cc.congested || !req->cc.full_rtt)
		req->cc.full_rtt = rtt;
	req->cc.full_rtt += rtt / 8 - req->cc.full_rtt / 8;
	req->cc.full = true;
	set_congested(req, now);
	reduce(req, BETA_NUM, BETA_DEN, small_cwnd(req));
	/* The next loss needs new evidence. */
	req->cc.last_round_rtt = 0;
	req->cc.round_rtt = 0;
	roce_rtt_forget_latest(req);
}

static void count_burst(struct roce_req *req)
{
	if (req->loss.peer_buffers)
		req->cc.bursts += (255 - req->cc.bursts) / 4;
	if (req->cc.bursts >= BURSTY_BEGIN)
		req->cc.bursty = true;
}

static void delay_on_burst_loss(struct roce_req *req, u64 now)
{
	if (!req->snd.rd_atomic_inflight) {
		count_burst(req);
		reduce_random(req);
		if (req->cc.bursty)
			set_congested(req, now);
		return;
	}
	set_congested(req, now);
	reduce(req, BETA_NUM, BETA_DEN, searching(req) ? small_cwnd(req) : READ_MIN_CWND);
}

/*
 * A slow host that has marks on all packets sends a CNP for each: with a lower limit it would be
 * left with one packet in 64 ms.
 */
static void delay_on_ecn(struct roce_req *req, u64 now)
{
	set_congested(req, now);
	req->cc.marked = true;
	reduce(req, BETA_NUM, BETA_DEN, SMALL_CWND);
}

/* Losses have used up the other samples of the RTT. SRTT is one, unless RTOs are part of it. */
static u64 rto_evidence(const struct roce_req *req)
{
	return req->cc.congested && !req->rtt.srtt_ambiguous ? req->rtt.srtt : 0;
}

static void delay_on_rto(struct roce_req *req, u64 now)
{
	count_loss(req);
	/* An RTO alone is no loss: the peer may be busy. */
	if (searching(req))
		extend_search(req);
	if (!is_congestion(req, rto_evidence(req))) {
		reduce_random(req);
		return;
	}
	set_congested(req, now);
	reduce(req, 1, 2, MIN_CWND);
}

const struct roce_cc_ops roce_cc_delay = {
	.name = "delay",
	.paced = true,
	.undo = true,
	.on_ack = delay_on_ack,
	.on_each_loss = delay_on_each_loss,
	.on_lost_responses = delay_on_lost_responses,
	.is_congestion = delay_is_congestion,
	.on_loss = delay_on_loss,
	.on_burst_loss = delay_on_burst_loss,
	.on_ecn = delay_on_ecn,
	.on_rto = delay_on_rto,
};
