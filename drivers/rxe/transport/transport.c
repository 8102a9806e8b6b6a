// SPDX-License-Identifier: GPL-2.0
/*
 * Entry points of the transport: attributes and states of a QP, and dispatch of packets, timers and
 * transmission to requester, completer and responder, by service.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include <roce/info.h>
#include <roce/psn.h>
#include "transport/cnp.h"
#include "transport/common/reorder.h"
#include "transport/common/send_queue.h"
#include "transport/common/state.h"
#include "transport/requester/ackreq.h"
#include "transport/requester/cc.h"
#include "transport/requester/completer.h"
#include "transport/requester/hole.h"
#include "transport/requester/pacing.h"
#include "transport/requester/recovery.h"
#include "transport/requester/requester.h"
#include "transport/requester/rewind.h"
#include "transport/requester/rto.h"
#include "transport/requester/unreliable.h"
#include "transport/responder/delack.h"
#include "transport/responder/execute.h"
#include "transport/responder/read_pacing.h"
#include "transport/responder/nak_delay.h"
#include "transport/responder/resources.h"
#include "transport/responder/responder.h"
#include "transport/responder/unreliable.h"

static void reset(struct roce_qp *qp)
{
	struct roce_req *req = &qp->req;
	struct roce_resp *resp = &qp->resp;
	const struct roce_cc_ops *cc = req->cc.ops;

	qp->sq.prod = 0;
	qp->sq.cons = 0;
	qp->sq.next = 0;
	memset(req, 0, sizeof(*req));
	req->cc.ops = cc;
	roce_cc_reset(req);
	roce_cc_set_clamp(req, ROCE_CC_MAX_CWND);
	roce_ackreq_set_interval(req, ROCE_ACKREQ_MAX_INTERVAL);
	roce_hole_reset(req);
	req->loss.probe_end = ROCE_PSN_NONE;

	roce_reorder_purge(qp);
	roce_rsrc_clear(resp);
	resp->epsn = 0;
	resp->msn = 0;
	resp->cur_msg_class = 0;
	resp->has_recv = false;
	resp->ack.pending = false;
	resp->ack.delack_expires = ROCE_NEVER;
	resp->ack.unanswered_since = 0;
	resp->ack.pingpong_score = 0;
	resp->next_dup_psn = ROCE_PSN_NONE;
	resp->comm_est = false;
	resp->last_wqe = false;
	resp->nak.state = ROCE_NAK_NONE;
	roce_nak_delay_reset(resp);
	memset(&resp->pacing, 0, sizeof(resp->pacing));
	memset(&qp->cnp, 0, sizeof(qp->cnp));
	memset(&qp->attr, 0, sizeof(qp->attr));
}

void roce_qp_init(struct roce_qp *qp)
{
	qp->state = ROCE_RESET;
	reset(qp);
}

/* The default first. */
static const struct roce_cc_ops *const cc_ops[] = {
	&roce_cc_delay,
	&roce_cc_aimd,
	&roce_cc_fixed,
};

const char *roce_cc_name(u32 i)
{
	return i < ARRAY_SIZE(cc_ops) ? cc_ops[i]->name : NULL;
}

int roce_set_cc(struct roce_qp *qp, const char *name)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cc_ops); i++) {
		if (strcmp(cc_ops[i]->name, name))
			continue;
		qp->req.cc.ops = cc_ops[i];
		roce_cc_reset(&qp->req);
		return 0;
	}
	return -EINVAL;
}

static void set_requester(struct roce_qp *qp, const struct roce_attr *attr, u32 mask)
{
	if (mask & ROCE_QP_SQ_PSN)
		roce_snd_reset(&qp->req, attr->sq_psn & ROCE_PSN_MASK);
	if (mask & ROCE_QP_TIMEOUT)
		qp->attr.timeout = attr->timeout & 31;
	if (mask & ROCE_QP_RETRY_CNT) {
		qp->attr.retry_cnt = attr->retry_cnt;
		roce_rto_restore_retries(qp);
	}
	if (mask & ROCE_QP_RNR_RETRY) {
		qp->attr.rnr_retry = attr->rnr_retry;
		roce_loss_restore_rnr_retries(qp);
	}
	if (mask & ROCE_QP_MAX_RD_ATOMIC)
		qp->attr.max_rd_atomic = attr->max_rd_atomic;
}

