/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Test fixture with one queue pair. A test is a table of rows: each row is a list of steps, and the
 * log, one line, that the QP must produce.
 *
 *	tx OPCODE@PSN...	a packet or run of packets to send, see fixture_log_run()
 *				("|": in a new skb); R@PSN[VA,LENGTH] is a READ, A an AckReq
 *	tx frame+LENGTH		the same of a raw packet QP
 *	wc WR_ID=STATUS		completion of a send WQE; "rwc" of a receive WQE
 *	ev NAME			asynchronous event
 *	+NAME			a counter that the row watches has been incremented
 *	key, write, scatter, grh, atomic, put, flush, inv, sges, local, resident: ops calls
 */
#ifndef TESTS_QP_FIXTURE_H
#define TESTS_QP_FIXTURE_H

#include "unit.h"
#include <linux/errno.h>
#include <stdio.h>
#include <asm/byteorder.h>
#include <roce/psn.h>
#include <roce/qp.h>
#include "transport/common/send_queue.h"
#include "transport/requester/cc.h"

#define FIXTURE_DEPTH  16u /* send queue */
#define FIXTURE_DEEP   256u /* send queue after DEEP */
#define FIXTURE_SGES   2u
#define FIXTURE_RES    4u
#define FIXTURE_MTU    1024u
#define FIXTURE_SQ_PSN 100u
#define FIXTURE_RQ_PSN 200u
#define FIXTURE_RKEY   0x77u
#define FIXTURE_QPN    0x11u /* of the peer */
#define FIXTURE_OWN    0x22u
#define FIXTURE_QKEY   0x1234u
#define FIXTURE_START  1000000000ull /* ns */
#define FIXTURE_STEPS  40

#define MS 1000000ull

/* The op that fails. */
enum fixture_fault {
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
	FAULT_PAYLOAD,
};

struct fixture {
	struct roce_qp qp; /* first: fixture_of() converts it */
	u64 now;
	u32 next_wr_id;
	u32 recv_posted, recv_taken;
	u32 recv_len[64];
	u32 atomics;
	enum fixture_fault fault;
	bool again; /* the op returns -EAGAIN instead of an error */
	u32 watch;  /* counters to be logged, 1 << enum roce_count */
	bool quiet; /* do not log calls of the ops */
	u32 nwqes;  /* in the send queue: written, not posted yet */
	u32 npkts;  /* in @pkt: received, not handed in yet */
	struct roce_pkt pkt[16];
	struct roce_tx_quota quota;
	struct roce_tx_batch batch;
	struct roce_rsrc res[FIXTURE_RES];
	u8 wqes[FIXTURE_DEEP]
	       [sizeof(struct roce_send_wqe) + FIXTURE_SGES * sizeof(struct roce_sge)] __aligned(8);
	u8 recv[sizeof(struct roce_recv_wqe) + sizeof(struct roce_sge)] __aligned(8);
	char log[4096];
	size_t len;
};

static inline struct fixture *fixture_of(struct roce_qp *qp)
{
	return (struct fixture *)qp;
}

static inline void __printf(2, 3) fixture_say(struct fixture *f, const char *fmt, ...)
{
	va_list args;

	if (f->len && f->len < sizeof(f->log) - 2)
		f->log[f->len++] = ' ';
	va_start(args, fmt);
	f->len += vsnprintf(f->log + f->len, sizeof(f->log) - f->len, fmt, args);
	va_end(args);
	assert_true(f->len < sizeof(f->log));
}

static inline const char *fixture_status(u8 status)
{
	static const char *const names[] = {
		"ok",	    "loc-len", "loc-op",  "eec",     "loc-prot", "flush", "bind",
		"bad-resp", "loc-acc", "rem-inv", "rem-acc", "rem-op",	 "retry", "rnr",
	};

	return status < ARRAY_SIZE(names) ? names[status] : "?";
}

/* Parse the first and the last packet of a run, and check what holds of every run. */
static inline void fixture_parse_run(struct fixture *f, const struct roce_tx_run *run,
				     struct roce_pkt *head, struct roce_pkt *tail)
{
	u32 len = run->hdr_len + run->seg_len + run->pad;
	u8 first[ROCE_MAX_HDR], last[ROCE_MAX_HDR];

