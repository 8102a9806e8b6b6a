/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fuzzing fixture: a queue pair and its memory. Each access by the transport must lie within memory
 * that it has been granted, and each WQE must complete once and in order.
 */
#ifndef TESTS_FUZZ_QP_H
#define TESTS_FUZZ_QP_H

#include <string.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <roce/psn.h>
#include <roce/qp.h>
#include "input.h"
#include "transport/responder/resources.h"
#include "transport/common/send_wqe.h"
#include "transport/common/send_queue.h"

#define WORLD_VA   0x10000ull /* remote memory: 64 KiB from here on */
#define WORLD_LEN  0x10000u
#define WORLD_RKEY 0x1234u
#define DEPTH	   16u
#define MAX_PKTS   16u

struct world {
	struct roce_qp qp; /* first: the ops find the world by it */
	struct input in;
	u64 now;
	u64 sent, completed; /* send WQEs: wr_id posted and completed last */
	u64 received;	     /* receive WQEs taken, likewise */
	u64 recv_completed;
	u32 recvs; /* posted, not taken */
	u32 recv_len;
	bool recv_bad;
	bool last_wqe; /* the event has been delivered */
	u64 granted_va; /* the latest WRITE's */
	u32 granted_len;
	u32 faults; /* ops that fail, by bits */
	struct roce_rsrc *res;
	struct roce_tx_quota quota;
	struct roce_tx_batch batch;
	u32 npkts;
	struct roce_pkt pkt[MAX_PKTS];
	u8 wqes[DEPTH][sizeof(struct roce_send_wqe) + sizeof(struct roce_sge)] __aligned(8);
	u8 recv[sizeof(struct roce_recv_wqe) + sizeof(struct roce_sge)] __aligned(8);
};

#define FAULT_SGES    0x01u
#define FAULT_SCATTER 0x02u
#define FAULT_WRITE   0x04u
#define FAULT_ATOMIC  0x08u
#define FAULT_INV     0x10u
#define FAULT_LOCAL   0x20u
#define FAULT_KEY     0x40u
#define FAULT_GRH     0x80u

static inline bool in_world(u64 va, u32 len)
{
	return va >= WORLD_VA && len <= WORLD_LEN && va - WORLD_VA <= WORLD_LEN - len;
}

static int world_check_sges(struct roce_qp *qp, const struct roce_sge *sge, u32 n, u32 access)
{
	return ((struct world *)qp)->faults & FAULT_SGES ? -EFAULT : 0;
}

static int world_scatter(struct roce_qp *qp, const struct roce_sge *sge, u32 n, u32 offset,
			 const struct roce_pkt *pkt)
{
	require(!pkt->payload_len || n == 1);
	require(!pkt->payload_len || (u64)offset + pkt->payload_len <= sge[0].length);
	return ((struct world *)qp)->faults & FAULT_SCATTER ? -EFAULT : 0;
}

static int world_scatter_grh(struct roce_qp *qp, const struct roce_sge *sge, u32 n,
			     const struct roce_pkt *pkt)
{
	require(qp->service == ROCE_OP_UD && n == 1 && sge[0].length >= 40);
	require(pkt->qkey == qp->attr.qkey);
	return ((struct world *)qp)->faults & FAULT_GRH ? -EFAULT : 0;
}

static int world_scatter_u64(struct roce_qp *qp, const struct roce_sge *sge, u32 n, u64 value)
{
	require(n == 1 && sge[0].length == 8);
	return ((struct world *)qp)->faults & FAULT_SCATTER ? -EFAULT : 0;
}

static int world_check_rkey(struct roce_qp *qp, u32 rkey, u64 va, u32 len, u32 access)
{
	struct world *w = (struct world *)qp;

	require(qp->attr.access & access);
	if (w->faults & FAULT_KEY || rkey != WORLD_RKEY || !in_world(va, len))
		return -EACCES;
	if (access == ROCE_ACCESS_REMOTE_WRITE) {
		w->granted_va = va;
		w->granted_len = len;
	}
	return 0;
}

static int world_write(struct roce_qp *qp, u32 rkey, u64 va, const struct roce_pkt *pkt)
{
	struct world *w = (struct world *)qp;

	require(rkey == WORLD_RKEY);
	require(va >= w->granted_va && pkt->payload_len <= w->granted_len);
	require(va - w->granted_va <= w->granted_len - pkt->payload_len);
	return w->faults & FAULT_WRITE ? -EFAULT : 0;
}

