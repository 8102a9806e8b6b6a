/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A READ is asked for in pieces, so that what the peer sends for it stays within two windows, and
 * a loss costs as much at most. Pieces lie where they lie, whatever is sent again.
 */
#ifndef ROCE_READ_PIECE_H
#define ROCE_READ_PIECE_H

#include <linux/minmax.h>
#include <roce/psn.h>
#include <roce/qp.h>

/* Packets of a piece. */
#define ROCE_READ_CHUNK_PKTS	128u

/* Where the piece begins that @psn is in. */
static inline u32 roce_chunk_first(const struct roce_send_wqe *wqe, u32 psn)
{
	u32 done = (psn - wqe->first_psn) & ROCE_PSN_MASK;

	return roce_psn_add(wqe->first_psn, done - done % ROCE_READ_CHUNK_PKTS);
}

/* Packets from @psn to the end of its piece; 1 of what is no READ. */
static inline u32 roce_chunk_left(const struct roce_send_wqe *wqe, u32 psn)
{
	u32 done = (psn - wqe->first_psn) & ROCE_PSN_MASK;
	u32 left = ((wqe->last_psn - psn) & ROCE_PSN_MASK) + 1;

	return min(left, ROCE_READ_CHUNK_PKTS - done % ROCE_READ_CHUNK_PKTS);
}

/* Is @psn the last of a piece, but not of the READ? */
static inline bool roce_chunk_ends(const struct roce_send_wqe *wqe, u32 psn)
{
	return psn != wqe->last_psn && roce_chunk_left(wqe, psn) == 1;
}

/* Byte of the READ that the payload of the response @psn begins with. */
static inline u32 roce_read_offset(const struct roce_qp *qp, const struct roce_send_wqe *wqe,
				   u32 psn)
{
	return ((psn - wqe->first_psn) & ROCE_PSN_MASK) * qp->attr.mtu;
}

/*
 * Is @pkt as long as the response of its place in the READ, and the last of what was asked for
 * if it has to be? What was asked for in parts may end anywhere else as well.
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
