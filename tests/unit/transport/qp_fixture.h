/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A bench for one queue pair: rows of steps go in, and everything that the QP
 * does is written down in one line, to be compared with the row's.
 *
 *	tx OPCODE@PSN...	a packet or run of packets to send, see bench_log_run()
 *				("|": not in one buffer with what precedes)
 *	tx frame+LENGTH		the same of a raw packet QP
 *	wc WR_ID=STATUS		completion of a send WQE; "rwc" of a receive WQE
 *	ev NAME			asynchronous event
 *	+NAME			a counter that the row cares for has gone up
 *	key, write, scatter, grh, atomic, inv, sges, local: calls of the QP's ops
 */
#ifndef TESTS_QP_BENCH_H
#define TESTS_QP_BENCH_H

#include "unit.h"
#include <linux/errno.h>
#include <stdio.h>
#include <asm/byteorder.h>
#include <roce/psn.h>
#include <roce/qp.h>

#define BENCH_DEPTH  16u /* send queue */
#define BENCH_DEEP   256u /* at most */
#define BENCH_SGES   2u
#define BENCH_RES    4u
#define BENCH_MTU    1024u
#define BENCH_SQ_PSN 100u
#define BENCH_RQ_PSN 200u
#define BENCH_RKEY   0x77u
#define BENCH_QPN    0x11u /* the peer's */
#define BENCH_OWN    0x22u
#define BENCH_QKEY   0x1234u
#define BENCH_START  1000000000ull /* ns */
#define BENCH_STEPS  40

#define MS 1000000ull

/* Which op fails from now on. */
enum bench_fault {
	NO_FAULT,
	FAULT_SGES,
	FAULT_SCATTER,
	FAULT_KEY,
	FAULT_WRITE,
	FAULT_ATOMIC,
	FAULT_INV,
	FAULT_RECV,
	FAULT_LOCAL,
	FAULT_GRH,
	FAULT_READY,
};

struct bench {
	struct roce_qp qp; /* first: the ops find the bench by it */
	u64 now;
	u32 next_wr_id;
	u32 recv_posted, recv_taken;
	u32 recv_len[64];
	u32 atomics;
	enum bench_fault fault;
	bool later; /* the op does not fail, but its memory has to be waited for */
	u32 watch;  /* counters to be logged, 1 << enum roce_count */
	bool quiet; /* leave out the calls of the ops */
	u32 npkts;  /* received, kept back */
	struct roce_pkt pkt[16];
	struct roce_tx_batch batch;
	struct roce_rsrc res[BENCH_RES];
	u8 wqes[BENCH_DEEP]
	       [sizeof(struct roce_send_wqe) + BENCH_SGES * sizeof(struct roce_sge)] __aligned(8);
	u8 recv[sizeof(struct roce_recv_wqe) + sizeof(struct roce_sge)] __aligned(8);
	char log[4096];
	size_t len;
};

static inline struct bench *bench_of(struct roce_qp *qp)
{
	return (struct bench *)qp;
}

static inline void __printf(2, 3) bench_say(struct bench *b, const char *fmt, ...)
{
	va_list args;

	if (b->len && b->len < sizeof(b->log) - 2)
		b->log[b->len++] = ' ';
	va_start(args, fmt);
	b->len += vsnprintf(b->log + b->len, sizeof(b->log) - b->len, fmt, args);
	va_end(args);
	assert_true(b->len < sizeof(b->log));
}

static inline const char *bench_status(u8 status)
{
	static const char *const names[] = {
		"ok",	    "loc-len", "loc-op",  "eec",     "loc-prot", "flush", "bind",
		"bad-resp", "loc-acc", "rem-inv", "rem-acc", "rem-op",	 "retry", "rnr",
	};

	return status < ARRAY_SIZE(names) ? names[status] : "?";
}

/*
 * OPCODE@PSN, xN for a run of several, the headers' fields, +LENGTH of the
 * payload, S if solicited, A if the last packet asks for an acknowledgement.
 */
