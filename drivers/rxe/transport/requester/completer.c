// SPDX-License-Identifier: GPL-2.0
/*
 * Completer: responses move snd.una and complete send WQEs (IBTA 9.7.5.1, 9.7.6).
 *
 * A response acknowledges all packets before it, except READs, atomics, FLUSHes and ATOMIC WRITEs:
 * these complete with their own response only. A response beyond a missing one means that the
 * missing one was reordered or lost (hole.h).
 */
#include <linux/errno.h>
#include <linux/minmax.h>

#include "transport/common/send_queue.h"
#include "transport/common/send_wqe.h"
#include "transport/common/state.h"
#include "transport/requester/completer.h"
#include "transport/requester/hole.h"
#include "transport/requester/ooo_read.h"
#include "transport/requester/read_chunk.h"
#include "transport/requester/recovery.h"

static struct roce_send_wqe *sq_head(const struct roce_qp *qp)
{
	return roce_sq_wqe(qp, qp->sq.cons);
}

/* Stops at a WQE whose response is missing: snd.una is before @psn then. */
static void retire_acked(struct roce_qp *qp, u32 psn)
{
	struct roce_req *req = &qp->req;

	while (roce_psn_before(req->snd.una, psn)) {
		struct roce_send_wqe *wqe = sq_head(qp);

		if (wqe->state == ROCE_WQE_DONE) {
			roce_sq_complete(qp, ROCE_SUCCESS);
			continue;
		}
		if (roce_wqe_needs_response(wqe))
			break;
		if (!roce_psn_before(wqe->last_psn, psn)) {
			req->snd.una = psn;
			break;
		}
		req->snd.una = roce_psn_add(wqe->last_psn, 1);
		roce_sq_complete(qp, ROCE_SUCCESS);
	}
}

/* The data of the response of snd.una has been placed. */
static void end_response(struct roce_qp *qp)
{
	struct roce_send_wqe *wqe = sq_head(qp);
	struct roce_req *req = &qp->req;
	u32 psn = req->snd.una;

	req->snd.una = roce_psn_add(psn, 1);
	if (psn == wqe->last_psn)
		roce_sq_complete(qp, ROCE_SUCCESS);
	else if (roce_chunk_ends(wqe, psn))
		req->snd.read_chunks--;
}

/* snd.una has advanced from @prior_una: advance it past responses received out of order, too. */
static void progress(struct roce_qp *qp, u64 now, u32 prior_una)
{
	struct roce_req *req = &qp->req;

	if (roce_hole_exists(req)) {
		retire_acked(qp, req->hole.end);
		while (roce_psn_before(req->snd.una, req->hole.end) && roce_ooo_read_consume(req)) {
			end_response(qp);
			retire_acked(qp, req->hole.end);
		}
	}
	roce_loss_on_progress(qp, now, prior_una);
}

static void ack_up_to(struct roce_qp *qp, u64 now, u32 psn)
{
	u32 prior_una = qp->req.snd.una;

	retire_acked(qp, psn);
	if (qp->req.snd.una != prior_una)
		progress(qp, now, prior_una);
}

static enum roce_status nak_status(u8 syndrome)
{
	switch (syndrome) {
	case ROCE_NAK_INV_REQ:
	case ROCE_NAK_INV_RD_REQ:
		return ROCE_REM_INV_REQ_ERR;
	case ROCE_NAK_REM_ACCESS:
		return ROCE_REM_ACCESS_ERR;
	case ROCE_NAK_REM_OP:
		return ROCE_REM_OP_ERR;
	default:
		return ROCE_BAD_RESP_ERR;
	}
}

/* The peer has refused the request at @psn. Earlier WQEs are unacknowledged: flush them. */
static void fatal_nak(struct roce_qp *qp, u32 psn, enum roce_status status)
{
	while (qp->sq.cons != qp->sq.prod) {
		struct roce_send_wqe *wqe = sq_head(qp);

		if (wqe->state == ROCE_WQE_STARTED &&
		    !roce_psn_before(wqe->last_psn, psn))
			break;
		roce_sq_flush_oldest(qp);
	}
	roce_sq_fail(qp, status);
}

static void acknowledge(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt)
{
	u32 next = roce_psn_add(pkt->psn, 1);

	ack_up_to(qp, now, next);
	/*
	 * snd.una is never after @next: progress() consumes responses behind it only if there is a
	 * hole, and then the request at snd.una needs a response of its own.
	 */
	if (qp->req.snd.una != next)
		roce_hole_on_response_beyond(qp, now, next);
}

static void nak(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt)
{
	bool rnr = (pkt->syndrome & ROCE_AETH_KIND) == ROCE_AETH_RNR_NAK;

	ack_up_to(qp, now, pkt->psn);
	if (!rnr && pkt->syndrome != ROCE_NAK_PSN_SEQ)
		fatal_nak(qp, pkt->psn, nak_status(pkt->syndrome));
	else
		roce_loss_on_nak(qp, now, pkt->psn, pkt->syndrome);
}

