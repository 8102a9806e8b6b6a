// SPDX-License-Identifier: GPL-2.0
/* Workload of a host: random parameters, work requests and faults. */
#include <stdio.h>
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <roce/psn.h>

#include "transport/common/send_wqe.h"
#include "oracle.h"
#include "workload.h"

#define KEY_LOCAL    0x11u
#define KEY_TARGET   0x22u
#define KEY_READABLE 0x33u
#define KEY_NONE     0xdeadu

/*
 * One in this many simulations uses FLUSH and ATOMIC WRITE. None of them is in seeds.txt, whose
 * simulations must not change.
 */
#define PLACING 4u

/* The same for responders whose READ resources are like those of Linux's own driver. */
#define NARROWING 8u

/* And for ping-pongs: small messages, each a reply to one of the peer's. */
#define TALKING 16u

#define GUARD	 64u
#define COUNTERS 16u /* words at the start of target memory, for atomics */

/* The injected fault, one per connection. */
enum fault {
	FAULT_NONE,
	FAULT_RKEY,	  /* no such key */
	FAULT_RANGE,	  /* beyond the region */
	FAULT_ACCESS,	  /* the region does not grant it */
	FAULT_MISALIGNED, /* atomic */
	FAULT_TOO_LONG,	  /* SEND, for the receive */
	FAULT_INV_KEY,	  /* SEND_INV of a key that cannot be invalidated */
	FAULT_RECV_MALFORMED,
	FAULT_RECV_KEY,
	FAULT_LKEY,
	FAULT_POSTED, /* rejected at posting */
	FAULT_LOCAL_OP,
	FAULT_SOURCE,	    /* memory invalidated after the check */
	FAULT_READ_SOURCE,  /* the same for a READ, at the responder */
	FAULT_NO_DEPTH,	    /* READ with an initiator depth of 0 */
	FAULT_NO_RESOURCES, /* READ to a responder without resources */
	FAULT_MODIFY,	    /* to ERR */
	FAULT_LINK,	    /* dies */
	FAULT_NO_RECV,	    /* none is posted any more */
	FAULTS
};

static const char *const fault_names[] = {
	"none",		"rkey",	    "range",	      "access",	     "misaligned",
	"too-long",	"inv-key",  "recv-malformed", "recv-key",    "lkey",
	"posted",	"local-op", "source",	      "read-source", "no-depth",
	"no-resources", "modify",   "link",	      "no-recv",
};

/* Ring allocator: memory is freed in the order of allocation. */
struct ring {
	u32 start;
	u32 size;
	u64 head;
	u64 tail;
};

/**
 * struct workload - workload of one host
 * @weight: relative frequency of each operation, by enum roce_wr_opcode
 * @attr: the QP's attributes
 * @max_len: maximum bytes of a message
 * @max_sge: maximum entries of an SGE list
 * @recv_depth: receives kept posted
 * @starve: probability that posting of receives stops for a while, percent
 * @burst: requests posted at once
 * @think: pause between bursts, ns
 * @talks: ping-pong: one small message at a time, in reply to the peer's
 * @packets: packets that this side's requests must still cause
 * @fault: injected fault
 * @fault_at: index of its request
 * @fault_armed: memory is about to be invalidated
 * @drain_at: the request before which the send queue is drained
 * @draining: waiting for the SQ drained event
 * @resume_at: when to go from SQD to RTS
 * @drained_psn: the requester's PSN while in SQD
 * @starve_until: no receive is posted before this time
 * @next_id: wr_id of the next request or receive
 * @gone: the other side has ended, and this one cannot notice
 */
struct workload {
	struct oracle oracle;
	struct host *host;
	struct workload *peer;
	struct ring local;
	struct ring recv;
	struct roce_attr attr;
	u32 weight[ROCE_WR_OPCODES];
	u32 max_len;
	u32 max_sge;
	u32 recv_depth;
	u32 starve;
	u32 burst;
	u32 think;
	bool talks;
	u32 signaled;
	u32 fenced;
	u32 inlined;
	s64 packets;
	enum fault fault;
	u32 fault_at;
	bool fault_armed;
	u32 drain_at;
	bool draining;
	u64 resume_at;
	u32 drained_psn;
	u64 starve_until;
	u64 next_id;
	u8 *shadow;
};

#define FULL_ACCESS                                           \
	(ROCE_ACCESS_REMOTE_WRITE | ROCE_ACCESS_REMOTE_READ | \
	 ROCE_ACCESS_REMOTE_ATOMIC | ROCE_ACCESS_FLUSH_GLOBAL)

static struct workload *workload_of(struct host *h)
{
	return h->user;
}

static struct rng *rng(const struct workload *w)
{
	return &w->host->sim->rng;
}

static void wake(struct workload *w, u64 ns)
{
	w->host->work_at = min(w->host->work_at, w->host->sim->now + ns);
}

/* A random number from 2^0 to 2^bits, with uniformly distributed magnitude. */
static u64 choose_log(struct rng *r, u32 bits)
{
	u32 b = rng_below(r, bits + 1);

	return (1ull << b) + rng_u64(r) % (1ull << b);
}

/*
 * Memory.
 */

/* Returns bytes from the start of the host's memory, or 0 if there is no room. */
static u32 ring_alloc(struct ring *ring, u32 len)
{
	u64 head = ring->head;

	if (len > ring->size)
		return 0;
	if (head % ring->size + len > ring->size)
		head += ring->size - head % ring->size;
	if (head + len - ring->tail > ring->size)
		return 0;
	ring->head = head + len;
	return ring->start + head % ring->size;
}

/* Cut @len bytes of local memory at random into up to @max entries. */
static bool alloc_sges(struct workload *w, struct ring *ring, u32 len, u32 max,
		       struct roce_sge *sge, u32 *num_sge)
{
	u32 n = len ? rng_range(rng(w), 1, min(max, len)) : 0, i, gap;
	u64 head = ring->head;

