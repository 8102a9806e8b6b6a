/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RTT estimation: SRTT and RTTVAR (RFC 6298), the minimum RTT of the last 10 s, and samples of
 * retransmitted packets (Karn's algorithm). Each packet with an AckReq is timed, and each READ
 * request, up to ROCE_RTT_SAMPLES at a time. All times are in ns.
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

/* Return the minimum RTT of the last 10 s, 0 before the first sample. */
static inline u64 roce_rtt_min(const struct roce_req *req)
{
	return req->rtt.min;
}

/* Forget the last sample: it has served as evidence of congestion. */
static inline void roce_rtt_forget_latest(struct roce_req *req)
{
	req->rtt.latest = 0;
}

/* Take the next sample as the minimum: the path has become longer. */
static inline void roce_rtt_forget_min(struct roce_req *req)
{
	req->rtt.min = req->rtt.min_next;
	req->rtt.min_time = 0;
}

/* Time a packet that is sent @now; a response that reaches PSN @end ends the sample. */
static inline void roce_rtt_start_sample(struct roce_req *req, u64 now, u32 end)
{
	struct roce_rtt_sample *sample;

	if (req->rtt.count == ROCE_RTT_SAMPLES)
		return;
	/* The packet with the AckReq may have begun a sample already. */
	sample = &req->rtt.sample[(req->rtt.first + req->rtt.count - 1) % ROCE_RTT_SAMPLES];
	if (req->rtt.count && sample->end == end)
		return;
	sample = &req->rtt.sample[(req->rtt.first + req->rtt.count++) % ROCE_RTT_SAMPLES];
	sample->sent = now;
	sample->end = end;
	sample->ambiguous = false;
}

/* Cancel all samples: the responses to the timed packets will not show the RTT of the path. */
static inline void roce_rtt_cancel_samples(struct roce_req *req)
{
	req->rtt.count = 0;
}

/* Cancel the samples of packets before PSN @end. */
void roce_rtt_cancel_until(struct roce_req *req, u32 end);

/* Mark the samples as ambiguous: packets are retransmitted, an ACK may be for either. */
void roce_rtt_mark_ambiguous(struct roce_req *req);

/**
 * roce_rtt_on_tlp() - mark the samples as ambiguous, as a tail loss probe is sent
 * @req: the requester
 * @now: time
 * @first: there is no RTT sample yet, and the probe is the first since the timers were started
 * @end: one past the PSN of the first response to the probe
 *
 * With @first, a sample starts at the probe instead: the peer may not have been ready to receive
 * the packets before, and their samples would include the time until it was.
 */
void roce_rtt_on_tlp(struct roce_req *req, u64 now, bool first, u32 end);

/**
 * roce_rtt_of() - get the delay of a packet whose loss has been reported
 * @req: the requester
 * @now: time
 * @psn: the PSN that is missing
 *
 * Return: ns since the packet with the next AckReq was sent, as the report is the response to a
 * packet sent at about that time; 0 if it is not known.
 */
u64 roce_rtt_of(const struct roce_req *req, u64 now, u32 psn);

/**
 * roce_rtt_update() - end the samples that a response ends
 * @req: the requester
 * @now: time
 * @end: one past the last PSN that the peer has responded to
 *
 * Return: the sample of the packet sent last, ns; 0 if @end does not end one, or if it is the
 * first.
 * rtt.srtt_ambiguous says whether it is ambiguous.
 */
u64 roce_rtt_update(struct roce_req *req, u64 now, u32 end);

#endif