static bool out_of_order_response(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt)
{
	u32 end = roce_psn_add(pkt->psn, 1),
	    most = roce_psn_add(qp->req.snd.una, ROCE_OOO_READ_WINDOW);

	if (pkt->op->flags & ROCE_IS_READ && !roce_ooo_read_place(qp, pkt))
		return false;
	roce_hole_on_response_beyond(qp, now, roce_psn_after(end, most) ? most : end);
	return true;
}

/* False if the packet must be redelivered. */
static bool fail_scatter(struct roce_qp *qp, int err)
{
	if (err == -EAGAIN)
		return false;
	roce_sq_fail(qp, ROCE_LOC_PROT_ERR);
	return true;
}

/* The response to a FLUSH or ATOMIC WRITE is an empty READ response ONLY (IBTA A19.4). */
static void placed_response(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt)
{
	if (pkt->payload_len || (pkt->op->flags & ROCE_IS_ONLY) != ROCE_IS_ONLY) {
		roce_sq_fail(qp, ROCE_BAD_RESP_ERR);
		return;
	}
	end_response(qp);
	progress(qp, now, pkt->psn);
}

static bool read_response(struct roce_qp *qp, u64 now, struct roce_send_wqe *wqe,
			  const struct roce_pkt *pkt)
{
	int err;

	if (roce_wqe_is_mpe(wqe)) {
		placed_response(qp, now, pkt);
		return true;
	}
	if (wqe->opcode != ROCE_WR_READ || !roce_read_response_fits(qp, wqe, pkt)) {
		roce_sq_fail(qp, ROCE_BAD_RESP_ERR);
		return true;
	}
	err = qp->ops->scatter(qp, wqe->sge, wqe->num_sge, roce_read_offset(qp, wqe, pkt->psn),
			       pkt);
	if (err)
		return fail_scatter(qp, err);
	end_response(qp);
	progress(qp, now, pkt->psn);
	return true;
}

static bool atomic_response(struct roce_qp *qp, u64 now, struct roce_send_wqe *wqe,
			    const struct roce_pkt *pkt)
{
	int err;

	if (!roce_wqe_is_read_or_atomic(wqe) || wqe->opcode == ROCE_WR_READ) {
		roce_sq_fail(qp, ROCE_BAD_RESP_ERR);
		return true;
	}
	err = qp->ops->scatter_u64(qp, wqe->sge, wqe->num_sge, pkt->orig);
	if (err)
		return fail_scatter(qp, err);
	end_response(qp);
	progress(qp, now, pkt->psn);
	return true;
}

/* A response that carries data, or ends a FLUSH or ATOMIC WRITE. */
static bool data_response(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt)
{
	struct roce_send_wqe *wqe;

	ack_up_to(qp, now, pkt->psn);
	if (qp->req.snd.una != pkt->psn)
		return out_of_order_response(qp, now, pkt);
	/* Local operations posted before the request were executed in order. */
	roce_sq_retire_local(qp);
	wqe = sq_head(qp);
	if (wqe->state != ROCE_WQE_STARTED)
		return true;
	return pkt->op->flags & ROCE_IS_READ ? read_response(qp, now, wqe, pkt) :
					       atomic_response(qp, now, wqe, pkt);
}

/* Responses to other PSNs are duplicates or ghost ACKs (IBTA 9.7.5.1), and are ignored. */
static bool response_in_flight(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	struct roce_req *req = &qp->req;

	if (roce_req_inflight(req) &&
	    roce_psn_within(pkt->psn, req->snd.una, roce_psn_prev(req->snd.max)))
		return true;
	if (!roce_psn_before(pkt->psn, req->snd.una))
		qp->ops->count(qp, ROCE_COUNT_GHOST_ACK, 1);
	else if (pkt->psn == req->hole.rexmit_arrived_psn && pkt->op->flags & ROCE_IS_READ)
		roce_hole_on_duplicate(req);
	return false;
}

bool roce_comp_rx(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt)
{
	u8 kind = pkt->syndrome & ROCE_AETH_KIND;

	if (qp->state != ROCE_RTS && qp->state != ROCE_SQD) {
		qp->ops->count(qp, ROCE_COUNT_BAD_STATE, 1);
		return true;
	}
	if (!response_in_flight(qp, pkt))
		return true;
	if (pkt->op->flags & (ROCE_IS_READ | ROCE_IS_ATOMIC))
		return data_response(qp, now, pkt);
	if (kind == ROCE_AETH_ACK)
		acknowledge(qp, now, pkt);
	else if (kind == ROCE_AETH_NAK || kind == ROCE_AETH_RNR_NAK)
		nak(qp, now, pkt);
	return true;
}
