/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RTT estimation: SRTT and RTTVAR (RFC 6298), the minimum RTT, and samples of retransmitted packets
 * (Karn's algorithm). One packet is timed at a time. All times are in ns.
 */
#ifndef ROCE_RTT_H
#define ROCE_RTT_H

#include <roce/qp.h>

/* Used as SRTT before the first sample: 2 ms, the minimum RTO. */
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

/* Cancel the sample: the response to the timed packet will not show the RTT of the path. */
static inline void roce_rtt_cancel_sample(struct roce_req *req)
{
	req->rtt.sample_start = 0;
}

/* Mark the sample as ambiguous: the timed packet is retransmitted, the ACK may be for either. */
static inline void roce_rtt_mark_ambiguous(struct roce_req *req)
{
	req->rtt.sample_ambiguous = true;
}

/**
 * roce_rtt_on_tlp() - mark the sample as ambiguous, as a tail loss probe is sent
 * @req: the requester
 * @now: time
 * @first: there is no RTT sample yet, and the probe is the first since the timers were started
 *
 * With @first, the sample restarts at the probe: the peer may not have been ready to receive the
 * packets before, and the sample would include the time until it was.
 */
void roce_rtt_on_tlp(struct roce_req *req, u64 now, bool first);

/**
 * roce_rtt_update() - take an RTT sample
 * @req: the requester
 * @now: time
 * @end: one past the last PSN that the peer has responded to
 *
 * Return: the sample, ns; 0 if @end does not end one, or if it is the first.
 */
u64 roce_rtt_update(struct roce_req *req, u64 now, u32 end);

#endif