static inline void bench_log_run(struct bench *b, const struct roce_tx_run *run)
{
	static const char *const ops[] = {
		"SF", "SM",  "SL",  "SLi", "SO", "SOi", "WF", "WM",  "WL", "WLi",
		"WO", "WOi", "R",   "RF",  "RM", "RL",	"RO", "ACK", "AA", "CS",
		"FA", "?",   "SLv", "SOv", "?",	 "?",	"?",  "?",   "FL", "AW",
	};
	u8 first[ROCE_MAX_HDR], last[ROCE_MAX_HDR];
	struct roce_pkt f, l;
	char text[160];
	size_t n = 0;
	u32 op;

	if (b->qp.service == ROCE_RAW) {
		assert_int_equal(run->hdr_len + run->pad + run->payload.offset, 0);
		assert_int_equal(run->npkts, 1);
		bench_say(b, "tx frame+%u", run->seg_len);
		return;
	}
	roce_run_header(run, 0, first);
	roce_run_header(run, run->npkts - 1, last);
	assert_int_equal(run->pad, -run->seg_len & 3);
	assert_int_equal(roce_parse(first, run->hdr_len, run->hdr_len + run->seg_len + run->pad, 0,
				    &f),
			 ROCE_DROP_NONE);
	assert_int_equal(roce_parse(last, run->hdr_len, run->hdr_len + run->seg_len + run->pad, 0,
				    &l),
			 ROCE_DROP_NONE);
	assert_int_equal(f.psn, run->psn);
	assert_int_equal(f.qpn, BENCH_QPN);
	assert_int_equal(l.psn, roce_psn_add(f.psn, run->npkts - 1));
	assert_true(run->npkts == 1 || (!f.ack_req && !f.pad));
	op = f.op->flags;
#define ADD(...) (n += snprintf(text + n, sizeof(text) - n, __VA_ARGS__))
	assert_int_equal(f.opcode & ROCE_OP_SERVICE, b->qp.service);
	ADD("tx %s@%u", ops[f.opcode & ~ROCE_OP_SERVICE], f.psn);
	if (run->npkts > 1)
		ADD("x%u", run->npkts);
	if (op & ROCE_HAS_DETH)
		ADD("[%#x,%#x]", f.qkey, f.src_qpn);
	if (op & ROCE_HAS_FETH)
		ADD("[%u,%u]", f.flush_type, f.flush_level);
	if (op & ROCE_HAS_RETH)
		ADD("[%#llx,%u]", f.va, f.dma_len);
	if (op & ROCE_HAS_ATOMIC_ETH)
		ADD("[%#llx,%llu,%llu]", f.va, f.compare, f.swap_add);
	if (op & ROCE_HAS_ATOMIC_ACK)
		ADD("[%llu]", f.orig);
	if (op & ROCE_HAS_IMM)
		ADD("[%u]", be32_to_cpu(f.imm));
	if (op & ROCE_HAS_IETH)
		ADD("[%u]", f.inv_rkey);
	if (op & ROCE_HAS_AETH && f.syndrome != ROCE_AETH_UNLIMITED)
		ADD("!%x", f.syndrome);
	if (op & ROCE_HAS_AETH)
		ADD("m%u", f.msn);
	if (run->payload.wqe)
		ADD("<%u", run->payload.offset);
	else if (op & ROCE_HAS_PAYLOAD && run->seg_len)
		ADD("<%#llx", run->payload.va);
	if (op & ROCE_HAS_PAYLOAD)
		ADD("+%u", run->seg_len);
	if (l.solicited)
		ADD("S");
	if (l.ack_req)
		ADD("A");
	if (run->new_skb)
		ADD("|");
#undef ADD
	bench_say(b, "%s", text);
}

/*
 * The QP's ops.
 */

#define OP_SAY(b, ...)                             \
	do {                                       \
		if (!(b)->quiet)                   \
			bench_say(b, __VA_ARGS__); \
	} while (0)

static inline int bench_error(const struct bench *b, enum bench_fault fault)
{
	if (b->fault != fault)
		return 0;
	return b->later ? -EAGAIN : -EFAULT;
}

static inline int bench_check_sges(struct roce_qp *qp, const struct roce_sge *sge, u32 n,
				   u32 access)
{
	struct bench *b = bench_of(qp);

	(void)sge;
	if (access)
		OP_SAY(b, "sges(%u)", n);
	return b->fault == FAULT_SGES ? -EFAULT : 0;
}

