// SPDX-License-Identifier: GPL-2.0
/*
 * Congestion control: additive increase, multiplicative decrease (AIMD), with a delay gate.
 *
 * Slow start lasts until the first loss. A window of ROCE_CC_INIT_CWND or more grows only while
 * SRTT is at most twice the minimum RTT: a path that cannot carry more would queue the packets. A
 * loss reduces cwnd by a quarter; then it grows by ROCE_CC_AI_STEP packets per RTT.
 */
#include "transport/common/send_queue.h"
#include "transport/requester/cc.h"

/*
 * Delay threshold: an RTT above it and above twice the minimum RTT is mostly queueing delay, and
 * reduces cwnd.
 */
#define ROCE_CC_DELAY_THRESH_NS	(50 * 1000 * 1000ull)

/*
 * Packets sent in fast retransmit. The first fills the hole of a peer that buffers out-of-order
 * packets; the response to the second shows whether the first was lost again.
 */
#define ROCE_FAST_REXMIT_PKTS	2u

/* Minimum ssthresh after a loss, packets. */
#define ROCE_CC_MIN_CWND	64u
/* Additive increase, packets per RTT. */
#define ROCE_CC_AI_STEP		8u

void roce_cc_on_rtt(struct roce_req *req, u64 rtt)
{
	u32 window = req->loss.state != ROCE_LOSS_OPEN ? req->cc.ssthresh : req->cc.cwnd;

	if (rtt <= ROCE_CC_DELAY_THRESH_NS || rtt <= 2 * req->rtt.min)
		return;
	/*
	 * The queue is assumed to hold this QP's packets. A short queue also shortens the repair of
	 * a loss, which takes at least one RTT, queueing delay included.
	 */
	req->cc.ssthresh = max(window / 2, ROCE_CC_MIN_CWND);
	req->cc.cwnd = min(req->cc.cwnd, req->cc.ssthresh);
}

void roce_cc_on_loss(struct roce_req *req)
{
	req->cc.ssthresh = max(req->cc.cwnd - req->cc.cwnd / 4, ROCE_CC_MIN_CWND);
	req->cc.cwnd = min(req->cc.cwnd, req->cc.ssthresh);
}

void roce_cc_on_fast_rexmit(struct roce_req *req)
{
	req->cc.cwnd = min(req->cc.cwnd, ROCE_FAST_REXMIT_PKTS);
}

/*
 * A peer may stall for several RTOs. It then finds one retransmitted packet for each; with a whole
 * window for each, it would still process duplicates when the next RTO expires.
 */
void roce_cc_on_rto(struct roce_req *req)
{
	req->cc.cwnd = 1;
}

void roce_cc_on_recovered(struct roce_req *req)
{
	req->cc.cwnd = req->cc.ssthresh;
}

static bool cc_delay_ok(const struct roce_req *req)
{
	return req->cc.cwnd < ROCE_CC_INIT_CWND || req->rtt.srtt <= 2 * req->rtt.min;
}

/* The window grows only if it was used in full, except back to ssthresh during recovery. */
void roce_cc_on_ack(struct roce_req *req, u32 acked)
{
	bool limited = acked + roce_req_inflight(req) >= req->cc.cwnd;
	u32 step;

	if (req->cc.cwnd >= req->cc.cwnd_clamp)
		return;
	if (req->cc.cwnd < req->cc.ssthresh) {
		if (req->loss.state != ROCE_LOSS_OPEN || (limited && cc_delay_ok(req)))
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