static void set_responder(struct roce_qp *qp, const struct roce_attr *attr, u32 mask)
{
	if (mask & ROCE_QP_RQ_PSN)
		qp->resp.epsn = attr->rq_psn & ROCE_PSN_MASK;
	if (mask & ROCE_QP_MIN_RNR_TIMER)
		qp->attr.min_rnr_timer = attr->min_rnr_timer & ROCE_AETH_VALUE;
	if (mask & ROCE_QP_ACCESS)
		qp->attr.access = attr->access;
}

static void set_common(struct roce_qp *qp, const struct roce_attr *attr, u32 mask)
{
	if (mask & ROCE_QP_PKEY)
		qp->attr.pkey = attr->pkey;
	if (mask & ROCE_QP_PATH_MTU)
		qp->attr.mtu = attr->mtu;
	if (mask & ROCE_QP_DEST_QPN)
		qp->attr.dest_qpn = attr->dest_qpn & ROCE_BTH_QPN;
	if (mask & ROCE_QP_QKEY)
		qp->attr.qkey = attr->qkey;
}

static bool flush_send(struct roce_qp *qp)
{
	if (qp->sq.cons == qp->sq.prod)
		return false;
	roce_sq_flush_oldest(qp);
	return true;
}

static void enter(struct roce_qp *qp, u64 now, u8 state)
{
	switch (state) {
	case ROCE_RESET:
		reset(qp);
		break;
	case ROCE_RTS:
		while (qp->state == ROCE_SQE && flush_send(qp))
			;
		if (qp->state == ROCE_RTR)
			roce_loss_start(qp, now);
		break;
	case ROCE_SQD:
		if (qp->state != ROCE_SQD)
			qp->req.snd.sq_drained_reported = false;
		roce_rto_expire_pto(qp);
		break;
	case ROCE_ERR:
		roce_qp_to_err(qp);
		roce_rsrc_cancel_all(&qp->resp);
		break;
	}
	qp->state = state;
	roce_sq_check_drained(qp);
}

void roce_modify(struct roce_qp *qp, u64 now, const struct roce_attr *attr,
		 u32 mask)
{
	set_common(qp, attr, mask);
	set_requester(qp, attr, mask);
	set_responder(qp, attr, mask);
	if (mask & ROCE_QP_STATE)
		enter(qp, now, attr->state);
}

static void rx_congestion(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt)
{
	bool active = qp->state == ROCE_RTR || qp->state == ROCE_RTS || qp->state == ROCE_SQD;

	if (pkt->ce && active)
		roce_cnp_on_ce(qp, now, pkt);
	if (pkt->becn && active)
		roce_becn_rx(qp, now, pkt);
}

static bool rc_rx(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt, u32 *ack_reqs)
{
	if (pkt->ce || pkt->becn)
		rx_congestion(qp, now, pkt);
	if (pkt->op->flags & ROCE_IS_CNP)
		return true;
	if ((pkt->opcode & ROCE_OP_SERVICE) != ROCE_OP_RC) {
		qp->ops->count(qp, ROCE_COUNT_BAD_STATE, 1);
		return true;
	}
	if (pkt->op->flags & ROCE_IS_RESPONSE)
		return roce_comp_rx(qp, now, pkt);
	return roce_resp_rx(qp, now, pkt, ack_reqs);
}

static bool unreliable_rx(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	if (pkt->op->flags & ROCE_IS_CNP) {
		qp->ops->count(qp, ROCE_COUNT_CNP_IGNORED, 1);
		return true;
	}
	if ((pkt->opcode & ROCE_OP_SERVICE) != qp->service) {
		qp->ops->count(qp, ROCE_COUNT_BAD_STATE, 1);
		return true;
	}
	return qp->service == ROCE_OP_UC ? roce_uc_rx(qp, pkt) : roce_ud_rx(qp, pkt);
}

static u32 rc_rx_batch(struct roce_qp *qp, u64 now, const struct roce_pkt *pkts, u32 n)
{
	u32 ack_reqs = 0, i = 0;

	while (i < n && rc_rx(qp, now, &pkts[i], &ack_reqs))
		i++;
	/* No ACK is pending if the QP has gone to ERR. */
	if (ack_reqs && qp->resp.ack.pending)
		roce_delack_schedule(qp, now, ack_reqs);
	if (roce_req_inflight(&qp->req) && i && pkts[i - 1].op->flags & ROCE_IS_REQUEST)
		roce_loss_on_peer_request(qp, now);
	return i;
}