static inline int bench_scatter(struct roce_qp *qp, const struct roce_sge *sge, u32 n, u32 offset,
				const struct roce_pkt *pkt)
{
	struct bench *b = bench_of(qp);
	u32 room = n ? sge[0].length : 0;

	assert_true(offset + (u64)pkt->payload_len <= room);
	OP_SAY(b, "scatter(%u,%u)", offset, pkt->payload_len);
	return bench_error(b, FAULT_SCATTER);
}

static inline int bench_scatter_grh(struct roce_qp *qp, const struct roce_sge *sge, u32 n,
				    const struct roce_pkt *pkt)
{
	struct bench *b = bench_of(qp);

	assert_true(n && sge[0].length >= 40);
	assert_non_null(pkt);
	OP_SAY(b, "grh");
	return bench_error(b, FAULT_GRH);
}

static inline int bench_scatter_u64(struct roce_qp *qp, const struct roce_sge *sge, u32 n,
				    u64 value)
{
	struct bench *b = bench_of(qp);

	assert_true(n && sge[0].length == 8);
	OP_SAY(b, "scatter64(%llu)", value);
	return bench_error(b, FAULT_SCATTER);
}

static inline int bench_check_rkey(struct roce_qp *qp, u32 rkey, u64 va, u32 len, u32 access)
{
	struct bench *b = bench_of(qp);

	OP_SAY(b, "key(%s,%#llx,%u)",
	       access == ROCE_ACCESS_REMOTE_WRITE ? "W" :
	       access == ROCE_ACCESS_REMOTE_READ  ? "R" :
						    "A",
	       va, len);
	return b->fault == FAULT_KEY || rkey != BENCH_RKEY ? -EACCES : 0;
}

static inline int bench_write(struct roce_qp *qp, u32 rkey, u64 va, const struct roce_pkt *pkt)
{
	struct bench *b = bench_of(qp);

	assert_int_equal(rkey, BENCH_RKEY);
	OP_SAY(b, "write(%#llx,%u)", va, pkt->payload_len);
	return bench_error(b, FAULT_WRITE);
}

/* The old value is the number of atomics executed, this one included. */
static inline int bench_atomic(struct roce_qp *qp, const struct roce_pkt *pkt, u64 *old)
{
	struct bench *b = bench_of(qp);

	if (b->fault == FAULT_ATOMIC)
		return bench_error(b, FAULT_ATOMIC);
	*old = ++b->atomics;
	OP_SAY(b, "atomic(%#llx)", pkt->va);
	return 0;
}

static inline int bench_flush(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	struct bench *b = bench_of(qp);

	OP_SAY(b, "flush(%u,%u,%#llx,%u)", pkt->flush_type, pkt->flush_level, pkt->va,
	       pkt->dma_len);
	return bench_error(b, FAULT_ATOMIC);
}

static inline int bench_atomic_write(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	struct bench *b = bench_of(qp);

	assert_int_equal(pkt->payload_len, 8);
	OP_SAY(b, "put(%#llx)", pkt->va);
	return bench_error(b, FAULT_ATOMIC);
}

static inline int bench_invalidate(struct roce_qp *qp, u32 rkey)
{
	struct bench *b = bench_of(qp);

	OP_SAY(b, "inv(%u)", rkey);
	return b->fault == FAULT_INV ? -EINVAL : 0;
}

/* Receive WQEs are numbered from 1001 on. */
static inline int bench_recv_wqe(struct roce_qp *qp, struct roce_recv_wqe *wqe)
{
	struct bench *b = bench_of(qp);
	u32 i = b->recv_taken;

	if (i == b->recv_posted)
		return -ENOENT;
	b->recv_taken++;
	wqe->wr_id = 1001 + i;
	if (b->fault == FAULT_RECV)
		return -EINVAL;
	wqe->length = b->recv_len[i];
	wqe->num_sge = 1;
	wqe->sge[0] = (struct roce_sge){ .addr = 0x5000, .length = b->recv_len[i] };
	return 0;
}

