// SPDX-License-Identifier: GPL-2.0
/*
 * Whether an acknowledgement waits for an answer is learnt, in points: one for each message that
 * has been answered in time, and before the next came.
 */
#include <linux/minmax.h>

#include "transport/responder/delack.h"

/* It waits with so many, of so many at most; an answer that is late or missing takes some. */
#define ROCE_DELACK_PINGPONG_ON	    8u
#define ROCE_ACK_MAX_POINTS 16u
#define ROCE_DELACK_PENALTY	    4u

/*
 * The longest that it waits, or half a round trip, so that the peer, which measures it with the
 * round trip, does not take it for lost.
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
	else if (resp->ack.pingpong_score < ROCE_ACK_MAX_POINTS)
		resp->ack.pingpong_score++;
	resp->ack.unanswered_since = 0;
	resp->ack.delack_expires = ROCE_NEVER;
}