	for (i = 0; i < n; i++) {
		u32 rest = n - i - 1;
		u32 part = rest ? rng_range(rng(w), 1, min(len - rest, 2 * len / n + 1)) : len;
		u32 at;

		gap = rng_below(rng(w), 16);
		at = ring_alloc(ring, part + gap);
		if (!at) {
			ring->head = head;
			return false;
		}
		sge[i].addr = w->host->base + at + gap;
		sge[i].length = part;
		sge[i].lkey = KEY_LOCAL;
		len -= part;
	}
	*num_sge = n;
	return true;
}

/* Fill a request's payload, in memory and in the oracle's model. */
static void fill_source(struct workload *w, const struct op *op)
{
	u32 i, offset = 0;

	for (i = 0; i < op->num_sge; i++) {
		u32 at = op->sge[i].addr - w->host->base, len = op->sge[i].length;

		oracle_fill(op->pattern, offset, w->host->mem + at, len);
		memcpy(w->oracle.model + at, w->host->mem + at, len);
		offset += len;
	}
}

/*
 * Requests.
 */

static bool reads(u8 opcode)
{
	return opcode == ROCE_WR_READ || opcode == ROCE_WR_COMPARE_SWAP ||
	       opcode == ROCE_WR_FETCH_ADD;
}

static bool is_local(u8 opcode)
{
	return opcode == ROCE_WR_LOCAL_INV || opcode == ROCE_WR_REG_MR || opcode == ROCE_WR_BIND_MW;
}

static bool carries_data(u8 opcode)
{
	return !is_local(opcode) && !reads(opcode) && opcode != ROCE_WR_FLUSH;
}

static u8 choose_opcode(struct workload *w)
{
	u32 sum = 0, i, pick;

	for (i = 0; i < ROCE_WR_OPCODES; i++)
		sum += w->weight[i];
	pick = rng_below(rng(w), sum);
	for (i = 0; pick >= w->weight[i]; i++)
		pick -= w->weight[i];
	return i;
}

static u32 choose_len(struct workload *w)
{
	u32 mtu = w->attr.mtu, len;

	switch (rng_below(rng(w), 8)) {
	case 0:
		len = 0;
		break;
	case 1:
		len = mtu;
		break;
	case 2:
		len = mtu * rng_range(rng(w), 1, max(w->max_len / mtu, 1u));
		break;
	case 3:
	case 4:
		len = rng_range(rng(w), 0, w->max_len);
		break;
	default:
		len = rng_range(rng(w), 1, 2 * mtu);
	}
	return min(len, w->max_len);
}

static void choose_target(struct workload *w, struct op *op)
{
	const struct workload *peer = w->peer;
	u32 at = rng_below(rng(w), peer->oracle.target_len - op->length + 1);

	if (op->opcode == ROCE_WR_COMPARE_SWAP || op->opcode == ROCE_WR_FETCH_ADD)
		at = 8 * rng_below(rng(w), COUNTERS);
	else if (op->opcode == ROCE_WR_ATOMIC_WRITE)
		at &= ~7u;
	op->remote_addr = peer->host->base + peer->oracle.target + at;
	op->rkey = KEY_TARGET;
}

static void choose_operands(struct workload *w, struct op *op)
{
	u64 offset = op->remote_addr - w->peer->host->base - w->peer->oracle.target;

	op->swap_add = rng_u64(rng(w));
	if (op->opcode != ROCE_WR_COMPARE_SWAP)
		return;
	op->compare = rng_u64(rng(w));
	if (rng_percent(rng(w), 60))
		memcpy(&op->compare, w->oracle.shadow + offset, sizeof(u64));
}

static void choose_flags(struct workload *w, struct op *op)
{
	if (rng_percent(rng(w), w->signaled))
		op->flags |= ROCE_WR_SIGNALED;
	if (rng_percent(rng(w), w->fenced))
		op->flags |= ROCE_WR_FENCE;
	if (!is_local(op->opcode) && rng_percent(rng(w), 20))
		op->flags |= ROCE_WR_SOLICITED;
	if (carries_data(op->opcode) && op->length <= HOST_INLINE &&
	    rng_percent(rng(w), w->inlined))
		op->flags |= ROCE_WR_INLINE;
}

/* The opcode that the fault requires, or @opcode. */
static u8 fault_opcode(struct workload *w, u8 opcode)
{
	bool may_read = w->attr.max_rd_atomic && w->peer->host->resources;

	switch (w->fault) {
	case FAULT_RKEY:
	case FAULT_RANGE:
		if (may_read && rng_percent(rng(w), 50))
			return rng_percent(rng(w), 50) ? ROCE_WR_READ : ROCE_WR_FETCH_ADD;
		return rng_percent(rng(w), 70) ? ROCE_WR_WRITE : ROCE_WR_WRITE_IMM;
	case FAULT_ACCESS:
		return ROCE_WR_WRITE;
	case FAULT_MISALIGNED:
		return ROCE_WR_COMPARE_SWAP;
	case FAULT_TOO_LONG:
		return ROCE_WR_SEND;
	case FAULT_INV_KEY:
		return ROCE_WR_SEND_INV;
	case FAULT_LKEY:
		return reads(opcode) || carries_data(opcode) ? opcode : ROCE_WR_SEND;
	case FAULT_POSTED:
		return is_local(opcode) ? ROCE_WR_WRITE : opcode;
	case FAULT_LOCAL_OP:
		return ROCE_WR_REG_MR +
		       (rng_percent(rng(w), 50) ? 0 : ROCE_WR_LOCAL_INV - ROCE_WR_REG_MR);
	case FAULT_SOURCE:
		return rng_percent(rng(w), 50) ? ROCE_WR_WRITE : ROCE_WR_SEND;
	case FAULT_READ_SOURCE:
	case FAULT_NO_DEPTH:
	case FAULT_NO_RESOURCES:
		return ROCE_WR_READ;
	default:
		return opcode;
	}
}

