// SPDX-License-Identifier: GPL-2.0
/*
 * Set-up of the explored world, its callbacks, and the hash of its state.
 */
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <roce/psn.h>

#include "transport/common/send_queue.h"
#include "transport/common/send_wqe.h"
#include "wire.h"
#include "world.h"

#define START	   (1 * SEC)
#define KEY_LOCAL  0x11u
#define KEY_TARGET 0x22u
#define KEY_NONE   0xdeadu
#define MEM	   4096u
#define LOCAL_AT   64u /* local memory of request i: LOCAL_AT + i * LOCAL_LEN */
#define LOCAL_LEN  832u
#define TARGET_AT  2560u
#define TARGET_LEN 1024u
#define OPS	   2u
#define DEPTH	   4u
#define RECV_DELAY (1 * MS)

#define FULL_ACCESS                                           \
	(ROCE_ACCESS_REMOTE_WRITE | ROCE_ACCESS_REMOTE_READ | \
	 ROCE_ACCESS_REMOTE_ATOMIC | ROCE_ACCESS_FLUSH_GLOBAL)

/* Messages of one to three packets. */
const struct kind kinds[] = {
	{ .name = "send", .opcode = ROCE_WR_SEND, .length = 600 },
	{ .name = "send-imm", .opcode = ROCE_WR_SEND_IMM, .length = 100 },
	{ .name = "send-inv", .opcode = ROCE_WR_SEND_INV, .length = 300 },
	{ .name = "send-rnr", .opcode = ROCE_WR_SEND, .length = 600, .no_recv = true },
	{ .name = "write", .opcode = ROCE_WR_WRITE, .length = 600 },
	{ .name = "write-imm", .opcode = ROCE_WR_WRITE_IMM, .length = 300 },
	{ .name = "write-imm-rnr", .opcode = ROCE_WR_WRITE_IMM, .length = 300, .no_recv = true },
	{ .name = "write-key", .opcode = ROCE_WR_WRITE, .length = 300, .wrong_key = true },
	{ .name = "read", .opcode = ROCE_WR_READ, .length = 600 },
	{ .name = "read-key", .opcode = ROCE_WR_READ, .length = 300, .wrong_key = true },
	{ .name = "compare-swap", .opcode = ROCE_WR_COMPARE_SWAP, .length = 8 },
	{ .name = "fetch-add", .opcode = ROCE_WR_FETCH_ADD, .length = 8 },
	{ .name = "flush", .opcode = ROCE_WR_FLUSH, .length = 600 },
	{ .name = "atomic-write", .opcode = ROCE_WR_ATOMIC_WRITE, .length = 8 },
};
const u32 nkinds = ARRAY_SIZE(kinds);

static struct oracle *oracles;

/* The hosts as created: RESET leaves fields behind that are not used. */
static struct host created[2];

static struct oracle *oracle_of(const struct host *h)
{
	return h->oracle;
}

static bool is_atomic(u8 opcode)
{
	return opcode == ROCE_WR_COMPARE_SWAP || opcode == ROCE_WR_FETCH_ADD;
}

/*
 * Callbacks.
 */

static void on_complete(struct host *h, const struct roce_wc *wc)
{
	oracle_complete(oracle_of(h), wc);
}

static void on_event(struct host *h, enum roce_event event)
{
	if (event != ROCE_EVENT_COMM_EST && h->qp.state != ROCE_ERR)
		sim_fail(h->sim, "host %u: error event in state %s", h->id,
			 trace_state(h->qp.state));
}

static enum roce_status on_local_op(struct host *h, struct roce_send_wqe *wqe)
{
	sim_fail(h->sim, "local operation %llu was not posted", wqe->wr_id);
}

static bool on_readable(struct host *h, const struct roce_tx_run *run)
{
	return true;
}

static void post_recv(struct host *h)
{
	struct oracle *o = oracle_of(h);
	u32 i = o->recv_prod;
	struct recv_op *r = oracle_next_recv(o, 100 + i);

	r->recv.length = LOCAL_LEN - 64;
	r->recv.num_sge = 1;
	r->recv.sge[0] = (struct roce_sge){ .addr = h->base + LOCAL_AT + i * LOCAL_LEN,
					    .length = r->recv.length,
					    .lkey = KEY_LOCAL };
	oracle_recv_posted(o);
	host_post_recv(h, &r->recv);
}

