// SPDX-License-Identifier: GPL-2.0
/* Oracle: predicted effects of work requests, compared with the actual ones. */
#include <errno.h>
#include <stdlib.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <roce/opcode.h>
#include <roce/psn.h>

#include "transport/common/send_queue.h"
#include "transport/common/send_wqe.h"
#include "transport/requester/pacing.h"
#include "oracle.h"
#include "sim.h"

#define fail(o, fmt, ...)                                                                \
	sim_fail((o)->host->sim, "%.3f us: host %u: " fmt, (o)->host->sim->now / 1000.0, \
		 (o)->host->id, ##__VA_ARGS__)

/*
 * Data.
 */

static u64 word(u64 pattern, u32 i)
{
	u64 x = (pattern + i) * 0x9e3779b97f4a7c15ull;

	return x ^ x >> 29;
}

static u8 pattern_byte(u64 pattern, u32 offset)
{
	return word(pattern, offset / 8) >> offset % 8 * 8;
}

void oracle_fill(u64 pattern, u32 offset, u8 *to, u32 len)
{
	for (; len && offset % 8; len--)
		*to++ = pattern_byte(pattern, offset++);
	for (; len >= 8; len -= 8, offset += 8, to += 8)
		put_unaligned(word(pattern, offset / 8), (u64 *)to);
	for (; len; len--)
		*to++ = pattern_byte(pattern, offset++);
}

static bool is_pattern(u64 pattern, u32 offset, const u8 *data, u32 len)
{
	for (; len && offset % 8; len--)
		if (*data++ != pattern_byte(pattern, offset++))
			return false;
	for (; len >= 8; len -= 8, offset += 8, data += 8)
		if (get_unaligned((const u64 *)data) != word(pattern, offset / 8))
			return false;
	for (; len; len--)
		if (*data++ != pattern_byte(pattern, offset++))
			return false;
	return true;
}

static bool is_write(const struct op *op)
{
	return op->opcode == ROCE_WR_WRITE || op->opcode == ROCE_WR_WRITE_IMM ||
	       op->opcode == ROCE_WR_ATOMIC_WRITE;
}

static bool is_send(const struct op *op)
{
	return op->opcode == ROCE_WR_SEND || op->opcode == ROCE_WR_SEND_IMM ||
	       op->opcode == ROCE_WR_SEND_INV;
}

static bool is_atomic(const struct op *op)
{
	return op->opcode == ROCE_WR_COMPARE_SWAP || op->opcode == ROCE_WR_FETCH_ADD;
}

static bool is_local(const struct op *op)
{
	return op->opcode == ROCE_WR_LOCAL_INV || op->opcode == ROCE_WR_REG_MR ||
	       op->opcode == ROCE_WR_BIND_MW;
}

static bool uses_recv(const struct op *op)
{
	return is_send(op) || op->opcode == ROCE_WR_WRITE_IMM;
}

/* True if the responder calls one of the host's ops when it executes the request. */
static bool leaves_trace(const struct op *op)
{
	return uses_recv(op) || is_atomic(op) || op->opcode == ROCE_WR_FLUSH ||
	       (is_write(op) && op->length);
}

/* The shadow's byte of a VA of the peer's target memory. */
static u8 *shadow_at(const struct oracle *o, u64 va)
{
	return o->shadow + (va - o->peer->host->base - o->peer->target);
}

/*
 * Posting.
 */

void oracle_reset(struct oracle *o)
{
	u32 i;

	for (i = 0; i < ORACLE_OPS; i++) {
		free(o->op[i].expect);
		o->op[i].expect = NULL;
	}
	o->prod = 0;
	o->cons = 0;
	o->exec = 0;
	o->exec_off = 0;
	o->recv_prod = 0;
	o->recv_taken = 0;
	o->recv_cons = 0;
	o->error = 0;
	o->may_fail = false;
	o->base_valid = false;
	o->progress_at = o->host->sim->now;
}

struct op *oracle_next_op(struct oracle *o, u64 wr_id)
{
	struct op *op = oracle_op(o, o->prod);

	free(op->expect);
	memset(op, 0, sizeof(*op));
	op->wr_id = wr_id;
	op->pattern = rng_mix(wr_id);
	return op;
}

static void predict_atomic(struct oracle *o, struct op *op)
{
	u64 *p = (u64 *)shadow_at(o, op->remote_addr);

	op->orig = get_unaligned(p);
	if (op->opcode == ROCE_WR_FETCH_ADD)
		put_unaligned(op->orig + op->swap_add, p);
	else if (op->orig == op->compare)
		put_unaligned(op->swap_add, p);
}

/*
 * Bytes of a request within the peer's target memory. A longer READ is NAKed, but chunks of it may
 * have arrived before.
 */
static u32 within_target(const struct oracle *o, const struct op *op)
{
	u64 end = o->peer->host->base + o->peer->target + o->peer->target_len;

	return min((u64)op->length, end - op->remote_addr);
}

static bool is_cut_short(const struct oracle *o, const struct op *op)
{
	return op->opcode == ROCE_WR_READ && within_target(o, op) < op->length;
}

static void predict_read(struct oracle *o, struct op *op)
{
	u32 i, offset = 0;

	op->expect = malloc(op->length + 1);
	if (!op->expect)
		abort();
	for (i = 0; i < op->num_sge; i++) {
		memcpy(op->expect + offset, o->model + (op->sge[i].addr - o->host->base),
		       op->sge[i].length);
		offset += op->sge[i].length;
	}
	memcpy(op->expect, shadow_at(o, op->remote_addr), within_target(o, op));
}

void oracle_posted(struct oracle *o)
{
	struct op *op = oracle_op(o, o->prod++);

	if (op->expected != ROCE_SUCCESS && !is_cut_short(o, op))
		return;
	if (is_write(op) && op->length)
		oracle_fill(op->pattern, 0, shadow_at(o, op->remote_addr), op->length);
	else if (is_atomic(op))
		predict_atomic(o, op);
	else if (op->opcode == ROCE_WR_READ && op->length)
		predict_read(o, op);
}

struct recv_op *oracle_next_recv(struct oracle *o, u64 wr_id)
{
	struct recv_op *r = &o->recv[o->recv_prod % ORACLE_RECVS];

	memset(r, 0, sizeof(*r));
	r->recv.wr_id = wr_id;
	return r;
}

void oracle_recv_posted(struct oracle *o)
{
	o->recv_prod++;
}

/*
 * Responder events. The oracle is the responder's; the requests are its peer's.
 */

/* The request that the responder must execute next. */
static struct op *executing(struct oracle *o)
{
	struct oracle *req = o->peer;

	while (req->exec != req->prod && !leaves_trace(oracle_op(req, req->exec)))
		req->exec++;
	if (req->exec == req->prod)
		fail(o, "executes a request that has not been posted");
	return oracle_op(req, req->exec);
}

static void executed(struct oracle *o, struct op *op)
{
	op->executed = true;
	o->peer->exec++;
	o->peer->exec_off = 0;
	o->progress_at = o->host->sim->now;
}

static void take_payload(struct oracle *o, struct op *op, u32 offset, const u8 *data, u32 len)
{
	struct oracle *req = o->peer;

	if (offset != req->exec_off || len > op->length - offset)
		fail(o, "request %llu: bytes %u+%u taken, %u of %u expected", op->wr_id, offset,
		     len, req->exec_off, op->length);
	if (!is_pattern(op->pattern, offset, data, len))
		fail(o, "request %llu: damaged data at %u", op->wr_id, offset);
	req->exec_off += len;
}

void oracle_wrote(struct host *h, u64 va, const u8 *data, u32 len)
{
	struct oracle *o = h->oracle;
	struct op *op = executing(o);

	if (!is_write(op))
		fail(o, "WRITE executed in place of request %llu (opcode %u)", op->wr_id,
		     op->opcode);
	if (op->expected != ROCE_SUCCESS && op->expected != ROCE_REM_OP_ERR &&
	    op->expected != ROCE_LOC_PROT_ERR)
		fail(o, "WRITE %llu executed, and is not to be", op->wr_id);
	take_payload(o, op, va - op->remote_addr, data, len);
	memcpy(o->model + (va - o->host->base), data, len);
	if (o->peer->exec_off == op->length && op->opcode != ROCE_WR_WRITE_IMM)
		executed(o, op);
}

/* Copy @len bytes to @offset of the SGEs in the model. */
static void model_sges(struct oracle *o, const struct roce_sge *sge, u32 num_sge, u32 offset,
		       const u8 *data, u32 len)
{
	u32 i, n;

	for (i = 0; i < num_sge && len; i++) {
		if (offset >= sge[i].length) {
			offset -= sge[i].length;
			continue;
		}
		n = min(len, sge[i].length - offset);
		memcpy(o->model + (sge[i].addr - o->host->base) + offset, data, n);
		data += n;
		len -= n;
		offset = 0;
	}
}

void oracle_received(struct host *h, u32 offset, const u8 *data, u32 len)
{
	struct oracle *o = h->oracle;
	const struct recv *recv = &o->recv[o->recv_cons % ORACLE_RECVS].recv;
	struct op *op = executing(o);

	if (!is_send(op))
		fail(o, "SEND executed in place of request %llu (opcode %u)", op->wr_id,
		     op->opcode);
	if (o->recv_taken != o->recv_cons + 1)
		fail(o, "SEND scattered with %u receives in use", o->recv_taken - o->recv_cons);
	take_payload(o, op, offset, data, len);
	model_sges(o, recv->sge, recv->num_sge, offset, data, len);
}

/* A FLUSH must be executed once, after all requests before it. */
void oracle_flushed(struct host *h, const struct roce_pkt *pkt)
{
	struct oracle *o = h->oracle;
	struct op *op = executing(o);

	if (op->opcode != ROCE_WR_FLUSH || pkt->va != op->remote_addr ||
	    pkt->dma_len != op->length)
		fail(o, "FLUSH executed in place of request %llu (opcode %u)", op->wr_id,
		     op->opcode);
	executed(o, op);
}

void oracle_atomic(struct host *h, const struct roce_pkt *pkt, u64 old)
{
	struct oracle *o = h->oracle;
	struct op *op = executing(o);

	if (!is_atomic(op) || pkt->va != op->remote_addr)
		fail(o, "atomic executed in place of request %llu (opcode %u)", op->wr_id,
		     op->opcode);
	if (old != op->orig)
		fail(o, "atomic %llu found %#llx, not %#llx", op->wr_id, old, op->orig);
	memcpy(o->model + (pkt->va - o->host->base), host_at(o->host, pkt->va, 8), 8);
	executed(o, op);
}

int oracle_invalidated(struct host *h, u32 rkey)
{
	struct oracle *o = h->oracle;
	struct op *op = executing(o);

	if (op->opcode != ROCE_WR_SEND_INV || rkey != op->inv_rkey || op->invalidated ||
	    o->peer->exec_off != op->length)
		fail(o, "key %#x invalidated out of order, request is %llu", rkey, op->wr_id);
	if (op->expected == ROCE_REM_ACCESS_ERR)
		return -EINVAL;
	op->invalidated = true;
	return 0;
}

void oracle_local_op(struct oracle *o, const struct roce_send_wqe *wqe)
{
	u32 i = o->cons;

	while (i != o->prod && oracle_op(o, i)->wr_id != wqe->wr_id)
		i++;
	if (i == o->prod || oracle_op(o, i)->executed)
		fail(o, "local operation %llu executed out of order", wqe->wr_id);
	if (wqe->opcode == ROCE_WR_LOCAL_INV && i != o->host->qp.sq.cons)
		fail(o, "LOCAL_INV %llu executed before all earlier requests completed",
		     wqe->wr_id);
	oracle_op(o, i)->executed = true;
}

void oracle_recv_taken(struct host *h, const struct recv *recv)
{
	struct oracle *o = h->oracle;

	if (recv->wr_id != o->recv[o->recv_taken % ORACLE_RECVS].recv.wr_id)
		fail(o, "receive %llu taken out of order", recv->wr_id);
	o->recv_taken++;
	if (recv->malformed && o->host->qp.state != ROCE_ERR) {
		struct op *op = executing(o);

		op->expected = ROCE_REM_OP_ERR;
		op->recv_expected = ROCE_LOC_QP_OP_ERR;
	}
}

/*
 * Completions.
 */

static void recv_success(struct oracle *o, const struct recv_op *r, const struct roce_wc *wc)
{
	struct op *op = executing(o);
	bool imm = op->opcode == ROCE_WR_SEND_IMM || op->opcode == ROCE_WR_WRITE_IMM;
	bool inv = op->opcode == ROCE_WR_SEND_INV;

	if (!uses_recv(op) || o->peer->exec_off != op->length)
		fail(o, "receive %llu completes %u bytes into request %llu", r->recv.wr_id,
		     o->peer->exec_off, op->wr_id);
	if (r->recv.malformed || (r->bad_key && is_send(op) && op->length))
		fail(o, "receive %llu is bad and completes well", r->recv.wr_id);
	if (wc->byte_len != op->length || wc->has_imm != imm || wc->has_inv != inv ||
	    (imm && wc->imm != op->imm) || (inv && wc->inv_rkey != op->inv_rkey) ||
	    wc->opcode != (is_send(op) ? ROCE_WR_SEND : ROCE_WR_WRITE_IMM) ||
	    wc->solicited != !!(op->flags & ROCE_WR_SOLICITED))
		fail(o, "receive %llu completes with the wrong details", r->recv.wr_id);
	if (inv && !op->invalidated)
		fail(o, "receive %llu completes before its key is invalid", r->recv.wr_id);
	executed(o, op);
}

static void recv_error(struct oracle *o, const struct recv_op *r, const struct roce_wc *wc)
{
	struct op *op = executing(o);

	if (r->bad_key && wc->status == ROCE_LOC_PROT_ERR) {
		op->expected = ROCE_REM_OP_ERR;
		op->recv_expected = ROCE_LOC_PROT_ERR;
	}
	if (wc->status != op->recv_expected)
		fail(o, "receive %llu completes with error: %s", r->recv.wr_id,
		     trace_status(wc->status));
}

static void complete_recv(struct oracle *o, const struct roce_wc *wc)
{
	struct recv_op *r = &o->recv[o->recv_cons % ORACLE_RECVS];

	if (o->recv_cons == o->recv_taken || wc->wr_id != r->recv.wr_id)
		fail(o, "receive %llu completes out of order", wc->wr_id);
	if (wc->status == ROCE_SUCCESS)
		recv_success(o, r, wc);
	else if (wc->status != ROCE_WR_FLUSH_ERR)
		recv_error(o, r, wc);
	else if (o->host->qp.state != ROCE_ERR)
		fail(o, "receive %llu is flushed in state %s", wc->wr_id,
		     trace_state(o->host->qp.state));
	if (wc->status != ROCE_SUCCESS && !wc->solicited)
		fail(o, "receive %llu fails with an unsolicited completion", wc->wr_id);
	o->recv_cons++;
	o->host->sim->stats.flushed += wc->status == ROCE_WR_FLUSH_ERR;
}

static u64 fast_rewinds(const struct host *h)
{
	return h->counts[ROCE_COUNT_REWIND] - h->counts[ROCE_COUNT_TIMEOUT];
}

/* Length of a retry period: up to four times a short timeout (IBTA 9.7.6.1.3). */
static u64 attempt_ns(u64 timeout)
{
	return max(timeout, min(4 * timeout, 250 * MS));
}

/* Length of a retry period at most: pacing may hold back a retransmission for longer than one. */
static u64 longest_attempt_ns(const struct host *h, u64 timeout)
{
	u64 gap = timeout < ROCE_PACING_MAX_GAP_NS ? ROCE_PACING_MAX_GAP_NS : 0;

	return timeout + gap + 2 * h->config.timer_slack + US;
}

/* Exhausted retries must have taken retry_cnt + 1 retry periods. */
static void check_retry_time(struct oracle *o)
{
	const struct host *h = o->host;
	const struct roce_attr *attr = &h->qp.attr;
	u64 tries = attr->retry_cnt + 1, spent = h->sim->now - o->base;
	u64 timeout = attempt_ns(4096ull << attr->timeout);

	if (!h->in_timer && o->clean)
		fail(o, "retries exceeded by NAKs on a clean link");
	if (!h->in_timer || !o->base_valid || fast_rewinds(h) != o->base_retry ||
	    h->counts[ROCE_COUNT_RCVD_RNR] != o->base_rnr)
		return;
	if (!attr->timeout)
		fail(o, "retries exceeded with an infinite timeout");
	if (spent < tries * timeout || spent > tries * longest_attempt_ns(h, timeout))
		fail(o, "retries exceeded after %llu ns: %llu timeouts of %llu ns expected", spent,
		     tries, timeout);
}

static void check_rnr_count(struct oracle *o)
{
	const struct host *h = o->host;
	u32 naks = h->counts[ROCE_COUNT_RCVD_RNR] - o->base_rnr, due = h->qp.attr.rnr_retry + 1;

	if (h->qp.attr.rnr_retry == 7)
		fail(o, "infinite RNR retries exceeded");
	/* one more if the last one of the previous request came in the same step */
	if (o->base_valid && o->clean && (naks < due || naks > due + 1))
		fail(o, "RNR retries exceeded after %u RNR NAKs, not %u", naks, due);
}

static bool peer_is_gone(const struct oracle *o)
{
	return o->peer->host->qp.state == ROCE_ERR || o->peer->host->qp.state == ROCE_RESET ||
	       o->host->sim->now >= o->host->sim->link.config.dead_at;
}

/* The completion that ends the connection. */
static void check_error(struct oracle *o, const struct op *op, u8 status)
{
	if (o->error)
		fail(o, "send %llu is a second one to fail: %s after %s", op->wr_id,
		     trace_status(status), trace_status(o->error));
	o->error = status;
	o->host->sim->stats.failed[status]++;
	if (status == ROCE_RETRY_EXC_ERR)
		check_retry_time(o);
	if (status == ROCE_RNR_RETRY_EXC_ERR)
		check_rnr_count(o);
	if (status == op->expected)
		return;
	if (status == ROCE_RETRY_EXC_ERR &&
	    (o->lenient || (peer_is_gone(o) && (!o->clean || o->may_fail || o->peer->error))))
		return;
	if (status == ROCE_RNR_RETRY_EXC_ERR && o->may_fail)
		return;
	fail(o, "send %llu fails: %s; expected: %s", op->wr_id, trace_status(status),
	     trace_status(op->expected));
}

static void check_flushed(struct oracle *o, const struct op *op)
{
	if (is_local(op) && op->executed)
		fail(o, "send %llu was executed, and is flushed", op->wr_id);
	if (o->host->qp.state == ROCE_ERR)
		return;
	/* A NAK flushes requests before it whose responses were lost. */
	if (o->clean && !o->may_flush && !o->may_fail)
		fail(o, "send %llu is flushed in state %s", op->wr_id,
		     trace_state(o->host->qp.state));
}

static void complete_send(struct oracle *o, const struct roce_wc *wc)
{
	struct op *op = oracle_op(o, o->host->qp.sq.cons - 1);

	if (op->wr_id != wc->wr_id || op->completed)
		fail(o, "send %llu completes out of order, %llu is due", wc->wr_id, op->wr_id);
	if (wc->opcode != op->opcode)
		fail(o, "send %llu completes with the wrong opcode", wc->wr_id);
	op->completed = true;
	op->status = wc->status;
	if (wc->status == ROCE_WR_FLUSH_ERR)
		check_flushed(o, op);
	else if (wc->status != ROCE_SUCCESS)
		check_error(o, op, wc->status);
	else if (!(op->flags & ROCE_WR_SIGNALED))
		fail(o, "send %llu is not signaled, and completes", wc->wr_id);
	else if (o->error && !is_local(op))
		fail(o, "send %llu completes well after a failure", wc->wr_id);
	if (wc->status == ROCE_SUCCESS && (op->opcode == ROCE_WR_READ || is_atomic(op)) &&
	    wc->byte_len != op->length)
		fail(o, "send %llu completes with %u bytes", wc->wr_id, wc->byte_len);
}

void oracle_complete(struct oracle *o, const struct roce_wc *wc)
{
	o->progress_at = o->host->sim->now;
	if (wc->is_recv)
		complete_recv(o, wc);
	else
		complete_send(o, wc);
}

/*
 * Retiring.
 */

/*
 * True if byte @i of READ @index may be @byte because a later request, not behind a fence, has
 * written it (IBTA table 79: a READ may see later WRITEs).
 */
static bool later_byte(struct oracle *o, u32 index, u64 va, u8 byte)
{
	u32 i;

	for (i = index + 1; i != o->prod; i++) {
		const struct op *op = oracle_op(o, i);
		u64 at = va - op->remote_addr;

		if (op->flags & ROCE_WR_FENCE)
			return false;
		if (is_write(op) && at < op->length && pattern_byte(op->pattern, at) == byte)
			return true;
		if (op->opcode == ROCE_WR_FETCH_ADD && at < 8 &&
		    (u8)((op->orig + op->swap_add) >> at * 8) == byte)
			return true;
		if (op->opcode == ROCE_WR_COMPARE_SWAP && at < 8 &&
		    (u8)(op->swap_add >> at * 8) == byte)
			return true;
	}
	return false;
}

/* True if the byte at local address @at is valid for byte @i of READ @index. */
static bool byte_ok(struct oracle *o, u32 index, u32 i, const u8 *at)
{
	const struct op *op = oracle_op(o, index);

	if (*at == op->expect[i] || later_byte(o, index, op->remote_addr + i, *at))
		return true;
	/* A READ that was flushed or NAKed may have been written in part. */
	return op->status != ROCE_SUCCESS && *at == o->model[at - o->host->mem];
}

static void retire_read(struct oracle *o, u32 index)
{
	struct op *op = oracle_op(o, index);
	u32 s, i, offset = 0;

	if (!op->expect)
		return;
	for (s = 0; s < op->num_sge; s++) {
		u32 start = op->sge[s].addr - o->host->base, len = op->sge[s].length;
		u8 *at = o->host->mem + start;

		for (i = 0; memcmp(at, op->expect + offset, len) && i < len; i++)
			if (!byte_ok(o, index, offset + i, at + i))
				fail(o, "READ %llu: byte %u is %02x, not %02x", op->wr_id,
				     offset + i, at[i], op->expect[offset + i]);
		memcpy(o->model + start, at, len);
		offset += len;
	}
}

static void retire_atomic(struct oracle *o, struct op *op)
{
	u32 start = op->sge[0].addr - o->host->base;
	u64 got = get_unaligned((u64 *)(o->host->mem + start));
	u64 was = get_unaligned((u64 *)(o->model + start));

	if (op->expected != ROCE_SUCCESS)
		return;
	if (got != op->orig && (op->status == ROCE_SUCCESS || got != was))
		fail(o, "atomic %llu returns %#llx, not %#llx", op->wr_id, got, op->orig);
	put_unaligned(got, (u64 *)(o->model + start));
}

static void retire(struct oracle *o, u32 index)
{
	struct op *op = oracle_op(o, index);
	struct stats *stats = &o->host->sim->stats;

	if ((op->flags & ROCE_WR_SIGNALED) && !op->completed)
		fail(o, "send %llu is signaled, and does not complete", op->wr_id);
	if (op->opcode == ROCE_WR_READ)
		retire_read(o, index);
	else if (is_atomic(op))
		retire_atomic(o, op);
	if (op->status != ROCE_SUCCESS) {
		stats->flushed += op->status == ROCE_WR_FLUSH_ERR;
		return;
	}
	if (op->expected != ROCE_SUCCESS)
		fail(o, "send %llu completes well; expected: %s", op->wr_id,
		     trace_status(op->expected));
	if ((leaves_trace(op) || is_local(op)) && !op->executed)
		fail(o, "send %llu completes, and was not executed", op->wr_id);
	stats->wrs++;
	stats->bytes += op->length;
}

/*
 * Invariants of the transport between calls.
 */

#define must(o, cond)                                           \
	do {                                                    \
		if (!(cond))                                    \
			fail(o, "invariant broken: %s", #cond); \
	} while (0)

static void check_queue(struct oracle *o)
{
	const struct roce_qp *qp = &o->host->qp;
	const struct roce_sq *sq = &qp->sq;
	u32 rd_atomic = 0, i;
	bool started = true;

	must(o, sq->next - sq->cons <= sq->prod - sq->cons);
	must(o, sq->prod - sq->cons <= sq->mask + 1);
	for (i = sq->cons; i != sq->prod; i++) {
		const struct roce_send_wqe *wqe = roce_sq_wqe(qp, i);

		if (wqe->state == ROCE_WQE_POSTED) {
			started = false;
			break; /* no WQE after it is started: checked when it was started */
		}
		must(o, started);
		if (wqe->state == ROCE_WQE_STARTED)
			rd_atomic += roce_wqe_needs_response(wqe);
		if (i == sq->cons && wqe->state == ROCE_WQE_STARTED)
			must(o, roce_psn_within(qp->req.snd.una, wqe->first_psn, wqe->last_psn));
	}
	must(o, rd_atomic == qp->req.snd.rd_atomic_inflight);
}

static bool responses_paced(const struct roce_resp *resp)
{
	return resp->pacing.waiting && resp->first_scheduled;
}

static void check_requester(struct oracle *o)
{
	const struct roce_qp *qp = &o->host->qp;
	const struct roce_req *req = &qp->req;
	u32 inflight = roce_req_inflight(req);
	bool active = qp->state == ROCE_RTS || qp->state == ROCE_SQD;
	bool paced = req->cc.paced && qp->sq.next != qp->sq.prod;

	must(o, inflight <= ROCE_MAX_INFLIGHT);
	must(o, ((req->snd.nxt - req->snd.una) & ROCE_PSN_MASK) <= inflight);
	if (!active)
		return;
	check_queue(o);
	must(o, req->rto.retries_left <= qp->attr.retry_cnt);
	must(o, req->cc.cwnd >= 1 && req->cc.ssthresh >= 1);
	if (inflight || req->loss.rnr_expires || qp->resp.reorder.count ||
	    roce_delack_pending(qp) || paced || responses_paced(&qp->resp) ||
	    qp->resp.nak_delay.expires != ROCE_NEVER)
		must(o, roce_deadline(qp) != ROCE_NEVER);
	else
		must(o, roce_deadline(qp) == ROCE_NEVER);
	/* WQEs without a pending event would be stuck forever. */
	if (qp->state == ROCE_RTS && !inflight && !req->loss.rnr_expires && !paced &&
	    o->host->tx_at == ROCE_NEVER)
		must(o, qp->sq.cons == qp->sq.prod);
}

static void check_responder(struct oracle *o)
{
	const struct roce_resp *resp = &o->host->qp.resp;

	must(o, resp->reorder.count == o->host->nretained);
	must(o, !resp->res_size || resp->res_head < resp->res_size);
	must(o, resp->has_recv == (o->recv_taken != o->recv_cons));
	if (o->host->tx_at == ROCE_NEVER && !responses_paced(resp))
		must(o, resp->nak.state != ROCE_NAK_PENDING &&
				resp->ack.pending == roce_delack_pending(&o->host->qp) &&
				!resp->first_scheduled);
}

/*
 * Record when the oldest request became the oldest, and the counters then. Events of that step
 * may have come before or after it: record the counters of the step before.
 */
static void note_base(struct oracle *o)
{
	const struct host *h = o->host;
	const struct roce_req *req = &h->qp.req;
	bool rnr_begins = req->loss.rnr_expires != o->last_rnr_until;
	u32 naks = h->counts[ROCE_COUNT_RCVD_RNR] - o->last_rnr;

	if (!roce_req_inflight(req)) {
		o->base_valid = false;
	} else if (!o->base_valid || req->snd.una != o->base_una) {
		o->base_valid = true;
		o->base = h->sim->now;
		o->base_una = req->snd.una;
		o->base_retry = o->last_retry;
		o->base_rnr = o->last_rnr;
	}
	/* The retry period begins with an AckReq, or with the last packet sent. */
	if (h->qp.ackreq_deferral && req->rto.retries_left == h->qp.attr.retry_cnt)
		o->base = max(o->base, req->rto.retry_period_start);
	/* While the RNR timer is active, further RNR NAKs do not count. One has started it. */
	if (req->loss.rnr_expires && naks > rnr_begins)
		o->base_rnr += naks - rnr_begins;
	o->last_retry = fast_rewinds(h);
	o->last_rnr = h->counts[ROCE_COUNT_RCVD_RNR];
	o->last_rnr_until = req->loss.rnr_expires;
}

void oracle_check(struct oracle *o)
{
	const struct roce_qp *qp = &o->host->qp;

	while (o->cons != qp->sq.cons) {
		if (o->cons == o->prod)
			fail(o, "more sends completed than posted");
		retire(o, o->cons++);
	}
	note_base(o);
	check_requester(o);
	check_responder(o);
}

void oracle_finish(struct oracle *o)
{
	const struct host *h = o->host;
	u32 i;

	if (o->cons != o->prod)
		fail(o, "%u sends have not completed", o->prod - o->cons);
	if (o->recv_cons != o->recv_prod)
		fail(o, "%u receives have not completed", o->recv_prod - o->recv_cons);
	if (!memcmp(h->mem, o->model, h->mem_size))
		return;
	for (i = 0; h->mem[i] == o->model[i]; i++)
		;
	fail(o, "memory at %#x is %02x, not %02x", i, h->mem[i], o->model[i]);
}