static int world_atomic(struct roce_qp *qp, const struct roce_pkt *pkt, u64 *old)
{
	require(pkt->rkey == WORLD_RKEY && in_world(pkt->va, 8) && !(pkt->va & 7));
	*old = pkt->va;
	return ((struct world *)qp)->faults & FAULT_ATOMIC ? -EFAULT : 0;
}

static int world_flush(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	require(pkt->flush_type && pkt->flush_level <= ROCE_FLUSH_MR);
	return ((struct world *)qp)->faults & FAULT_ATOMIC ? -EFAULT : 0;
}

static int world_atomic_write(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	require(qp->attr.access & ROCE_ACCESS_REMOTE_WRITE);
	require(pkt->payload_len == 8 && pkt->dma_len == 8 && !(pkt->va & 7));
	return ((struct world *)qp)->faults & FAULT_ATOMIC ? -EFAULT : 0;
}

static int world_invalidate(struct roce_qp *qp, u32 rkey)
{
	return ((struct world *)qp)->faults & FAULT_INV ? -EINVAL : 0;
}

static int world_recv_wqe(struct roce_qp *qp, struct roce_recv_wqe *wqe)
{
	struct world *w = (struct world *)qp;

	require((void *)wqe == w->recv);
	if (!w->recvs)
		return -ENOENT;
	w->recvs--;
	wqe->wr_id = ++w->received;
	wqe->length = w->recv_len;
	wqe->num_sge = 1;
	wqe->sge[0].length = w->recv_len;
	return w->recv_bad ? -EINVAL : 0;
}

static enum roce_status world_local_op(struct roce_qp *qp, struct roce_send_wqe *wqe)
{
	require(roce_wqe_is_local(wqe));
	return ((struct world *)qp)->faults & FAULT_LOCAL ? ROCE_MW_BIND_ERR : ROCE_SUCCESS;
}

static void world_complete(struct roce_qp *qp, const struct roce_wc *wc)
{
	struct world *w = (struct world *)qp;

	if (wc->is_recv) {
		require(wc->wr_id == w->received && wc->wr_id == ++w->recv_completed);
		return;
	}
	require(wc->wr_id == ++w->completed && wc->wr_id <= w->sent);
	/* After a failure, only local operations executed before it succeed. */
	require(wc->status != ROCE_SUCCESS || qp->state != ROCE_ERR ||
		wc->opcode == ROCE_WR_LOCAL_INV || wc->opcode == ROCE_WR_REG_MR ||
		wc->opcode == ROCE_WR_BIND_MW);
}

static void world_event(struct roce_qp *qp, enum roce_event event)
{
	struct world *w = (struct world *)qp;

	require(event <= ROCE_EVENT_LAST_WQE);
	if (event != ROCE_EVENT_LAST_WQE)
		return;
	require(qp->srq && qp->state == ROCE_ERR && !w->last_wqe && !qp->resp.has_recv);
	w->last_wqe = true;
}

static void world_count(struct roce_qp *qp, enum roce_count what, u32 n)
{
	require(what < ROCE_COUNTS && n);
}

static const struct roce_ops world_ops = {
	.check_sges = world_check_sges,
	.scatter = world_scatter,
	.scatter_u64 = world_scatter_u64,
	.scatter_grh = world_scatter_grh,
	.check_rkey = world_check_rkey,
	.write = world_write,
	.atomic = world_atomic,
	.flush = world_flush,
	.atomic_write = world_atomic_write,
	.invalidate = world_invalidate,
	.get_recv_wqe = world_recv_wqe,
	.local_op = world_local_op,
	.complete = world_complete,
	.event = world_event,
	.count = world_count,
};

/* Replace the responder resources, mostly by fewer than 8. */
static inline void world_resources(struct world *w)
{
	u8 how = take8(&w->in);
	u32 n = how < 0xf0 ? how & 7 : how;
	struct roce_rsrc *res = n ? calloc(n, sizeof(*res)) : NULL;

	free(roce_set_resources(&w->qp, res, n));
	w->res = res;
}

