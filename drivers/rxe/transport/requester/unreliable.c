// SPDX-License-Identifier: GPL-2.0
/*
 * Requester of the unreliable services: UC (IBTA 9.8.2), UD (9.8.3) and raw frames.
 *
 * No packet is acknowledged, so there is no window, no timer and no retransmission. A WQE completes
 * at the call of roce_unreliable_tx() after the batch with its last packet: the caller has copied
 * the payload by then. An error is local, and stops only the send queue: the QP enters SQE (IBTA
 * 10.3.1.6).
 */
#include <linux/bits.h>

#include "transport/common/segment.h"
#include "transport/common/send_wqe.h"
#include "transport/common/send_queue.h"
#include "transport/requester/unreliable.h"

/* WQE opcodes that each service supports (IBTA table 37; 10.8.3 for the local operations). */
#define UC_OPCODES                                                                            \
	(BIT(ROCE_WR_SEND) | BIT(ROCE_WR_SEND_IMM) | BIT(ROCE_WR_WRITE) |                     \
	 BIT(ROCE_WR_WRITE_IMM) | BIT(ROCE_WR_BIND_MW) | BIT(ROCE_WR_LOCAL_INV) |             \
	 BIT(ROCE_WR_REG_MR))
#define UD_OPCODES  (BIT(ROCE_WR_SEND) | BIT(ROCE_WR_SEND_IMM))
#define RAW_OPCODES BIT(ROCE_WR_SEND)

static u32 opcodes_of(u8 service)
{
	switch (service) {
	case ROCE_OP_UC:
		return UC_OPCODES;
	case ROCE_OP_UD:
		return UD_OPCODES;
	default:
		return RAW_OPCODES;
	}
}

static void retire_sent(struct roce_qp *qp)
{
	while (qp->sq.cons != qp->sq.next)
		roce_sq_complete(qp, ROCE_SUCCESS);
}

/* ROCE_SUCCESS if the WQE can be sent. */
static enum roce_status wqe_error(const struct roce_qp *qp, const struct roce_send_wqe *wqe)
{
	if (wqe->status != ROCE_SUCCESS)
		return wqe->status;
	if (!(BIT(wqe->opcode) & opcodes_of(qp->service)))
		return ROCE_LOC_QP_OP_ERR;
	if (qp->service == ROCE_OP_UD && wqe->length > qp->attr.mtu)
		return ROCE_LOC_LEN_ERR;
	return ROCE_SUCCESS;
}

/* False if no more packets can be sent now. */
static bool start(struct roce_qp *qp, struct roce_send_wqe *wqe)
{
	enum roce_status flaw = wqe_error(qp, wqe);
	u32 npkts;

	if (qp->state != ROCE_RTS)
		return false;
	if (flaw != ROCE_SUCCESS)
		return roce_sq_fail_ordered(qp, wqe, flaw);
	if (roce_wqe_is_local(wqe))
		return roce_sq_start_local(qp, wqe);
	if (!roce_sq_sges_ok(qp, wqe))
		return roce_sq_fail_ordered(qp, wqe, ROCE_LOC_PROT_ERR);
	npkts = qp->service == ROCE_OP_UC ? roce_npkts(wqe->length, qp->attr.mtu) : 1;
	wqe->first_psn = qp->req.snd.nxt;
	wqe->last_psn = roce_psn_add(qp->req.snd.nxt, npkts - 1);
	wqe->state = ROCE_WQE_STARTED;
	return true;
}

static struct roce_tx_run *add_datagram(const struct roce_qp *qp, struct roce_send_wqe *wqe,
					struct roce_tx_batch *batch)
{
	struct roce_tx_run *run;
	struct roce_hdr hdr;

	roce_message_hdr(qp, wqe, 0, &hdr);
	hdr.opcode = ROCE_OP_UD | roce_message_opcode(wqe, true, true);
	hdr.solicited = roce_message_solicits(wqe);
	hdr.qpn = wqe->dest_qpn;
	hdr.qkey = wqe->qkey;
	hdr.src_qpn = qp->qpn;
	run = roce_batch_add(batch, &hdr, 1, wqe->length);
	run->payload.wqe = wqe;
	return run;
}

static struct roce_tx_run *add_frame(struct roce_send_wqe *wqe, struct roce_tx_batch *batch)
{
	struct roce_tx_run *run = roce_batch_add_frame(batch, wqe->length);

	run->payload.wqe = wqe;
	return run;
}

static bool emit(struct roce_qp *qp, struct roce_send_wqe *wqe, struct roce_tx_batch *batch)
{
	struct roce_tx_run *run;

	if (qp->service == ROCE_OP_UD)
		run = add_datagram(qp, wqe, batch);
	else if (qp->service == ROCE_RAW)
		run = add_frame(wqe, batch);
	else
		run = roce_segment_next(qp, wqe, ROCE_OP_UC, ROCE_TX_PKTS, batch);
	if (!roce_batch_commit(qp, batch))
		return false;
	qp->req.snd.nxt = roce_psn_add(qp->req.snd.nxt, run->npkts);
	if (qp->req.snd.nxt == roce_psn_add(wqe->last_psn, 1))
		qp->sq.next++;
	return true;
}

static bool send_next(struct roce_qp *qp, struct roce_tx_batch *batch)
{
	struct roce_send_wqe *wqe;

	if (qp->sq.next == qp->sq.prod)
		return false;
	wqe = roce_sq_wqe(qp, qp->sq.next);
	switch (wqe->state) {
	case ROCE_WQE_POSTED:
		return start(qp, wqe);
	case ROCE_WQE_STARTED:
		return emit(qp, wqe, batch);
	default:
		qp->sq.next++;
		return true;
	}
}

void roce_unreliable_tx(struct roce_qp *qp, struct roce_tx_batch *batch)
{
	if (qp->state != ROCE_RTS && qp->state != ROCE_SQD)
		return;
	retire_sent(qp);
	while (roce_batch_room(batch) && send_next(qp, batch))
		;
	roce_sq_check_drained(qp);
}

void roce_unreliable_tx_failed(struct roce_qp *qp, const struct roce_send_wqe *wqe)
{
	if (qp->state != ROCE_RTS && qp->state != ROCE_SQD)
		return;
	while (roce_sq_wqe(qp, qp->sq.cons) != wqe)
		roce_sq_complete(qp, ROCE_SUCCESS);
	roce_sq_fail(qp, ROCE_LOC_PROT_ERR);
}