	roce_run_header(run, 0, first);
	roce_run_header(run, run->npkts - 1, last);
	assert_int_equal(run->pad, -run->seg_len & 3);
	assert_int_equal(roce_parse(first, run->hdr_len, len, 0, head), ROCE_DROP_NONE);
	assert_int_equal(roce_parse(last, run->hdr_len, len, 0, tail), ROCE_DROP_NONE);
	assert_int_equal(head->psn, run->psn);
	assert_int_equal(head->qpn, FIXTURE_QPN);
	assert_int_equal(tail->psn, roce_psn_add(head->psn, run->npkts - 1));
	assert_true(run->npkts == 1 || (!head->ack_req && !head->pad));
	if (!(head->op->flags & ROCE_IS_CNP))
		assert_int_equal(head->opcode & ROCE_OP_SERVICE, f->qp.service);
}

#define ADD(...) (n += snprintf(text + n, size - n, __VA_ARGS__))

/* Print the extended headers of a packet, in brackets. Returns the length of the text. */
static inline size_t fixture_print_headers(const struct roce_pkt *pkt, char *text, size_t size)
{
	u32 op = pkt->op->flags;
	size_t n = 0;

	text[0] = 0;
	if (op & ROCE_HAS_DETH)
		ADD("[%#x,%#x]", pkt->qkey, pkt->src_qpn);
	if (op & ROCE_HAS_FETH)
		ADD("[%u,%u]", pkt->flush_type, pkt->flush_level);
	if (op & ROCE_HAS_RETH)
		ADD("[%#llx,%u]", pkt->va, pkt->dma_len);
	if (op & ROCE_HAS_ATOMIC_ETH)
		ADD("[%#llx,%llu,%llu]", pkt->va, pkt->compare, pkt->swap_add);
	if (op & ROCE_HAS_ATOMIC_ACK)
		ADD("[%llu]", pkt->orig);
	if (op & ROCE_HAS_IMM)
		ADD("[%u]", be32_to_cpu(pkt->imm));
	if (op & ROCE_HAS_IETH)
		ADD("[%u]", pkt->inv_rkey);
	if (op & ROCE_HAS_AETH && pkt->syndrome != ROCE_AETH_UNLIMITED)
		ADD("!%x", pkt->syndrome);
	if (op & ROCE_HAS_AETH)
		ADD("m%u", pkt->msn);
	return n;
}

/*
 * Log a run: OPCODE@PSN, xN if it has N packets, header fields, +LENGTH of the payload, B if it has
 * BECN, S if solicited, A if the last packet has AckReq.
 */
static inline void fixture_log_run(struct fixture *f, const struct roce_tx_run *run)
{
	static const char *const ops[] = {
		"SF", "SM",  "SL",  "SLi", "SO", "SOi", "WF", "WM",  "WL", "WLi",
		"WO", "WOi", "R",   "RF",  "RM", "RL",	"RO", "ACK", "AA", "CS",
		"FA", "?",   "SLv", "SOv", "?",	 "?",	"?",  "?",   "FL", "AW",
	};
	struct roce_pkt head, tail;
	char text[160];
	size_t n = 0, size = sizeof(text);

	if (f->qp.service == ROCE_RAW) {
		assert_int_equal(run->hdr_len + run->pad + run->payload.offset, 0);
		assert_int_equal(run->npkts, 1);
		fixture_say(f, "tx frame+%u", run->seg_len);
		return;
	}
	fixture_parse_run(f, run, &head, &tail);
	assert_int_equal(run->cnp, !!(head.op->flags & ROCE_IS_CNP));
	if (run->cnp) {
		assert_true(head.becn && head.pkey == 0xffff);
		fixture_say(f, "tx CNP@%u", head.psn);
		return;
	}
	ADD("tx %s@%u", ops[head.opcode & ~ROCE_OP_SERVICE], head.psn);
	if (run->npkts > 1)
		ADD("x%u", run->npkts);
	n += fixture_print_headers(&head, text + n, size - n);
	if (run->payload.wqe)
		ADD("<%u", run->payload.offset);
	else if (head.op->flags & ROCE_HAS_PAYLOAD && run->seg_len)
		ADD("<%#llx", run->payload.va);
	if (head.op->flags & ROCE_HAS_PAYLOAD)
		ADD("+%u", run->seg_len);
	if (head.becn)
		ADD("B");
	if (tail.solicited)
		ADD("S");
	if (tail.ack_req)
		ADD("A");
	if (run->new_skb)
		ADD("|");
	fixture_say(f, "%s", text);
}

