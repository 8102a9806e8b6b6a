// SPDX-License-Identifier: GPL-2.0
/*
 * Congestion control, the parts that all algorithms share: one reduction per round trip, undo, and
 * the restart after an idle time.
 */
#include "transport/common/send_queue.h"
#include "transport/requester/cc.h"

void roce_cc_reset(struct roce_req *req)
{
	const struct roce_cc_ops *ops = req->cc.ops ? req->cc.ops : &roce_cc_delay;
	u32 clamp = req->cc.cwnd_clamp;

	req->cc = (struct roce_cc){
		.ops = ops,
		.cwnd_clamp = clamp,
		.cwnd = ROCE_CC_INIT_CWND * ROCE_CC_PKT,
		.ssthresh = ROCE_CC_SSTHRESH_INFINITE,
	};
	if (ops->init)
		ops->init(req);
	req->loss.window = ROCE_LOSS_WINDOW_INFINITE;
}

void roce_cc_on_ack(struct roce_req *req, u64 now, u32 acked, u64 rtt)
{
	u32 used = acked + roce_req_inflight(req);
	struct roce_cc_sample sample = {
		.now = now,
		.rtt = rtt,
		.acked = acked,
		.limited = used >= roce_cc_cwnd_pkts(req),
	};

	req->cc.ops->on_ack(req, &sample);
}

/* Losses and marks of one round trip are one sign of congestion (RFC 6582, RFC 3168). */
static bool reduction_done(struct roce_req *req)
{
	if (!roce_cc_reduction_done(req))
		return false;
	/* Without pacing, the losses of one recovery are one sign. */
	if (!req->cc.ops->paced)
		req->cc.reduce_end = req->snd.max;
	return true;
}

static void begin_reduction(struct roce_req *req)
{
	/* More READ responses than a window may be in flight. */
	u32 pkts = min(roce_req_inflight(req), roce_cc_cwnd_pkts(req));

	req->cc.reduced = true;
	req->cc.reduce_end = roce_psn_add(req->snd.una, pkts);
	req->cc.prior_cwnd = req->cc.cwnd;
	req->cc.prior_ssthresh = req->cc.ssthresh;
	req->cc.prior_congested = req->cc.congested;
}

/*
 * Reordering. Input: whether the ACK after a NAK came too early for a loss. Decision: losses are
 * no sign of congestion while the smoothed share is 1/4 or more, which takes 1/13 of such NAKs: it
 * rises by a quarter of the rest with each, and falls by 1/16 with each other NAK.
 */
#define REORDERING_PATH		64

void roce_cc_on_repair(struct roce_req *req, bool reordered)
{
	u8 share = req->cc.reordering;

	if (reordered)
		req->cc.reordering += (255 - share) / 4;
	else
		req->cc.reordering -= (share + 15) / 16;
}

void roce_cc_on_loss(struct roce_req *req, u64 now, u64 rtt)
{
	if (req->cc.reordering >= REORDERING_PATH) {
		req->cc.congested = false;
		return;
	}
	if (req->cc.ops->on_each_loss)
		req->cc.ops->on_each_loss(req, now, rtt);
	if (reduction_done(req) || !req->cc.ops->is_congestion(req, now, rtt))
		return;
	begin_reduction(req);
	req->cc.ops->on_loss(req, now, rtt);
}

void roce_cc_on_lost_responses(struct roce_req *req, u64 now, u32 lost, u32 npkts)
{
	if (req->cc.ops->on_lost_responses && req->cc.reordering < REORDERING_PATH)
		req->cc.ops->on_lost_responses(req, now, lost, npkts);
}

void roce_cc_on_reordered_responses(struct roce_req *req)
{
	req->cc.read_loss_rate = 0;
	req->cc.bursty = false;
	if (req->cc.search != ROCE_CC_SEARCH_RUNS)
		return;
	req->cc.search = ROCE_CC_SEARCH_NONE;
	roce_cc_undo(req);
}

void roce_cc_on_burst_loss(struct roce_req *req, u64 now)
{
	if (!req->cc.ops->on_burst_loss || req->cc.reordering >= REORDERING_PATH)
		return;
	/* Requesters of READs report each hole, others once in a round trip. */
	if (req->snd.rd_atomic_inflight) {
		if (reduction_done(req))
			return;
		begin_reduction(req);
	}
	req->cc.ops->on_burst_loss(req, now);
}

void roce_cc_on_ecn(struct roce_req *req, u64 now)
{
	if (reduction_done(req))
		return;
	begin_reduction(req);
	req->cc.ops->on_ecn(req, now);
}

void roce_cc_on_rto(struct roce_req *req, u64 now, bool first)
{
	if (first)
		begin_reduction(req);
	req->cc.ops->on_rto(req, now);
}

void roce_cc_undo(struct roce_req *req)
{
	if (!req->cc.ops->undo || !req->cc.prior_cwnd)
		return;
	req->cc.cwnd = max(req->cc.cwnd, req->cc.prior_cwnd);
	req->cc.ssthresh = req->cc.prior_ssthresh;
	req->cc.congested = req->cc.prior_congested;
	req->cc.reduced = false;
}

void roce_cc_restart(struct roce_req *req)
{
	u32 initial = ROCE_CC_INIT_CWND * ROCE_CC_PKT;

	if (req->cc.cwnd <= initial || !req->cc.ops->paced)
		return;
	if (!roce_cc_in_initial_slow_start(req))
		req->cc.ssthresh = max(req->cc.ssthresh, req->cc.cwnd);
	req->cc.cwnd = initial;
}

static void fixed_on_ack(struct roce_req *req, const struct roce_cc_sample *sample)
{
	req->cc.cwnd = req->cc.cwnd_clamp * ROCE_CC_PKT;
}

static bool fixed_is_congestion(struct roce_req *req, u64 now, u64 rtt)
{
	return false;
}

static void fixed_on_loss(struct roce_req *req, u64 now, u64 rtt)
{
}

static void fixed_on_signal(struct roce_req *req, u64 now)
{
}

const struct roce_cc_ops roce_cc_fixed = {
	.name = "fixed",
	.on_ack = fixed_on_ack,
	.is_congestion = fixed_is_congestion,
	.on_loss = fixed_on_loss,
	.on_ecn = fixed_on_signal,
	.on_rto = fixed_on_signal,
};