static inline enum roce_status bench_local_op(struct roce_qp *qp, struct roce_send_wqe *wqe)
{
	struct bench *b = bench_of(qp);

	OP_SAY(b, "local(%llu)", wqe->wr_id);
	return b->fault == FAULT_LOCAL ? ROCE_MW_BIND_ERR : ROCE_SUCCESS;
}

static inline void bench_complete(struct roce_qp *qp, const struct roce_wc *wc)
{
	struct bench *b = bench_of(qp);
	char extra[64] = "";

	if (wc->is_recv && wc->status == ROCE_SUCCESS)
		snprintf(extra, sizeof(extra), "%s%u", wc->opcode == ROCE_WR_SEND ? "" : "w",
			 wc->byte_len);
	else if (wc->byte_len)
		snprintf(extra, sizeof(extra), ",%u", wc->byte_len);
	if (wc->has_imm)
		snprintf(extra + strlen(extra), 16, "i%u", be32_to_cpu(wc->imm));
	if (wc->has_inv)
		snprintf(extra + strlen(extra), 16, "v%u", wc->inv_rkey);
	if (wc->pkt)
		snprintf(extra + strlen(extra), 16, "<%#x", wc->src_qpn);
	/* An error always wakes its consumer. */
	assert_true(wc->status == ROCE_SUCCESS || wc->solicited);
	bench_say(b, "%swc %llu=%s%s%s", wc->is_recv ? "r" : "", wc->wr_id,
		  wc->is_recv && wc->status == ROCE_SUCCESS ? "" : bench_status(wc->status), extra,
		  wc->solicited && wc->status == ROCE_SUCCESS ? "S" : "");
}

static inline void bench_event(struct roce_qp *qp, enum roce_event event)
{
	static const char *const names[] = { "comm-est", "drained",    "fatal",
					     "req-err",	 "access-err", "last-wqe" };

	bench_say(bench_of(qp), "ev %s", names[event]);
}

static inline void bench_count(struct roce_qp *qp, enum roce_count what, u32 n)
{
	static const char *const names[] = {
		"dup",	     "out-of-seq", "rcvd-rnr",	"sent-rnr", "rcvd-nak", "retry-exc",
		"rnr-exc",   "retry",	   "timeout",	"twice",    "ghost",	"sends",
		"recvs",     "bad-state",  "bad-dup",	"coalesced", "no-recv",	"bad-req",
		"bad-qkey",  "wait-psn",   "wait-fence", "wait-depth",
	};
	struct bench *b = bench_of(qp);

	assert_true((unsigned int)what < ARRAY_SIZE(names));
	assert_true(n > 0);
	if (b->watch & 1u << what)
		bench_say(b, "+%s", names[what]);
}

static inline bool bench_ready(struct roce_qp *qp, const struct roce_payload *payload, u32 len)
{
	struct bench *b = bench_of(qp);

	OP_SAY(b, "ready(%#llx,%u)", payload->wqe ? payload->offset : payload->va, len);
	return b->fault != FAULT_READY;
}

static const struct roce_ops bench_ops = {
	.check_sges = bench_check_sges,
	.scatter = bench_scatter,
	.scatter_u64 = bench_scatter_u64,
	.scatter_grh = bench_scatter_grh,
	.check_rkey = bench_check_rkey,
	.write = bench_write,
	.atomic = bench_atomic,
	.flush = bench_flush,
	.atomic_write = bench_atomic_write,
	.invalidate = bench_invalidate,
	.get_recv_wqe = bench_recv_wqe,
	.local_op = bench_local_op,
	.complete = bench_complete,
	.event = bench_event,
	.count = bench_count,
	.payload_resident = bench_ready,
};

/*
 * Steps.
 */

struct step {
	void (*run)(struct bench *b, const struct step *s);
	u8 op;	   /* work request or BTH opcode */
	bool hold; /* a packet: hand it in with the next one */
	bool foreign; /* a packet: the opcode is another service's */
	bool ack, se;
	u8 flags, syn, status;
	u32 psn, len, n, rkey, qkey, dma_len, imm;
	u64 va, compare, swap_add, ns;
	struct roce_attr attr;
};

