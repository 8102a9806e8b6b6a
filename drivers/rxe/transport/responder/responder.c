// SPDX-License-Identifier: GPL-2.0
/*
 * Responder of the reliable connection (IBTA 9.7.4, 9.7.5). Requests are executed strictly in the
 * order of their PSNs: one NAK is raised for a hole, requests beyond it are buffered (reorder.h),
 * and duplicate requests are answered from the responder resources (resources.h).
 */
#include <linux/errno.h>
#include <linux/minmax.h>

#include <roce/psn.h>
#include "transport/responder/delack.h"
#include "transport/common/batch.h"
#include "transport/common/reorder.h"
#include "transport/responder/read_pacing.h"
#include "transport/responder/resources.h"
#include "transport/responder/execute.h"
#include "transport/responder/nak_delay.h"
#include "transport/responder/responder.h"
#include "transport/common/send_wqe.h"
#include "transport/common/state.h"

/* Runs of a batch that READ responses may use; the rest is for requests. */
#define ROCE_RESP_RUNS	(ROCE_TX_RUNS * 3 / 4)

/* The NAK is sent after all scheduled responses. */
static void raise_nak(struct roce_resp *resp, u8 syndrome, u32 psn)
{
	resp->nak.state = ROCE_NAK_PENDING;
	resp->nak.syndrome = syndrome;
	resp->nak.psn = psn;
}

/*
 * Raise a fatal NAK and an event, and move the QP to ERR (IBTA table 57). The receive WQE of an
 * incomplete message fails with the status that corresponds to the NAK.
 */
static void nak_fatal(struct roce_qp *qp, u8 syndrome)
{
	enum roce_event event = syndrome == ROCE_NAK_REM_ACCESS ?
					ROCE_EVENT_ACCESS_ERR :
				syndrome == ROCE_NAK_REM_OP ?
					ROCE_EVENT_QP_FATAL :
					ROCE_EVENT_REQ_ERR;

	if (qp->resp.has_recv)
		roce_recv_fail(qp, syndrome == ROCE_NAK_REM_ACCESS ? ROCE_REM_ACCESS_ERR :
								     ROCE_REM_INV_REQ_ERR);
	raise_nak(&qp->resp, syndrome, qp->resp.epsn);
	roce_qp_to_err(qp);
	qp->ops->event(qp, event);
}

/* (IBTA 9.7.5.2.8) */
static void nak_rnr(struct roce_qp *qp)
{
	struct roce_resp *resp = &qp->resp;

	raise_nak(resp, ROCE_AETH_RNR_NAK | qp->attr.min_rnr_timer, resp->epsn);
	resp->ooo_psn = resp->epsn;
	qp->ops->count(qp, ROCE_COUNT_SENT_RNR, 1);
}

/* Raise the NAK for a verdict other than OK and AGAIN. */
static void nak_for_status(struct roce_qp *qp, enum roce_exec verdict)
{
	static const u8 naks[ROCE_VERDICTS] = {
		[ROCE_INVALID] = ROCE_NAK_INV_REQ,
		[ROCE_EXEC_ACCESS] = ROCE_NAK_REM_ACCESS,
		[ROCE_TOO_LONG] = ROCE_NAK_INV_REQ,
		[ROCE_INV_FAILED] = ROCE_NAK_REM_ACCESS,
		[ROCE_RECV_MALFORMED] = ROCE_NAK_REM_OP,
		[ROCE_RECV_FAULT] = ROCE_NAK_REM_OP,
	};
	enum roce_status status = roce_verdict_status(verdict);

	if (verdict == ROCE_NO_RECV) {
		nak_rnr(qp);
		return;
	}
	if (status != ROCE_SUCCESS)
		roce_recv_fail(qp, status);
	nak_fatal(qp, naks[verdict]);
}

