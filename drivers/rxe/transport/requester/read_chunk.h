/* SPDX-License-Identifier: GPL-2.0 */
/*
 * READ chunks: a READ is requested in parts of ROCE_READ_CHUNK_PKTS responses, so that the
 * responses in flight stay within two windows. This also limits the cost of a loss. A chunk begins
 * and ends at the same PSNs when it is retransmitted.
 */
#ifndef ROCE_READ_CHUNK_H
#define ROCE_READ_CHUNK_H

#include <linux/minmax.h>
#include <roce/psn.h>
#include <roce/qp.h>

/* Chunk size, packets. */
#define ROCE_READ_CHUNK_PKTS	128u

/* Return the first PSN of the chunk that contains @psn. */
static inline u32 roce_chunk_first(const struct roce_send_wqe *wqe, u32 psn)
{
	u32 done = (psn - wqe->first_psn) & ROCE_PSN_MASK;

	return roce_psn_add(wqe->first_psn, done - done % ROCE_READ_CHUNK_PKTS);
}

/* Return the packets from @psn to the end of its chunk; 1 if @wqe is not a READ. */
static inline u32 roce_chunk_left(const struct roce_send_wqe *wqe, u32 psn)
{
	u32 done = (psn - wqe->first_psn) & ROCE_PSN_MASK;
	u32 left = ((wqe->last_psn - psn) & ROCE_PSN_MASK) + 1;

	return min(left, ROCE_READ_CHUNK_PKTS - done % ROCE_READ_CHUNK_PKTS);
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
 * request ends there. READs before hole.split_end were requested in parts, which may end anywhere.
 */
static inline bool roce_read_response_fits(const struct roce_qp *qp,
					   const struct roce_send_wqe *wqe,
					   const struct roce_pkt *pkt)
{
	bool last = pkt->psn == wqe->last_psn, is_last = pkt->op->flags & ROCE_IS_LAST;
	u32 expect = last ? wqe->length - roce_read_offset(qp, wqe, pkt->psn) : qp->attr.mtu;

	if (pkt->payload_len != expect)
		return false;
	if (last || roce_chunk_ends(wqe, pkt->psn))
		return is_last;
	return !is_last || roce_psn_before(pkt->psn, qp->req.hole.split_end);
}

#endif