struct row {
	const char *name;
	struct step steps[BENCH_STEPS];
	const char *log;
};

static inline void step_post(struct bench *b, const struct step *s)
{
	struct roce_send_wqe *wqe = roce_sq_wqe(&b->qp, b->qp.sq.prod);

	assert_true(roce_sq_room(&b->qp) > 0);
	memset(wqe, 0xa5, sizeof(*wqe));
	wqe->wr_id = b->next_wr_id++;
	wqe->opcode = s->op;
	wqe->flags = s->flags ^ ROCE_WR_SIGNALED;
	wqe->length = s->len;
	wqe->status = s->status;
	wqe->remote_addr = s->va;
	wqe->rkey = BENCH_RKEY;
	wqe->inv_rkey = s->rkey;
	wqe->compare = s->compare;
	wqe->swap_add = s->swap_add;
	wqe->imm = cpu_to_be32(s->imm);
	wqe->flush_type = s->n;
	wqe->flush_level = s->syn;
	wqe->dest_qpn = BENCH_QPN;
	wqe->qkey = BENCH_QKEY;
	wqe->num_sge = !(s->flags & ROCE_WR_INLINE);
	wqe->sge[0] = (struct roce_sge){ .length = s->len };
	roce_post(&b->qp, 1);
}

static inline void bench_log_batch(struct bench *b)
{
	u32 i, npkts = 0;

	for (i = 0; i < b->batch.nruns; i++) {
		bench_log_run(b, &b->batch.run[i]);
		npkts += b->batch.run[i].npkts;
	}
	assert_int_equal(npkts, b->batch.npkts);
	if (!npkts)
		bench_say(b, "tx -");
}

/* An idle QP has nothing to send, and does nothing else either. */
static inline void bench_fetch(struct bench *b, u16 max_pkts)
{
	bool idle = roce_tx_idle(&b->qp);
	u64 deadline = roce_deadline(&b->qp);
	u32 next = b->qp.sq.next;

	b->batch.max_pkts = max_pkts;
	roce_tx(&b->qp, b->now, &b->batch);
	assert_false(idle && (b->batch.npkts || b->qp.sq.next != next ||
			      roce_deadline(&b->qp) != deadline));
}

/* Transmit without a word. */
static inline void step_sent(struct bench *b, const struct step *s)
{
	(void)s;
	bench_fetch(b, ROCE_TX_PKTS);
}

static inline void step_tx(struct bench *b, const struct step *s)
{
	bench_fetch(b, s->n);
	assert_true(b->batch.npkts <= s->n);
	bench_log_batch(b);
}

static inline void step_farewell(struct bench *b, const struct step *s)
{
	(void)s;
	roce_final_ack(&b->qp, &b->batch);
	bench_log_batch(b);
}

/* The packets kept back; what is not taken is kept. */
static inline void step_hand_in(struct bench *b, const struct step *s)
{
	u32 taken = roce_rx(&b->qp, b->now, b->pkt, b->npkts);

	(void)s;
	assert_true(taken <= b->npkts);
	b->npkts -= taken;
	memmove(b->pkt, b->pkt + taken, b->npkts * sizeof(b->pkt[0]));
	if (b->npkts)
		bench_say(b, "later(%u)", b->npkts);
}

static inline void step_rx(struct bench *b, const struct step *s)
{
	struct roce_hdr h = {
		.opcode = s->foreign ? s->op : b->qp.service | s->op,
		.solicited = s->se,
		.qpn = 1,
		.psn = s->psn,
		.va = s->va,
		.rkey = s->rkey ? s->rkey : BENCH_RKEY,
		.dma_len = s->dma_len,
		.compare = s->compare,
		.swap_add = s->swap_add,
		.orig = s->compare,
		.aeth = (u32)s->syn << 24 | s->n,
		.imm = cpu_to_be32(s->imm),
		.inv_rkey = s->imm,
		.qkey = s->qkey ? s->qkey : BENCH_QKEY,
		.src_qpn = BENCH_QPN,
		.flush_type = s->n,
		.flush_level = s->syn,
		.pad = -s->len & 3,
	};
	u8 buf[ROCE_MAX_HDR];
	u32 len = roce_build(&h, buf);

	if (s->ack)
		buf[8] |= 0x80;
	assert_true(b->npkts < ARRAY_SIZE(b->pkt));
	assert_int_equal(roce_parse(buf, len, len + s->len + h.pad, 0, &b->pkt[b->npkts]),
			 ROCE_DROP_NONE);
	b->npkts++;
	if (!s->hold)
		step_hand_in(b, s);
}