static enum roce_exec execute_read(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	struct roce_resp *resp = &qp->resp;
	struct roce_rsrc *res;

	if (pkt->dma_len > ROCE_MAX_MSG)
		return ROCE_INVALID;
	if (!roce_request_check_access(qp, pkt, ROCE_ACCESS_REMOTE_READ))
		return ROCE_EXEC_ACCESS;
	res = roce_rsrc_new(resp);
	if (!res)
		return ROCE_INVALID;
	roce_msg_complete(resp);
	res->va = pkt->va;
	res->rkey = pkt->rkey;
	res->length = pkt->dma_len;
	res->first_psn = pkt->psn;
	res->last_psn = roce_psn_add(pkt->psn,
				     roce_npkts(pkt->dma_len, qp->attr.mtu) - 1);
	res->msn = resp->msn;
	roce_rsrc_schedule(resp, res, res->first_psn, res->last_psn);
	/* The request takes as many PSNs as its response (IBTA 9.7.3.2). */
	resp->epsn = res->last_psn;
	return ROCE_EXEC_OK;
}

/* Schedule the response to a request of one packet that has been executed. */
static void queue_response(struct roce_resp *resp, const struct roce_pkt *pkt,
			   struct roce_rsrc *res, enum roce_rsrc_kind kind)
{
	roce_msg_complete(resp);
	res->kind = kind;
	res->first_psn = pkt->psn;
	res->last_psn = pkt->psn;
	res->msn = resp->msn;
	roce_rsrc_schedule(resp, res, pkt->psn, pkt->psn);
}

/* The request could not be executed: release its resource. */
static enum roce_exec fail_resource(struct roce_qp *qp, int err)
{
	roce_rsrc_release_last(&qp->resp);
	return err == -EAGAIN ? ROCE_EXEC_AGAIN : ROCE_EXEC_ACCESS;
}

static enum roce_exec execute_atomic(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	struct roce_resp *resp = &qp->resp;
	struct roce_rsrc *res;
	int err;

	if (pkt->va & 7)
		return ROCE_INVALID;
	if (!(qp->attr.access & ROCE_ACCESS_REMOTE_ATOMIC))
		return ROCE_EXEC_ACCESS;
	if (qp->ops->check_rkey(qp, pkt->rkey, pkt->va, sizeof(u64),
				ROCE_ACCESS_REMOTE_ATOMIC))
		return ROCE_EXEC_ACCESS;
	res = roce_rsrc_new(resp);
	if (!res)
		return ROCE_INVALID;
	err = qp->ops->atomic(qp, pkt, &res->atomic_orig);
	if (err)
		return fail_resource(qp, err);
	queue_response(resp, pkt, res, ROCE_RSRC_ATOMIC);
	return ROCE_EXEC_OK;
}

/* Access rights that a FLUSH needs; 0 if its type or level is invalid. */
static u32 flush_access(const struct roce_pkt *pkt)
{
	u32 access = 0;

	if (pkt->flush_level > ROCE_FLUSH_MR ||
	    pkt->flush_type & ~(ROCE_FLUSH_GLOBAL | ROCE_FLUSH_PERSISTENT))
		return 0;
	if (pkt->flush_type & ROCE_FLUSH_GLOBAL)
		access |= ROCE_ACCESS_FLUSH_GLOBAL;
	if (pkt->flush_type & ROCE_FLUSH_PERSISTENT)
		access |= ROCE_ACCESS_FLUSH_PERSISTENT;
	return access;
}

static bool mpe_valid(const struct roce_qp *qp, const struct roce_pkt *pkt)
{
	if (pkt->op->flags & ROCE_IS_FLUSH)
		return qp->ops->flush && flush_access(pkt);
	return qp->ops->atomic_write && !(pkt->va & 7) && pkt->dma_len == sizeof(u64) &&
	       pkt->payload_len == sizeof(u64);
}

/* FLUSH and ATOMIC WRITE (IBTA A19.4). */
static enum roce_exec execute_mpe(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	bool flush = pkt->op->flags & ROCE_IS_FLUSH;
	u32 access = flush ? flush_access(pkt) : ROCE_ACCESS_REMOTE_WRITE;
	struct roce_resp *resp = &qp->resp;
	struct roce_rsrc *res;
	int err;

	if (!mpe_valid(qp, pkt))
		return ROCE_INVALID;
	if ((qp->attr.access & access) != access)
		return ROCE_EXEC_ACCESS;
	res = roce_rsrc_new(resp);
	if (!res)
		return ROCE_INVALID;
	err = flush ? qp->ops->flush(qp, pkt) : qp->ops->atomic_write(qp, pkt);
	if (err)
		return fail_resource(qp, err);
	queue_response(resp, pkt, res, ROCE_RSRC_PLACED);
	return ROCE_EXEC_OK;
}