#undef ADD

#define OP_SAY(f, ...)                             \
	do {                                       \
		if (!(f)->quiet)                   \
			fixture_say(f, __VA_ARGS__); \
	} while (0)

static inline int fixture_error(const struct fixture *f, enum fixture_fault fault)
{
	if (f->fault != fault)
		return 0;
	return f->again ? -EAGAIN : -EFAULT;
}

static inline int fixture_check_sges(struct roce_qp *qp, const struct roce_sge *sge, u32 n,
				   u32 access)
{
	struct fixture *f = fixture_of(qp);

	(void)sge;
	if (access)
		OP_SAY(f, "sges(%u)", n);
	return f->fault == FAULT_SGES ? -EFAULT : 0;
}

static inline int fixture_scatter(struct roce_qp *qp, const struct roce_sge *sge, u32 n, u32 offset,
				const struct roce_pkt *pkt)
{
	struct fixture *f = fixture_of(qp);
	u32 room = n ? sge[0].length : 0;

	assert_true(offset + (u64)pkt->payload_len <= room);
	OP_SAY(f, "scatter(%u,%u)", offset, pkt->payload_len);
	return fixture_error(f, FAULT_SCATTER);
}

static inline int fixture_scatter_grh(struct roce_qp *qp, const struct roce_sge *sge, u32 n,
				    const struct roce_pkt *pkt)
{
	struct fixture *f = fixture_of(qp);

	assert_true(n && sge[0].length >= 40);
	assert_non_null(pkt);
	OP_SAY(f, "grh");
	return fixture_error(f, FAULT_GRH);
}

static inline int fixture_scatter_u64(struct roce_qp *qp, const struct roce_sge *sge, u32 n,
				    u64 value)
{
	struct fixture *f = fixture_of(qp);

	assert_true(n && sge[0].length == 8);
	OP_SAY(f, "scatter64(%llu)", value);
	return fixture_error(f, FAULT_SCATTER);
}

static inline int fixture_check_rkey(struct roce_qp *qp, u32 rkey, u64 va, u32 len, u32 access)
{
	struct fixture *f = fixture_of(qp);

	OP_SAY(f, "key(%s,%#llx,%u)",
	       access == ROCE_ACCESS_REMOTE_WRITE ? "W" :
	       access == ROCE_ACCESS_REMOTE_READ  ? "R" :
						    "A",
	       va, len);
	return f->fault == FAULT_KEY || rkey != FIXTURE_RKEY ? -EACCES : 0;
}

static inline int fixture_write(struct roce_qp *qp, u32 rkey, u64 va, const struct roce_pkt *pkt)
{
	struct fixture *f = fixture_of(qp);

	assert_int_equal(rkey, FIXTURE_RKEY);
	OP_SAY(f, "write(%#llx,%u)", va, pkt->payload_len);
	return fixture_error(f, FAULT_WRITE);
}

/* The old value is the number of atomics executed so far. */
static inline int fixture_atomic(struct roce_qp *qp, const struct roce_pkt *pkt, u64 *old)
{
	struct fixture *f = fixture_of(qp);

	if (f->fault == FAULT_ATOMIC)
		return fixture_error(f, FAULT_ATOMIC);
	*old = ++f->atomics;
	OP_SAY(f, "atomic(%#llx)", pkt->va);
	return 0;
}

static inline int fixture_flush(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	struct fixture *f = fixture_of(qp);

	OP_SAY(f, "flush(%u,%u,%#llx,%u)", pkt->flush_type, pkt->flush_level, pkt->va,
	       pkt->dma_len);
	return fixture_error(f, FAULT_ATOMIC);
}

static inline int fixture_atomic_write(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	struct fixture *f = fixture_of(qp);

	assert_int_equal(pkt->payload_len, 8);
	OP_SAY(f, "put(%#llx)", pkt->va);
	return fixture_error(f, FAULT_ATOMIC);
}

static inline int fixture_invalidate(struct roce_qp *qp, u32 rkey)
{
	struct fixture *f = fixture_of(qp);

	OP_SAY(f, "inv(%u)", rkey);
	return f->fault == FAULT_INV ? -EINVAL : 0;
}

