/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Send position of the requester: snd.nxt and sq.next move forward as packets are sent, and back
 * for retransmission: to snd.una (go-back-N), to the hole in the READ responses, or to one packet.
 *
 * roce_snd_*() move the position. Here, roce_loss_*() carry out a decision: go-back-N, fast
 * retransmit, re-request of a hole; those of recovery.h decide. Only recovery.c, hole.c and
 * taildup.c call the functions that move it back. All times are in ns.
 */
#ifndef ROCE_REWIND_H
#define ROCE_REWIND_H

#include <roce/psn.h>
#include <roce/qp.h>

/*
 * Packets sent in fast retransmit. The first fills the hole of a peer that buffers out-of-order
 * packets; the response to the second shows whether the first was lost again.
 */
#define ROCE_FAST_REXMIT_PKTS	2u

/* Maximum exponent of the backoff of rewinds and hole retransmissions that bring no progress. */
#define ROCE_REWIND_BACKOFF_MAX	16u

/* Start at @psn, with nothing in flight. */
static inline void roce_snd_reset(struct roce_req *req, u32 psn)
{
	req->snd.nxt = psn;
	req->snd.max = psn;
	req->snd.una = psn;
	req->snd.mode = ROCE_SND_NEW;
}

/*
 * Set the mode that follows from snd.nxt. FILL_HOLE stays until roce_snd_end_fill(): the end of the
 * hole may be snd.max.
 */
static inline void roce_snd_update_mode(struct roce_req *req)
{
	if (req->snd.mode != ROCE_SND_FILL_HOLE)
		req->snd.mode = req->snd.nxt == req->snd.max ? ROCE_SND_NEW : ROCE_SND_GO_BACK_N;
}

/* The hole has been retransmitted: from snd.nxt on, packets are new, or go-back-N goes on. */
static inline void roce_snd_end_fill(struct roce_req *req)
{
	req->snd.mode = req->snd.nxt == req->snd.max ? ROCE_SND_NEW : ROCE_SND_GO_BACK_N;
}

/*
 * Move snd.nxt forward to @psn, at most snd.max: the packets before need not be retransmitted. A
 * probe that has not been sent yet stays one.
 */
static inline void roce_snd_skip(struct roce_req *req, u32 psn)
{
	req->snd.nxt = psn;
	if (req->snd.mode != ROCE_SND_TLP || psn == req->snd.max)
		roce_snd_update_mode(req);
}

/* Packets up to, and excluding, @psn have been sent. */
static inline void roce_snd_advance(struct roce_req *req, u32 psn)
{
	req->snd.nxt = psn;
	/* With the maximum in flight, @psn is no longer after snd.max as PSNs compare. */
	if (roce_psn_after(psn, req->snd.max) ||
	    ((psn - req->snd.una) & ROCE_PSN_MASK) == ROCE_MAX_INFLIGHT)
		req->snd.max = psn;
	roce_snd_update_mode(req);
}

/*
 * The RTO has re-requested a single response of a READ, and that has arrived; was the RTO spurious
 * (as F-RTO, RFC 5682)? If so, the next response arrives without being requested, and at once.
 */
static inline bool roce_loss_frto_pending(const struct roce_qp *qp)
{
	const struct roce_req *req = &qp->req;

	return (req->loss.rewind == ROCE_REWIND_RTO ||
		req->loss.rewind == ROCE_REWIND_REPEATED_RTO) &&
	       req->loss.window > 1 && req->loss.window != ROCE_LOSS_WINDOW_INFINITE &&
	       req->snd.nxt == req->snd.una && req->snd.mode == ROCE_SND_GO_BACK_N &&
	       roce_sq_wqe(qp, qp->sq.cons)->opcode == ROCE_WR_READ;
}

/* Move snd.nxt to snd.una. */
void roce_snd_rewind(struct roce_qp *qp);

/* Move snd.nxt to snd.max: no packet needs to be retransmitted. */
void roce_snd_fast_forward(struct roce_qp *qp);

/* Return the index of the WQE that the packet before snd.max belongs to. */
u32 roce_snd_wqe_of_last_sent(const struct roce_qp *qp);

/* Move snd.nxt to @psn of the WQE of index @i, to retransmit that packet alone. */
void roce_snd_retransmit_one(struct roce_qp *qp, u32 i, u32 psn);

/**
 * roce_loss_enter_recovery() - enter recovery, as a loss has been detected
 * @req: the requester
 *
 * Recovery ends when all packets that are in flight now have been acknowledged. Does not change
 * cwnd: the callers call roce_cc_on_loss() or roce_cc_on_rto() as well.
 */
void roce_loss_enter_recovery(struct roce_req *req);

/**
 * roce_loss_go_back_n() - have all packets from snd.una on retransmitted
 * @qp: the QP
 * @now: time
 * @cause: ROCE_REWIND_NAK, or ROCE_REWIND_RTO, which may prove to be spurious
 */
void roce_loss_go_back_n(struct roce_qp *qp, u64 now, enum roce_rewind cause);

/**
 * roce_loss_retransmit() - have a loss that the peer has reported repaired
 * @qp: the QP
 * @now: time
 *
 * Enters recovery and rewinds to snd.una. With more than 8 packets in flight, only the first two
 * are retransmitted (fast retransmit), as the peer may have buffered the rest.
 */
void roce_loss_retransmit(struct roce_qp *qp, u64 now);

/**
 * roce_loss_fill_hole() - have missing READ responses re-requested by the next roce_req_tx()
 * @qp: the QP; hole.rexmit_end is the end of the part of the hole to re-request now
 * @now: time
 */
void roce_loss_fill_hole(struct roce_qp *qp, u64 now);

#endif