static u32 fault_len(struct workload *w, u32 len)
{
	switch (w->fault) {
	case FAULT_TOO_LONG:
		return w->max_len + rng_range(rng(w), 1, 2 * w->attr.mtu);
	case FAULT_RKEY:
	case FAULT_RANGE:
	case FAULT_ACCESS:
	case FAULT_LKEY:
	case FAULT_SOURCE:
	case FAULT_READ_SOURCE:
		return max(len, 1u);
	default:
		return len;
	}
}

/* Inject the fault into the request, and set its expected status. */
static void apply_fault(struct workload *w, struct op *op)
{
	switch (w->fault) {
	case FAULT_RKEY:
		op->rkey = KEY_NONE;
		op->expected = ROCE_REM_ACCESS_ERR;
		break;
	case FAULT_RANGE:
		op->remote_addr = w->peer->host->base + w->peer->oracle.target +
				  ALIGN(w->peer->oracle.target_len, 8u) - (op->length - 1) / 8 * 8;
		op->expected = ROCE_REM_ACCESS_ERR;
		break;
	case FAULT_ACCESS:
		op->rkey = KEY_READABLE;
		op->expected = ROCE_REM_ACCESS_ERR;
		break;
	case FAULT_MISALIGNED:
		op->remote_addr += rng_range(rng(w), 1, 7);
		op->expected = ROCE_REM_INV_REQ_ERR;
		break;
	case FAULT_TOO_LONG:
		op->expected = ROCE_REM_INV_REQ_ERR;
		op->recv_expected = ROCE_LOC_LEN_ERR;
		break;
	case FAULT_INV_KEY:
		op->expected = ROCE_REM_ACCESS_ERR;
		op->recv_expected = ROCE_LOC_ACCESS_ERR;
		break;
	case FAULT_LKEY:
		if (!op->num_sge)
			break;
		op->sge[rng_below(rng(w), op->num_sge)].lkey = KEY_NONE;
		op->expected = ROCE_LOC_PROT_ERR;
		break;
	case FAULT_POSTED:
		op->expected = rng_percent(rng(w), 50) ? ROCE_LOC_QP_OP_ERR : ROCE_LOC_LEN_ERR;
		break;
	case FAULT_LOCAL_OP:
		op->expected = rng_percent(rng(w), 50) ? ROCE_MW_BIND_ERR : ROCE_LOC_QP_OP_ERR;
		break;
	case FAULT_SOURCE:
		w->fault_armed = true;
		op->expected = op->flags & ROCE_WR_INLINE ? ROCE_SUCCESS : ROCE_LOC_PROT_ERR;
		break;
	case FAULT_READ_SOURCE:
		w->fault_armed = true;
		op->expected = ROCE_REM_ACCESS_ERR;
		break;
	case FAULT_NO_DEPTH:
		op->expected = ROCE_LOC_QP_OP_ERR;
		break;
	case FAULT_NO_RESOURCES:
		op->expected = ROCE_REM_INV_REQ_ERR;
		break;
	default:
		break;
	}
}

static void put_wqe(struct workload *w, const struct op *op)
{
	struct roce_send_wqe *wqe = roce_sq_wqe(&w->host->qp, w->host->qp.sq.prod);

	memset(wqe, 0, sizeof(*wqe));
	wqe->wr_id = op->wr_id;
	wqe->remote_addr = op->remote_addr;
	wqe->compare = op->compare;
	wqe->swap_add = op->swap_add;
	wqe->rkey = op->rkey;
	wqe->inv_rkey = op->inv_rkey;
	wqe->length = op->length;
	wqe->imm = op->imm;
	wqe->opcode = op->opcode;
	wqe->flags = op->flags;
	wqe->flush_type = ROCE_FLUSH_GLOBAL;
	if (w->fault == FAULT_POSTED && op->expected != ROCE_SUCCESS)
		wqe->status = op->expected;
	if (op->flags & ROCE_WR_INLINE) {
		oracle_fill(op->pattern, 0, wqe->data, op->length);
		return;
	}
	wqe->num_sge = op->num_sge;
	memcpy(wqe->sge, op->sge, op->num_sge * sizeof(op->sge[0]));
}

/* Generate and post one request. Returns false if there is no room for it. */
static bool post_one(struct workload *w)
{
	struct oracle *o = &w->oracle;
	bool faulty = w->fault && o->prod == w->fault_at;
	struct op *op = oracle_next_op(o, w->next_id);
	u32 max_sge = w->max_sge;

	op->opcode = choose_opcode(w);
	if (faulty)
		op->opcode = fault_opcode(w, op->opcode);
	op->length = is_local(op->opcode) ? 0 : choose_len(w);
	if (faulty)
		op->length = fault_len(w, op->length);
	if (op->opcode == ROCE_WR_COMPARE_SWAP || op->opcode == ROCE_WR_FETCH_ADD) {
		op->length = sizeof(u64);
		max_sge = 1;
	}
	if (op->opcode == ROCE_WR_ATOMIC_WRITE)
		op->length = sizeof(u64);
	choose_flags(w, op);
	if (!is_local(op->opcode) && op->opcode != ROCE_WR_FLUSH && !(op->flags & ROCE_WR_INLINE) &&
	    !alloc_sges(w, &w->local, op->length, max_sge, op->sge, &op->num_sge))
		return false;
	op->free_to = w->local.head;
	op->imm = (__force __be32)rng_u64(rng(w));
	op->inv_rkey = rng_u64(rng(w));
	if (carries_data(op->opcode))
		fill_source(w, op);
	if (!is_local(op->opcode) && op->length <= w->peer->oracle.target_len)
		choose_target(w, op);
	if (op->opcode == ROCE_WR_COMPARE_SWAP || op->opcode == ROCE_WR_FETCH_ADD)
		choose_operands(w, op);
	if (faulty)
		apply_fault(w, op);
	put_wqe(w, op);
	oracle_posted(o);
	w->next_id++;
	w->packets -= roce_npkts(op->length, w->attr.mtu);
	return true;
}

