/* SPDX-License-Identifier: GPL-2.0 */
/*
 * READ chunks: a READ is requested in parts of wqe->read_chunk responses, so that the responses in
 * flight stay within two windows. In slow start these parts double, as the window does. This also
 * limits the cost of a loss. A retransmitted chunk begins and ends at the same PSNs, or where the
 * smaller chunks do that the READ has since.
 */
#ifndef ROCE_READ_CHUNK_H
#define ROCE_READ_CHUNK_H

#include <linux/minmax.h>
#include <roce/psn.h>
#include <roce/qp.h>
#include "transport/requester/cc.h"

/* Chunk before the first sign of congestion, packets, unless the initiator depth needs a larger. */
#define ROCE_READ_CHUNK_INIT	128u
/* Largest chunk before the first sign of congestion, packets, unless the window is larger. */
#define ROCE_READ_CHUNK_MAX	512u

/*
 * Return the initiator depth for a READ that has started: it goes on if SQD changes the depth to 0.
 */
static inline u32 roce_read_depth(const struct roce_qp *qp)
{
	return max_t(u32, qp->attr.max_rd_atomic, 1);
}

/*
 * Return how many READ responses may be in flight, packets: two windows, so that the next responses
 * are requested before those of one window have arrived; but one window until the RTT is known, and
 * while the window is searched for that the path holds.
 */
static inline u32 roce_read_window(const struct roce_req *req)
{
	u32 window = roce_cc_window(req);

	if (req->cc.search == ROCE_CC_SEARCH_RUNS || (!req->rtt.srtt && !req->cc.congested))
		return window;
	return 2 * window;
}

/* Return the size of the chunks that a READ of @npkts responses ends with, packets. */
static inline u32 roce_read_chunk_size(const struct roce_req *req, u32 depth, u32 npkts)
{
	u32 window = roce_cc_window(req);

	if (!req->cc.congested)
		return clamp((npkts + depth - 1) / depth, ROCE_READ_CHUNK_INIT,
			     max(2 * window, ROCE_READ_CHUNK_MAX));
	if (!req->cc.ops->paced)
		return ROCE_READ_CHUNK_INIT;
	return max3(window / (req->cc.bursty ? 16 : 4), 2 * window / depth, 1u);
}

/**
 * roce_read_chunk_choose() - choose the chunks of a READ that starts
 * @req: the requester
 * @wqe: the READ
 * @depth: initiator depth, 1 or more
 * @npkts: response packets of the READ
 *
 * Before the first sign of congestion, the initiator depth is enough to request the whole READ, so
 * that the requests behind it are not held back. If the window is smaller than that chunk, the
 * first two have a window, or what the initiator depth of 1 allows, and the others double up to it.
 * Later a quarter of the window, as several chunks in flight keep the path busy, and a sixteenth if
 * the queue of the path is shorter than a burst; more if the initiator depth is small.
 */
static inline void roce_read_chunk_choose(const struct roce_req *req, struct roce_send_wqe *wqe,
					  u32 depth, u32 npkts)
{
	u32 first = depth > 1 ? roce_cc_window(req) : roce_read_window(req), most;

	wqe->read_growth = 0;
	wqe->read_chunk = roce_read_chunk_size(req, depth, npkts);
	if (req->cc.congested || npkts <= first || wqe->read_chunk <= first)
		return;
	most = wqe->read_chunk;
	wqe->read_chunk = first;
	while (first << wqe->read_growth < most)
		wqe->read_growth++;
}

/*
 * Reduce the chunks of the READ @wqe, of which more is to be requested at snd.max, to at most twice
 * the size that roce_read_chunk_size() would choose now.
 */
void roce_read_chunk_reduce(struct roce_qp *qp, struct roce_send_wqe *wqe);

/**
 * roce_read_chunk_must_wait() - test whether an earlier response has to arrive before snd.nxt is
 * re-requested
 * @qp: the QP
 * @wqe: the READ at snd.nxt
 *
 * If chunks have been halved, one request of the peer may have become several. In-tree responders
 * forget a READ before the PSN at which it is re-requested, so that a part must not be requested
 * while responses before it are missing. A peer that buffers requests (loss.peer_buffers) is no
 * in-tree responder, but one of this module, which keeps the whole READ.
 *
 * Return: true if snd.nxt must not be re-requested yet.
 */
bool roce_read_chunk_must_wait(const struct roce_qp *qp, const struct roce_send_wqe *wqe);

/*
 * Return the size of the chunk at response @done of the READ, packets. In slow start chunks have
 * 1, 1, 2, 4, ... times the first one's size, so that each begins at a multiple of its size.
 */
static inline u32 roce_chunk_size_at(const struct roce_send_wqe *wqe, u32 done)
{
	u32 size = wqe->read_chunk, growth = wqe->read_growth;

	for (; growth && done / size > 1; growth--)
		size *= 2;
	return size;
}

/* Return the first PSN of the chunk that contains @psn. */
static inline u32 roce_chunk_first(const struct roce_send_wqe *wqe, u32 psn)
{
	u32 done = (psn - wqe->first_psn) & ROCE_PSN_MASK;

	return roce_psn_add(wqe->first_psn, done - done % roce_chunk_size_at(wqe, done));
}

/* Return the packets from @psn to the end of its chunk; 1 if @wqe is not a READ. */
static inline u32 roce_chunk_left(const struct roce_send_wqe *wqe, u32 psn)
{
	u32 done = (psn - wqe->first_psn) & ROCE_PSN_MASK;
	u32 left = ((wqe->last_psn - psn) & ROCE_PSN_MASK) + 1, size;

	if (wqe->opcode != ROCE_WR_READ)
		return 1;
	size = roce_chunk_size_at(wqe, done);
	return min(left, size - done % size);
}

/* Return true if @psn is the last of a chunk, but not of the READ. */
static inline bool roce_chunk_ends(const struct roce_send_wqe *wqe, u32 psn)
{
	return psn != wqe->last_psn && roce_chunk_left(wqe, psn) == 1;
}

/* Return the offset within the READ of the payload of the response @psn, bytes. */
static inline u32 roce_read_offset(const struct roce_qp *qp, const struct roce_send_wqe *wqe,
				   u32 psn)
{
	return ((psn - wqe->first_psn) & ROCE_PSN_MASK) * qp->attr.mtu;
}

/*
 * Return true if @pkt has the length of the response at its PSN, and is a LAST or ONLY exactly if a
 * request ends there. READs before hole.split_end were requested in parts, or by larger chunks: the
 * requests may end anywhere.
 */
static inline bool roce_read_response_fits(const struct roce_qp *qp,
					   const struct roce_send_wqe *wqe,
					   const struct roce_pkt *pkt)
{
	bool last = pkt->psn == wqe->last_psn, is_last = pkt->op->flags & ROCE_IS_LAST;
	u32 expect = last ? wqe->length - roce_read_offset(qp, wqe, pkt->psn) : qp->attr.mtu;

	if (pkt->payload_len != expect)
		return false;
	if (last)
		return is_last;
	return is_last == roce_chunk_ends(wqe, pkt->psn) ||
	       roce_psn_before(pkt->psn, qp->req.hole.split_end);
}

#endif
