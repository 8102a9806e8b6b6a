/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hole in the READ responses: responses in [snd.una, hole.end) are missing although later ones have
 * arrived. After the reordering window (reo_wnd, as in RACK, RFC 8985) the missing ones, and only
 * those, are requested again.
 *
 * Atomics, FLUSHes and ATOMIC WRITEs have responses, too, and count as READs of one packet.
 */
#ifndef ROCE_HOLE_H
#define ROCE_HOLE_H

#include <roce/psn.h>
#include <roce/qp.h>

/* No hole, and nothing learnt about reordering. */
static inline void roce_hole_reset(struct roce_req *req)
{
	req->hole.reo_timer = ROCE_NEVER;
	req->hole.rexmit_arrived_psn = ROCE_PSN_NONE;
}

/* Return true if responses are missing before one that has arrived. */
static inline bool roce_hole_exists(const struct roce_req *req)
{
	return req->hole.reo_timer != ROCE_NEVER;
}

/**
 * roce_hole_extend() - open the hole, or extend it
 * @qp: the QP
 * @now: time, ns
 * @end: the peer has responded to all requests before this PSN, which is after snd.una
 */
void roce_hole_extend(struct roce_qp *qp, u64 now, u32 end);

/**
 * roce_hole_on_nak() - a NAK beyond snd.una
 * @qp: the QP
 * @now: time, ns
 * @psn: PSN of the NAK, after snd.una
 *
 * Extends the hole up to @psn. The packets from @psn on are retransmitted with it.
 */
void roce_hole_on_nak(struct roce_qp *qp, u64 now, u32 psn);

/**
 * roce_hole_on_progress() - snd.una has moved into the hole or beyond it
 * @qp: the QP, with a hole
 * @now: time, ns
 * @prior_una: snd.una before
 */
void roce_hole_on_progress(struct roce_qp *qp, u64 now, u32 prior_una);

/* The response of hole.rexmit_arrived_psn has arrived twice: widen the reordering window. */
void roce_hole_on_duplicate(struct roce_req *req);

/* Retransmit the requests of the missing responses if the reordering timer has expired. */
void roce_hole_retransmit(struct roce_qp *qp, u64 now);

/**
 * roce_hole_skip_received() - move snd.nxt forward past responses that have arrived
 * @qp: the QP, with a hole
 *
 * While the hole is being retransmitted, snd.nxt moves to the next request that has missing
 * responses.
 */
void roce_hole_skip_received(struct roce_qp *qp);

/**
 * roce_hole_request_len() - how much the READ request at snd.nxt asks for
 * @req: the requester
 * @wqe: the READ
 *
 * One request covers the rest of its chunk (read_chunk.h). A retransmitted one ends before the
 * responses at the end of the chunk that have arrived; those in between are requested again, as
 * there is one request for a chunk.
 *
 * Return: packets, 1 or more.
 */
u32 roce_hole_request_len(struct roce_req *req, const struct roce_send_wqe *wqe);

/* A READ begins. Reset hole.split_end before it is so old that it compares as after snd.una. */
static inline void roce_hole_reset_split(struct roce_req *req)
{
	if (!req->snd.rd_atomic_inflight || roce_psn_before(req->hole.split_end, req->snd.una))
		req->hole.split_end = req->snd.una;
}

#endif
