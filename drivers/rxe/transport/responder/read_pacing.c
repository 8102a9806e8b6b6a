// SPDX-License-Identifier: GPL-2.0
/*
 * Pacing of READ responses: the rate follows what the requester has received. A repeated READ
 * reduces it to a part of the delivery rate, unless the path has no queue and a trial shows that
 * losses do not depend on the rate; new READ requests, which acknowledge the responses of earlier
 * ones, raise it again.
 */
#include <linux/math64.h>
#include <linux/minmax.h>

#include <roce/psn.h>
#include "transport/common/queue_delay.h"
#include "transport/responder/resources.h"
#include "transport/responder/read_pacing.h"
#include "transport/common/loss_trial.h"

#define NS_PER_S		1000000000ull

/* Lowest rate: far more responses in a local ACK timeout of 67 ms than retries. */
#define MIN_RATE		500u
/* Highest: more than the line rate of 100 Gb/s at a path MTU of 1024. */
#define MAX_RATE		20000000u

/* Longest burst: a GSO buffer of 64 KiB at a path MTU of 1024, or 250 us. */
#define MAX_BURST		64u
#define BURSTS_PER_S		4000u

/*
 * During a trial and after it: this many bursts per RTT, which the queue has room for. A requester
 * gets as many responses per RTT without pacing as arrive from one loss to the next; a trial begins
 * at this rate, and soon raises it to up to 8 times as much.
 */
#define TRIAL_BURSTS		16u
#define TRIAL_GROWTH		8u

/* Rate after congestion: this part of the delivery rate, which drains the queue. */
#define BETA_NUM		8u
#define BETA_DEN		10u

/*
 * Increase per RTT while there is no queue: 1/16 up to the delivery rate at the last congestion,
 * 1/256 beyond it. READ requests are the only samples of the RTT, and rarer than RTTs if READs are
 * long: with 1/16 beyond it, READs of 1 MiB reach 74 % of 1 Gb/s instead of 89 %.
 */
#define RECOVER_STEP_SHIFT	4
#define PROBE_STEP_SHIFT	8

/* Without pacing or congestion for this long, the responses are no longer paced: 1 s. */
#define CONGESTED_NS		NS_PER_S

/* Time, RTTs, after which it is not known whether the path has a queue. */
#define SAMPLE_RTTS		8u

/* A READ repeated this late, or 4 minimum RTTs, shows a timeout of the requester, no queue. */
#define TIMEOUT_NS		(16 * 1000 * 1000ull)
#define TIMEOUT_RTTS		4u

/*
 * The in-tree driver notices missing responses by its timer alone. A requester is known to do so
 * after three timeouts in succession with at least 8 responses sent after the missing one: paced
 * responses have no queue, and those 8 are not all lost.
 */
#define TIMER_ONLY_TIMEOUTS	3u
#define TIMER_ONLY_NPKTS	8

/*
 * Requesters of this driver re-request the missing responses alone, and have a congestion window
 * for READ responses. Part of a READ that is not its end shows one at once; but READs of one
 * response have no parts. Input: repeated READs, up to the next new one. Decision: if three times
 * in succession they do not reach the READ requested last, as they would with go-back-N, the
 * requester is one. The last of them was lost three times otherwise, which is once in 10^6 at a
 * loss of 1 %.
 */
#define SELECTIVE_REPEATS	3u

/* The delivery rate is measured over this many RTTs, once or twice. */
#define MEASURE_RTTS		8u

/* CNPs within this time, or the minimum RTT, are one sign of congestion: 4 intervals of CNPs. */
#define CNP_ROUND_NS		(200 * 1000ull)

/* Shortest time over which the rate is measured at which responses are sent: 1 ms. */
#define MIN_MEASURE_NS		(1000 * 1000ull)

/* Shortest RTT: rates are divided by it. */
#define MIN_RTT_NS		10000ull

/*
 * There is no sample of the RTT as long as each READ suffers a loss, and those of an application
 * that pauses between READs are too long: reports of losses are not.
 */
static u64 base_rtt(const struct roce_read_pacing *pacing)
{
	u64 rtt = pacing->min_rtt ?: pacing->latest_rtt;

	if (pacing->report_rtt)
		rtt = min(rtt, pacing->report_rtt);
	return max(rtt, MIN_RTT_NS);
}

static u32 burst(const struct roce_read_pacing *pacing)
{
	u64 npkts = pacing->rate / BURSTS_PER_S;

	if (pacing->trial.state != ROCE_LOSS_TRIAL_NONE)
		npkts = div_u64(pacing->rate * base_rtt(pacing) / TRIAL_BURSTS, NS_PER_S);
	return clamp_t(u64, npkts, 1, MAX_BURST);
}