/* Free the local memory of retired requests. */
static void free_retired(struct workload *w)
{
	struct oracle *o = &w->oracle;

	if (o->cons == o->prod)
		w->local.tail = w->local.head;
	else if (o->cons)
		w->local.tail = oracle_op(o, o->cons - 1)->free_to;
	if (o->recv_cons == o->recv_prod)
		w->recv.tail = w->recv.head;
	else if (o->recv_cons)
		w->recv.tail = o->recv[(o->recv_cons - 1) % ORACLE_RECVS].free_to;
}

static void modify_state(struct workload *w, u8 state)
{
	struct roce_attr attr = { .state = state };

	host_modify(w->host, &attr, ROCE_QP_STATE);
}

/* Inject a fault that does not belong to a request. */
static void strike(struct workload *w)
{
	struct link *link = &w->host->sim->link;

	switch (w->fault) {
	case FAULT_MODIFY:
		w->oracle.may_fail = true;
		w->peer->oracle.may_fail = true;
		modify_state(w, ROCE_ERR);
		break;
	case FAULT_LINK:
		link->config.dead_at = w->host->sim->now;
		w->oracle.may_fail = true;
		w->peer->oracle.may_fail = true;
		break;
	case FAULT_NO_RECV:
		w->oracle.may_fail = true;
		w->peer->starve_until = ROCE_NEVER;
		break;
	default:
		break;
	}
}

static void post_sends(struct workload *w)
{
	u32 n = rng_range(rng(w), 1, w->burst), done = 0;
	bool more = true;

	while (done < n && w->packets > 0 && roce_sq_room(&w->host->qp) && more) {
		if (w->oracle.prod == w->drain_at && w->host->qp.state == ROCE_RTS) {
			w->draining = true;
			/* Once: there may be no memory for that request yet after the draining. */
			w->drain_at = ~0u;
			modify_state(w, ROCE_SQD);
		}
		if (w->fault && w->oracle.prod == w->fault_at)
			strike(w);
		more = post_one(w);
		if (more) {
			host_post(w->host, 1);
			done++;
		}
	}
	/* Without room, posting continues when a request retires. */
	if (w->packets > 0 && done)
		wake(w, rng_below(rng(w), w->think));
}

/* Ping-pong: true if the peer's message has arrived, and a reply is due. */
static bool my_turn(const struct workload *w)
{
	return w->oracle.prod < w->host->qp.resp.msn + w->host->id % 2;
}

static bool post_recv(struct workload *w)
{
	struct recv_op *r = oracle_next_recv(&w->oracle, w->next_id);
	bool faulty = w->peer->oracle.exec >= w->peer->fault_at;
	u32 len = w->peer->max_len;

	if (rng_percent(rng(w), 30) && w->peer->fault != FAULT_TOO_LONG)
		len += rng_below(rng(w), 100);
	if (!alloc_sges(w, &w->recv, len, w->max_sge, r->recv.sge, &r->recv.num_sge))
		return false;
	r->recv.length = len;
	r->free_to = w->recv.head;
	if (faulty && w->peer->fault == FAULT_RECV_MALFORMED) {
		r->recv.malformed = true;
	} else if (faulty && w->peer->fault == FAULT_RECV_KEY) {
		r->recv.sge[rng_below(rng(w), r->recv.num_sge)].lkey = KEY_NONE;
		r->bad_key = true;
	}
	oracle_recv_posted(&w->oracle);
	host_post_recv(w->host, &r->recv);
	w->next_id++;
	return true;
}

static void post_recvs(struct workload *w)
{
	const struct oracle *o = &w->oracle;
	u64 now = w->host->sim->now;

	if (now < w->starve_until) {
		if (w->starve_until != ROCE_NEVER)
			wake(w, w->starve_until - now);
		return;
	}
	while (o->recv_prod - o->recv_cons < w->recv_depth && post_recv(w))
		;
	if (rng_percent(rng(w), w->starve))
		w->starve_until =
			now + choose_log(rng(w), 4) * roce_rnr_ns(w->host->qp.attr.min_rnr_timer);
}

/* Return from SQD to RTS, and change some attributes. */
static void resume(struct workload *w)
{
	u32 mask = ROCE_QP_STATE | ROCE_QP_MIN_RNR_TIMER;
	struct roce_attr attr = w->attr;

	if (w->host->qp.req.snd.max != w->drained_psn || w->host->qp.req.snd.una != w->drained_psn)
		sim_fail(w->host->sim, "host %u: requests were sent in SQD after it drained",
			 w->host->id);
	attr.state = ROCE_RTS;
	attr.min_rnr_timer = rng_range(rng(w), 1, 14);
	if (attr.max_rd_atomic > 1 && rng_percent(rng(w), 50)) {
		attr.max_rd_atomic = rng_range(rng(w), 1, attr.max_rd_atomic);
		mask |= ROCE_QP_MAX_RD_ATOMIC;
	}
	w->resume_at = ROCE_NEVER;
	if (w->starve_until != ROCE_NEVER)
		w->starve_until = 0; /* computed from the former RNR timer */
	host_modify(w->host, &attr, mask);
}

static bool side_alive(const struct workload *w)
{
	return w->host->qp.state != ROCE_ERR;
}

static bool idle(const struct workload *w)
{
	return w->host->qp.sq.cons == w->host->qp.sq.prod;
}

/* The other side has ended: give up, as a connection manager would. */
static void give_up(struct workload *w)
{
	w->oracle.may_fail = true;
	w->packets = 0;
	if (w->draining && w->resume_at != ROCE_NEVER && w->host->qp.state == ROCE_SQD)
		wake(w, MS);
	if (idle(w) || !w->attr.timeout || w->host->qp.state == ROCE_SQD)
		modify_state(w, ROCE_ERR);
}

