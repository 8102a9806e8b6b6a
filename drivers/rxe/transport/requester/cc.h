/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Congestion control: congestion window (cwnd) and pacing of the requester. The transport calls one
 * function for each event. An algorithm is a table of operations; cc.c has the parts that all
 * algorithms share, cc_aimd.c and cc_delay.c one each. Only cc*.[ch] and pacing.h write struct
 * roce_cc.
 *
 * All times are in ns. cwnd and ssthresh are in 1/ROCE_CC_PKT of a packet, so that a window may be
 * less than one packet per RTT.
 */
#ifndef ROCE_CC_H
#define ROCE_CC_H

#include <linux/minmax.h>
#include <roce/psn.h>
#include <roce/qp.h>

/* One packet, in units of cwnd. */
#define ROCE_CC_PKT		256u
/* Initial window (IW), packets: twice that of TCP (RFC 6928), whose segments are longer. */
#define ROCE_CC_INIT_CWND	16u
/* Idle time after which a QP begins with the initial window: the path may have changed. */
#define ROCE_CC_IDLE_NS		(1000 * 1000 * 1000ull)
/* ssthresh before the first sign of congestion (TCP_INFINITE_SSTHRESH). */
#define ROCE_CC_SSTHRESH_INFINITE	0xffffffffu

/**
 * struct roce_cc_sample - one ACK
 * @now: time
 * @rtt: RTT sample, 0 if the ACK gives none
 * @acked: packets acknowledged, 1 or more
 * @limited: the window was used in full when the ACK arrived
 */
struct roce_cc_sample {
	u64 now;
	u64 rtt;
	u32 acked;
	bool limited;
};

/**
 * struct roce_cc_ops - congestion control algorithm
 * @name: its name, as users choose it
 * @paced: packets are paced after congestion
 * @undo: a reduction by an RTO that proves to be spurious is undone
 * @init: set the initial window, if it is not ROCE_CC_INIT_CWND; may be NULL
 * @on_ack: an ACK has moved snd.una
 * @on_each_loss: the peer has reported a loss, be it of a round trip that has been reacted to;
 *	@rtt as for @is_congestion; may be NULL
 * @on_lost_responses: READ responses are missing, @lost of @npkts; optional
 * @is_congestion: a loss has been detected: is it a sign of congestion? @rtt is the delay at that
 *	time, 0 if it is unknown.
 * @on_loss: react to such a loss. Called once in a round trip.
 * @on_burst_loss: consecutive packets have been lost; may be NULL
 * @on_ecn: the path marked packets, or the peer sent a CNP. Called once in a round trip.
 * @on_rto: the RTO has expired
 *
 * The caller saves the state before each reduction, so that roce_cc_undo() can restore it.
 */
struct roce_cc_ops {
	const char *name;
	bool paced;
	bool undo;
	void (*init)(struct roce_req *req);
	void (*on_ack)(struct roce_req *req, const struct roce_cc_sample *sample);
	void (*on_each_loss)(struct roce_req *req, u64 now, u64 rtt);
	void (*on_lost_responses)(struct roce_req *req, u64 now, u32 lost, u32 npkts);
	bool (*is_congestion)(struct roce_req *req, u64 now, u64 rtt);
	void (*on_loss)(struct roce_req *req, u64 now, u64 rtt);
	void (*on_burst_loss)(struct roce_req *req, u64 now);
	void (*on_ecn)(struct roce_req *req, u64 now);
	void (*on_rto)(struct roce_req *req, u64 now);
};

/* For a wire that carries little else. */
extern const struct roce_cc_ops roce_cc_aimd;
/* For networks that others use, too: delay and loss. The default. */
extern const struct roce_cc_ops roce_cc_delay;
/* A window that does not change: cwnd_clamp. */
extern const struct roce_cc_ops roce_cc_fixed;

/* Set the initial window; algorithm and cwnd_clamp stay. */
void roce_cc_reset(struct roce_req *req);

/* Limit cwnd to @pkts packets, 1..ROCE_CC_MAX_CWND, from now on. */
static inline void roce_cc_set_clamp(struct roce_req *req, u32 pkts)
{
	req->cc.cwnd_clamp = pkts;
}