static u64 duration(const struct roce_read_pacing *pacing, u32 npkts)
{
	return div_u64(npkts * NS_PER_S, pacing->rate);
}

static bool has_queue(const struct roce_read_pacing *pacing)
{
	return pacing->latest_rtt > roce_queue_threshold(pacing->min_rtt);
}

static void sample_rtt(struct roce_read_pacing *pacing, u64 rtt)
{
	pacing->latest_rtt = max(rtt, MIN_RTT_NS);
	if (!pacing->min_rtt || pacing->latest_rtt < pacing->min_rtt)
		pacing->min_rtt = pacing->latest_rtt;
}

/* Packets per second that the requester has received. */
static u32 delivery_rate(const struct roce_read_pacing *pacing, u64 now, u32 psn)
{
	s32 received = roce_psn_diff(psn, pacing->mark_psn);
	u64 time = now - pacing->mark_time;

	if (received <= 0 || now < pacing->mark_time + MIN_RTT_NS)
		return 0;
	return min_t(u64, div64_u64(received * NS_PER_S, time), MAX_RATE);
}

/*
 * Per RTT: a part of the rate while the path has no queue, else of the difference to the delivery
 * rate at the last congestion, and half a packet per RTT.
 */
static void raise_rate(struct roce_read_pacing *pacing, u64 now)
{
	u64 rtt = pacing->latest_rtt, step;
	u32 rtts = div64_u64(now - pacing->raise_time, rtt);

	if (!rtts)
		return;
	pacing->raise_time = now;
	if (!pacing->queue && now - pacing->sample_time < SAMPLE_RTTS * rtt) {
		step = pacing->rate >> (pacing->rate < pacing->target ? RECOVER_STEP_SHIFT :
									 PROBE_STEP_SHIFT);
	} else {
		step = div64_u64(NS_PER_S, 2 * rtt);
		if (pacing->rate < pacing->target)
			step += (pacing->target - pacing->rate) >> RECOVER_STEP_SHIFT;
	}
	step = min_t(u64, step * min(rtts, 8u), pacing->rate / 4);
	pacing->rate = min_t(u64, pacing->rate + step, MAX_RATE);
}

/* When a queue begins, the responses are sent faster than they arrive: take the delivery rate. */
static void update_queue(struct roce_read_pacing *pacing, u64 now, u32 psn)
{
	bool queue = has_queue(pacing);

	if (queue && !pacing->queue)
		pacing->rate = clamp(delivery_rate(pacing, now, psn),
				     max(pacing->rate / 2, MIN_RATE), pacing->rate);
	pacing->queue = queue;
	pacing->sample_time = now;
}

static void stop_pacing(struct roce_read_pacing *pacing)
{
	pacing->rate = 0;
	roce_loss_trial_end(&pacing->trial);
}

u32 roce_read_pacing_allowance(struct roce_resp *resp, u64 now)
{
	struct roce_read_pacing *pacing = &resp->pacing;

	pacing->waiting = false;
	if (!pacing->rate)
		return ~0u;
	if (now - max(pacing->reduce_time, pacing->wait_time) >= CONGESTED_NS) {
		stop_pacing(pacing);
		return ~0u;
	}
	raise_rate(pacing, now);
	if (now >= pacing->next_tx)
		return burst(pacing);
	pacing->waiting = true;
	pacing->wait_time = now;
	return 0;
}

void roce_read_pacing_on_sent(struct roce_resp *resp, u64 now, u32 npkts)
{
	struct roce_read_pacing *pacing = &resp->pacing;

	pacing->sent_time = now;
	if (!pacing->rate)
		return;
	pacing->next_tx = max(pacing->next_tx, now - duration(pacing, burst(pacing))) +
			  duration(pacing, npkts);
}

static void start_measurement(struct roce_read_pacing *pacing, u64 now, u32 psn)
{
	pacing->mark_time = now;
	pacing->mark_psn = psn;
	pacing->next_mark_time = now;
	pacing->next_mark_psn = psn;
}

/* The responses before @psn have been received. */
static void update_measurement(struct roce_read_pacing *pacing, u64 now, u32 psn)
{
	if (now < pacing->next_mark_time + MEASURE_RTTS * pacing->latest_rtt)
		return;
	pacing->mark_time = pacing->next_mark_time;
	pacing->mark_psn = pacing->next_mark_psn;
	pacing->next_mark_time = now;
	pacing->next_mark_psn = psn;
}

static bool is_selective(const struct roce_read_pacing *pacing)
{
	return pacing->windowed || pacing->selective_repeats == SELECTIVE_REPEATS;
}

static void set_windowed(struct roce_read_pacing *pacing)
{
	if (pacing->windowed)
		return;
	pacing->windowed = true;
	stop_pacing(pacing);
}