static inline void world_state(struct world *w, u8 state)
{
	struct roce_attr attr = { .state = state };

	roce_modify(&w->qp, w->now, &attr, ROCE_QP_STATE);
}

/* From RESET to RTS, with attributes from the input. */
static inline void world_connect(struct world *w)
{
	struct roce_attr attr = {
		.state = ROCE_RTR,
		.pkey = 0xffff,
		.access = (take8(&w->in) & 0xf) | ROCE_ACCESS_FLUSH_GLOBAL,
		.dest_qpn = 1,
		.mtu = ROCE_MIN_MTU << take8(&w->in) % 5,
		.rq_psn = take32(&w->in),
		.sq_psn = take32(&w->in),
		.timeout = take8(&w->in) & 31,
		.retry_cnt = take8(&w->in) & 7,
		.rnr_retry = take8(&w->in) & 7,
		.min_rnr_timer = take8(&w->in) & 31,
		.max_rd_atomic = take8(&w->in),
		.qkey = WORLD_RKEY,
	};

	world_state(w, ROCE_INIT);
	roce_modify(&w->qp, w->now, &attr,
		    ROCE_QP_STATE | ROCE_QP_PKEY | ROCE_QP_ACCESS | ROCE_QP_DEST_QPN |
			    ROCE_QP_PATH_MTU | ROCE_QP_RQ_PSN | ROCE_QP_SQ_PSN | ROCE_QP_TIMEOUT |
			    ROCE_QP_RETRY_CNT | ROCE_QP_RNR_RETRY | ROCE_QP_MIN_RNR_TIMER |
			    ROCE_QP_MAX_RD_ATOMIC | ROCE_QP_QKEY);
	world_state(w, ROCE_RTS);
}

static inline void world_new(struct world *w, u8 service, bool srq, const u8 *data, size_t len)
{
	memset(w, 0, sizeof(*w));
	w->in = (struct input){ data, len };
	w->qp.service = service;
	w->qp.srq = srq;
	w->now = 1000000000;
	w->qp.ops = &world_ops;
	w->qp.sq.wqes = w->wqes;
	w->qp.sq.mask = DEPTH - 1;
	w->qp.sq.stride = sizeof(w->wqes[0]);
	w->qp.resp.recv_wqe = (void *)w->recv;
	roce_qp_init(&w->qp);
	w->quota = ROCE_TX_QUOTA_MAX;
	w->quota.cwnd_clamp = 1 + take8(&w->in);
	w->quota.ack_interval = 1 + take8(&w->in) % 64;
	w->qp.ackreq_deferral = w->quota.ack_interval & 1;
	world_resources(w);
	world_connect(w);
}

static inline void world_free(struct world *w)
{
	free(w->res);
}

/*
 * Invariants between two calls.
 */

static inline void check_resources(const struct roce_resp *resp)
{
	const struct roce_rsrc *res, *first = NULL;
	u32 i;

	require(!resp->res_size || resp->res_head < resp->res_size);
	for (i = 0; i < resp->res_size && !first; i++) {
		res = &resp->res[(resp->res_head + i) % resp->res_size];
		if (res->state == ROCE_RSRC_SCHEDULED || res->state == ROCE_RSRC_REPLAYING)
			first = res;
	}
	require(resp->first_scheduled == first);
}

static inline void check_send_queue(const struct roce_qp *qp)
{
	const struct roce_req *req = &qp->req;
	u32 i, reads = 0;

	require(qp->sq.prod - qp->sq.cons <= DEPTH);
	require(qp->sq.next - qp->sq.cons <= qp->sq.prod - qp->sq.cons);
	if (qp->service != ROCE_OP_RC)
		return; /* no packet is ever in flight */
	require(roce_req_inflight(req) <= ROCE_MAX_INFLIGHT);
	require(((req->snd.nxt - req->snd.una) & ROCE_PSN_MASK) <= roce_req_inflight(req));
	for (i = qp->sq.cons; i != qp->sq.prod; i++) {
		const struct roce_send_wqe *wqe = roce_sq_wqe(qp, i);

		reads += wqe->state == ROCE_WQE_STARTED && roce_wqe_needs_response(wqe);
	}
	require(reads == req->snd.rd_atomic_inflight && reads <= qp->attr.max_rd_atomic);
}

