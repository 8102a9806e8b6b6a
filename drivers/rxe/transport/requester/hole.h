/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hole in the READ responses: some in [snd.una, hole.end) are missing although a later one has
 * arrived; struct roce_hole defines hole.end. There is one hole at most.
 *
 * The hole timer re-requests the missing responses, with one request a chunk: from its first to its
 * last missing response. It expires after the reordering window (reo_wnd, as in RACK, RFC 8985);
 * then, while snd.una does not move, after 1, 2, 4, ... SRTT.
 *
 * Atomics, FLUSHes and ATOMIC WRITEs have responses, too, and count as READs of one packet.
 */
#ifndef ROCE_HOLE_H
#define ROCE_HOLE_H

#include <roce/psn.h>
#include <roce/qp.h>

/* Initialise a zeroed hole: none exists, and reo_wnd is 0. */
static inline void roce_hole_reset(struct roce_req *req)
{
	req->hole.timer = ROCE_NEVER;
	req->hole.rexmit_arrived_psn = ROCE_PSN_NONE;
}

/* Return true if responses are missing before one that has arrived: only then, the timer runs. */
static inline bool roce_hole_exists(const struct roce_req *req)
{
	return req->hole.timer != ROCE_NEVER;
}

/**
 * roce_hole_on_response_beyond() - process a response or ACK beyond a missing response
 * @qp: the QP
 * @now: time, ns
 * @end: after snd.una: the peer has responded to all requests before this PSN
 *
 * Opens the hole, or extends it. Has it re-requested if the hole timer has expired.
 */
void roce_hole_on_response_beyond(struct roce_qp *qp, u64 now, u32 end);

/**
 * roce_hole_on_nak() - process a NAK beyond snd.una
 * @qp: the QP
 * @now: time, ns
 * @psn: PSN of the NAK, after snd.una
 *
 * Does the same as roce_hole_on_response_beyond(). The packets from @psn on are retransmitted, too.
 */
void roce_hole_on_nak(struct roce_qp *qp, u64 now, u32 psn);

/**
 * roce_hole_on_progress() - process an advance of snd.una into the hole or beyond it
 * @qp: the QP, with a hole
 * @now: time, ns
 * @prior_una: snd.una before the advance
 */
void roce_hole_on_progress(struct roce_qp *qp, u64 now, u32 prior_una);

/* Increase reo_wnd: the response of hole.rexmit_arrived_psn has arrived twice. */
void roce_hole_on_duplicate(struct roce_req *req);

/* Have the missing responses re-requested if the hole timer has expired. */
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
 * roce_hole_request_len() - get the length of the READ request at snd.nxt
 * @req: the requester
 * @wqe: the READ
 *
 * One request covers the rest of its chunk (read_chunk.h). A retransmitted request ends before the
 * received responses at the end of the chunk. Received responses between missing ones are
 * re-requested with them, as a chunk is requested by one packet.
 *
 * Return: response packets, 1 or more.
 */
u32 roce_hole_request_len(struct roce_req *req, const struct roce_send_wqe *wqe);

static inline void roce_hole_age_end(const struct roce_req *req, u32 *end)
{
	if (!req->snd.rd_atomic_inflight || roce_psn_before(*end, req->snd.una))
		*end = req->snd.una;
}

/*
 * Called when a READ starts. Move hole.split_end and hole.halved_end to snd.una: PSNs wrap around,
 * and a value that is too old would compare as after snd.una.
 */
static inline void roce_hole_reset_split(struct roce_req *req)
{
	roce_hole_age_end(req, &req->hole.split_end);
	roce_hole_age_end(req, &req->hole.halved_end);
}

#endif