static inline void step_recv(struct bench *b, const struct step *s)
{
	b->recv_len[b->recv_posted++] = s->len;
}

static inline void step_pass(struct bench *b, const struct step *s)
{
	b->now += s->ns;
	roce_timeout(&b->qp, b->now);
}

/* Up to the deadline, which the log shows in microseconds from now. */
static inline void step_deadline(struct bench *b, const struct step *s)
{
	u64 deadline = roce_deadline(&b->qp);
	u32 i;

	for (i = 0; i < s->n; i++) {
		deadline = roce_deadline(&b->qp);
		if (deadline == ROCE_NEVER)
			break;
		assert_true(deadline > b->now);
		roce_timeout(&b->qp, deadline - 1);
		b->now = deadline;
		roce_timeout(&b->qp, deadline);
	}
	if (deadline == ROCE_NEVER)
		bench_say(b, "never");
}

/* Retransmit at each deadline until the QP has failed, or @n times. */
static inline void step_exhaust(struct bench *b, const struct step *s)
{
	u64 start = b->now;
	u32 i;

	for (i = 0; i < s->n && roce_deadline(&b->qp) != ROCE_NEVER; i++) {
		b->now = roce_deadline(&b->qp);
		roce_timeout(&b->qp, b->now);
		bench_fetch(b, ROCE_TX_PKTS);
	}
	bench_say(b, "after %llu us", (b->now - start) / 1000);
}

static inline void step_modify(struct bench *b, const struct step *s)
{
	roce_modify(&b->qp, b->now, &s->attr, s->n);
}

static inline void step_flush(struct bench *b, const struct step *s)
{
	bench_say(b, roce_flush(&b->qp, s->n) ? "more" : "flushed");
}

static inline void step_tx_failed(struct bench *b, const struct step *s)
{
	assert_true(s->n < b->batch.nruns);
	roce_tx_failed(&b->qp, b->now, &b->batch.run[s->n]);
}

static inline void step_fault(struct bench *b, const struct step *s)
{
	b->fault = s->n;
	b->later = s->flags;
	b->qp.uses_odp |= s->flags;
}

static inline void step_watch(struct bench *b, const struct step *s)
{
	b->watch = s->n;
}

static inline void step_quiet(struct bench *b, const struct step *s)
{
	(void)s;
	b->quiet = true;
}

static inline void step_window(struct bench *b, const struct step *s)
{
	roce_set_limits(&b->qp, s->n, b->qp.req.ackreq.interval);
}

static inline void step_ack_interval(struct bench *b, const struct step *s)
{
	roce_set_limits(&b->qp, b->qp.req.cc.cwnd_clamp, s->n);
}

static inline void step_moderate(struct bench *b, const struct step *s)
{
	(void)s;
	b->qp.ackreq_deferral = true;
}

static inline void step_deep(struct bench *b, const struct step *s)
{
	(void)s;
	b->qp.sq.mask = BENCH_DEEP - 1;
}

static inline void step_hold(struct bench *b, const struct step *s)
{
	roce_pause_responses(&b->qp, s->n);
	bench_say(b, "%s", roce_tx_backlogged(&b->qp) ? "wanted" : "idle");
}

/* As after a connection's PSNs have gone round: jump both ends' state. */
static inline void step_jump_rq(struct bench *b, const struct step *s)
{
	b->qp.resp.epsn = s->psn;
}

static inline void step_res(struct bench *b, const struct step *s)
{
	static struct roce_rsrc res[256];

	(void)b;
	memset(res, 0, sizeof(res));
	roce_set_resources(&b->qp, s->n ? res : NULL, s->n);
}