static inline void check_timer(const struct roce_qp *qp)
{
	bool running = qp->state == ROCE_RTS || qp->state == ROCE_SQD;
	bool waiting = roce_deadline(qp) != ROCE_NEVER;
	bool responses_paced = qp->resp.pacing.waiting && qp->resp.first_scheduled;

	require(running || waiting == responses_paced);
	if (running)
		require(waiting == (roce_req_inflight(&qp->req) || roce_tx_paced(qp)));
}

static inline void world_check(const struct world *w)
{
	const struct roce_qp *qp = &w->qp;

	require(!(qp->resp.epsn & ~ROCE_PSN_MASK) && !(qp->req.snd.nxt & ~ROCE_PSN_MASK));
	require(w->sent - w->completed == qp->sq.prod - qp->sq.cons);
	require(w->received - w->recv_completed == qp->resp.has_recv);
	check_resources(&qp->resp);
	check_send_queue(qp);
	check_timer(qp);
}

/*
 * Steps, each decoded from bytes of the input.
 */

static inline void check_run(const struct world *w, const struct roce_tx_run *run)
{
	const struct roce_opcode_info *op = roce_opcode(run->hdr[0]);
	u64 bytes = (u64)run->npkts * run->seg_len;
	u8 hdr[ROCE_MAX_HDR];
	struct roce_pkt pkt;
	u32 len = run->hdr_len + run->seg_len + run->pad;

	require(op && run->npkts >= 1 && run->hdr_len == op->hdr_len);
	require(run->seg_len <= w->qp.attr.mtu);
	require(run->npkts == 1 || op->hdr_len == sizeof(struct roce_bth));
	roce_run_header(run, run->npkts - 1, hdr);
	require(roce_parse(hdr, run->hdr_len, len, 0, &pkt) == ROCE_DROP_NONE);
	require(pkt.psn == roce_psn_add(run->psn, run->npkts - 1));
	if (!(op->flags & ROCE_HAS_PAYLOAD) || !run->seg_len)
		return;
	if (op->flags & ROCE_IS_RESPONSE) {
		require(!run->payload.wqe && run->payload.rkey == WORLD_RKEY);
		require(bytes <= WORLD_LEN && in_world(run->payload.va, bytes));
	} else {
		require(run->payload.wqe);
		require(run->payload.offset + bytes <= run->payload.wqe->length);
	}
}

/* A batch has at most one ACK, behind all responses; an idle QP sends no packet. */
static inline void step_tx(struct world *w)
{
	bool idle = roce_tx_idle(&w->qp);
	u64 deadline = roce_deadline(&w->qp);
	u32 i, npkts = 0, acks = 0;

	w->quota.max_pkts = take8(&w->in) % (ROCE_TX_PKTS + 1);
	roce_tx(&w->qp, w->now, &w->quota, &w->batch);
	require(w->batch.nruns <= ROCE_TX_RUNS && w->batch.npkts <= w->quota.max_pkts);
	for (i = 0; i < w->batch.nruns; i++) {
		check_run(w, &w->batch.run[i]);
		npkts += w->batch.run[i].npkts;
		acks += w->batch.run[i].hdr[0] == ROCE_ACKNOWLEDGE;
		require(!acks || w->batch.run[i].hdr[0] == ROCE_ACKNOWLEDGE ||
			roce_opcode(w->batch.run[i].hdr[0])->flags & ROCE_IS_REQUEST);
	}
	require(npkts == w->batch.npkts && acks <= 1);
	require(!idle || (!npkts && roce_deadline(&w->qp) == deadline));
}

/* True if the run belongs to a re-requested READ, which the requester may have completed. */
static inline bool is_repeat(struct world *w, const struct roce_tx_run *run)
{
	const struct roce_rsrc *res = roce_rsrc_find(&w->qp.resp, run->psn, ROCE_RSRC_READ);

	return w->qp.service == ROCE_OP_RC && !run->payload.wqe && res && roce_rsrc_is_replay(res);
}