/* Receive WQEs are numbered from 1001 on. */
static inline int fixture_recv_wqe(struct roce_qp *qp, struct roce_recv_wqe *wqe)
{
	struct fixture *f = fixture_of(qp);
	u32 i = f->recv_taken;

	if (i == f->recv_posted)
		return -ENOENT;
	f->recv_taken++;
	wqe->wr_id = 1001 + i;
	if (f->fault == FAULT_RECV)
		return -EINVAL;
	wqe->length = f->recv_len[i];
	wqe->num_sge = 1;
	wqe->sge[0] = (struct roce_sge){ .addr = 0x5000, .length = f->recv_len[i] };
	return 0;
}

static inline enum roce_status fixture_local_op(struct roce_qp *qp, struct roce_send_wqe *wqe)
{
	struct fixture *f = fixture_of(qp);

	OP_SAY(f, "local(%llu)", wqe->wr_id);
	return f->fault == FAULT_LOCAL ? ROCE_MW_BIND_ERR : ROCE_SUCCESS;
}

static inline void fixture_complete(struct roce_qp *qp, const struct roce_wc *wc)
{
	struct fixture *f = fixture_of(qp);
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
	/* An error is always a solicited event. */
	assert_true(wc->status == ROCE_SUCCESS || wc->solicited);
	fixture_say(f, "%swc %llu=%s%s%s", wc->is_recv ? "r" : "", wc->wr_id,
		  wc->is_recv && wc->status == ROCE_SUCCESS ? "" : fixture_status(wc->status), extra,
		  wc->solicited && wc->status == ROCE_SUCCESS ? "S" : "");
}

static inline void fixture_event(struct roce_qp *qp, enum roce_event event)
{
	static const char *const names[] = { "comm-est", "drained",    "fatal",
					     "req-err",	 "access-err", "last-wqe" };

	fixture_say(fixture_of(qp), "ev %s", names[event]);
}

static inline void fixture_count(struct roce_qp *qp, enum roce_count what, u32 n)
{
	static const char *const names[] = {
		[ROCE_COUNT_DUP_REQUEST] = "dup",
		[ROCE_COUNT_OUT_OF_SEQ] = "out-of-seq",
		[ROCE_COUNT_RCVD_RNR] = "rcvd-rnr",
		[ROCE_COUNT_SENT_RNR] = "sent-rnr",
		[ROCE_COUNT_RCVD_SEQ_NAK] = "rcvd-nak",
		[ROCE_COUNT_RETRY_EXC] = "retry-exc",
		[ROCE_COUNT_RNR_RETRY_EXC] = "rnr-exc",
		[ROCE_COUNT_REWIND] = "rewind",
		[ROCE_COUNT_TIMEOUT] = "timeout",
		[ROCE_COUNT_TAIL_DUP] = "tail-dup",
		[ROCE_COUNT_GHOST_ACK] = "ghost",
		[ROCE_COUNT_SENDS] = "sends",
		[ROCE_COUNT_RECVS] = "recvs",
		[ROCE_COUNT_BAD_STATE] = "bad-state",
		[ROCE_COUNT_BAD_DUP] = "bad-dup",
		[ROCE_COUNT_ACK_COALESCED] = "coalesced",
		[ROCE_COUNT_NO_RECV] = "no-recv",
		[ROCE_COUNT_BAD_REQUEST] = "bad-req",
		[ROCE_COUNT_BAD_QKEY] = "bad-qkey",
		[ROCE_COUNT_WAIT_PSN] = "wait-psn",
		[ROCE_COUNT_WAIT_FENCE] = "wait-fence",
		[ROCE_COUNT_WAIT_DEPTH] = "wait-depth",
		[ROCE_COUNT_CE] = "ce",
		[ROCE_COUNT_SENT_CNP] = "sent-cnp",
		[ROCE_COUNT_CNP_HANDLED] = "cnp",
		[ROCE_COUNT_CNP_IGNORED] = "cnp-ignored",
	};
	struct fixture *f = fixture_of(qp);

	_Static_assert(ARRAY_SIZE(names) == ROCE_COUNTS, "a count has no name");
	_Static_assert(ROCE_COUNTS <= 32, "f->watch has a bit for each count");
	assert_true((unsigned int)what < ROCE_COUNTS);
	assert_true(n > 0);
	if (f->watch & 1u << what)
		fixture_say(f, "+%s", names[what]);
}

