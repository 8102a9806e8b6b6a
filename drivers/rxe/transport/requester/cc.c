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
	u32 window = req->recovering ? req->ssthresh : req->cwnd;

	req->ssthresh = max(window / 2, ROCE_CC_MIN_CWND);
	req->cwnd = min(req->cwnd, req->ssthresh);
}

/*
 * A round trip that may be a guess counts, as the path may have become slow; but only until there
 * is one without doubt. Then either the path has, and that is how slow it is, or it was losses.
 */
static void rtt_resolve_ambiguity(struct roce_req *req, u64 rtt)
{
	if (req->doubtful == req->guessed)
		return;
	req->guessed = req->doubtful;
	if (req->doubtful) {
		req->sure_srtt = req->srtt;
		req->sure_rttvar = req->rttvar;
		return;
	}
	req->srtt = max(req->sure_srtt, rtt);
	req->rttvar = max(req->sure_rttvar, req->srtt / 2);
}

/*
 * What has been sent more than once took @rtt since the first time. If it was lost, this answers
 * what was sent last, as soon after it as answers come. Else it may answer any: it took as long as
 * that at least, and counts up to four times the estimate, since @rtt may be how long it was waited
 * for in vain.
 */
static u64 rtt_retransmitted_sample(struct roce_req *req, u64 now, u64 rtt)
{
	u64 since = now - req->repeated_at;

	if (req->rtt_min && since >= req->rtt_min && since <= 2 * req->rtt_min) {
		req->doubtful = false;
		return since;
	}
	return min(rtt, max(4 * req->srtt, since));
}

void roce_rtt_update(struct roce_req *req, u64 now, u32 end)
{
	u64 rtt, err;

	if (!req->sample_at || !roce_psn_after(end, req->sample_psn))
		return;
	rtt = max(now - req->sample_at, 1ull);
	req->sample_at = 0;
	if (!req->doubtful && (!req->rtt_min || rtt < req->rtt_min))
		req->rtt_min = rtt;
	if (!req->srtt) {
		req->srtt = rtt;
		req->rttvar = rtt / 2;
		req->guessed = req->doubtful;
		return;
	}
	if (req->doubtful)
		rtt = rtt_retransmitted_sample(req, now, rtt);
	rtt_resolve_ambiguity(req, rtt);
	if (rtt > ROCE_CC_DELAY_THRESH_NS && rtt > 2 * req->rtt_min)
		cc_reduce_on_delay(req);
	err = rtt > req->srtt ? rtt - req->srtt : req->srtt - rtt;
	req->rttvar += err / 4 - req->rttvar / 4;
	req->srtt += rtt / 8 - req->srtt / 8;
}

void roce_cc_on_loss(struct roce_req *req)
{
	if (!req->recovering) {
		req->ssthresh = max(req->cwnd - req->cwnd / 4, ROCE_CC_MIN_CWND);
		req->cwnd = min(req->cwnd, req->ssthresh);
	}
	req->recovering = true;
	req->recover = req->max_psn;
}

static bool cc_delay_ok(const struct roce_req *req)
{
	return req->cwnd < ROCE_CC_INIT_CWND || req->srtt <= 2 * req->rtt_min;
}

static void cc_grow(struct roce_req *req, u32 acked)
{
	bool limited = acked + roce_req_inflight(req) >= req->cwnd;
	u32 step;

	if (req->cwnd >= req->window)
		return;
	if (req->cwnd < req->ssthresh) {
		if (req->recovering || (limited && cc_delay_ok(req)))
			req->cwnd = min3(req->cwnd + acked, req->ssthresh, req->window);
		return;
	}
	if (!limited || !cc_delay_ok(req))
		return;
	req->credit += acked * ROCE_CC_AI_STEP;
	step = req->credit / req->cwnd;
	req->credit -= step * req->cwnd;
	req->cwnd = min(req->cwnd + step, req->window);
}

void roce_loss_enter_fast_retransmit(struct roce_req *req)
{
	if (roce_req_inflight(req) <= ROCE_FAST_REXMIT_MIN_INFLIGHT)
		return;
	if (req->resend_all) {
		req->resend_all--;
		return;
	}
	req->narrow = true;
	req->cwnd = min(req->cwnd, ROCE_FAST_REXMIT_PKTS);
}

void roce_cc_on_ack(struct roce_req *req)
{
	u32 acked = (req->una - req->acked) & ROCE_PSN_MASK;
	bool recovered = req->recovering && !roce_psn_before(req->una, req->recover);

	req->acked = req->una;
	if (!recovered && !req->narrow) {
		cc_grow(req, acked);
		return;
	}
	if (recovered)
		req->recovering = false;
	else
		req->resend_all = ROCE_GBN_FALLBACK_LOSSES;
	req->narrow = false;
	req->cwnd = req->ssthresh;
}