static void on_repeated(struct roce_read_pacing *pacing, u32 end, bool partial)
{
	pacing->repeated = true;
	pacing->repeated_end = end;
	if (partial)
		set_windowed(pacing);
}

/* A READ is requested for the first time; @last is the request before it. */
static void end_repeats(struct roce_read_pacing *pacing, const struct roce_rsrc *last)
{
	if (!pacing->repeated)
		return;
	pacing->repeated = false;
	if (last->kind != ROCE_RSRC_READ)
		return;
	if (roce_psn_after(pacing->repeated_end, last->last_psn))
		pacing->selective_repeats = 0;
	else if (pacing->selective_repeats < SELECTIVE_REPEATS &&
		 ++pacing->selective_repeats == SELECTIVE_REPEATS)
		stop_pacing(pacing);
}

void roce_read_pacing_on_request(struct roce_resp *resp, u64 now, u32 psn)
{
	struct roce_read_pacing *pacing = &resp->pacing;
	const struct roce_rsrc *res;
	u32 end;

	if (!resp->res_size)
		return;
	end_repeats(pacing, roce_rsrc_newest(resp));
	if (!pacing->mark_time ||
	    (!resp->first_scheduled && now - pacing->sent_time > CONGESTED_NS))
		start_measurement(pacing, now, psn);
	res = &resp->res[resp->res_head];
	if (res->kind != ROCE_RSRC_READ || res->state != ROCE_RSRC_SENT)
		return;
	sample_rtt(pacing, now - res->sent_time);
	end = roce_psn_add(res->last_psn, 1);
	if (pacing->rate)
		update_queue(pacing, now, end);
	update_measurement(pacing, now, end);
}

/* When the response @psn of @res was sent; those of a READ are sent at an even rate. */
static u64 time_of(const struct roce_rsrc *res, u32 psn)
{
	u32 sent = ((res->next_psn - res->start_psn) & ROCE_PSN_MASK);
	u32 done = ((psn - res->start_psn) & ROCE_PSN_MASK);

	if (done >= sent)
		return res->sent_time;
	return res->start_time + div_u64((res->sent_time - res->start_time) * done, sent);
}

/*
 * Time from the response that showed the loss of @psn, the one after it at the earliest, to its
 * report. If it was the first of the next burst, it was sent that much later.
 */
static u64 report_delay(const struct roce_resp *resp, u64 now, const struct roce_rsrc *res,
			u32 psn)
{
	const struct roce_read_pacing *pacing = &resp->pacing;
	u64 delay = now - time_of(res, psn), gap;

	if (!pacing->rate)
		return delay;
	gap = duration(pacing, burst(pacing));
	return delay > gap ? delay - gap : 0;
}

/* Packets per second that have been sent. */
static u32 sent_rate(const struct roce_resp *resp, u64 now)
{
	const struct roce_read_pacing *pacing = &resp->pacing;
	u32 sent = (resp->first_scheduled->next_psn - pacing->mark_psn) & ROCE_PSN_MASK;
	u64 time = max(now - min(now, pacing->mark_time), MIN_MEASURE_NS);

	return clamp_t(u64, div64_u64(sent * NS_PER_S, time), MIN_RATE, MAX_RATE);
}

/* The rate follows congestion now: it is not reduced or raised again before an RTT has passed. */
static void begin_round(struct roce_read_pacing *pacing, u64 now)
{
	pacing->reduce_time = now;
	pacing->raise_time = now;
}

/* Restart the measurement of the delivery rate: retransmitted responses arrive after @delay. */
static void begin_recovery(struct roce_read_pacing *pacing, u64 now, u64 delay, u32 psn)
{
	pacing->report_rtt = max(delay, MIN_RTT_NS);
	begin_round(pacing, now);
	start_measurement(pacing, now + delay, psn);
}

static void reduce_rate(struct roce_read_pacing *pacing, u32 rate, u32 least)
{
	pacing->rate = max3(rate, least, MIN_RATE);
}

/* Start pacing. The responses that were sent before leave the queue first, which is short. */
static void begin_trial(struct roce_read_pacing *pacing, u64 now)
{
	u64 rtt = base_rtt(pacing);

	reduce_rate(pacing, min_t(u64, div64_u64(pacing->trial.per_loss * NS_PER_S, rtt), MAX_RATE),
		    0);
	pacing->target = min(pacing->rate * TRIAL_GROWTH, MAX_RATE);
	pacing->next_tx = now + min(rtt, ROCE_QUEUE_MIN_NS);
}

static enum roce_loss_trial_state update_trial(struct roce_read_pacing *pacing, u64 now, u32 psn)
{
	enum roce_loss_trial_state before = pacing->trial.state, state;

