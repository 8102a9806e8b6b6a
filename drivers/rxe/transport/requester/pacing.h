/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pacing: a window is sent over one RTT, in bursts of up to one GSO buffer, instead of at once.
 *
 * A QP is paced once it has seen congestion. Where there is no bottleneck, packets leave as the
 * window allows, without a timer. All times are in ns.
 */
#ifndef ROCE_PACING_H
#define ROCE_PACING_H

#include <linux/math64.h>
#include <linux/minmax.h>
#include <roce/qp.h>
#include "transport/requester/cc.h"

/* Longest burst, packets: a GSO buffer of 64 KiB at a path MTU of 1024. */
#define ROCE_PACING_MAX_BURST	64u
/*
 * Longest time between packets or READ requests, 100 ms: also of a QP whose SRTT contains RTOs.
 * 1000 such QPs use 85 Mb/s at a path MTU of 1024.
 */
#define ROCE_PACING_MAX_GAP_NS	(100 * 1000 * 1000ull)
/*
 * Longest time without a packet, 1 s: requests that are retransmitted to fill a hole do not wait
 * for the pacing timer, but count.
 */
#define ROCE_PACING_MAX_WAIT_NS	(1000 * 1000 * 1000ull)
/* Pacing rate: 5/4 of the window per RTT, so that pacing does not limit the window. */
#define ROCE_PACING_GAIN_NUM	5u
#define ROCE_PACING_GAIN_DEN	4u

static inline bool roce_pacing_active(const struct roce_req *req)
{
	return req->cc.ops->paced && req->cc.congested && req->rtt.srtt;
}

/* Return the time between packets at the pacing rate. */
static inline u64 roce_pacing_gap(const struct roce_req *req)
{
	u64 rtt = div_u64(req->rtt.srtt * ROCE_PACING_GAIN_DEN, ROCE_PACING_GAIN_NUM);

	return min(div_u64(rtt * ROCE_CC_PKT, req->cc.cwnd), ROCE_PACING_MAX_GAP_NS);
}

/*
 * Return the packets of a burst: 1/8 of the window, or 1/32 if the queue of the path is short; 1 to
 * ROCE_PACING_MAX_BURST.
 */
static inline u32 roce_pacing_burst(const struct roce_req *req)
{
	u32 bursts = req->cc.bursty ? 32 : 8;

	return clamp(req->cc.cwnd / ROCE_CC_PKT / bursts, 1u, ROCE_PACING_MAX_BURST);
}

/**
 * roce_pacing_allowance() - get how many packets may be sent now
 * @req: the requester
 * @now: time
 *
 * Return: packets; U32_MAX if the QP is not paced. If 0, the pacing timer is armed.
 */
static inline u32 roce_pacing_allowance(struct roce_req *req, u64 now)
{
	if (!roce_pacing_active(req))
		return ~0u;
	if (now < req->cc.next_tx) {
		req->cc.paced = true;
		return 0;
	}
	return roce_pacing_burst(req);
}

/* Account for @npkts packets sent, or READ responses requested. */
static inline void roce_pacing_on_sent(struct roce_req *req, u64 now, u32 npkts)
{
	u64 gap, credit, next;

	if (!roce_pacing_active(req))
		return;
	gap = roce_pacing_gap(req);
	credit = gap * roce_pacing_burst(req);
	next = max(req->cc.next_tx, now - min(now, credit)) +
	       min(npkts * gap, ROCE_PACING_MAX_GAP_NS);
	req->cc.next_tx = min(next, now + ROCE_PACING_MAX_WAIT_NS);
}

/* Return the expiry of the pacing timer, ROCE_NEVER if nothing waits for it. */
static inline u64 roce_pacing_deadline(const struct roce_qp *qp)
{
	bool waiting = qp->req.cc.paced && qp->sq.next != qp->sq.prod;

	return waiting ? qp->req.cc.next_tx : ROCE_NEVER;
}

#endif