static inline bool fixture_resident(struct roce_qp *qp, const struct roce_payload *payload, u32 len)
{
	struct fixture *f = fixture_of(qp);

	OP_SAY(f, "resident(%#llx,%u)", payload->wqe ? payload->offset : payload->va, len);
	return f->fault != FAULT_PAYLOAD;
}

static const struct roce_ops fixture_ops = {
	.check_sges = fixture_check_sges,
	.scatter = fixture_scatter,
	.scatter_u64 = fixture_scatter_u64,
	.scatter_grh = fixture_scatter_grh,
	.check_rkey = fixture_check_rkey,
	.write = fixture_write,
	.atomic = fixture_atomic,
	.flush = fixture_flush,
	.atomic_write = fixture_atomic_write,
	.invalidate = fixture_invalidate,
	.get_recv_wqe = fixture_recv_wqe,
	.local_op = fixture_local_op,
	.complete = fixture_complete,
	.event = fixture_event,
	.count = fixture_count,
	.payload_resident = fixture_resident,
};

struct step {
	void (*run)(struct fixture *f, const struct step *s);
	u8 op;	   /* enum roce_wr_opcode or BTH opcode */
	bool hold; /* packet: hand it in with the next one; WQE: post it with the next one */
	bool foreign; /* packet: opcode of another service */
	bool ack, se;
	bool ce, becn; /* packet: marked by a switch; BECN */
	u8 flags, syn, status;
	u32 psn, len, n, rkey, qkey, dma_len, imm;
	u64 va, compare, swap_add, ns;
	struct roce_attr attr;
};

struct row {
	const char *name;
	struct step steps[FIXTURE_STEPS];
	const char *log;
};

static inline void step_post(struct fixture *f, const struct step *s)
{
	struct roce_send_wqe *wqe = roce_sq_wqe(&f->qp, f->qp.sq.prod + f->nwqes);

	assert_true(roce_sq_room(&f->qp) > f->nwqes);
	memset(wqe, 0xa5, sizeof(*wqe));
	wqe->wr_id = f->next_wr_id++;
	wqe->opcode = s->op;
	wqe->flags = s->flags ^ ROCE_WR_SIGNALED;
	wqe->length = s->len;
	wqe->status = s->status;
	wqe->remote_addr = s->va;
	wqe->rkey = FIXTURE_RKEY;
	wqe->inv_rkey = s->rkey;
	wqe->compare = s->compare;
	wqe->swap_add = s->swap_add;
	wqe->imm = cpu_to_be32(s->imm);
	wqe->flush_type = s->n;
	wqe->flush_level = s->syn;
	wqe->dest_qpn = FIXTURE_QPN;
	wqe->qkey = FIXTURE_QKEY;
	wqe->num_sge = !(s->flags & ROCE_WR_INLINE);
	wqe->sge[0] = (struct roce_sge){ .length = s->len };
	f->nwqes++;
	if (s->hold)
		return;
	roce_post(&f->qp, f->nwqes);
	f->nwqes = 0;
}

static inline void fixture_log_batch(struct fixture *f)
{
	u32 i, npkts = 0;

	for (i = 0; i < f->batch.nruns; i++) {
		fixture_log_run(f, &f->batch.run[i]);
		npkts += f->batch.run[i].npkts;
	}
	assert_int_equal(npkts, f->batch.npkts);
	if (!npkts)
		fixture_say(f, "tx -");
}

/* roce_tx() must have no effect if roce_tx_idle() returned true. */
static inline void fixture_fetch(struct fixture *f, u16 max_pkts)
{
	bool idle = roce_tx_idle(&f->qp);
	u64 deadline = roce_deadline(&f->qp);
	u32 next = f->qp.sq.next;

	f->quota.max_pkts = max_pkts;
	roce_tx(&f->qp, f->now, &f->quota, &f->batch);
	assert_false(idle && (f->batch.npkts || f->qp.sq.next != next ||
			      roce_deadline(&f->qp) != deadline));
}

/* Transmit without logging. */
static inline void step_sent(struct fixture *f, const struct step *s)
{
	(void)s;
	fixture_fetch(f, ROCE_TX_PKTS);
}

static inline void step_tx(struct fixture *f, const struct step *s)
{
	fixture_fetch(f, s->n);
	assert_true(f->batch.npkts <= s->n);
	fixture_log_batch(f);
}

static inline void step_final_ack(struct fixture *f, const struct step *s)
{
	(void)s;
	roce_final_ack(&f->qp, &f->batch);
	fixture_log_batch(f);
}