static void on_work(struct host *h)
{
	struct workload *w = workload_of(h);
	u64 now = h->sim->now;

	h->work_at = ROCE_NEVER;
	free_retired(w);
	if (!side_alive(w)) {
		w->packets = 0;
		return;
	}
	if (!side_alive(w->peer)) {
		give_up(w);
		return;
	}
	if (w->resume_at != ROCE_NEVER && now >= w->resume_at)
		resume(w);
	else if (w->resume_at != ROCE_NEVER)
		wake(w, w->resume_at - now);
	if (h->qp.state == ROCE_RTR) {
		modify_state(w, ROCE_RTS);
		wake(w, 0);
	}
	post_recvs(w);
	/* A peer that has sent all its messages does not reply. */
	if (w->packets > 0 && (!w->talks || w->peer->packets <= 0 || my_turn(w)))
		post_sends(w);
}

static void on_complete(struct host *h, const struct roce_wc *wc)
{
	struct workload *w = workload_of(h);

	oracle_complete(&w->oracle, wc);
	wake(w, 0);
}

static void on_event(struct host *h, enum roce_event event)
{
	struct workload *w = workload_of(h);

	w->oracle.progress_at = h->sim->now;
	switch (event) {
	case ROCE_EVENT_SQ_DRAINED:
		if (h->qp.state != ROCE_SQD || !w->draining)
			sim_fail(h->sim, "host %u: SQ drained in state %s", h->id,
				 trace_state(h->qp.state));
		h->sim->stats.drains++;
		w->drained_psn = h->qp.req.snd.max;
		w->resume_at = h->sim->now + rng_below(rng(w), 5 * MS);
		wake(w, w->resume_at - h->sim->now);
		break;
	case ROCE_EVENT_COMM_EST:
		wake(w, 0);
		break;
	default:
		if (h->qp.state != ROCE_ERR)
			sim_fail(h->sim, "host %u: error event in state %s", h->id,
				 trace_state(h->qp.state));
	}
}

static enum roce_status on_local_op(struct host *h, struct roce_send_wqe *wqe)
{
	struct oracle *o = &workload_of(h)->oracle;
	u32 i;

	for (i = o->cons; i != o->prod; i++)
		if (oracle_op(o, i)->wr_id == wqe->wr_id &&
		    oracle_op(o, i)->expected != ROCE_SUCCESS)
			return oracle_op(o, i)->expected;
	oracle_local_op(o, wqe);
	return ROCE_SUCCESS;
}

/* True if the run belongs to a READ whose source is to be invalidated. */
static bool on_readable(struct host *h, const struct roce_tx_run *run)
{
	struct workload *w = workload_of(h);
	struct oracle *o;
	u32 i;

	if (run->payload.wqe) {
		if (!w->fault_armed || w->fault != FAULT_SOURCE)
			return true;
		o = &w->oracle;
		return !(run->payload.wqe->wr_id == oracle_op(o, w->fault_at)->wr_id &&
			 oracle_op(o, w->fault_at)->expected != ROCE_SUCCESS);
	}
	if (!w->peer->fault_armed || w->peer->fault != FAULT_READ_SOURCE)
		return true;
	for (i = h->peer->qp.sq.cons; i != h->peer->qp.sq.prod; i++) {
		const struct roce_send_wqe *wqe = roce_sq_wqe(&h->peer->qp, i);

		if (wqe->state == ROCE_WQE_STARTED && wqe->opcode == ROCE_WR_READ &&
		    roce_psn_within(run->psn, wqe->first_psn, wqe->last_psn))
			return wqe->wr_id != oracle_op(&w->peer->oracle, w->peer->fault_at)->wr_id;
	}
	return true;
}

static const struct host_client client = {
	.complete = on_complete,
	.event = on_event,
	.wrote = oracle_wrote,
	.received = oracle_received,
	.flushed = oracle_flushed,
	.atomic = oracle_atomic,
	.invalidated = oracle_invalidated,
	.local_op = on_local_op,
	.recv_taken = oracle_recv_taken,
	.readable = on_readable,
	.work = on_work,
};

/*
 * Choosing a simulation.
 */

void workload_choose_link(struct sim *sim)
{
	static const u32 rates[] = { 0, 0, 1000, 10000, 50000, 100000, 100000, 250000 };
	static const u64 byte_ps[] = { 0, 20, 80, 800, 8000 };
	struct link_config *c = &sim->link.config;
	struct rng *r = &sim->rng;

	c->delay = choose_log(r, 22);
	c->jitter = rng_percent(r, 50) ? choose_log(r, 20) : 0;
	c->byte_ps = byte_ps[rng_below(r, ARRAY_SIZE(byte_ps))];
	if (rng_percent(r, 20))
		return; /* clean */
	c->loss = rates[rng_below(r, ARRAY_SIZE(rates))];
	c->burst = rng_percent(r, 20) ? 500000 : 0;
	if (rng_percent(r, 40))
		c->dup = rates[rng_below(r, ARRAY_SIZE(rates))];
	if (rng_percent(r, 40))
		c->corrupt = rates[rng_below(r, ARRAY_SIZE(rates) - 1)];
	if (rng_percent(r, 40)) {
		c->reorder = rng_percent(r, 50) ? 250000 : rates[rng_below(r, ARRAY_SIZE(rates))];
		c->reorder_ns = c->delay;
	}
}

static bool in_order(const struct link_config *c)
{
	return !c->loss && !c->dup && !c->corrupt && !c->reorder;
}

