// SPDX-License-Identifier: GPL-2.0
/*
 * Congestion control "aimd": additive increase, multiplicative decrease, with a delay gate.
 *
 * Made for a wire that carries little else: losses are taken for random, so the window stays above
 * AIMD_MIN_CWND. Slow start lasts until the first loss. A window of AIMD_INIT_CWND or more grows
 * only while SRTT is at most twice the minimum RTT: a path that cannot carry more would queue the
 * packets. A loss reduces the window by a quarter; then it grows by AIMD_STEP packets per RTT.
 */
#include <linux/math64.h>
#include <linux/minmax.h>

#include "transport/requester/cc.h"
#include "transport/requester/rtt.h"

/*
 * Delay threshold: an RTT above it and above twice the minimum RTT is mostly queueing delay, and
 * halves the window.
 */
#define AIMD_DELAY_THRESH_NS	(50 * 1000 * 1000ull)
/* Initial window. */
#define AIMD_INIT_CWND		(256 * ROCE_CC_PKT)
/* Minimum window after a loss. */
#define AIMD_MIN_CWND		(64 * ROCE_CC_PKT)
/* Upper limit of the window. */
#define AIMD_MAX_CWND		(4096 * ROCE_CC_PKT)
/* Additive increase per RTT. */
#define AIMD_STEP		(8 * ROCE_CC_PKT)

static u32 max_cwnd(const struct roce_req *req)
{
	return min(req->cc.cwnd_clamp * ROCE_CC_PKT, AIMD_MAX_CWND);
}

static void aimd_init(struct roce_req *req)
{
	req->cc.cwnd = AIMD_INIT_CWND;
}

static bool delay_ok(const struct roce_req *req)
{
	return req->cc.cwnd < AIMD_INIT_CWND || req->rtt.srtt <= 2 * roce_rtt_min(req);
}

static void limit_delay(struct roce_req *req, u64 rtt)
{
	if (rtt <= AIMD_DELAY_THRESH_NS || rtt <= 2 * roce_rtt_min(req))
		return;
	req->cc.ssthresh = max(req->cc.cwnd / 2, AIMD_MIN_CWND);
	req->cc.cwnd = min(req->cc.cwnd, req->cc.ssthresh);
}

static void aimd_on_ack(struct roce_req *req, const struct roce_cc_sample *sample)
{
	u32 acked = min(sample->acked, ROCE_CC_MAX_CWND) * ROCE_CC_PKT, step;

	limit_delay(req, sample->rtt);
	if (!sample->limited || !delay_ok(req) || req->cc.cwnd >= max_cwnd(req))
		return;
	step = acked;
	if (req->cc.cwnd >= req->cc.ssthresh)
		step = div_u64((u64)AIMD_STEP * acked, req->cc.cwnd);
	else
		step = min(step, req->cc.ssthresh - req->cc.cwnd);
	req->cc.cwnd = min(req->cc.cwnd + step, max_cwnd(req));
}

static bool aimd_is_congestion(struct roce_req *req, u64 now, u64 rtt)
{
	return true;
}

static void aimd_on_loss(struct roce_req *req, u64 now, u64 rtt)
{
	req->cc.congested = true;
	req->cc.ssthresh = max(req->cc.cwnd - req->cc.cwnd / 4, AIMD_MIN_CWND);
	req->cc.cwnd = min(req->cc.cwnd, req->cc.ssthresh);
}

static void aimd_on_ecn(struct roce_req *req, u64 now)
{
	aimd_on_loss(req, now, 0);
}

static void aimd_on_rto(struct roce_req *req, u64 now)
{
	aimd_on_loss(req, now, 0);
}

const struct roce_cc_ops roce_cc_aimd = {
	.name = "aimd",
	.init = aimd_init,
	.on_ack = aimd_on_ack,
	.is_congestion = aimd_is_congestion,
	.on_loss = aimd_on_loss,
	.on_ecn = aimd_on_ecn,
	.on_rto = aimd_on_rto,
};