/* Hand in the packets in @pkt; those that must be redelivered stay. */
static inline void step_hand_in(struct fixture *f, const struct step *s)
{
	u32 taken = roce_rx(&f->qp, f->now, f->pkt, f->npkts);

	(void)s;
	assert_true(taken <= f->npkts);
	f->npkts -= taken;
	memmove(f->pkt, f->pkt + taken, f->npkts * sizeof(f->pkt[0]));
	if (f->npkts)
		fixture_say(f, "redeliver(%u)", f->npkts);
}

static inline void step_rx(struct fixture *f, const struct step *s)
{
	struct roce_hdr h = {
		.opcode = s->foreign ? s->op : f->qp.service | s->op,
		.solicited = s->se,
		.becn = s->becn,
		.qpn = 1,
		.psn = s->psn,
		.va = s->va,
		.rkey = s->rkey ? s->rkey : FIXTURE_RKEY,
		.dma_len = s->dma_len,
		.compare = s->compare,
		.swap_add = s->swap_add,
		.orig = s->compare,
		.aeth = (u32)s->syn << 24 | s->n,
		.imm = cpu_to_be32(s->imm),
		.inv_rkey = s->imm,
		.qkey = s->qkey ? s->qkey : FIXTURE_QKEY,
		.src_qpn = FIXTURE_QPN,
		.flush_type = s->n,
		.flush_level = s->syn,
		.pad = -s->len & 3,
	};
	u8 buf[ROCE_MAX_HDR];
	u32 len = roce_build(&h, buf);

	if (s->ack)
		buf[8] |= 0x80;
	assert_true(f->npkts < ARRAY_SIZE(f->pkt));
	assert_int_equal(roce_parse(buf, len, len + s->len + h.pad, 0, &f->pkt[f->npkts]),
			 ROCE_DROP_NONE);
	f->pkt[f->npkts].ce = s->ce;
	f->npkts++;
	if (!s->hold)
		step_hand_in(f, s);
}

static inline void step_recv(struct fixture *f, const struct step *s)
{
	f->recv_len[f->recv_posted++] = s->len;
}

static inline void step_pass(struct fixture *f, const struct step *s)
{
	f->now += s->ns;
	roce_timeout(&f->qp, f->now);
}

/* Let @n deadlines pass; nothing may happen 1 ns before one. */
static inline void step_deadline(struct fixture *f, const struct step *s)
{
	u64 deadline = roce_deadline(&f->qp);
	u32 i;

	for (i = 0; i < s->n; i++) {
		deadline = roce_deadline(&f->qp);
		if (deadline == ROCE_NEVER)
			break;
		assert_true(deadline > f->now);
		roce_timeout(&f->qp, deadline - 1);
		f->now = deadline;
		roce_timeout(&f->qp, deadline);
	}
	if (deadline == ROCE_NEVER)
		fixture_say(f, "never");
}

/* Transmit at each deadline until there is none, or @n times. */
static inline void step_exhaust(struct fixture *f, const struct step *s)
{
	u64 start = f->now;
	u32 i;

	for (i = 0; i < s->n && roce_deadline(&f->qp) != ROCE_NEVER; i++) {
		f->now = roce_deadline(&f->qp);
		roce_timeout(&f->qp, f->now);
		fixture_fetch(f, ROCE_TX_PKTS);
	}
	fixture_say(f, "after %llu us", (f->now - start) / 1000);
}

static inline void step_modify(struct fixture *f, const struct step *s)
{
	roce_modify(&f->qp, f->now, &s->attr, s->n);
}

static inline void step_flush(struct fixture *f, const struct step *s)
{
	fixture_say(f, roce_flush(&f->qp, s->n) ? "more" : "flushed");
}

static inline void step_tx_failed(struct fixture *f, const struct step *s)
{
	assert_true(s->n < f->batch.nruns);
	roce_tx_failed(&f->qp, f->now, &f->batch.run[s->n]);
}

static inline void step_fault(struct fixture *f, const struct step *s)
{
	f->fault = s->n;
	f->again = s->flags;
	f->qp.uses_odp |= s->flags;
}

static inline void step_watch(struct fixture *f, const struct step *s)
{
	f->watch = s->n;
}

static inline void step_quiet(struct fixture *f, const struct step *s)
{
	(void)s;
	f->quiet = true;
}