/* Report that a run's payload cannot be read. */
static inline void step_tx_failed(struct world *w)
{
	u8 before, after;
	u32 i;

	step_tx(w);
	i = take8(&w->in);
	if (i >= w->batch.nruns || !w->batch.run[i].seg_len)
		return;
	before = w->qp.state;
	after = w->qp.service == ROCE_OP_RC ? ROCE_ERR : ROCE_SQE;
	if (is_repeat(w, &w->batch.run[i]))
		after = before;
	roce_tx_failed(&w->qp, w->now, &w->batch.run[i]);
	require(w->qp.state == after || w->qp.state == ROCE_ERR);
}

static inline void hand_in(struct world *w)
{
	roce_rx(&w->qp, w->now, w->pkt, w->npkts);
	w->npkts = 0;
}

static inline void add_packet(struct world *w, bool last)
{
	w->npkts++;
	if (last || w->npkts == MAX_PKTS)
		hand_in(w);
}

/* A raw packet: length, then bytes. */
static inline void step_raw(struct world *w)
{
	u32 len = take8(&w->in), readable;
	u8 *bth;

	if (len > w->in.left)
		len = w->in.left;
	readable = len < ROCE_MAX_HDR ? len : ROCE_MAX_HDR;
	bth = malloc(readable);
	memcpy(bth, w->in.p, readable);
	w->in.p += len;
	w->in.left -= len;
	if (roce_parse(bth, readable, len, ROCE_ICRC_LEN, &w->pkt[w->npkts]) == ROCE_DROP_NONE)
		add_packet(w, true);
	free(bth);
}

/* Payload lengths of interest: none, a full packet, a few bytes, anything. */
static inline u32 take_length(struct input *in, u32 mtu)
{
	u8 how = take8(in);

	switch (how >> 6) {
	case 0:
		return mtu;
	case 1:
		return how & 0x3f;
	case 2:
		return mtu - (how & 0x3f);
	default:
		return take16(in) & 0x1fff;
	}
}

/* Message lengths: up to a few packets, or anything. */
static inline u32 take_msg_length(struct input *in, u32 mtu)
{
	u8 how = take8(in);

	if (how < 0x80)
		return (how & 7) * mtu + (how >> 3 & 1);
	if (how < 0xf0)
		return how & 0x3f;
	return take32(in);
}

/* Clear the fields that the opcode does not carry, as the parser does. */
static inline void fit_payload(struct roce_pkt *pkt)
{
	u32 flags = pkt->op->flags;

	if (!(flags & ROCE_HAS_PAYLOAD))
		pkt->payload_len = 0;
	if (!(flags & ROCE_IS_LAST))
		pkt->payload_len &= ~3u;
	pkt->pad = -pkt->payload_len & 3;
	pkt->payload_off = pkt->op->hdr_len;
}

/* The expected PSN, one near it, or any. */
static inline u32 take_request_psn(struct world *w)
{
	u8 how = take8(&w->in);

	if (how < 0x80)
		return w->qp.resp.epsn;
	if (how < 0xf0)
		return roce_psn_add(w->qp.resp.epsn, (how & 0x3f) - 0x20u);
	return take32(&w->in) & ROCE_PSN_MASK;
}

static inline u64 take_va(struct input *in)
{
	u8 how = take8(in);

	if (how < 0xf0)
		return WORLD_VA + how * 0x100u;
	return (u64)take32(in) << 32 | take32(in);
}

static inline void step_request(struct world *w)
{
	struct roce_pkt *pkt = &w->pkt[w->npkts];
	u8 how = take8(&w->in), op = w->qp.service | (take8(&w->in) & 0x1f);

	*pkt = (struct roce_pkt){ .opcode = op, .op = roce_opcode(op) };
	if (!pkt->op)
		return;
	pkt->psn = take_request_psn(w);
	pkt->ack_req = how & 1;
	pkt->solicited = how & 2;
	pkt->rkey = how & 0xf0 ? WORLD_RKEY : 1;
	pkt->qkey = pkt->rkey;
	if (pkt->op->flags & ROCE_HAS_PAYLOAD)
		pkt->payload_len = take_length(&w->in, w->qp.attr.mtu);
	if (pkt->op->flags & (ROCE_HAS_RETH | ROCE_HAS_ATOMIC_ETH))
		pkt->va = take_va(&w->in);
	if (pkt->op->flags & ROCE_HAS_RETH)
		pkt->dma_len = take_msg_length(&w->in, w->qp.attr.mtu);
	if (pkt->op->flags & ROCE_HAS_FETH)
		pkt->flush_type = how >> 4 & 3;
	fit_payload(pkt);
	if (pkt->op->flags & ROCE_IS_ONLY && how & 8 &&
	    pkt->op->flags & (ROCE_IS_WRITE | ROCE_IS_ATOMIC_WRITE))
		pkt->dma_len = pkt->payload_len;
	add_packet(w, !(how & 4));
}