static enum roce_exec execute(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	u32 op = pkt->op->flags;

	if (!roce_opcode_follows(qp->resp.cur_msg_class, pkt->op))
		return ROCE_INVALID;
	if (op & ROCE_IS_READ)
		return execute_read(qp, pkt);
	if (op & ROCE_IS_ATOMIC)
		return execute_atomic(qp, pkt);
	if (op & ROCE_IS_MPE)
		return execute_mpe(qp, pkt);
	return op & ROCE_IS_SEND ? roce_request_send(qp, pkt) : roce_request_write(qp, pkt);
}

static void acknowledge(struct roce_qp *qp, const struct roce_pkt *pkt, u32 *ack_reqs)
{
	struct roce_resp *resp = &qp->resp;

	if (resp->ack.pending)
		qp->ops->count(qp, ROCE_COUNT_ACK_COALESCED, 1);
	resp->ack.pending = true;
	*ack_reqs += (pkt->op->flags & ROCE_IS_ONLY) == ROCE_IS_ONLY ? 1 : ROCE_ACK_IMMEDIATE;
}

/* READs, atomics, FLUSHes and ATOMIC WRITEs are acknowledged by their responses. */
static enum roce_exec execute_and_advance(struct roce_qp *qp, const struct roce_pkt *pkt,
					  u32 *ack_reqs)
{
	struct roce_resp *resp = &qp->resp;
	enum roce_exec verdict = execute(qp, pkt);

	if (verdict != ROCE_EXEC_OK) {
		if (verdict != ROCE_EXEC_AGAIN)
			nak_for_status(qp, verdict);
		return verdict;
	}
	resp->epsn = roce_psn_add(resp->epsn, 1);
	if (pkt->op->flags & ROCE_IS_READ)
		roce_reorder_trim(qp);
	else if (pkt->ack_req && !(pkt->op->flags & (ROCE_IS_ATOMIC | ROCE_IS_MPE)))
		acknowledge(qp, pkt, ack_reqs);
	return ROCE_EXEC_OK;
}

/*
 * Execute the buffered requests that follow without a hole. One that cannot be executed now is
 * dropped like a lost packet, since the caller of roce_rx() cannot redeliver it.
 *
 * Return: the verdict on the last.
 */
static enum roce_exec drain_reorder_queue(struct roce_qp *qp, u32 *ack_reqs)
{
	enum roce_exec verdict = ROCE_EXEC_OK;
	struct roce_pkt *pkt;

	while ((pkt = roce_reorder_pop(&qp->resp))) {
		verdict = execute_and_advance(qp, pkt, ack_reqs);
		qp->ops->release_pkt(qp, pkt);
	}
	return verdict;
}

/*
 * The request at resp.epsn is missing: NAK it, unless the NAK is delayed. The NAK is not delayed if
 * nothing is buffered: the requests behind the missing one have to be retransmitted.
 */
static void nak_gap(struct roce_resp *resp, u64 now)
{
	if (roce_nak_delay_on_gap(resp, now, resp->reorder.count))
		raise_nak(resp, ROCE_NAK_PSN_SEQ, resp->epsn);
}

/* Execute the buffered requests behind one that was missing; @nak: the state of its NAK. */
static void fill_gap(struct roce_qp *qp, u64 now, u8 nak, u32 *ack_reqs)
{
	struct roce_resp *resp = &qp->resp;
	enum roce_exec verdict;
	u32 psn = resp->epsn;

	verdict = drain_reorder_queue(qp, ack_reqs);
	/* An ACK now keeps the requester from retransmitting the buffered requests. */
	if (resp->epsn != psn)
		roce_ack_now(resp, ack_reqs);
	if (resp->nak.state != ROCE_NAK_NONE ||
	    (!resp->reorder.count && verdict != ROCE_EXEC_AGAIN))
		return;
	/*
	 * Another hole. If a NAK has been sent for the first, the requester is retransmitting, and
	 * will come to this one.
	 */
	if (nak == ROCE_NAK_SENT)
		resp->nak.state = ROCE_NAK_SENT;
	else
		nak_gap(resp, now);
}

