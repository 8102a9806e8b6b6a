/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RTT estimation: SRTT and RTTVAR (RFC 6298), the minimum RTT, and samples of retransmitted packets
 * (Karn's algorithm). One packet is timed at a time. All times are in ns.
 */
#ifndef ROCE_RTT_H
#define ROCE_RTT_H

#include <roce/qp.h>

/* Stands for SRTT before the first sample: as long as the minimum RTO. */
#define ROCE_RTT_DEFAULT_NS	(2 * 1000 * 1000ull)

/* Return SRTT, or ROCE_RTT_DEFAULT_NS before the first sample, ns. */
static inline u64 roce_rtt_srtt_or_default(const struct roce_req *req)
{
	return req->rtt.srtt ? req->rtt.srtt : ROCE_RTT_DEFAULT_NS;
}

/* Time the packet @psn, sent @now for the first time, unless another packet is being timed. */
static inline void roce_rtt_start_sample(struct roce_req *req, u64 now, u32 psn)
{
	if (req->rtt.sample_start)
		return;
	req->rtt.sample_psn = psn;
	req->rtt.sample_start = now;
	req->rtt.sample_ambiguous = false;
}

/* Stop timing: the response will not show how long the path takes. */
static inline void roce_rtt_cancel_sample(struct roce_req *req)
{
	req->rtt.sample_start = 0;
}

/* The timed packet is being retransmitted: its response may be that of either packet. */
static inline void roce_rtt_mark_ambiguous(struct roce_req *req)
{
	req->rtt.sample_ambiguous = true;
}

/**
 * roce_rtt_on_tlp() - a tail loss probe is being sent
 * @req: the requester
 * @now: time
 * @first: it is the first probe on this connection, and no response has ever arrived
 *
 * The sample becomes ambiguous. With @first, it starts again at the probe: the peer may not have
 * been ready for the packets before, and the RTT would include the time until it was.
 */
void roce_rtt_on_tlp(struct roce_req *req, u64 now, bool first);

/**
 * roce_rtt_update() - take an RTT sample
 * @req: the requester
 * @now: time
 * @end: one past the last PSN that a response shows to have arrived
 *
 * Return: the sample, ns; 0 if @end does not end one, or if it is the first.
 */
u64 roce_rtt_update(struct roce_req *req, u64 now, u32 end);

#endif
