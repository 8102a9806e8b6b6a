// SPDX-License-Identifier: GPL-2.0
/*
 * The window, and the round trips that say how far it may grow. While nothing has been lost it
 * grows by what is acknowledged, beyond the initial one only as long as round trips stay short: a
 * path that holds no more would queue it. A loss takes a quarter off; then it grows by a few
 * packets a round trip.
 */
#include <linux/minmax.h>

#include "transport/requester/cc.h"

/* A round trip that is so long, and was shorter, is mostly spent in a queue. */
#define ROCE_CC_DELAY_THRESH_NS		(50 * 1000 * 1000ull)

/*
 * A peer that holds what arrived ahead of its turn needs little more than the packet
 * that it missed: that one is sent again, and one more, which tells it if the first is
 * lost again; unless there are few in any case. When that was not enough, so often all
 * is sent again at once.
 */
#define ROCE_FAST_REXMIT_PKTS		2u
#define ROCE_FAST_REXMIT_MIN_INFLIGHT	8u
#define ROCE_GBN_FALLBACK_LOSSES		1u

/* What is left of a window however much is lost, and how slowly it grows again. */
#define ROCE_CC_MIN_CWND		64u
#define ROCE_CC_AI_STEP	8u

/*
 * The queue that packets spend their time in is this QP's own, for all that is known, and
 * what is lost takes as long to be repaired.
 */
static void cc_reduce_on_delay(struct roce_req *req)
{
	u32 window = req->loss.recovering ? req->cc.ssthresh : req->cc.cwnd;

	req->cc.ssthresh = max(window / 2, ROCE_CC_MIN_CWND);
	req->cc.cwnd = min(req->cc.cwnd, req->cc.ssthresh);
}

/*
 * A round trip that may be a guess counts, as the path may have become slow; but only until there
 * is one without doubt. Then either the path has, and that is how slow it is, or it was losses.
 */
static void rtt_resolve_ambiguity(struct roce_req *req, u64 rtt)
{
	if (req->rtt.sample_ambiguous == req->rtt.srtt_ambiguous)
		return;
	req->rtt.srtt_ambiguous = req->rtt.sample_ambiguous;
	if (req->rtt.sample_ambiguous) {
		req->rtt.clean_srtt = req->rtt.srtt;
		req->rtt.clean_rttvar = req->rtt.rttvar;
		return;
	}
	req->rtt.srtt = max(req->rtt.clean_srtt, rtt);
	req->rtt.rttvar = max(req->rtt.clean_rttvar, req->rtt.srtt / 2);
}

/*
 * What has been sent more than once took @rtt since the first time. If it was lost, this answers
 * what was sent last, as soon after it as answers come. Else it may answer any: it took as long as
 * that at least, and counts up to four times the estimate, since @rtt may be how long it was waited
 * for in vain.
 */
static u64 rtt_retransmitted_sample(struct roce_req *req, u64 now, u64 rtt)
{
	u64 since = now - req->loss.last_rexmit_time;

	if (req->rtt.min && since >= req->rtt.min && since <= 2 * req->rtt.min) {
		req->rtt.sample_ambiguous = false;
		return since;
	}
	return min(rtt, max(4 * req->rtt.srtt, since));
}

void roce_rtt_update(struct roce_req *req, u64 now, u32 end)
{
	u64 rtt, err;

	if (!req->rtt.sample_start || !roce_psn_after(end, req->rtt.sample_psn))
		return;
	rtt = max(now - req->rtt.sample_start, 1ull);
	req->rtt.sample_start = 0;
	if (!req->rtt.sample_ambiguous && (!req->rtt.min || rtt < req->rtt.min))
		req->rtt.min = rtt;
	if (!req->rtt.srtt) {
		req->rtt.srtt = rtt;
		req->rtt.rttvar = rtt / 2;
		req->rtt.srtt_ambiguous = req->rtt.sample_ambiguous;
		return;
	}
	if (req->rtt.sample_ambiguous)
		rtt = rtt_retransmitted_sample(req, now, rtt);
	rtt_resolve_ambiguity(req, rtt);
	if (rtt > ROCE_CC_DELAY_THRESH_NS && rtt > 2 * req->rtt.min)
		cc_reduce_on_delay(req);
	err = rtt > req->rtt.srtt ? rtt - req->rtt.srtt : req->rtt.srtt - rtt;
	req->rtt.rttvar += err / 4 - req->rtt.rttvar / 4;
	req->rtt.srtt += rtt / 8 - req->rtt.srtt / 8;
}

void roce_cc_on_loss(struct roce_req *req)
{
	if (!req->loss.recovering) {
		req->cc.ssthresh = max(req->cc.cwnd - req->cc.cwnd / 4, ROCE_CC_MIN_CWND);
		req->cc.cwnd = min(req->cc.cwnd, req->cc.ssthresh);
	}
	req->loss.recovering = true;
	req->loss.recovery_point = req->snd.max;
}

static bool cc_delay_ok(const struct roce_req *req)
{
	return req->cc.cwnd < ROCE_CC_INIT_CWND || req->rtt.srtt <= 2 * req->rtt.min;
}

static void cc_grow(struct roce_req *req, u32 acked)
{
	bool limited = acked + roce_req_inflight(req) >= req->cc.cwnd;
	u32 step;

	if (req->cc.cwnd >= req->cc.cwnd_clamp)
		return;
	if (req->cc.cwnd < req->cc.ssthresh) {
		if (req->loss.recovering || (limited && cc_delay_ok(req)))
			req->cc.cwnd =
				min3(req->cc.cwnd + acked, req->cc.ssthresh, req->cc.cwnd_clamp);
		return;
	}
	if (!limited || !cc_delay_ok(req))
		return;
	req->cc.cwnd_cnt += acked * ROCE_CC_AI_STEP;
	step = req->cc.cwnd_cnt / req->cc.cwnd;
	req->cc.cwnd_cnt -= step * req->cc.cwnd;
	req->cc.cwnd = min(req->cc.cwnd + step, req->cc.cwnd_clamp);
}

void roce_loss_enter_fast_retransmit(struct roce_req *req)
{
	if (roce_req_inflight(req) <= ROCE_FAST_REXMIT_MIN_INFLIGHT)
		return;
	if (req->loss.gbn_fallback) {
		req->loss.gbn_fallback--;
		return;
	}
	req->loss.fast_rexmit = true;
	req->cc.cwnd = min(req->cc.cwnd, ROCE_FAST_REXMIT_PKTS);
}

void roce_cc_on_ack(struct roce_req *req)
{
	u32 acked = (req->snd.una - req->loss.prior_una) & ROCE_PSN_MASK;
	bool recovered = req->loss.recovering &&
			 !roce_psn_before(req->snd.una, req->loss.recovery_point);

	req->loss.prior_una = req->snd.una;
	if (!recovered && !req->loss.fast_rexmit) {
		cc_grow(req, acked);
		return;
	}
	if (recovered)
		req->loss.recovering = false;
	else
		req->loss.gbn_fallback = ROCE_GBN_FALLBACK_LOSSES;
	req->loss.fast_rexmit = false;
	req->cc.cwnd = req->cc.ssthresh;
}