static bool in_order_packet(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt, u32 *ack_reqs)
{
	struct roce_resp *resp = &qp->resp;
	u8 nak = resp->nak.state;
	enum roce_exec verdict;

	if (resp->nak_delay.gap_time)
		roce_nak_delay_on_filled(resp, now, nak == ROCE_NAK_SENT);
	resp->nak.state = ROCE_NAK_NONE;
	verdict = execute_and_advance(qp, pkt, ack_reqs);
	if (verdict != ROCE_EXEC_OK || !resp->reorder.count)
		return verdict != ROCE_EXEC_AGAIN;
	fill_gap(qp, now, nak, ack_reqs);
	return true;
}

/*
 * Returns true if the retransmission that a NAK caused was lost, too: the requester has rewound,
 * as it sends a PSN at or below the highest out-of-order PSN, but that PSN is beyond the expected
 * one. While requests are buffered, only the retransmission of a buffered one counts: others may be
 * original transmissions that fill the hole.
 */
static bool nak_lost_again(const struct roce_resp *resp, u32 psn)
{
	if (roce_psn_after(psn, resp->ooo_psn))
		return false;
	return !resp->reorder.count || roce_reorder_contains(resp, psn);
}

static void out_of_order_packet(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt)
{
	struct roce_resp *resp = &qp->resp;
	bool unraised = resp->nak.state == ROCE_NAK_NONE,
	     again = unraised ? !resp->nak_delay.gap_time : nak_lost_again(resp, pkt->psn);

	qp->ops->count(qp, ROCE_COUNT_OUT_OF_SEQ, 1);
	/* A pending NAK stays, as it may be an RNR NAK, whose delay must be kept. */
	if (again && resp->nak.state == ROCE_NAK_SENT)
		raise_nak(resp, ROCE_NAK_PSN_SEQ, resp->epsn);
	roce_reorder_insert(qp, now, pkt);
	if (unraised)
		nak_gap(resp, now);
	if (again || roce_psn_after(pkt->psn, resp->ooo_psn))
		resp->ooo_psn = pkt->psn;
}

void roce_resp_nak_delayed(struct roce_qp *qp, u64 now)
{
	nak_gap(&qp->resp, now);
}

/*
 * The memory of the READ at @psn cannot be read. If all its responses have been sent before, drop
 * the duplicate without a NAK: the requester may have received the data and then invalidated the
 * key. If it has not received them, it runs out of retries.
 *
 * Return: true if the READ was such a duplicate.
 */
static bool abandon_dup_read(struct roce_qp *qp, u32 psn)
{
	struct roce_rsrc *res = roce_rsrc_find(&qp->resp, psn, ROCE_RSRC_READ);

	if (!res || !roce_rsrc_is_replay(res))
		return false;
	roce_rsrc_cancel_replay(&qp->resp, res);
	qp->ops->count(qp, ROCE_COUNT_BAD_DUP, 1);
	return true;
}

void roce_resp_tx_failed(struct roce_qp *qp, u32 psn)
{
	if (abandon_dup_read(qp, psn))
		return;
	raise_nak(&qp->resp, ROCE_NAK_REM_ACCESS, psn);
	roce_qp_to_err(qp);
	roce_rsrc_cancel_all(&qp->resp);
	qp->ops->event(qp, ROCE_EVENT_ACCESS_ERR);
}