static inline void step_window(struct fixture *f, const struct step *s)
{
	f->quota.cwnd_clamp = s->n;
}

/* The path has shown congestion. */
static inline void step_congested(struct fixture *f, const struct step *s)
{
	f->qp.req.cc.congested = true;
}

static inline void step_slow_start_ended(struct fixture *f, const struct step *s)
{
	f->qp.req.cc.ssthresh = f->qp.req.cc.cwnd;
}

static inline void step_ack_interval(struct fixture *f, const struct step *s)
{
	f->quota.ack_interval = s->n;
}

static inline void step_defer_ackreq(struct fixture *f, const struct step *s)
{
	(void)s;
	f->qp.ackreq_deferral = true;
}

static inline void step_deep(struct fixture *f, const struct step *s)
{
	(void)s;
	f->qp.sq.mask = FIXTURE_DEEP - 1;
}

static inline void step_pause(struct fixture *f, const struct step *s)
{
	f->quota.responses = !s->n;
	fixture_say(f, "%s", roce_tx_backlogged(&f->qp) ? "backlogged" : "idle");
}

/* Requests have been reordered before: each NAK was followed by the request, and by a duplicate. */
static inline void step_reordering_seen(struct fixture *f, const struct step *s)
{
	(void)s;
	f->qp.resp.nak_delay.twice = 2;
}

/* A queue of this host has dropped packets. */
static inline void step_dropped(struct fixture *f, const struct step *s)
{
	(void)s;
	roce_tx_dropped(&f->qp, f->now);
}

/* Move the expected PSN, as if requests before @psn had been executed. */
static inline void step_jump_rq(struct fixture *f, const struct step *s)
{
	f->qp.resp.epsn = s->psn;
}

static inline void step_res(struct fixture *f, const struct step *s)
{
	static struct roce_rsrc res[256];

	(void)f;
	memset(res, 0, sizeof(res));
	roce_set_resources(&f->qp, s->n ? res : NULL, s->n);
}

/* Log the window, packets: of congestion control and of loss recovery. */
static inline void step_log_window(struct fixture *f, const struct step *s)
{
	(void)s;
	fixture_say(f, "window %u", roce_cc_window(&f->qp.req));
}

