// SPDX-License-Identifier: GPL-2.0
/*
 * Delayed ACK of the responder (cf. TCP's pingpong mode). Input: whether the consumer replies to a
 * message with a request of its own before the delay ends and before the next message. State:
 * pingpong_score, 0..16: one more for each reply in time, less ROCE_DELACK_PENALTY for each that is
 * late or missing. Decision: at ROCE_DELACK_PINGPONG_ON or more, the ACK waits for the reply.
 * Bound: half a round trip, at most ROCE_DELACK_MAX_NS.
 */
#include <linux/minmax.h>

#include "transport/responder/delack.h"

#define ROCE_DELACK_PINGPONG_ON	 8u
#define ROCE_DELACK_PINGPONG_MAX 16u
#define ROCE_DELACK_PENALTY	 4u

/*
 * 1 ms. The delay is part of the peer's RTT samples, so it must be short against the round trip, or
 * the peer would take the ACK for lost.
 */
#define ROCE_DELACK_MAX_NS (1000 * 1000ull)

static u64 delack_timeout(const struct roce_qp *qp)
{
	return min(qp->req.rtt.srtt / 2, ROCE_DELACK_MAX_NS);
}

static void penalize_pingpong(struct roce_resp *resp)
{
	resp->ack.pingpong_score -= min_t(u8, resp->ack.pingpong_score, ROCE_DELACK_PENALTY);
}

void roce_delack_schedule(struct roce_qp *qp, u64 now, u32 ack_reqs)
{
	struct roce_resp *resp = &qp->resp;
	bool alone = ack_reqs < ROCE_ACK_IMMEDIATE;

	if (resp->ack.unanswered_since || !alone)
		penalize_pingpong(resp);
	resp->ack.unanswered_since = now;
	resp->ack.delack_expires = alone && resp->ack.pingpong_score >= ROCE_DELACK_PINGPONG_ON ?
			       now + delack_timeout(qp) :
			       ROCE_NEVER;
}

void roce_delack_piggybacked(struct roce_qp *qp, u64 now)
{
	struct roce_resp *resp = &qp->resp;

	if (now - resp->ack.unanswered_since > delack_timeout(qp))
		penalize_pingpong(resp);
	else if (resp->ack.pingpong_score < ROCE_DELACK_PINGPONG_MAX)
		resp->ack.pingpong_score++;
	resp->ack.unanswered_since = 0;
	resp->ack.delack_expires = ROCE_NEVER;
}