/* Upper bound of the RTT. */
static u64 round_trip(const struct sim *sim, const struct workload *w)
{
	const struct link_config *c = &sim->link.config;
	u64 queue = c->byte_ps * w->attr.mtu * 600 / 1000 * sim->nhosts;
	u64 host = w->host->config.rx_delay + w->host->config.tx_queue +
		   w->peer->host->config.rx_delay + w->peer->host->config.tx_queue;

	return 2 * (c->delay + c->jitter) + queue + host;
}

void workload_choose_host(struct host *h)
{
	struct host_config *c = &h->config;
	struct rng *r = &h->sim->rng;

	c->rx_batch = rng_range(r, 1, rng_percent(r, 50) ? 4 : HOST_BATCH);
	c->rx_delay = rng_percent(r, 50) ? choose_log(r, 15) : 0;
	c->tx_batch = rng_percent(r, 50) ? ROCE_TX_PKTS : rng_range(r, 1, ROCE_TX_PKTS);
	c->trusts_idle = (h->sim->seed / NARROWING + h->id) % 2;
	c->tx_queue = choose_log(r, 18);
	c->timer_slack = rng_percent(r, 50) ? choose_log(r, 16) : 0;
	c->retain = rng_percent(r, 30) ? 0 : rng_percent(r, 70) ? 100 : rng_below(r, 100);
	c->flush_batch = rng_range(r, 1, 64);
	c->narrows = h->sim->seed % NARROWING == 5;
	if (c->narrows)
		c->rx_batch = 1;
	h->ipv6 = rng_percent(r, 50);
}

u32 workload_choose_psn(struct rng *r)
{
	if (rng_percent(r, 50))
		return rng_below(r, ROCE_PSN_MASK + 1);
	return roce_psn_add(ROCE_PSN_MASK, -rng_below(r, 2000));
}

static void choose_weights(struct workload *w)
{
	struct rng *r = rng(w);
	u32 i;

	memset(w->weight, 0, sizeof(w->weight));
	w->weight[rng_percent(r, 50) ? ROCE_WR_SEND : ROCE_WR_WRITE] = 10;
	for (i = 0; i <= ROCE_WR_REG_MR; i++)
		if (rng_percent(r, 50))
			w->weight[i] += is_local(i) ? 2 : rng_range(r, 1, 20);
	if (w->attr.max_rd_atomic && w->peer->host->resources && !w->talks) {
		if (w->host->sim->seed % PLACING == 0) {
			w->weight[ROCE_WR_FLUSH] = rng_range(r, 1, 20);
			w->weight[ROCE_WR_ATOMIC_WRITE] = rng_range(r, 1, 20);
		}
		return;
	}
	for (i = 0; i < ROCE_WR_OPCODES; i++)
		if (reads(i) || (w->talks && is_local(i)))
			w->weight[i] = 0;
}

static void choose_requester(struct workload *w, u32 mtu, u32 packets)
{
	struct rng *r = rng(w);

	w->attr.mtu = mtu;
	w->attr.pkey = 0xffff;
	w->attr.access = FULL_ACCESS;
	w->attr.sq_psn = workload_choose_psn(r);
	w->attr.retry_cnt = rng_percent(r, 70) ? 7 : rng_below(r, 8);
	w->attr.rnr_retry = 7;
	w->attr.min_rnr_timer = rng_percent(r, 90) ? rng_range(r, 1, 14) : rng_below(r, 32);
	w->attr.max_rd_atomic = rng_below(r, HOST_RES + 1);
	w->max_len = rng_percent(r, 50) ? mtu * rng_range(r, 1, 64) : rng_range(r, 1, 8 * mtu);
	w->max_len = min(w->max_len, 65536u);
	/* A READ of that many packets is requested in several chunks. */
	if (rng_percent(r, 10))
		w->max_len = mtu * min(700u, 524288u / mtu);
	w->max_sge = rng_range(r, 1, HOST_SGES);
	w->burst = rng_range(r, 1, rng_percent(r, 50) ? 4 : HOST_SQ);
	w->think = choose_log(r, 21);
	w->signaled = rng_percent(r, 50) ? 100 : rng_below(r, 101);
	w->fenced = rng_percent(r, 50) ? 0 : rng_below(r, 30);
	w->inlined = rng_below(r, 101);
	w->packets = rng_percent(r, 15) ? 0 : rng_range(r, packets / 2, packets * 3 / 2);
	w->recv_depth = rng_range(r, 1, rng_percent(r, 30) ? 2 : HOST_RQ);
	w->starve = rng_percent(r, 30) ? rng_below(r, 5) : 0;
	w->host->quota.cwnd_clamp = rng_percent(r, 50) ? 4096 : rng_range(r, 1, 256);
	w->host->quota.ack_interval = rng_range(r, 1, 64);
	w->host->qp.ackreq_deferral = w->host->quota.ack_interval & 1;
}

/* Most replies follow within a fraction of the RTT. */
static void talk(struct sim *sim, struct workload *w)
{
	w->talks = sim->seed % TALKING == 7;
	if (!w->talks)
		return;
	w->max_len = min(w->max_len, w->attr.mtu);
	w->burst = 1;
	w->think = 1 + round_trip(sim, w) / rng_range(rng(w), 4, 16);
	w->signaled = 100;
}

/* The peer's choices limit these. */
static void choose_depth(struct workload *w)
{
	u32 n = rng_below(rng(w), HOST_RES + 1);

	host_set_resources(w->host, n);
	w->peer->attr.max_rd_atomic = min_t(u32, w->peer->attr.max_rd_atomic, n);
}

static void choose_timeout(struct sim *sim, struct workload *w)
{
	u64 rtt = round_trip(sim, w);
	u8 t = 1;

	while ((4096ull << t) < 4 * rtt + w->host->config.timer_slack)
		t++;
	t = min(t + rng_below(rng(w), 6), 31u);
	w->attr.timeout = rng_percent(rng(w), 10) ? 0 : t;
}