static inline void step_state(struct fixture *f, const struct step *s)
{
	static const char *const names[] = { "RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR" };

	(void)s;
	fixture_say(f, "%s", names[f->qp.state]);
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
#define REORDERING_SEEN                     \
	{                                   \
		.run = step_reordering_seen \
	}
#define DROPPED                     \
	{                           \
		.run = step_dropped \
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
/* Memory is not resident; it is again. */
#define ABSENT(what)                                              \
	{                                                        \
		.run = step_fault, .n = FAULT_##what, .flags = 1 \
	}
#define RESIDENT                              \
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
#define CONGESTED                      \
	{                              \
		.run = step_congested, \
	}
#define ACK_INTERVAL(pkts)                            \
	{                                             \
		.run = step_ack_interval, .n = (pkts) \
	}
#define DEFER                     \
	{                            \
		.run = step_defer_ackreq \
	}
#define DEEP                     \
	{                        \
		.run = step_deep \
	}
#define PAUSE(pause)                          \
	{                                   \
		.run = step_pause, .n = (pause) \
	}
#define JUMP_RQ(p)                              \
	{                                       \
		.run = step_jump_rq, .psn = (p) \
	}
#define RES(slots)                            \
	{                                     \
		.run = step_res, .n = (slots) \
	}
#define FINAL_ACK                     \
	{                            \
		.run = step_final_ack \
	}
#define SLOW_START_ENDED                     \
	{                                    \
		.run = step_slow_start_ended \
	}
#define LOG_WINDOW                    \
	{                             \
		.run = step_log_window \
	}
#define STATE                     \
	{                         \
		.run = step_state \
	}

#define ALL_ATTRS                                                                               \
	(ROCE_QP_ACCESS | ROCE_QP_PKEY | ROCE_QP_PATH_MTU | ROCE_QP_TIMEOUT | ROCE_QP_RETRY_CNT | \
	 ROCE_QP_RNR_RETRY | ROCE_QP_RQ_PSN | ROCE_QP_MAX_RD_ATOMIC | ROCE_QP_MIN_RNR_TIMER |     \
	 ROCE_QP_SQ_PSN | ROCE_QP_DEST_QPN | ROCE_QP_QKEY)

static inline void fixture_set_up_service(struct fixture *f, u8 service, bool srq)
{
	static const struct roce_attr attr = {
		.pkey = 0xffff,
		.access = ROCE_ACCESS_REMOTE_WRITE | ROCE_ACCESS_REMOTE_READ |
			  ROCE_ACCESS_REMOTE_ATOMIC | ROCE_ACCESS_FLUSH_GLOBAL,
		.dest_qpn = FIXTURE_QPN,
		.qkey = FIXTURE_QKEY,
		.sq_psn = FIXTURE_SQ_PSN,
		.rq_psn = FIXTURE_RQ_PSN,
		.mtu = FIXTURE_MTU,
		.timeout = 14, /* 67.1 ms */
		.retry_cnt = 7,
		.rnr_retry = 7,
		.min_rnr_timer = 12, /* 0.64 ms */
		.max_rd_atomic = FIXTURE_RES,
	};

	memset(f, 0, sizeof(*f));
	f->now = FIXTURE_START;
	f->next_wr_id = 1;
	f->qp.ops = &fixture_ops;
	f->qp.qpn = FIXTURE_OWN;
	f->qp.service = service;
	f->qp.srq = srq;
	f->qp.sq.wqes = f->wqes;
	f->qp.sq.mask = FIXTURE_DEPTH - 1;
	f->qp.sq.stride = sizeof(f->wqes[0]);
	f->qp.resp.recv_wqe = (void *)f->recv;
	roce_qp_init(&f->qp);
	f->quota = ROCE_TX_QUOTA_MAX;
	/* Large enough not to matter, unless a test is about the window. */
	f->qp.req.cc.cwnd = 256 * ROCE_CC_PKT;
	roce_set_resources(&f->qp, f->res, FIXTURE_RES);
	roce_modify(&f->qp, f->now, &attr, ALL_ATTRS);
}

static inline void fixture_set_up(struct fixture *f)
{
	fixture_set_up_service(f, ROCE_OP_RC, false);
}

static inline void fixture_set_state(struct fixture *f, u8 state)
{
	struct roce_attr attr = { .state = state };

	roce_modify(&f->qp, f->now, &attr, ROCE_QP_STATE);
}

/* Run the steps of a row; print both logs if they differ. */
static inline bool fixture_run_steps(struct fixture *f, const struct row *row)
{
	const struct step *s;

	for (s = row->steps; s->run; s++)
		s->run(f, s);
	if (!strcmp(f->log, row->log))
		return true;
	print_error("row \"%s\":\n   got: %s\n  want: %s\n", row->name, f->log, row->log);
	return false;
}

static inline void fixture_to_rts(struct fixture *f)
{
	fixture_set_state(f, ROCE_RTR);
	f->qp.resp.comm_est = true;
	fixture_set_state(f, ROCE_RTS);
}

/* Run a row on a new RC QP in state RTS, or INIT unless @rts. */
static inline bool fixture_run(const struct row *row, bool rts)
{
	static struct fixture f;

	fixture_set_up(&f);
	fixture_set_state(&f, ROCE_INIT);
	if (rts)
		fixture_to_rts(&f);
	return fixture_run_steps(&f, row);
}

/* Run a row on a new QP of @service in state RTS, with a shared receive queue if @srq. */
static inline bool fixture_run_service(const struct row *row, u8 service, bool srq)
{
	static struct fixture f;

	fixture_set_up_service(&f, service, srq);
	fixture_set_state(&f, ROCE_INIT);
	fixture_to_rts(&f);
	return fixture_run_steps(&f, row);
}

#define fixture_run_all(rows, rts)                                 \
	do {                                                     \
		size_t i_, failed_ = 0;                          \
		for (i_ = 0; i_ < ARRAY_SIZE(rows); i_++)        \
			failed_ += !fixture_run(&(rows)[i_], rts); \
		assert_int_equal(failed_, 0);                    \
	} while (0)

#define fixture_run_all_service(rows, service, srq)                                 \
	do {                                                                      \
		size_t i_, failed_ = 0;                                           \
		for (i_ = 0; i_ < ARRAY_SIZE(rows); i_++)                         \
			failed_ += !fixture_run_service(&(rows)[i_], service, srq); \
		assert_int_equal(failed_, 0);                                     \
	} while (0)

#endif