/* The duplicate of a READ may begin at any of its packets (IBTA 9.7.5.1.3). */
static void replay_read(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt)
{
	struct roce_rsrc *res = roce_rsrc_find(&qp->resp, pkt->psn, ROCE_RSRC_READ);
	u32 mtu = qp->attr.mtu;
	u32 offset, end;

	if (!res)
		goto bad;
	offset = ((pkt->psn - res->first_psn) & ROCE_PSN_MASK) * mtu;
	if (pkt->rkey != res->rkey || pkt->va != res->va + offset ||
	    pkt->dma_len > res->length - offset)
		goto bad;
	if (res->state == ROCE_RSRC_SENT)
		res->state = ROCE_RSRC_REPLAYED;
	if (!roce_request_check_access(qp, pkt, ROCE_ACCESS_REMOTE_READ)) {
		if (abandon_dup_read(qp, pkt->psn))
			return;
		nak_fatal(qp, ROCE_NAK_REM_ACCESS);
		qp->resp.nak.psn = pkt->psn;
		return;
	}
	end = roce_psn_add(pkt->psn, roce_npkts(pkt->dma_len, mtu) - 1);
	roce_read_pacing_on_repeat(&qp->resp, now, res, pkt->psn, end);
	roce_rsrc_schedule(&qp->resp, res, pkt->psn, end);
	return;
bad:
	qp->ops->count(qp, ROCE_COUNT_BAD_DUP, 1);
}

static void replay_response(struct roce_qp *qp, const struct roce_pkt *pkt,
			    enum roce_rsrc_kind kind)
{
	struct roce_rsrc *res = roce_rsrc_find(&qp->resp, pkt->psn, kind);

	if (res)
		roce_rsrc_schedule(&qp->resp, res, pkt->psn, pkt->psn);
	else
		qp->ops->count(qp, ROCE_COUNT_BAD_DUP, 1);
}

/*
 * A duplicate SEND or WRITE. The first of consecutive duplicates is acknowledged even without an
 * AckReq, so that the requester can skip the rest.
 */
static void ack_duplicate(struct roce_qp *qp, const struct roce_pkt *pkt, u32 *ack_reqs)
{
	struct roce_resp *resp = &qp->resp;
	bool first = pkt->psn != resp->next_dup_psn;

	resp->next_dup_psn = roce_psn_add(pkt->psn, 1);
	if (!first && !pkt->ack_req)
		return;
	if (resp->ack.pending)
		qp->ops->count(qp, ROCE_COUNT_ACK_COALESCED, 1);
	roce_ack_now(resp, ack_reqs);
}

static void duplicate(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt, u32 *ack_reqs)
{
	u32 op = pkt->op->flags;

	qp->ops->count(qp, ROCE_COUNT_DUP_REQUEST, 1);
	roce_nak_delay_on_duplicate(&qp->resp, pkt->psn);
	if (op & ROCE_IS_READ)
		replay_read(qp, now, pkt);
	else if (op & ROCE_IS_ATOMIC)
		replay_response(qp, pkt, ROCE_RSRC_ATOMIC);
	else if (op & ROCE_IS_MPE)
		replay_response(qp, pkt, ROCE_RSRC_PLACED);
	else
		ack_duplicate(qp, pkt, ack_reqs);
}

bool roce_resp_rx(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt, u32 *ack_reqs)
{
	struct roce_resp *resp = &qp->resp;
	s32 ahead;

	if (!roce_request_admit(qp))
		return true;
	ahead = roce_psn_diff(pkt->psn, resp->epsn);
	if (!ahead && pkt->op->flags & ROCE_IS_READ)
		roce_read_pacing_on_request(resp, now, pkt->psn);
	if (!ahead)
		return in_order_packet(qp, now, pkt, ack_reqs);
	if (ahead > 0)
		out_of_order_packet(qp, now, pkt);
	else
		duplicate(qp, now, pkt, ack_reqs);
	return true;
}

static void build_atomic_response(struct roce_qp *qp, struct roce_tx_batch *batch,
				  const struct roce_rsrc *res)
{
	struct roce_hdr hdr = {
		.opcode = ROCE_ATOMIC_ACKNOWLEDGE,
		.pkey = qp->attr.pkey,
		.qpn = qp->attr.dest_qpn,
		.psn = res->first_psn,
		.aeth = ROCE_AETH_UNLIMITED << 24 | res->msn,
		.orig = res->atomic_orig,
	};

	roce_batch_add(batch, &hdr, 1, 0);
	roce_rsrc_complete(&qp->resp);
}

static u8 read_opcode(bool first, bool last)
{
	if (first)
		return last ? ROCE_READ_RESP_ONLY : ROCE_READ_RESP_FIRST;
	return last ? ROCE_READ_RESP_LAST : ROCE_READ_RESP_MIDDLE;
}

