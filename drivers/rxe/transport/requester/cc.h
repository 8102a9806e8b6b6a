/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Congestion control: the congestion window (cwnd) of the requester, in packets. Loss recovery
 * calls one function for each event; nothing else writes struct roce_cc.
 */
#ifndef ROCE_CC_H
#define ROCE_CC_H

#include <linux/minmax.h>
#include <roce/psn.h>
#include <roce/qp.h>

/* Initial window (IW), packets. */
#define ROCE_CC_INIT_CWND	256u
/* Upper limit of cwnd, packets. */
#define ROCE_CC_MAX_CWND		4096u
/* ssthresh before the first loss (TCP_INFINITE_SSTHRESH). */
#define ROCE_CC_SSTHRESH_INFINITE	0xffffffffu

/* Set the initial window; cwnd_clamp keeps its value. */
static inline void roce_cc_reset(struct roce_req *req)
{
	req->cc.cwnd = ROCE_CC_INIT_CWND;
	req->cc.ssthresh = ROCE_CC_SSTHRESH_INFINITE;
	req->cc.cwnd_cnt = 0;
}

/* Limit cwnd to @pkts packets, 1 or more, from now on. */
static inline void roce_cc_set_clamp(struct roce_req *req, u32 pkts)
{
	req->cc.cwnd_clamp = min(pkts, ROCE_CC_MAX_CWND);
}

/* Return the effective congestion window, packets; less after an RNR NAK. */
static inline u32 roce_cc_window(const struct roce_req *req)
{
	u32 window = min(req->cc.cwnd_clamp, req->cc.cwnd);

	return req->loss.rnr_window ? min(window, req->loss.rnr_window) : window;
}

/* Return how many packets the window allows to send from snd.nxt on. */
static inline u32 roce_cc_send_allowance(const struct roce_req *req)
{
	u32 used = (req->snd.nxt - req->snd.una) & ROCE_PSN_MASK;
	u32 window = roce_cc_window(req);

	return used < window ? window - used : 0;
}

/* Process an ACK of @acked packets, 1 or more: slow start or congestion avoidance. */
void roce_cc_on_ack(struct roce_req *req, u32 acked);

/* Process an RTT sample of @rtt ns, 0 if there is none: reduce cwnd if the delay is too high. */
void roce_cc_on_rtt(struct roce_req *req, u64 rtt);

/* Reduce cwnd by a quarter after a loss. Not called during recovery: it is one congestion event. */
void roce_cc_on_loss(struct roce_req *req);

/* Begin fast retransmit: reduce cwnd to the first two packets from snd.una on. */
void roce_cc_on_fast_rexmit(struct roce_req *req);

/* Reduce cwnd to one packet, as the RTO has expired. */
void roce_cc_on_rto(struct roce_req *req);

/* Set cwnd to ssthresh: fast retransmit or recovery has ended, or the RTO was spurious. */
void roce_cc_on_recovered(struct roce_req *req);

#endif
