// SPDX-License-Identifier: GPL-2.0
/* Simulation of UC and UD: messages are complete and intact, or lost. */
#include <stdlib.h>
#include <asm/byteorder.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "oracle.h"
#include "unreliable.h"
#include "workload.h"

#define SLOTS	  64u /* per kind of memory; a request or receive uses one */
#define MAX_OPS	  4096u
#define MAX_LEN	  32768u
#define KEY	  0x11u
#define KEY_NONE  0xdeadu
#define QKEY	  0x1234u
#define SCRIBBLED 0xee /* written to memory that the user owns again */

#define fail(s, fmt, ...)                                                            \
	sim_fail((s)->host->sim, "%.3f us: host %u: " fmt,                           \
		 (s)->host->sim->now / 1000.0, (s)->host->id, ##__VA_ARGS__)

/**
 * struct sent - a send work request
 * @length: bytes
 * @opcode: enum roce_wr_opcode
 * @expected: status of its completion, unless it is flushed
 * @solicited: ROCE_WR_SOLICITED
 * @unreadable: its memory is invalidated after the check
 * @bad_qkey: the peer must drop it
 */
struct sent {
	u32 length;
	u8 opcode;
	u8 expected;
	bool solicited;
	bool unreadable;
	bool bad_qkey;
};

/**
 * struct side - workload of one host
 * @op: requests by index, which is also the wr_id
 * @ops: requests to be posted
 * @posted: requests posted so far
 * @completed: requests completed so far
 * @delivered: requests of the peer that have completed a receive
 * @next: the peer's first request that can complete a receive, if the link keeps the order
 * @recv_posted: receives posted so far; the index is also the wr_id
 * @recv_completed: receives completed so far
 * @recv_len: length of each posted receive
 * @slot: bytes per slot
 * @mtu: path MTU of both sides
 * @burst: requests posted at once
 * @depth: receives kept posted
 * @short_recvs: percent of the receives that are too short for most messages
 * @faults: percent of the requests that fail
 * @failed: a request has failed, the ones behind it are flushed
 * @last_wqe: the last-WQE-reached event has been delivered
 */
struct side {
	struct host *host;
	struct side *peer;
	struct sent op[MAX_OPS];
	u32 ops;
	u32 posted;
	u32 completed;
	u32 delivered;
	u32 next;
	u32 recv_posted;
	u32 recv_completed;
	u32 recv_len[SLOTS];
	u32 slot;
	u32 mtu;
	u32 burst;
	u32 depth;
	u32 short_recvs;
	u32 faults;
	bool failed;
	bool last_wqe;
	u8 want[MAX_LEN];
};

static struct side *side_of(struct host *h)
{
	return h->user;
}

static struct rng *rng(const struct side *s)
{
	return &s->host->sim->rng;
}

static bool is_ud(const struct side *s)
{
	return s->host->qp.service == ROCE_OP_UD;
}

/* Memory: slots to send from, slots to WRITE to, slots to receive in. */
static u32 source_of(const struct side *s, u32 i)
{
	return i % SLOTS * s->slot;
}

static u32 target_of(const struct side *s, u32 i)
{
	return (SLOTS + i % SLOTS) * s->slot;
}

static u32 recv_of(const struct side *s, u32 i)
{
	return 2 * SLOTS * s->slot + i % SLOTS * (s->slot + FRAME_GRH);
}

static void wake(struct side *s, u64 ns)
{
	s->host->work_at = min(s->host->work_at, s->host->sim->now + ns);
}

static void modify_state(struct side *s, u8 state)
{
	struct roce_attr attr = { .state = state };

	host_modify(s->host, &attr, ROCE_QP_STATE);
}

/*
 * Requests.
 */

static bool has_imm(u8 opcode)
{
	return opcode == ROCE_WR_SEND_IMM || opcode == ROCE_WR_WRITE_IMM;
}

static bool is_write(u8 opcode)
{
	return opcode == ROCE_WR_WRITE || opcode == ROCE_WR_WRITE_IMM;
}

/* The payload of request @i of @s: it begins with the index if there is room. */
static void fill(const struct side *s, u32 i, u8 *to)
{
	u32 len = s->op[i].length;

	oracle_fill(rng_mix(s->host->id * MAX_OPS + i), 0, to, len);
	if (len >= sizeof(u64))
		put_unaligned((u64)i, (u64 *)to);
}

static bool data_ok(struct side *s, u32 i, u32 offset, const u8 *data, u32 len)
{
	fill(s, i, s->want);
	return offset <= s->op[i].length && len <= s->op[i].length - offset &&
	       !memcmp(s->want + offset, data, len);
}

static u8 choose_opcode(struct side *s, u32 len)
{
	static const u8 opcodes[] = { ROCE_WR_SEND, ROCE_WR_SEND_IMM, ROCE_WR_WRITE,
				      ROCE_WR_WRITE_IMM };
	u8 opcode = opcodes[rng_below(rng(s), is_ud(s) ? 2 : ARRAY_SIZE(opcodes))];

	/* The receiver identifies the request by it. */
	return len < sizeof(u64) && opcode == ROCE_WR_SEND ? ROCE_WR_SEND_IMM : opcode;
}

static void choose_fault(struct side *s, struct sent *op)
{
	switch (rng_below(rng(s), 5)) {
	case 0:
		op->opcode = rng_percent(rng(s), 50) ? ROCE_WR_READ : ROCE_WR_SEND_INV;
		op->expected = ROCE_LOC_QP_OP_ERR;
		break;
	case 1:
		op->expected = ROCE_LOC_LEN_ERR;
		break;
	case 2:
		op->expected = op->length ? ROCE_LOC_PROT_ERR : ROCE_SUCCESS;
		break;
	case 3:
		op->unreadable = op->length;
		op->expected = op->length ? ROCE_LOC_PROT_ERR : ROCE_SUCCESS;
		break;
	default:
		op->bad_qkey = is_ud(s);
	}
}

static void cut_sges(struct side *s, struct roce_send_wqe *wqe, u32 at)
{
	u32 left = wqe->length, n = 0, part;

	while (left) {
		part = n == HOST_SGES - 1 ? left : rng_range(rng(s), 1, left);
		wqe->sge[n++] = (struct roce_sge){ s->host->base + at, part, KEY };
		at += part;
		left -= part;
	}
	wqe->num_sge = n;
}

static void post_one(struct side *s)
{
	struct roce_send_wqe *wqe = roce_sq_wqe(&s->host->qp, s->host->qp.sq.prod);
	u32 i = s->posted++;
	struct sent *op = &s->op[i];

	*op = (struct sent){ .length = rng_below(rng(s), s->slot + 1) };
	op->opcode = choose_opcode(s, op->length);
	op->solicited = rng_percent(rng(s), 30);
	if (rng_percent(rng(s), s->faults))
		choose_fault(s, op);
	memset(wqe, 0, sizeof(*wqe));
	wqe->wr_id = i;
	wqe->opcode = op->opcode;
	wqe->flags = ROCE_WR_SIGNALED | (op->solicited ? ROCE_WR_SOLICITED : 0);
	wqe->length = op->length;
	wqe->imm = cpu_to_be32(i);
	wqe->rkey = KEY;
	wqe->remote_addr = s->peer->host->base + target_of(s, i);
	wqe->dest_qpn = s->peer->host->qp.qpn;
	wqe->qkey = op->bad_qkey ? QKEY + 1 : QKEY;
	fill(s, i, s->host->mem + source_of(s, i));
	if (op->length <= HOST_INLINE && op->expected == ROCE_SUCCESS && rng_percent(rng(s), 30)) {
		wqe->flags |= ROCE_WR_INLINE;
		fill(s, i, wqe->data);
	} else {
		cut_sges(s, wqe, source_of(s, i));
	}
	if (op->expected == ROCE_LOC_LEN_ERR)
		wqe->status = ROCE_LOC_LEN_ERR;
	if (op->expected == ROCE_LOC_PROT_ERR && !op->unreadable)
		wqe->sge[0].lkey = KEY_NONE;
	host_post(s->host, 1);
}

static void post_sends(struct side *s)
{
	u32 n;

	for (n = 0; n < s->burst && s->posted < s->ops && s->posted - s->completed < SLOTS; n++)
		post_one(s);
	if (s->posted < s->ops && s->posted - s->completed < SLOTS)
		wake(s, rng_below(rng(s), MS));
}

static void post_recvs(struct side *s)
{
	while (s->recv_posted - s->recv_completed < s->depth) {
		u32 i = s->recv_posted++, len = s->slot + FRAME_GRH;
		struct recv recv = { .wr_id = i };

		if (rng_percent(rng(s), s->short_recvs))
			len = rng_below(rng(s), len);
		s->recv_len[i % SLOTS] = len;
		recv.length = len;
		recv.num_sge = 1;
		recv.sge[0] = (struct roce_sge){ s->host->base + recv_of(s, i), len, KEY };
		host_post_recv(s->host, &recv);
	}
}

static void on_work(struct host *h)
{
	struct side *s = side_of(h);

	h->work_at = ROCE_NEVER;
	if (h->qp.state == ROCE_ERR)
		return;
	post_recvs(s);
	if (h->qp.state == ROCE_SQE) {
		/* WQEs posted now are flushed, by roce_flush() or by the change to RTS. */
		if (rng_percent(rng(s), 50))
			post_sends(s);
		if (rng_percent(rng(s), 50)) {
			modify_state(s, ROCE_RTS);
			s->failed = false;
		}
		wake(s, rng_below(rng(s), MS));
		return;
	}
	if (h->qp.state == ROCE_RTS && rng_percent(rng(s), 2))
		modify_state(s, ROCE_SQD);
	post_sends(s);
}

/*
 * Callbacks of the transport.
 */

static void sent(struct side *s, const struct roce_wc *wc)
{
	const struct sent *op = &s->op[s->completed];
	u8 *source = s->host->mem + source_of(s, s->completed);
	u8 state = s->host->qp.state;

	if (wc->wr_id != s->completed || s->completed == s->posted)
		fail(s, "send %llu completes out of order, %u is due", wc->wr_id, s->completed);
	if (wc->opcode != op->opcode)
		fail(s, "send %llu completes with the wrong opcode", wc->wr_id);
	if (wc->status == ROCE_WR_FLUSH_ERR) {
		if (state != ROCE_SQE && state != ROCE_ERR)
			fail(s, "send %llu is flushed in state %s", wc->wr_id, trace_state(state));
	} else if (wc->status != op->expected) {
		fail(s, "send %llu: %s; expected: %s", wc->wr_id, trace_status(wc->status),
		     trace_status(op->expected));
	} else if (s->failed) {
		fail(s, "send %llu is not flushed after a failure", wc->wr_id);
	}
	s->failed = wc->status != ROCE_SUCCESS;
	if (!data_ok(s, s->completed, 0, source, op->length))
		fail(s, "send %llu: its memory has been written", wc->wr_id);
	memset(source, SCRIBBLED, op->length);
	s->completed++;
	s->host->sim->stats.wrs += wc->status == ROCE_SUCCESS;
	s->host->sim->stats.flushed += wc->status == ROCE_WR_FLUSH_ERR;
	s->host->sim->stats.bytes += wc->status == ROCE_SUCCESS ? op->length : 0;
	if (wc->status != ROCE_SUCCESS && wc->status != ROCE_WR_FLUSH_ERR)
		s->host->sim->stats.failed[wc->status]++;
}

/* The link may corrupt the traffic class, which the ICRC does not cover. */
static void check_grh(struct side *s, const u8 *at)
{
	const struct host *from = s->peer->host;
	bool ok = from->ipv6 ? at[0] >> 4 == 6 && at[23] == 1 + from->id :
			       !at[0] && at[20] == 0x45 && at[35] == 1 + from->id;

	if (!ok)
		fail(s, "receive %u: wrong GRH", s->recv_completed);
}

/* True if the link neither duplicates nor reorders packets. */
static bool keeps_order(const struct side *s)
{
	const struct link_config *c = &s->host->sim->link.config;

	return !c->dup && !c->reorder;
}

static void received(struct side *s, const struct roce_wc *wc)
{
	u32 grh = is_ud(s) ? FRAME_GRH : 0;
	const u8 *buf = s->host->mem + recv_of(s, s->recv_completed);
	const struct sent *op;
	u32 i;

	if (wc->has_imm)
		i = be32_to_cpu(wc->imm);
	else
		i = get_unaligned((const u64 *)(buf + grh));
	if (i >= s->peer->posted)
		fail(s, "receive %llu is of no request: %u", wc->wr_id, i);
	op = &s->peer->op[i];
	if (has_imm(op->opcode) != wc->has_imm || wc->byte_len != op->length + grh ||
	    is_write(op->opcode) != (wc->opcode == ROCE_WR_WRITE_IMM) ||
	    wc->solicited != op->solicited || op->bad_qkey || wc->has_inv)
		fail(s, "receive %llu does not fit request %u", wc->wr_id, i);
	if (is_write(op->opcode))
		buf = s->host->mem + target_of(s, i);
	else if (wc->byte_len > s->recv_len[s->recv_completed % SLOTS])
		fail(s, "receive %llu is shorter than request %u", wc->wr_id, i);
	if (!data_ok(s->peer, i, 0, buf + (is_write(op->opcode) ? 0 : grh), op->length))
		fail(s, "receive %llu: damaged data of request %u", wc->wr_id, i);
	if (grh)
		check_grh(s, buf);
	if (grh && (wc->src_qpn != s->peer->host->qp.qpn || !wc->pkt))
		fail(s, "receive %llu: wrong sender", wc->wr_id);
	if (keeps_order(s) && i < s->next)
		fail(s, "receive %llu: request %u comes after %u", wc->wr_id, i, s->next - 1);
	s->next = i + 1;
	s->delivered++;
}

static void on_complete(struct host *h, const struct roce_wc *wc)
{
	struct side *s = side_of(h);

	wake(s, 0);
	if (!wc->is_recv) {
		sent(s, wc);
		return;
	}
	if (wc->wr_id != s->recv_completed || s->recv_completed == s->recv_posted)
		fail(s, "receive %llu completes out of order", wc->wr_id);
	if (wc->status == ROCE_SUCCESS)
		received(s, wc);
	else if (wc->status != ROCE_WR_FLUSH_ERR || h->qp.state != ROCE_ERR)
		fail(s, "receive %llu: %s", wc->wr_id, trace_status(wc->status));
	s->recv_completed++;
}

static void on_event(struct host *h, enum roce_event event)
{
	struct side *s = side_of(h);

	switch (event) {
	case ROCE_EVENT_SQ_DRAINED:
		h->sim->stats.drains++;
		if (h->qp.state != ROCE_SQD)
			fail(s, "drained in state %s", trace_state(h->qp.state));
		break;
	case ROCE_EVENT_LAST_WQE:
		if (!h->qp.srq || s->last_wqe || h->qp.resp.has_recv)
			fail(s, "last WQE reached at the wrong time");
		s->last_wqe = true;
		break;
	default:
		if (event != ROCE_EVENT_COMM_EST || is_ud(s))
			fail(s, "event %u", event);
	}
}

/* A written packet must belong to a WRITE to that address. */
static void on_wrote(struct host *h, u64 va, const u8 *data, u32 len)
{
	struct side *s = side_of(h), *from = s->peer;
	u32 at = va - h->base - target_of(s, 0), i;

	for (i = at / s->slot; i < from->posted; i += SLOTS)
		if (is_write(from->op[i].opcode) && data_ok(from, i, at % s->slot, data, len))
			return;
	fail(s, "%u bytes at %u have been written without a matching WRITE", len, at);
}

static void on_received(struct host *h, u32 offset, const u8 *data, u32 len)
{
}

static void on_recv_taken(struct host *h, const struct recv *recv)
{
}

static bool on_readable(struct host *h, const struct roce_tx_run *run)
{
	return !side_of(h)->op[run->payload.wqe->wr_id].unreadable;
}

static const struct host_client client = {
	.complete = on_complete,
	.event = on_event,
	.wrote = on_wrote,
	.received = on_received,
	.recv_taken = on_recv_taken,
	.readable = on_readable,
	.work = on_work,
};

/*
 * Connections.
 */

static void begin_side(struct side *s, u32 mtu, u32 slot, u32 ops)
{
	struct host *h = s->host;
	struct rng *r = rng(s);

	s->mtu = mtu;
	s->slot = slot;
	s->ops = ops;
	s->posted = 0;
	s->completed = 0;
	s->delivered = 0;
	s->next = 0;
	s->recv_posted = 0;
	s->recv_completed = 0;
	s->burst = rng_range(r, 1, rng_percent(r, 50) ? 4 : SLOTS);
	s->depth = rng_percent(r, 70) ? SLOTS : rng_range(r, 1, 4);
	s->short_recvs = rng_percent(r, 30) ? 20 : 0;
	if (h->qp.srq)
		s->short_recvs = 0; /* a short one of a shared queue ends the QP */
	s->faults = rng_percent(r, 50) ? 3 : 0;
	s->failed = false;
	s->last_wqe = false;
	workload_choose_host(h);
	host_reset(h);
	memset(h->counts, 0, sizeof(h->counts));
	h->mem_size = SLOTS * (3 * slot + FRAME_GRH);
	h->mem = realloc(h->mem, h->mem_size);
	if (!h->mem)
		abort();
	memset(h->mem, SCRIBBLED, h->mem_size);
	h->region[0] =
		(struct region){ KEY, ROCE_ACCESS_LOCAL_WRITE | ROCE_ACCESS_REMOTE_WRITE, 0,
				 h->mem_size };
	h->nregions = 1;
}

static void connect_side(struct side *s, u32 sq_psn, u32 rq_psn)
{
	struct roce_attr attr = {
		.state = ROCE_INIT,
		.access = ROCE_ACCESS_REMOTE_WRITE,
		.pkey = 0xffff,
		.qkey = QKEY,
		.mtu = s->mtu,
		.dest_qpn = s->peer->host->qp.qpn,
		.sq_psn = sq_psn,
		.rq_psn = rq_psn,
	};

	host_modify(s->host, &attr,
		    ROCE_QP_STATE | ROCE_QP_ACCESS | ROCE_QP_PKEY | ROCE_QP_QKEY |
			    ROCE_QP_PATH_MTU | ROCE_QP_DEST_QPN | ROCE_QP_SQ_PSN | ROCE_QP_RQ_PSN);
	post_recvs(s);
	modify_state(s, ROCE_RTR);
	modify_state(s, ROCE_RTS);
	wake(s, rng_below(rng(s), MS));
}

static void begin_life(struct sim *sim, struct side *s, u32 packets)
{
	u32 mtu = 256u << rng_below(&sim->rng, 5), pkts = rng_range(&sim->rng, 1, 12);
	u32 slot = is_ud(s) ? mtu : min(mtu * pkts, MAX_LEN), psn[2], i;

	for (i = 0; i < 2; i++) {
		begin_side(&s[i], mtu, slot, min(packets / (slot / mtu) + 1, MAX_OPS));
		psn[i] = workload_choose_psn(&sim->rng);
	}
	for (i = 0; i < 2; i++)
		connect_side(&s[i], psn[i], psn[!i]);
	sim->stats.lives++;
}

static void resume_drained(struct side *s)
{
	if (s->host->qp.state == ROCE_SQD && s->host->qp.req.snd.sq_drained_reported)
		modify_state(s, ROCE_RTS);
}

/* Run until no event is left. */
static void live(struct sim *sim, struct side *s, u64 max_steps)
{
	struct host *h;
	u64 steps = 0;

	while ((h = sim_step(sim))) {
		if (++steps > max_steps)
			sim_fail(sim, "no end after %llu steps", steps);
		if (roce_deadline(&h->qp) != ROCE_NEVER)
			fail(side_of(h), "a timer runs");
		if (rng_percent(&sim->rng, 10) || h->tx_at == ROCE_NEVER)
			resume_drained(side_of(h));
	}
	if (s[0].completed != s[0].ops || s[1].completed != s[1].ops)
		sim_fail(sim, "no event left: %u of %u and %u of %u sends done",
			 s[0].completed, s[0].ops, s[1].completed, s[1].ops);
}

/* Without losses, all messages that the receiver did not drop must have arrived. */
static void check_delivered(struct side *s)
{
	const struct link_config *c = &s->host->sim->link.config;
	u32 i, due = 0;

	if (c->loss || c->corrupt || c->dup || c->reorder || s->peer->faults ||
	    s->host->counts[ROCE_COUNT_NO_RECV] || s->host->counts[ROCE_COUNT_BAD_REQUEST])
		return;
	for (i = 0; i < s->peer->posted; i++)
		due += s->peer->op[i].opcode != ROCE_WR_WRITE;
	if (s->delivered != due)
		fail(s, "%u of %u requests delivered", s->delivered, due);
}

static void end_side(struct side *s)
{
	u32 left;

	check_delivered(s);
	modify_state(s, ROCE_ERR);
	host_run(s->host);
	left = s->recv_posted - s->recv_completed;
	if (s->host->qp.srq ? !s->last_wqe || left != s->host->rq_prod - s->host->rq_cons : left)
		fail(s, "%u receives left in ERR", left);
	host_reset(s->host);
}

static struct side *create(struct sim *sim)
{
	struct side *s = calloc(2, sizeof(*s));
	u8 service = rng_percent(&sim->rng, 60) ? ROCE_OP_UC : ROCE_OP_UD;
	u32 i;

	if (!s)
		abort();
	sim->nhosts = 2;
	for (i = 0; i < 2; i++) {
		struct host *h = &sim->host[i];

		s[i].host = h;
		s[i].peer = &s[!i];
		h->sim = sim;
		h->id = i;
		h->peer = &sim->host[!i];
		h->client = &client;
		h->user = &s[i];
		h->qp.service = service;
		h->qp.srq = rng_percent(&sim->rng, 30);
		host_init(h, rng_u64(&sim->rng) & 0x7ffffffff000ull, NULL, 0);
	}
	return s;
}

void unreliable_destroy(struct sim *sim)
{
	u32 i;

	for (i = 0; i < sim->nhosts; i++)
		free(sim->host[i].mem);
	free(sim->host[0].user);
}

void unreliable_run(struct sim *sim, u32 packets)
{
	struct side *s = create(sim);
	u32 lives = rng_range(&sim->rng, 1, 3), i;

	workload_choose_link(sim);
	sim->link.config.dead_at = ROCE_NEVER;
	for (i = 0; i < lives; i++) {
		begin_life(sim, s, packets / 2 / lives);
		live(sim, s, 200000ull + 200ull * packets);
		end_side(&s[0]);
		end_side(&s[1]);
		link_clear(&sim->link);
	}
}