	state = roce_loss_trial_on_loss(&pacing->trial, now, psn, pacing->rate);
	if (before == ROCE_LOSS_TRIAL_NONE && state != before)
		begin_trial(pacing, now);
	else if (before != ROCE_LOSS_TRIAL_NONE && state == ROCE_LOSS_TRIAL_NONE)
		pacing->rate = 0;
	return state;
}

static bool is_timer_only(const struct roce_read_pacing *pacing)
{
	return pacing->timeouts == TIMER_ONLY_TIMEOUTS;
}

/* Count a timeout. The losses of a timer-only requester do not tell the delivery rate. */
static void update_timer_only(struct roce_resp *resp, u32 psn)
{
	struct roce_read_pacing *pacing = &resp->pacing;

	if (!pacing->rate || pacing->trial.state != ROCE_LOSS_TRIAL_NONE ||
	    resp->first_scheduled || roce_psn_diff(resp->epsn, psn) <= TIMER_ONLY_NPKTS)
		return;
	if (++pacing->timeouts == TIMER_ONLY_TIMEOUTS)
		stop_pacing(pacing);
}

static void on_timeout(struct roce_read_pacing *pacing, u64 now, u32 psn)
{
	if (update_trial(pacing, now, psn) == ROCE_LOSS_TRIAL_RUNS)
		return;
	if (pacing->rate)
		reduce_rate(pacing, 0, pacing->rate / 2);
	else if (pacing->suspect)
		reduce_rate(pacing, pacing->target / 2, 0);
}

static void on_loss(struct roce_read_pacing *pacing, u64 now, u64 delay, u32 psn)
{
	u32 rate = delivery_rate(pacing, now, psn);
	enum roce_loss_trial_state trial;

	pacing->latest_rtt = max(delay, MIN_RTT_NS);
	pacing->sample_time = 0;
	trial = update_trial(pacing, now, psn);
	pacing->queue = trial == ROCE_LOSS_TRIAL_WON || has_queue(pacing);
	if (!pacing->queue || trial == ROCE_LOSS_TRIAL_RUNS)
		return;
	pacing->target = rate;
	/* Requesters of this driver may repeat one READ as a whole. */
	if (!pacing->rate && !pacing->suspect) {
		pacing->suspect = true;
		return;
	}
	reduce_rate(pacing, div_u64((u64)rate * BETA_NUM, BETA_DEN), pacing->rate / 4);
}

void roce_read_pacing_on_repeat(struct roce_resp *resp, u64 now, const struct roce_rsrc *res,
				u32 psn, u32 end)
{
	struct roce_read_pacing *pacing = &resp->pacing;
	u64 delay;

	on_repeated(pacing, roce_psn_add(end, 1), roce_psn_before(end, res->last_psn));
	if (is_selective(pacing) || is_timer_only(pacing))
		return;
	delay = report_delay(resp, now, res, psn);
	/* READs that were requested behind it are repeated, too. */
	if (now - pacing->reduce_time < max(pacing->report_rtt, delay) ||
	    delay < pacing->min_rtt / 2)
		return;
	if (delay > TIMEOUT_NS + TIMEOUT_RTTS * pacing->min_rtt) {
		/* Its delay is no RTT, and rates are divided by one. */
		if (!pacing->latest_rtt)
			return;
		delay = min(delay, pacing->latest_rtt);
		update_timer_only(resp, psn);
		if (is_timer_only(pacing))
			return;
		on_timeout(pacing, now, psn);
	} else {
		pacing->timeouts = 0;
		on_loss(pacing, now, delay, psn);
	}
	begin_recovery(pacing, now, delay, psn);
}

void roce_read_pacing_on_becn(struct roce_resp *resp)
{
	set_windowed(&resp->pacing);
}

void roce_read_pacing_on_cnp(struct roce_resp *resp, u64 now)
{
	if (!is_selective(&resp->pacing))
		roce_read_pacing_on_congestion(resp, now);
}

void roce_read_pacing_on_congestion(struct roce_resp *resp, u64 now)
{
	struct roce_read_pacing *pacing = &resp->pacing;
	u64 rtt = max(pacing->min_rtt, CNP_ROUND_NS);

	/* CNPs may be for requests, and those of one round trip are one sign of congestion. */
	if (!resp->first_scheduled || now - pacing->reduce_time < rtt)
		return;
	if (!pacing->rate)
		pacing->rate = sent_rate(resp, now);
	pacing->target = pacing->rate;
	reduce_rate(pacing, pacing->rate / 2, 0);
	pacing->queue = true;
	pacing->latest_rtt = max(pacing->latest_rtt, CNP_ROUND_NS);
	begin_round(pacing, now);
}