static void choose_fault(struct workload *w)
{
	struct rng *r = rng(w);

	w->fault = FAULT_NONE;
	w->fault_armed = false;
	w->fault_at = 0;
	w->drain_at = ~0u;
	if (!w->packets)
		return;
	if (rng_percent(r, 20))
		w->drain_at = rng_below(r, 200);
	if (!rng_percent(r, 20))
		return;
	w->fault = rng_below(r, FAULTS);
	w->fault_at = rng_below(r, rng_percent(r, 20) ? 3 : 200);
	if (w->fault == FAULT_LINK && w->host->sim->nhosts > 2)
		w->fault = FAULT_NONE;
	if ((w->fault == FAULT_MISALIGNED || w->fault == FAULT_READ_SOURCE) &&
	    !(w->attr.max_rd_atomic && w->peer->host->resources))
		w->fault = FAULT_NONE;
	if (w->fault == FAULT_NO_DEPTH)
		w->attr.max_rd_atomic = 0;
	if (w->fault == FAULT_NO_RESOURCES) {
		host_set_resources(w->peer->host, 0);
		w->attr.max_rd_atomic = 4;
	}
	if (w->fault == FAULT_NO_RECV)
		w->attr.rnr_retry = rng_below(r, 7);
	if (w->fault == FAULT_LINK) {
		w->attr.timeout = max_t(u8, w->attr.timeout, 14);
		w->peer->attr.timeout = max_t(u8, w->peer->attr.timeout, 14);
	}
}

static void set_expectations(struct sim *sim, struct workload *w)
{
	const struct link_config *c = &sim->link.config;
	struct oracle *o = &w->oracle;

	o->clean = in_order(c);
	o->lenient = !o->clean &&
		     (w->attr.retry_cnt < 7 || c->loss + c->corrupt > 150000 || c->burst);
}

/*
 * Connections.
 */

static void connect_side(struct workload *w)
{
	struct roce_attr attr = w->attr;

	attr.dest_qpn = w->peer->host->qp.qpn;
	attr.rq_psn = w->peer->attr.sq_psn;
	attr.state = ROCE_INIT;
	host_modify(w->host, &attr, ROCE_QP_STATE | ROCE_QP_ACCESS | ROCE_QP_PKEY);
	post_recvs(w);
	attr.state = ROCE_RTR;
	host_modify(w->host, &attr,
		    ROCE_QP_STATE | ROCE_QP_PATH_MTU | ROCE_QP_DEST_QPN | ROCE_QP_RQ_PSN |
			    ROCE_QP_MIN_RNR_TIMER);
	host_modify(w->host, &attr,
		    ROCE_QP_TIMEOUT | ROCE_QP_RETRY_CNT | ROCE_QP_RNR_RETRY | ROCE_QP_SQ_PSN |
			    ROCE_QP_MAX_RD_ATOMIC);
	w->draining = false;
	w->resume_at = ROCE_NEVER;
	w->starve_until = 0;
	wake(w, rng_percent(rng(w), 50) ? 0 : rng_below(rng(w), MS));
}

static void set_memory(struct workload *w)
{
	struct rng *r = rng(w);
	struct host *h = w->host;
	struct oracle *o = &w->oracle;
	u32 mtu = w->attr.mtu;

	w->local = (struct ring){ .start = GUARD, .size = 3 * (w->max_len + 2 * mtu) + 1024 };
	w->recv = (struct ring){ .start = w->local.start + w->local.size + GUARD,
				 .size = 4 * (w->peer->max_len + 256) + 256 };
	o->target = ALIGN(w->recv.start + w->recv.size + GUARD, 8u);
	o->target_len = max(COUNTERS * 8, w->peer->max_len) + rng_below(r, 65536);
	h->mem_size = o->target + o->target_len + GUARD;
	h->mem = realloc(h->mem, h->mem_size);
	o->model = realloc(o->model, h->mem_size);
	w->peer->oracle.shadow = realloc(w->peer->oracle.shadow, o->target_len);
	if (!h->mem || !o->model || !w->peer->oracle.shadow)
		abort();
	oracle_fill(rng_u64(r), 0, h->mem, h->mem_size);
	memcpy(o->model, h->mem, h->mem_size);
	memcpy(w->peer->oracle.shadow, h->mem + o->target, o->target_len);
	h->region[0] = (struct region){ KEY_LOCAL, ROCE_ACCESS_LOCAL_WRITE, 0, h->mem_size };
	h->region[1] = (struct region){ KEY_TARGET, FULL_ACCESS, o->target, o->target_len };
	h->region[2] =
		(struct region){ KEY_READABLE, ROCE_ACCESS_REMOTE_READ, o->target, o->target_len };
	h->nregions = 3;
}

static void describe(const struct sim *sim, const struct workload *w)
{
	const struct link_config *c = &sim->link.config;

	if (!sim->verbose)
		return;
	if (!w->host->id)
		printf("link: delay %llu+%llu ns, %llu ps a byte, ppm: loss %u burst %u dup %u corrupt %u reorder %u\n",
		       c->delay, c->jitter, c->byte_ps, c->loss, c->burst, c->dup, c->corrupt,
		       c->reorder);
	printf("host %u: mtu %u psn %06x timeout %u retry %u rnr %u depth %u resources %u window %u "
	       "ack every %u, fault %s at %u, drain at %u, %lld packets\n",
	       w->host->id, w->attr.mtu, w->attr.sq_psn, w->attr.timeout, w->attr.retry_cnt,
	       w->attr.rnr_retry, w->attr.max_rd_atomic, w->host->resources,
	       w->host->quota.cwnd_clamp, w->host->quota.ack_interval,
	       fault_names[w->fault], w->fault_at, w->drain_at, w->packets);
}