/*
 * Add the next responses of a READ: the first or the last one alone, or a run of middle ones.
 *
 * Return: false if their payload is not resident.
 */
static bool build_read_responses(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch,
			struct roce_rsrc *res)
{
	u32 mtu = qp->attr.mtu;
	u32 left = ((res->end_psn - res->next_psn) & ROCE_PSN_MASK) + 1;
	u32 offset = ((res->next_psn - res->first_psn) & ROCE_PSN_MASK) * mtu;
	bool first = res->restart, last = left == 1;
	u32 npkts = first || last ? 1 : min(left - 1, roce_batch_room(batch));
	u32 seg_len = min(res->length - offset, mtu);
	struct roce_tx_run *run;
	struct roce_hdr hdr = {
		.opcode = read_opcode(first, last),
		.pkey = qp->attr.pkey,
		.qpn = qp->attr.dest_qpn,
		.psn = res->next_psn,
		.aeth = ROCE_AETH_UNLIMITED << 24 | res->msn,
	};

	run = roce_batch_add(batch, &hdr, npkts, seg_len);
	run->payload.rkey = res->rkey;
	run->payload.va = res->va + offset;
	if (!roce_batch_commit(qp, batch))
		return false;
	if (res->restart) {
		res->start_time = now;
		res->start_psn = res->next_psn;
	}
	res->restart = false;
	res->sent_time = now;
	res->next_psn = roce_psn_add(res->next_psn, npkts);
	if (npkts == left)
		roce_rsrc_complete(&qp->resp);
	return true;
}

static void add_ack(const struct roce_qp *qp, struct roce_tx_batch *batch)
{
	const struct roce_resp *resp = &qp->resp;
	bool nak = resp->nak.state == ROCE_NAK_PENDING;
	u8 syndrome = nak ? resp->nak.syndrome : ROCE_AETH_UNLIMITED;
	struct roce_hdr hdr = {
		.opcode = ROCE_ACKNOWLEDGE,
		.pkey = qp->attr.pkey,
		.qpn = qp->attr.dest_qpn,
		.psn = nak ? resp->nak.psn : roce_psn_prev(resp->epsn),
		.aeth = (u32)syndrome << 24 | resp->msn,
	};

	roce_batch_add(batch, &hdr, 1, 0);
}

static void emit_ack(struct roce_qp *qp, struct roce_tx_batch *batch)
{
	add_ack(qp, batch);
	if (qp->resp.nak.state == ROCE_NAK_PENDING)
		qp->resp.nak.state = ROCE_NAK_SENT;
	qp->resp.ack.pending = false;
	qp->resp.ack.delack_expires = ROCE_NEVER;
}

/*
 * A delayed ACK is sent when there is a request to send, and before it. So the peer's send WQE
 * completes before the consumer's reply arrives, which programs depend on.
 */
static bool ack_ready(const struct roce_qp *qp)
{
	return qp->resp.ack.pending && (!roce_delack_pending(qp) || qp->sq.next != qp->sq.prod);
}

bool roce_resp_idle(const struct roce_qp *qp)
{
	return !qp->resp.first_scheduled && qp->resp.nak.state != ROCE_NAK_PENDING &&
	       !ack_ready(qp);
}

void roce_resp_tx(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch)
{
	struct roce_resp *resp = &qp->resp;
	struct roce_rsrc *res;

	while (batch->nruns < ROCE_RESP_RUNS && roce_batch_room(batch) &&
	       (res = resp->first_scheduled)) {
		if (res->kind == ROCE_RSRC_ATOMIC)
			build_atomic_response(qp, batch, res);
		else if (!build_read_responses(qp, now, batch, res))
			return;
	}
	if (!resp->first_scheduled && roce_batch_room(batch) &&
	    (resp->nak.state == ROCE_NAK_PENDING || ack_ready(qp)))
		emit_ack(qp, batch);
}

void roce_resp_final_ack(const struct roce_qp *qp, struct roce_tx_batch *batch)
{
	const struct roce_resp *resp = &qp->resp;

	/* An ACK would acknowledge READs whose responses have not been sent. */
	if (resp->msn && resp->nak.state != ROCE_NAK_PENDING && !resp->first_scheduled)
		add_ack(qp, batch);
}
