/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Segmentation of a SEND or WRITE into packets. The WQE and the PSN of a packet determine its
 * opcode, offset and length, so a requester can continue at any PSN. Inline, as it is most of what
 * a requester does per packet.
 */
#ifndef ROCE_SEGMENT_H
#define ROCE_SEGMENT_H

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

/* True if the message solicits an event: the peer gets a completion, and its consumer a wakeup. */
static inline bool roce_message_solicits(const struct roce_send_wqe *wqe)
{
	return (wqe->flags & ROCE_WR_SOLICITED) && wqe->opcode != ROCE_WR_WRITE;
}

/* Header fields of a request at snd.nxt, except the opcode. */
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
 * roce_segment_next() - append the next packets of a started SEND or WRITE
 * @qp: the QP; req.snd.nxt is the PSN of the next packet
 * @wqe: the WQE, of RC or UC
 * @service: ROCE_OP_RC or ROCE_OP_UC
 * @max: limit of middle packets, at least 1
 * @batch: has room for a run
 *
 * Return: a run of the first packet, of the last packet or of middle packets.
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