static u32 unreliable_rx_batch(struct roce_qp *qp, const struct roce_pkt *pkts, u32 n)
{
	u32 i = 0;

	while (i < n && unreliable_rx(qp, &pkts[i]))
		i++;
	return i;
}

u32 roce_rx(struct roce_qp *qp, u64 now, struct roce_pkt *pkts, u32 n)
{
	return qp->service == ROCE_OP_RC ? rc_rx_batch(qp, now, pkts, n) :
					   unreliable_rx_batch(qp, pkts, n);
}

/* Responses that backpressure (@paused) and pacing allow now. */
static u32 response_allowance(struct roce_qp *qp, u64 now, bool paused)
{
	if (!qp->resp.first_scheduled)
		return ROCE_TX_PKTS;
	return paused ? 0 : roce_read_pacing_allowance(&qp->resp, now);
}

static void rc_tx_responses(struct roce_qp *qp, u64 now, bool paused, struct roce_tx_batch *batch)
{
	u32 allowance = response_allowance(qp, now, paused);
	bool scheduled = qp->resp.first_scheduled;
	u16 max_pkts = batch->max_pkts, before = batch->npkts;

	if (!allowance)
		return;
	/* A quarter of the batch is for requests: a peer's READs must not starve them. */
	if (qp->sq.next != qp->sq.prod)
		batch->max_pkts -= max_pkts / 4;
	batch->max_pkts = min_t(u32, batch->max_pkts, before + min(allowance, ROCE_TX_PKTS + 0u));
	roce_resp_tx(qp, now, batch);
	batch->max_pkts = max_pkts;
	if (scheduled && batch->npkts != before)
		roce_read_pacing_on_sent(&qp->resp, now, batch->npkts - before);
}

static void rc_tx(struct roce_qp *qp, u64 now, const struct roce_tx_quota *quota,
		  struct roce_tx_batch *batch)
{
	u16 before;

	roce_cc_set_clamp(&qp->req, quota->cwnd_clamp);
	roce_ackreq_set_interval(&qp->req, quota->ack_interval);
	roce_cnp_tx(qp, now, batch);
	rc_tx_responses(qp, now, !quota->responses, batch);
	before = batch->npkts;
	roce_req_tx(qp, now, batch);
	if (qp->resp.ack.unanswered_since && batch->npkts != before)
		roce_delack_piggybacked(qp, now);
}

u32 roce_tx(struct roce_qp *qp, u64 now, const struct roce_tx_quota *quota,
	    struct roce_tx_batch *batch)
{
	batch->max_pkts = quota->max_pkts;
	batch->npkts = 0;
	batch->nruns = 0;
	if (qp->state == ROCE_RESET || qp->state == ROCE_INIT)
		return 0;
	if (qp->service == ROCE_OP_RC)
		rc_tx(qp, now, quota, batch);
	else
		roce_unreliable_tx(qp, batch);
	return batch->npkts;
}

bool roce_tx_idle(struct roce_qp *qp)
{
	return qp->service == ROCE_OP_RC && !qp->cnp.pending && roce_resp_idle(qp) &&
	       roce_req_idle(qp);
}

bool roce_tx_backlogged(const struct roce_qp *qp)
{
	return qp->sq.next != qp->sq.prod || qp->resp.first_scheduled;
}

u32 roce_final_ack(const struct roce_qp *qp, struct roce_tx_batch *batch)
{
	batch->npkts = 0;
	batch->nruns = 0;
	batch->max_pkts = ROCE_TX_PKTS;
	if (qp->service == ROCE_OP_RC && roce_takes_requests(qp))
		roce_resp_final_ack(qp, batch);
	return batch->npkts;
}

static void rc_tx_failed(struct roce_qp *qp, const struct roce_tx_run *run)
{
	struct roce_send_wqe *wqe = run->payload.wqe;

	if (qp->state == ROCE_ERR)
		return;
	if (!wqe) {
		roce_resp_tx_failed(qp, run->psn);
		return;
	}
	/* Earlier WQEs are in flight: flush them, as completions are in order. */
	while (roce_sq_wqe(qp, qp->sq.cons) != wqe)
		roce_sq_flush_oldest(qp);
	roce_sq_fail(qp, ROCE_LOC_PROT_ERR);
}

