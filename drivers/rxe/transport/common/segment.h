/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A SEND or WRITE as packets: the WQE and a PSN say which opcode, offset and length
 * the next one has. Inline, for requesters do little else.
 */
#ifndef ROCE_MESSAGE_H
#define ROCE_MESSAGE_H

#include <roce/psn.h>
#include "transport/common/batch.h"

static inline u8 roce_message_opcode(const struct roce_send_wqe *wqe, bool first, bool last)
{
	bool write = wqe->opcode == ROCE_WR_WRITE ||
		     wqe->opcode == ROCE_WR_WRITE_IMM;
	bool imm = wqe->opcode == ROCE_WR_WRITE_IMM ||
		   wqe->opcode == ROCE_WR_SEND_IMM;

	if (!last)
		return write ? (first ? ROCE_WRITE_FIRST : ROCE_WRITE_MIDDLE) :
			       (first ? ROCE_SEND_FIRST : ROCE_SEND_MIDDLE);
	if (wqe->opcode == ROCE_WR_SEND_INV)
		return first ? ROCE_SEND_ONLY_INV : ROCE_SEND_LAST_INV;
	if (write)
		return (first ? ROCE_WRITE_ONLY : ROCE_WRITE_LAST) + imm;
	return (first ? ROCE_SEND_ONLY : ROCE_SEND_LAST) + imm;
}

/* Does the peer's consumer get a completion, and is it to be woken by it? */
static inline bool roce_message_solicits(const struct roce_send_wqe *wqe)
{
	return (wqe->flags & ROCE_WR_SOLICITED) && wqe->opcode != ROCE_WR_WRITE;
}

/* The headers of a request at the requester's PSN, but for the opcode. */
static inline void roce_message_hdr(const struct roce_qp *qp, const struct roce_send_wqe *wqe,
				    u32 offset, struct roce_hdr *hdr)
{
	*hdr = (struct roce_hdr){
		.pkey = qp->attr.pkey,
		.qpn = qp->attr.dest_qpn,
		.psn = qp->req.snd.nxt,
		.va = wqe->remote_addr + offset,
		.rkey = wqe->rkey,
		.dma_len = wqe->length - offset,
		.swap_add = wqe->swap_add,
		.compare = wqe->compare,
		.imm = wqe->imm,
		.inv_rkey = wqe->inv_rkey,
	};
}

/**
 * roce_segment_next() - the next packets of a started SEND or WRITE
 * @qp: the QP; req.snd.nxt is that of the next packet
 * @wqe: of a connected service
 * @service: ROCE_OP_RC or ROCE_OP_UC
 * @max: middle packets at most, at least 1
 * @batch: has room
 *
 * Return: a run of the first or last packet alone, or of middle ones.
 */
static inline struct roce_tx_run *roce_segment_next(const struct roce_qp *qp,
						   struct roce_send_wqe *wqe, u8 service, u32 max,
						   struct roce_tx_batch *batch)
{
	u32 done = (qp->req.snd.nxt - wqe->first_psn) & ROCE_PSN_MASK;
	u32 left = ((wqe->last_psn - qp->req.snd.nxt) & ROCE_PSN_MASK) + 1;
	u32 offset = done * qp->attr.mtu;
	bool first = !done, last = left == 1;
	u32 npkts = 1, seg_len = qp->attr.mtu;
	struct roce_tx_run *run;
	struct roce_hdr hdr;

	if (last)
		seg_len = wqe->length - offset;
	else if (!first)
		npkts = min3(left - 1, roce_batch_room(batch), max);
	roce_message_hdr(qp, wqe, offset, &hdr);
	hdr.opcode = service | roce_message_opcode(wqe, first, last);
	hdr.solicited = last && roce_message_solicits(wqe);
	run = roce_batch_add(batch, &hdr, npkts, seg_len);
	run->payload.wqe = wqe;
	run->payload.offset = offset;
	return run;
}

#endif