static void begin_life(struct sim *sim, struct workload *w, u32 n, u32 packets)
{
	u32 mtu = 0, i;

	for (i = 0; i < n; i++) {
		if (!(i % 2))
			mtu = 256u << rng_below(&sim->rng, 5);
		workload_choose_host(w[i].host);
		host_reset(w[i].host);
		choose_requester(&w[i], mtu, packets);
	}
	for (i = 0; i < n; i++)
		choose_depth(&w[i]);
	for (i = 0; i < n; i++) {
		talk(sim, &w[i]);
		choose_timeout(sim, &w[i]);
		choose_fault(&w[i]);
	}
	for (i = 0; i < n; i++) {
		choose_weights(&w[i]);
		set_memory(&w[i]);
		oracle_reset(&w[i].oracle);
		w[i].oracle.may_fail = w[i].fault == FAULT_NO_RECV;
		w[i].oracle.may_flush = w[i].fault == FAULT_SOURCE;
		set_expectations(sim, &w[i]);
		w[i].next_id = rng_u64(&sim->rng);
		describe(sim, &w[i]);
	}
	for (i = 0; i < n; i++)
		connect_side(&w[i]);
	sim->stats.lives++;
}

static bool finished(const struct workload *w)
{
	if (!idle(w) || w->packets > 0)
		return false;
	return !side_alive(w) || (side_alive(w->peer) && w->host->qp.state == ROCE_RTS);
}

/* Maximum time without progress. */
static u64 patience(const struct workload *w)
{
	u64 timeout = w->attr.timeout ? 4096ull << w->attr.timeout : 0;

	return 60 * SEC + 20 * timeout;
}

static void watch(struct sim *sim, struct workload *w, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		struct workload *side = &w[i];
		u64 last = max(side->oracle.progress_at, side->peer->oracle.progress_at);

		if (!finished(side) && sim->now > last + patience(side) + patience(side->peer))
			sim_fail(sim, "%.3f us: host %u: no progress since %.3f us",
				 sim->now / 1000.0, side->host->id, last / 1000.0);
	}
}

/* Notify a side that cannot notice that the other one has ended. */
static void notice_deaths(struct workload *w, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		struct workload *side = &w[i];

		if (side_alive(side) && !side_alive(side->peer) &&
		    (side->packets > 0 || idle(side) || !side->attr.timeout ||
		     side->host->qp.state == ROCE_SQD))
			wake(side, 10 * MS);
	}
}

static bool all_finished(const struct workload *w, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (!finished(&w[i]))
			return false;
	return true;
}

static void wake_talker(struct workload *w)
{
	if (w->talks && w->packets > 0 && w->host->work_at == ROCE_NEVER && my_turn(w))
		wake(w, rng_range(rng(w), 1, w->think));
}

/* Check the host, and wake its user if there may be room or a reply is due. */
static void check(struct host *h)
{
	struct workload *w = workload_of(h);
	u32 retired = w->oracle.cons;

	oracle_check(&w->oracle);
	if (w->oracle.cons != retired)
		wake(w, 0);
	wake_talker(w);
}

static void live(struct sim *sim, struct workload *w, u32 n, u64 max_steps)
{
	struct host *h;
	u64 steps = 0;

	while (!all_finished(w, n)) {
		h = sim_step(sim);
		if (!h)
			sim_fail(sim, "nothing will ever happen again");
		check(h);
		if (++steps % 64 == 0)
			watch(sim, w, n);
		if (steps > max_steps)
			sim_fail(sim, "no end after %llu steps", steps);
		notice_deaths(w, n);
	}
}

/* Flush the remaining WQEs, check the oracles, and return to RESET. */
static void end_life(struct sim *sim, struct workload *w, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		w[i].oracle.may_fail = true;
		if (side_alive(&w[i]))
			modify_state(&w[i], ROCE_ERR);
		w[i].host->work_at = ROCE_NEVER;
		host_run(w[i].host);
		oracle_check(&w[i].oracle);
		oracle_finish(&w[i].oracle);
	}
	link_clear(&sim->link);
	for (i = 0; i < n; i++) {
		host_reset(w[i].host);
		oracle_reset(&w[i].oracle);
		oracle_check(&w[i].oracle);
	}
}

static struct workload *create(struct sim *sim, u32 n)
{
	struct workload *w = calloc(n, sizeof(*w));
	u32 i;

	if (!w)
		abort();
	sim->nhosts = n;
	for (i = 0; i < n; i++) {
		struct host *h = &sim->host[i];

		w[i].host = h;
		w[i].peer = &w[i ^ 1];
		w[i].oracle.host = h;
		w[i].oracle.peer = &w[i ^ 1].oracle;
		h->sim = sim;
		h->id = i;
		h->peer = &sim->host[i ^ 1];
		h->client = &client;
		h->user = &w[i];
		h->oracle = &w[i].oracle;
		host_init(h, rng_u64(&sim->rng) & 0x7ffffffff000ull, NULL, 0);
	}
	return w;
}

void workload_destroy(struct sim *sim)
{
	struct workload *w = sim->host[0].user;
	u32 i;

	for (i = 0; i < sim->nhosts; i++) {
		oracle_reset(&w[i].oracle);
		free(w[i].oracle.model);
		free(w[i].oracle.shadow);
		free(w[i].host->mem);
	}
	free(w);
}

void workload_run(struct sim *sim, u32 packets)
{
	u32 pairs = rng_percent(&sim->rng, 70) ? 1 : rng_range(&sim->rng, 2, SIM_HOSTS / 2);
	u32 lives = rng_percent(&sim->rng, 60) ? 1 : rng_range(&sim->rng, 2, 4);
	struct workload *w = create(sim, 2 * pairs);
	u32 share = max(packets / (2 * pairs * lives), 10u), i;

	workload_choose_link(sim);
	for (i = 0; i < lives; i++) {
		sim->link.config.dead_at = ROCE_NEVER;
		begin_life(sim, w, 2 * pairs, share);
		live(sim, w, 2 * pairs, 200000ull + 200ull * packets);
		end_life(sim, w, 2 * pairs);
	}
}