/* Return the congestion window in packets, at least 1. */
static inline u32 roce_cc_cwnd_pkts(const struct roce_req *req)
{
	return max(req->cc.cwnd / ROCE_CC_PKT, 1u);
}

/* Return the effective window, packets: congestion window and the limit of loss recovery. */
static inline u32 roce_cc_window(const struct roce_req *req)
{
	return min3(roce_cc_cwnd_pkts(req), req->cc.cwnd_clamp, req->loss.window);
}

/* Return how many packets the window allows to send from snd.nxt on. */
static inline u32 roce_cc_send_allowance(const struct roce_req *req)
{
	u32 window = roce_cc_window(req), from = req->snd.una, used;

	/* Before any congestion, SENDs do not wait for the responses of READs before them. */
	if (!req->cc.congested && req->loss.window == ROCE_LOSS_WINDOW_INFINITE &&
	    req->snd.rd_atomic_inflight &&
	    roce_psn_after(req->snd.read_end, from) &&
	    !roce_psn_after(req->snd.read_end, req->snd.nxt))
		from = req->snd.read_end;
	used = (req->snd.nxt - from) & ROCE_PSN_MASK;

	return used < window ? window - used : 0;
}

/* Return true if a loss now belongs to the last reduction: it is of the same round trip. */
static inline bool roce_cc_reduction_done(const struct roce_req *req)
{
	return req->cc.reduced && roce_psn_before(req->snd.una, req->cc.reduce_end);
}

/* Return true while no sign of congestion has been seen since the window was last reset. */
static inline bool roce_cc_in_initial_slow_start(const struct roce_req *req)
{
	return req->cc.ssthresh == ROCE_CC_SSTHRESH_INFINITE;
}

/* Process an ACK of @acked packets, 1 or more, with an RTT sample of @rtt, or 0. */
void roce_cc_on_ack(struct roce_req *req, u64 now, u32 acked, u64 rtt);

/**
 * roce_cc_on_loss() - process a loss
 * @req: the requester
 * @now: time
 * @rtt: RTT of a packet sent at the time of the lost one; 0 if it is unknown
 */
void roce_cc_on_loss(struct roce_req *req, u64 now, u64 rtt);

/**
 * roce_cc_on_lost_responses() - process which READ responses have arrived, before roce_cc_on_loss()
 * @req: the requester
 * @now: time
 * @lost: responses that are missing
 * @npkts: responses among which they are, 1 or more
 */
void roce_cc_on_lost_responses(struct roce_req *req, u64 now, u32 lost, u32 npkts);

/* Responses that seemed lost were reordered. */
void roce_cc_on_reordered_responses(struct roce_req *req);

/* Process the loss of consecutive packets, after roce_cc_on_loss(). */
void roce_cc_on_burst_loss(struct roce_req *req, u64 now);

/* Process a sign of congestion from the path: a CNP, or a packet of the peer with BECN. */
void roce_cc_on_ecn(struct roce_req *req, u64 now);

/*
 * Process a marked READ response. The next READ request has BECN, so that a responder of this
 * module leaves the rate of its responses to the congestion window.
 */
static inline void roce_cc_on_marked_response(struct roce_req *req, u64 now)
{
	roce_cc_on_ecn(req, now);
	req->cc.read_becn = true;
}

/* Return whether the READ request that is being sent has BECN; the next one has not. */
static inline bool roce_cc_take_read_becn(struct roce_req *req)
{
	bool becn = req->cc.read_becn;

	req->cc.read_becn = false;
	return becn;
}

/*
 * Process the expiry of the RTO; @first: snd.una has moved since the last one. After several in a
 * row, roce_cc_undo() restores the window from before the first.
 */
void roce_cc_on_rto(struct roce_req *req, u64 now, bool first);

/**
 * roce_cc_on_repair() - process the first ACK after a sequence NAK
 * @req: the requester
 * @reordered: the ACK came too early to be the response to the retransmitted packet: the original
 *	has arrived, only later than others
 */
void roce_cc_on_repair(struct roce_req *req, bool reordered);

/* Restore the window and state from before the last reduction: the loss was none. */
void roce_cc_undo(struct roce_req *req);

/* Reset cwnd to the initial window, with the old one as ssthresh: the QP was idle. */
void roce_cc_restart(struct roce_req *req);

#endif