void roce_tx_failed(struct roce_qp *qp, u64 now, const struct roce_tx_run *run)
{
	if (qp->service == ROCE_OP_RC)
		rc_tx_failed(qp, run);
	else
		roce_unreliable_tx_failed(qp, run->payload.wqe);
}

void roce_tx_dropped(struct roce_qp *qp, u64 now)
{
	if (qp->service == ROCE_OP_RC)
		roce_congestion_react(qp, now);
}

void roce_qp_get_info(const struct roce_qp *qp, struct roce_qp_info *info)
{
	const struct roce_req *req = &qp->req;
	bool active = qp->state == ROCE_RTS || qp->state == ROCE_SQD;

	*info = (struct roce_qp_info){
		.srtt = req->rtt.srtt,
		.rto = req->rto.timeout,
		.sq_posted = qp->sq.prod - qp->sq.cons,
		.sq_unsent = qp->sq.prod - qp->sq.next,
		.nxt = req->snd.nxt,
		.una = req->snd.una,
		.max = req->snd.max,
		.window = roce_cc_window(req),
		.rd_atomic = req->snd.rd_atomic_inflight,
		.epsn = qp->resp.epsn,
		.msn = qp->resp.msn,
		.reorder_count = qp->resp.reorder.count,
		.responses_scheduled = roce_scheduled_responses(qp),
		.retries_left = req->rto.retries_left,
		.rnr_retries_left = req->loss.rnr_retries_left,
		.rnr_wait = active && req->loss.rnr_expires,
	};
}

static u64 requester_deadline(const struct roce_qp *qp)
{
	if (qp->state != ROCE_RTS && qp->state != ROCE_SQD)
		return ROCE_NEVER;
	return min(roce_loss_deadline(&qp->req), roce_pacing_deadline(qp));
}

u64 roce_deadline(const struct roce_qp *qp)
{
	u64 deadline = min3(requester_deadline(qp), qp->resp.ack.delack_expires,
			    roce_read_pacing_deadline(&qp->resp));

	if (!qp->resp.reorder.count)
		return deadline;
	return min3(deadline, qp->resp.reorder.expires, roce_nak_delay_expires(&qp->resp));
}

void roce_timeout(struct roce_qp *qp, u64 now)
{
	if (qp->resp.reorder.count) {
		if (now >= roce_nak_delay_expires(&qp->resp))
			roce_resp_nak_delayed(qp, now);
		if (now >= qp->resp.reorder.expires)
			roce_reorder_purge(qp);
	}
	/* Also if nothing waits: the rewind below may make packets wait. */
	if (now >= qp->req.cc.next_tx)
		qp->req.cc.paced = false;
	if (now >= roce_read_pacing_deadline(&qp->resp))
		qp->resp.pacing.waiting = false;
	if (now >= qp->resp.ack.delack_expires)
		qp->resp.ack.delack_expires = ROCE_NEVER;
	if (qp->state == ROCE_RTS || qp->state == ROCE_SQD)
		roce_loss_on_timeout(qp, now);
}

/* WQEs in a shared receive queue are for other QPs, until a message of this QP uses them. */
static bool flush_recv(struct roce_qp *qp)
{
	if (!qp->resp.has_recv &&
	    (qp->srq || qp->ops->get_recv_wqe(qp, qp->resp.recv_wqe) == -ENOENT))
		return false;
	roce_recv_fail(qp, ROCE_WR_FLUSH_ERR);
	return true;
}

static void check_last_wqe(struct roce_qp *qp)
{
	if (!qp->srq || qp->resp.last_wqe)
		return;
	qp->resp.last_wqe = true;
	qp->ops->event(qp, ROCE_EVENT_LAST_WQE);
}

bool roce_flush(struct roce_qp *qp, u32 budget)
{
	if (qp->state != ROCE_ERR && qp->state != ROCE_SQE)
		return false;
	do {
		if (!budget--)
			return true;
	} while (flush_send(qp) || (qp->state == ROCE_ERR && flush_recv(qp)));
	if (qp->state == ROCE_ERR)
		check_last_wqe(qp);
	return false;
}