static inline void step_state(struct bench *b, const struct step *s)
{
	static const char *const names[] = { "RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR" };

	(void)s;
	bench_say(b, "%s", names[b->qp.state]);
}

#define POST(wr, ...)                                               \
	{                                                           \
		.run = step_post, .op = ROCE_WR_##wr, ##__VA_ARGS__ \
	}
#define TX                                        \
	{                                         \
		.run = step_tx, .n = ROCE_TX_PKTS \
	}
#define TXN(pkts)                           \
	{                                   \
		.run = step_tx, .n = (pkts) \
	}
#define SENT                     \
	{                        \
		.run = step_sent \
	}
#define RX(o, p, ...)                                                     \
	{                                                                 \
		.run = step_rx, .op = ROCE_##o, .psn = (p), ##__VA_ARGS__ \
	}
#define ACK(p)		 RX(ACKNOWLEDGE, p, .syn = ROCE_AETH_UNLIMITED)
#define NAK(p, syndrome) RX(ACKNOWLEDGE, p, .syn = (syndrome))
#define RNR(p, code)	 RX(ACKNOWLEDGE, p, .syn = ROCE_AETH_RNR_NAK | (code))
#define RECV(l)                              \
	{                                    \
		.run = step_recv, .len = (l) \
	}
#define PASS(t)                             \
	{                                   \
		.run = step_pass, .ns = (t) \
	}
#define DEADLINE                             \
	{                                    \
		.run = step_deadline, .n = 1 \
	}
#define DEADLINES(times)                           \
	{                                          \
		.run = step_deadline, .n = (times) \
	}
#define EXHAUST(times)                            \
	{                                         \
		.run = step_exhaust, .n = (times) \
	}
#define MODIFY(mask, ...)                                                \
	{                                                                \
		.run = step_modify, .n = (mask), .attr = { __VA_ARGS__ } \
	}
#define TO(s) MODIFY(ROCE_QP_STATE, .state = ROCE_##s)
#define FLUSH(budget)                            \
	{                                        \
		.run = step_flush, .n = (budget) \
	}
#define TX_FAILED(i)                            \
	{                                       \
		.run = step_tx_failed, .n = (i) \
	}
#define FAULT(what)                                  \
	{                                            \
		.run = step_fault, .n = FAULT_##what \
	}
/* Its memory is not there; and it is, and what was put off is handed in again. */
#define LATER(what)                                              \
	{                                                        \
		.run = step_fault, .n = FAULT_##what, .flags = 1 \
	}
#define AT_HAND                              \
	{                                    \
		.run = step_fault, .n = NO_FAULT \
	}
#define HAND_IN                     \
	{                           \
		.run = step_hand_in \
	}
#define WATCH(what)                                             \
	{                                                       \
		.run = step_watch, .n = 1u << ROCE_COUNT_##what \
	}
#define QUIET                     \
	{                         \
		.run = step_quiet \
	}
#define WINDOW(pkts)                            \
	{                                       \
		.run = step_window, .n = (pkts) \
	}
#define ACK_INTERVAL(pkts)                            \
	{                                             \
		.run = step_ack_interval, .n = (pkts) \
	}
#define MODERATE                     \
	{                            \
		.run = step_moderate \
	}
#define DEEP                     \
	{                        \
		.run = step_deep \
	}
#define HOLD(held)                          \
	{                                   \
		.run = step_hold, .n = (held) \
	}
#define JUMP_RQ(p)                              \
	{                                       \
		.run = step_jump_rq, .psn = (p) \
	}
#define RES(slots)                            \
	{                                     \
		.run = step_res, .n = (slots) \
	}
#define FAREWELL                     \
	{                            \
		.run = step_farewell \
	}
#define STATE                     \
	{                         \
		.run = step_state \
	}

#define BENCH_ATTRS                                                                               \
	(ROCE_QP_ACCESS | ROCE_QP_PKEY | ROCE_QP_PATH_MTU | ROCE_QP_TIMEOUT | ROCE_QP_RETRY_CNT | \
	 ROCE_QP_RNR_RETRY | ROCE_QP_RQ_PSN | ROCE_QP_MAX_RD_ATOMIC | ROCE_QP_MIN_RNR_TIMER |     \
	 ROCE_QP_SQ_PSN | ROCE_QP_DEST_QPN | ROCE_QP_QKEY)