/* Post the receives that are late. */
static void on_work(struct host *h)
{
	const struct oracle *o = oracle_of(h);

	h->work_at = ROCE_NEVER;
	while (o->recv_prod < OPS)
		post_recv(h);
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
 * Set-up.
 */

static void *allocate(size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		abort();
	return p;
}

static void create_host(struct sim *sim, u32 i)
{
	struct host *h = &sim->host[i];
	struct oracle *o = &oracles[i];

	h->sim = sim;
	h->id = i;
	h->peer = &sim->host[!i];
	h->client = &client;
	h->oracle = o;
	h->config = (struct host_config){
		.rx_batch = 1,
		.tx_batch = ROCE_TX_PKTS,
		.retain = 100,
		.flush_batch = 64,
	};
	host_init(h, 0x10000 * (i + 1), allocate(MEM), MEM);
	h->region[0] = (struct region){ KEY_LOCAL, ROCE_ACCESS_LOCAL_WRITE, 0, MEM };
	h->region[1] = (struct region){ KEY_TARGET, FULL_ACCESS, TARGET_AT, TARGET_LEN };
	h->nregions = 2;
	o->host = h;
	o->peer = &oracles[!i];
	o->model = allocate(MEM);
	o->shadow = allocate(TARGET_LEN);
	o->target = TARGET_AT;
	o->target_len = TARGET_LEN;
}

struct sim *world_create(void)
{
	struct sim *sim = allocate(sizeof(*sim));

	oracles = allocate(2 * sizeof(*oracles));
	sim_init(sim, 1, false);
	sim->nhosts = 2;
	create_host(sim, 0);
	create_host(sim, 1);
	memcpy(created, sim->host, sizeof(created));
	return sim;
}

static void begin_host(struct host *h)
{
	struct oracle *o = oracle_of(h);
	u32 i;

	host_reset(h);
	*h = created[h->id];
	host_set_resources(h, DEPTH);
	oracle_reset(o);
	o->last_retry = 0;
	o->last_rnr = 0;
	o->last_rnr_until = 0;
	for (i = 0; i < MEM; i++)
		h->mem[i] = i * 7 + h->id;
	memcpy(o->model, h->mem, MEM);
	memcpy(o->peer->shadow, h->mem + TARGET_AT, TARGET_LEN);
}

static void connect(struct host *h, u32 sq_psn, u32 rq_psn)
{
	struct roce_attr attr = {
		.state = ROCE_INIT,
		.access = FULL_ACCESS,
		.pkey = 0xffff,
		.mtu = WORLD_MTU,
		.dest_qpn = h->peer->qp.qpn,
		.rq_psn = rq_psn,
		.sq_psn = sq_psn,
		.min_rnr_timer = 12, /* 0.64 ms */
		.timeout = 14, /* 67 ms */
		.retry_cnt = 7,
		.rnr_retry = 7,
		.max_rd_atomic = DEPTH,
	};

	host_modify(h, &attr, ROCE_QP_STATE | ROCE_QP_ACCESS | ROCE_QP_PKEY);
	attr.state = ROCE_RTR;
	host_modify(h, &attr,
		    ROCE_QP_STATE | ROCE_QP_PATH_MTU | ROCE_QP_DEST_QPN | ROCE_QP_RQ_PSN |
			    ROCE_QP_MIN_RNR_TIMER);
	attr.state = ROCE_RTS;
	host_modify(h, &attr,
		    ROCE_QP_STATE | ROCE_QP_TIMEOUT | ROCE_QP_RETRY_CNT | ROCE_QP_RNR_RETRY |
			    ROCE_QP_SQ_PSN | ROCE_QP_MAX_RD_ATOMIC);
}

static void put_wqe(struct host *h, const struct op *op)
{
	struct roce_send_wqe *wqe = roce_sq_wqe(&h->qp, h->qp.sq.prod);

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
	wqe->num_sge = op->num_sge;
	memcpy(wqe->sge, op->sge, op->num_sge * sizeof(op->sge[0]));
}

static void set_memory(struct host *h, struct op *op, u32 i)
{
	struct oracle *o = oracle_of(h);
	u32 at = LOCAL_AT + i * LOCAL_LEN;

	if (op->opcode == ROCE_WR_FLUSH)
		return;
	op->num_sge = 1;
	op->sge[0] = (struct roce_sge){ .addr = h->base + at,
					.length = op->length,
					.lkey = KEY_LOCAL };
	if (op->opcode == ROCE_WR_READ || is_atomic(op->opcode))
		return;
	oracle_fill(op->pattern, 0, h->mem + at, op->length);
	memcpy(o->model + at, h->mem + at, op->length);
}

/* Both requests have the same target. */
static void post(struct host *h, const struct kind *kind, u32 i)
{
	struct oracle *o = oracle_of(h);
	struct op *op = oracle_next_op(o, 1 + i);

	op->opcode = kind->opcode;
	op->length = kind->length;
	op->flags = ROCE_WR_SIGNALED;
	op->inv_rkey = 0x77 + i;
	op->imm = (__force __be32)(0x1234 + i);
	op->rkey = KEY_TARGET;
	op->remote_addr = h->peer->base + TARGET_AT;
	op->swap_add = 5 + i;
	memcpy(&op->compare, o->shadow, sizeof(u64));
	set_memory(h, op, i);
	if (kind->wrong_key) {
		op->rkey = KEY_NONE;
		op->expected = ROCE_REM_ACCESS_ERR;
	}
	put_wqe(h, op);
	oracle_posted(o);
	host_post(h, 1);
}

void world_begin(struct sim *sim, const struct kind *first, const struct kind *second)
{
	struct host *a = &sim->host[0], *b = &sim->host[1];
	u32 psn = roce_psn_add(0, -((first->length + WORLD_MTU - 1) / WORLD_MTU / 2 + 1));
	bool late = first->no_recv || second->no_recv;

	sim->now = START;
	link_clear(&sim->link);
	begin_host(a);
	begin_host(b);
	connect(a, psn, 7);
	connect(b, 7, psn);
	if (late)
		b->work_at = START + RECV_DELAY;
	else
		on_work(b);
	post(a, first, 0);
	post(a, second, 1);
}

void world_check(struct host *h)
{
	oracle_check(oracle_of(h));
}

void world_end(struct sim *sim)
{
	struct roce_attr attr = { .state = ROCE_ERR };
	u32 i;

	if (oracles[0].cons != OPS)
		sim_fail(sim, "%u of %u requests have completed, and nothing will happen any more",
			 oracles[0].cons, OPS);
	for (i = 0; i < 2; i++) {
		struct host *h = &sim->host[i];

		oracles[i].may_fail = true;
		if (h->qp.state != ROCE_ERR)
			host_modify(h, &attr, ROCE_QP_STATE);
		h->work_at = ROCE_NEVER;
		host_run(h);
		oracle_check(&oracles[i]);
		oracle_finish(&oracles[i]);
	}
}

/*
 * Hash.
 */

struct hash {
	u64 value;
	u64 now;
};

static void add(struct hash *h, u64 word)
{
	h->value = (h->value ^ word) * 0x9e3779b97f4a7c15ull;
	h->value ^= h->value >> 29;
}

static void add_bytes(struct hash *h, const void *from, size_t len)
{
	const u8 *p = from;
	u64 word;

	for (; len >= sizeof(word); len -= sizeof(word), p += sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		add(h, word);
	}
	word = len;
	memcpy(&word, p, len);
	add(h, word);
}

/* 0 and ROCE_NEVER mean that a timer does not run. */
static void rebase(const struct hash *h, u64 *time)
{
	if (*time && *time != ROCE_NEVER)
		*time += START - h->now;
}

static void add_time(struct hash *h, u64 time)
{
	rebase(h, &time);
	add(h, time);
}

/* Between messages, these fields are those of the last one, and not used. */
static void forget_message(struct roce_resp *resp)
{
	if (resp->cur_msg_class)
		return;
	resp->offset = 0;
	resp->length = 0;
	resp->rkey = 0;
	resp->va = 0;
}

/* A time that is missing here keeps equal states apart, and never merges different ones. */
static void add_qp(struct hash *h, const struct roce_qp *from)
{
	static struct roce_qp qp;
	struct roce_req *req = &qp.req;
	u32 i;

	memcpy(&qp, from, sizeof(qp));
	rebase(h, &req->cc.next_tx);
	rebase(h, &req->cc.congested_time);
	rebase(h, &req->rtt.min_time);
	for (i = 0; i < ROCE_RTT_SAMPLES; i++)
		rebase(h, &req->rtt.sample[i].sent);
	rebase(h, &req->rto.expires);
	rebase(h, &req->rto.base);
	rebase(h, &req->rto.retry_period_start);
	rebase(h, &req->loss.rewind_time);
	rebase(h, &req->loss.last_rexmit_time);
	rebase(h, &req->loss.rnr_expires);
	rebase(h, &req->hole.detected);
	rebase(h, &req->hole.next_detected);
	rebase(h, &req->hole.timer);
	rebase(h, &qp.resp.ack.delack_expires);
	rebase(h, &qp.resp.ack.unanswered_since);
	rebase(h, &qp.resp.reorder.expires);
	forget_message(&qp.resp);
	add_bytes(h, &qp, sizeof(qp));
	for (i = from->sq.cons; i != from->sq.prod; i++)
		add_bytes(h, roce_sq_wqe(from, i), sizeof(struct roce_send_wqe));
	if (from->resp.has_recv)
		add_bytes(h, from->resp.recv_wqe, sizeof(*from->resp.recv_wqe));
	for (i = 0; from->resp.reorder.count && i < ROCE_REORDER_SLOTS; i++)
		if (from->resp.reorder.pkts[i]) {
			add(h, from->resp.reorder.pkts[i]->psn);
			add(h, from->resp.reorder.pkts[i]->opcode);
		}
}

static void add_oracle(struct hash *h, const struct oracle *o)
{
	u32 i;

	for (i = 0; i < o->prod; i++) {
		const struct op *op = &o->op[i];

		add(h, op->executed | op->invalidated << 1 | op->completed << 2 | op->status << 8 |
			       op->expected << 16 | op->recv_expected << 24);
	}
	add(h, o->prod | o->cons << 4 | o->exec << 8 | o->error << 16);
	add(h, o->exec_off);
	add(h, o->recv_prod | o->recv_taken << 4 | o->recv_cons << 8 | o->base_valid << 12);
	add_time(h, o->base);
	add_time(h, o->last_rnr_until);
	add(h, o->base_una);
	add(h, o->base_retry);
	add(h, o->base_rnr);
	add(h, o->last_retry);
	add(h, o->last_rnr);
	add_bytes(h, o->model, MEM);
}

static void add_host(struct hash *h, const struct host *host)
{
	add_qp(h, &host->qp);
	add_oracle(h, oracle_of(host));
	add_bytes(h, host->res, DEPTH * sizeof(host->res[0]));
	add_bytes(h, host->mem, MEM);
	add(h, host->rq_prod | (u64)host->rq_cons << 32);
	add_time(h, host->timer_at);
	add_time(h, host->work_at);
	add(h, host->counts[ROCE_COUNT_REWIND]);
	add(h, host->counts[ROCE_COUNT_TIMEOUT]);
	add(h, host->counts[ROCE_COUNT_RCVD_RNR]);
}

static void add_frame(const struct frame *f, void *to)
{
	struct hash *h = to;

	add_time(h, f->at);
	add(h, f->src);
	add_bytes(h, f->bytes + f->bth, f->len - f->bth);
}

u64 world_hash(const struct sim *sim, u64 seed)
{
	struct hash h = { .value = seed, .now = sim->now };

	add_host(&h, &sim->host[0]);
	add_host(&h, &sim->host[1]);
	wire_each(&sim->link, add_frame, &h);
	return h.value;
}