static inline void step_recv(struct world *w)
{
	u8 how = take8(&w->in);

	w->recvs += how & 3;
	w->recv_bad = (how & 0xfc) == 0xfc;
	w->recv_len = take16(&w->in);
}

static inline void step_post(struct world *w)
{
	u8 op = take8(&w->in) % (ROCE_WR_REG_MR + 1), flags = take8(&w->in);
	struct roce_send_wqe *wqe = roce_sq_wqe(&w->qp, w->qp.sq.prod);

	if (!roce_sq_room(&w->qp))
		return;
	if (op == ROCE_WR_READ && (flags & 0xc0) == 0x40)
		op = flags & 0x20 ? ROCE_WR_FLUSH : ROCE_WR_ATOMIC_WRITE;
	memset(wqe, 0xa5, sizeof(w->wqes[0]));
	wqe->wr_id = ++w->sent;
	wqe->opcode = op;
	wqe->flags = (flags & (ROCE_WR_FENCE | ROCE_WR_SOLICITED)) | ROCE_WR_SIGNALED;
	wqe->status = flags > 0xf8 ? ROCE_LOC_QP_OP_ERR : ROCE_SUCCESS;
	wqe->length = take_msg_length(&w->in, w->qp.attr.mtu);
	if (wqe->length > ROCE_MAX_MSG)
		wqe->length = ROCE_MAX_MSG;
	if (op == ROCE_WR_COMPARE_SWAP || op == ROCE_WR_FETCH_ADD || op == ROCE_WR_ATOMIC_WRITE)
		wqe->length = 8;
	wqe->num_sge = 1;
	wqe->sge[0].length = wqe->length;
	roce_post(&w->qp, 1);
}

/* Flush the WQEs left by an error, and return to RESET. */
static inline void step_reset(struct world *w)
{
	world_state(w, ROCE_ERR);
	w->recvs = take8(&w->in) & 3;
	while (roce_flush(&w->qp, 1 + take8(&w->in)))
		;
	require(w->completed == w->sent && w->recv_completed == w->received);
	require(w->last_wqe == w->qp.srq);
	w->last_wqe = false;
	world_check(w);
	world_state(w, ROCE_RESET);
	world_connect(w);
}

static inline void step_pass(struct world *w)
{
	u64 deadline = roce_deadline(&w->qp);
	u8 how = take8(&w->in);

	if (how & 1 && deadline != ROCE_NEVER && deadline > w->now)
		w->now = deadline;
	else
		w->now += 1ull << (how >> 1) % 40;
	roce_timeout(&w->qp, w->now);
	require(roce_deadline(&w->qp) > w->now);
}

static inline void step_state(struct world *w)
{
	u8 to = take8(&w->in);

	if (to < 8)
		world_state(w, ROCE_ERR);
	else if (w->qp.state == ROCE_RTS)
		world_state(w, ROCE_SQD);
	else if (w->qp.state == ROCE_SQD || w->qp.state == ROCE_SQE)
		world_state(w, ROCE_RTS);
}

/* Steps common to all targets, for step bytes below 0xe8. */
static inline void step_common(struct world *w, u8 what)
{
	if (what < 0xd0)
		step_raw(w);
	else if (what < 0xd8)
		step_reset(w);
	else if (what < 0xe0)
		step_state(w);
	else
		step_tx_failed(w);
}

/* Run one input, and check the invariants after each step. */
static inline void world_run_service(u8 service, bool srq, const u8 *data, size_t len,
				     void (*step)(struct world *w))
{
	static struct world w;

	world_new(&w, service, srq, data, len);
	world_check(&w);
	while (w.in.left) {
		step(&w);
		world_check(&w);
	}
	world_free(&w);
}

static inline void world_run(const u8 *data, size_t len, void (*step)(struct world *w))
{
	world_run_service(ROCE_OP_RC, false, data, len, step);
}

#endif