static inline void bench_set_up_service(struct bench *b, u8 service, bool srq)
{
	static const struct roce_attr attr = {
		.pkey = 0xffff,
		.access = ROCE_ACCESS_REMOTE_WRITE | ROCE_ACCESS_REMOTE_READ |
			  ROCE_ACCESS_REMOTE_ATOMIC | ROCE_ACCESS_FLUSH_GLOBAL,
		.dest_qpn = BENCH_QPN,
		.qkey = BENCH_QKEY,
		.sq_psn = BENCH_SQ_PSN,
		.rq_psn = BENCH_RQ_PSN,
		.mtu = BENCH_MTU,
		.timeout = 14, /* 67.1 ms */
		.retry_cnt = 7,
		.rnr_retry = 7,
		.min_rnr_timer = 12, /* 0.64 ms */
		.max_rd_atomic = BENCH_RES,
	};

	memset(b, 0, sizeof(*b));
	b->now = BENCH_START;
	b->next_wr_id = 1;
	b->qp.ops = &bench_ops;
	b->qp.qpn = BENCH_OWN;
	b->qp.service = service;
	b->qp.srq = srq;
	b->qp.sq.wqes = b->wqes;
	b->qp.sq.mask = BENCH_DEPTH - 1;
	b->qp.sq.stride = sizeof(b->wqes[0]);
	b->qp.resp.recv_wqe = (void *)b->recv;
	roce_qp_init(&b->qp);
	roce_set_resources(&b->qp, b->res, BENCH_RES);
	roce_modify(&b->qp, b->now, &attr, BENCH_ATTRS);
}

static inline void bench_set_up(struct bench *b)
{
	bench_set_up_service(b, ROCE_OP_RC, false);
}

static inline void bench_set_state(struct bench *b, u8 state)
{
	struct roce_attr attr = { .state = state };

	roce_modify(&b->qp, b->now, &attr, ROCE_QP_STATE);
}

/* Run a row's steps and say what differs from its log. */
static inline bool bench_run_steps(struct bench *b, const struct row *row)
{
	const struct step *s;

	for (s = row->steps; s->run; s++)
		s->run(b, s);
	if (!strcmp(b->log, row->log))
		return true;
	print_error("row \"%s\":\n   got: %s\n  want: %s\n", row->name, b->log, row->log);
	return false;
}

static inline void bench_to_rts(struct bench *b)
{
	bench_set_state(b, ROCE_RTR);
	b->qp.resp.comm_est = true;
	bench_set_state(b, ROCE_RTS);
}

/* On a fresh QP of a reliable connection, in state RTS if @rts and INIT otherwise. */
static inline bool bench_run(const struct row *row, bool rts)
{
	static struct bench b;

	bench_set_up(&b);
	bench_set_state(&b, ROCE_INIT);
	if (rts)
		bench_to_rts(&b);
	return bench_run_steps(&b, row);
}

/* On a fresh QP of @service in state RTS, with a shared receive queue if @srq. */
static inline bool bench_run_service(const struct row *row, u8 service, bool srq)
{
	static struct bench b;

	bench_set_up_service(&b, service, srq);
	bench_set_state(&b, ROCE_INIT);
	bench_to_rts(&b);
	return bench_run_steps(&b, row);
}

#define bench_run_all(rows, rts)                                 \
	do {                                                     \
		size_t i_, failed_ = 0;                          \
		for (i_ = 0; i_ < ARRAY_SIZE(rows); i_++)        \
			failed_ += !bench_run(&(rows)[i_], rts); \
		assert_int_equal(failed_, 0);                    \
	} while (0)

#define bench_run_all_service(rows, service, srq)                                 \
	do {                                                                      \
		size_t i_, failed_ = 0;                                           \
		for (i_ = 0; i_ < ARRAY_SIZE(rows); i_++)                         \
			failed_ += !bench_run_service(&(rows)[i_], service, srq); \
		assert_int_equal(failed_, 0);                                     \
	} while (0)

#endif
