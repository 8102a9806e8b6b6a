// SPDX-License-Identifier: GPL-2.0
/* Simulated host: the transport's operations, receive and transmit paths, timer. */
#include <errno.h>
#include <stdlib.h>
#include <linux/container_of.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <roce/icrc.h>
#include <roce/psn.h>

#include "sim.h"

static struct host *host_of(struct roce_qp *qp)
{
	return container_of(qp, struct host, qp);
}

u8 *host_at(const struct host *h, u64 va, u32 len)
{
	u64 start = va - h->base;

	if (start > h->mem_size || len > h->mem_size - start)
		return NULL;
	return h->mem + start;
}

/* The memory that a key grants access to, or NULL. */
static u8 *reach(const struct host *h, u32 key, u64 va, u32 len, u32 access)
{
	u64 start = va - h->base;
	u32 i;

	for (i = 0; i < h->nregions; i++) {
		const struct region *r = &h->region[i];

		if (r->key != key)
			continue;
		if (start < r->start || start > r->start + r->len ||
		    len > r->start + r->len - start || (access & ~r->access))
			return NULL;
		return h->mem + start;
	}
	return NULL;
}

/*
 * Copy between @buf and bytes [@offset, @offset + @len) of the SGEs. On an error nothing is
 * written, so that the oracle's model stays exact.
 */
static int copy_sges(struct host *h, const struct roce_sge *sge, u32 num_sge, u32 offset, u8 *buf,
		     u32 len, bool write)
{
	u32 access = write ? ROCE_ACCESS_LOCAL_WRITE : 0;
	u32 i, n;
	u8 *p;

	for (i = 0; i < num_sge && len; i++) {
		if (offset >= sge[i].length) {
			offset -= sge[i].length;
			continue;
		}
		p = reach(h, sge[i].lkey, sge[i].addr, sge[i].length, access);
		if (!p)
			return -EFAULT;
		n = min(len, sge[i].length - offset);
		memcpy(write ? p + offset : buf, write ? buf : p + offset, n);
		buf += n;
		len -= n;
		offset = 0;
	}
	return len ? -EINVAL : 0;
}

static int op_check_sges(struct roce_qp *qp, const struct roce_sge *sge, u32 num_sge, u32 access)
{
	struct host *h = host_of(qp);
	u32 i;

	for (i = 0; i < num_sge; i++)
		if (!reach(h, sge[i].lkey, sge[i].addr, sge[i].length, access))
			return -EFAULT;
	return 0;
}

static int op_scatter(struct roce_qp *qp, const struct roce_sge *sge, u32 num_sge, u32 offset,
		      const struct roce_pkt *pkt)
{
	const u8 *data = frame_payload(pkt);
	struct host *h = host_of(qp);
	int err;

	err = op_check_sges(qp, sge, num_sge, ROCE_ACCESS_LOCAL_WRITE);
	if (!err)
		err = copy_sges(h, sge, num_sge, offset, (u8 *)data, pkt->payload_len, true);
	if (!err && (pkt->op->flags & ROCE_IS_SEND))
		h->client->received(h, offset, data, pkt->payload_len);
	return err;
}

static int op_scatter_grh(struct roce_qp *qp, const struct roce_sge *sge, u32 num_sge,
			  const struct roce_pkt *pkt)
{
	u8 grh[FRAME_GRH];

	frame_grh(pkt->cookie, grh);
	return copy_sges(host_of(qp), sge, num_sge, 0, grh, sizeof(grh), true);
}

static int op_scatter_u64(struct roce_qp *qp, const struct roce_sge *sge, u32 num_sge, u64 value)
{
	return copy_sges(host_of(qp), sge, num_sge, 0, (u8 *)&value, sizeof(value), true);
}

static int op_check_rkey(struct roce_qp *qp, u32 rkey, u64 va, u32 len, u32 access)
{
	return reach(host_of(qp), rkey, va, len, access) ? 0 : -EACCES;
}

static int op_write(struct roce_qp *qp, u32 rkey, u64 va, const struct roce_pkt *pkt)
{
	struct host *h = host_of(qp);
	u8 *p = reach(h, rkey, va, pkt->payload_len, ROCE_ACCESS_REMOTE_WRITE);

	if (!p)
		return -EACCES;
	memcpy(p, frame_payload(pkt), pkt->payload_len);
	h->client->wrote(h, va, p, pkt->payload_len);
	return 0;
}

static int op_atomic_write(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	return op_write(qp, pkt->rkey, pkt->va, pkt);
}

static int op_flush(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	struct host *h = host_of(qp);

	if (!reach(h, pkt->rkey, pkt->va, pkt->dma_len, ROCE_ACCESS_FLUSH_GLOBAL))
		return -EACCES;
	h->client->flushed(h, pkt);
	return 0;
}

static int op_atomic(struct roce_qp *qp, const struct roce_pkt *pkt, u64 *old)
{
	struct host *h = host_of(qp);
	u8 *p = reach(h, pkt->rkey, pkt->va, sizeof(u64), ROCE_ACCESS_REMOTE_ATOMIC);
	u64 was;

	if (!p)
		return -EACCES;
	was = get_unaligned((u64 *)p);
	if (pkt->opcode == ROCE_FETCH_ADD)
		put_unaligned(was + pkt->swap_add, (u64 *)p);
	else if (was == pkt->compare)
		put_unaligned(pkt->swap_add, (u64 *)p);
	*old = was;
	h->client->atomic(h, pkt, was);
	return 0;
}

static int op_invalidate(struct roce_qp *qp, u32 rkey)
{
	struct host *h = host_of(qp);

	return h->client->invalidated(h, rkey);
}

static int op_recv_wqe(struct roce_qp *qp, struct roce_recv_wqe *wqe)
{
	struct host *h = host_of(qp);
	const struct recv *recv;

	if (h->rq_cons == h->rq_prod)
		return -ENOENT;
	recv = &h->rq[h->rq_cons++ % HOST_RQ];
	wqe->wr_id = recv->wr_id;
	h->client->recv_taken(h, recv);
	if (recv->malformed)
		return -EINVAL;
	wqe->length = recv->length;
	wqe->num_sge = recv->num_sge;
	memcpy(wqe->sge, recv->sge, recv->num_sge * sizeof(recv->sge[0]));
	return 0;
}

static enum roce_status op_local(struct roce_qp *qp, struct roce_send_wqe *wqe)
{
	struct host *h = host_of(qp);

	return h->client->local_op(h, wqe);
}

static struct roce_pkt *op_retain(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	struct host *h = host_of(qp);
	struct frame *f = pkt->cookie;
	struct roce_pkt *held;

	if (!rng_percent(&h->sim->rng, h->config.retain))
		return NULL;
	held = malloc(sizeof(*held));
	if (!held)
		abort();
	*held = *pkt;
	f->refs++;
	h->nretained++;
	return held;
}

static void op_release(struct roce_qp *qp, struct roce_pkt *pkt)
{
	struct host *h = host_of(qp);

	h->nretained--;
	link_frame_free(&h->sim->link, pkt->cookie);
	free(pkt);
}

static void op_complete(struct roce_qp *qp, const struct roce_wc *wc)
{
	struct host *h = host_of(qp);

	trace_complete(h, wc);
	h->client->complete(h, wc);
}

static void op_event(struct roce_qp *qp, enum roce_event event)
{
	struct host *h = host_of(qp);

	trace_event(h, event);
	h->client->event(h, event);
}

static void op_count(struct roce_qp *qp, enum roce_count what, u32 n)
{
	struct host *h = host_of(qp);

	trace_count(h, what, n);
	if (what == ROCE_COUNT_RCVD_RNR)
		rxe_gso_watch_rnr(h->gso.watch);
	h->counts[what] += n;
	h->sim->stats.counts[what] += n;
}

static const struct roce_ops host_ops = {
	.check_sges = op_check_sges,
	.scatter = op_scatter,
	.scatter_u64 = op_scatter_u64,
	.scatter_grh = op_scatter_grh,
	.check_rkey = op_check_rkey,
	.write = op_write,
	.atomic = op_atomic,
	.atomic_write = op_atomic_write,
	.flush = op_flush,
	.invalidate = op_invalidate,
	.get_recv_wqe = op_recv_wqe,
	.local_op = op_local,
	.retain_pkt = op_retain,
	.release_pkt = op_release,
	.complete = op_complete,
	.event = op_event,
	.count = op_count,
};

void host_init(struct host *h, u64 base, u8 *mem, u32 size)
{
	u32 stride = sizeof(struct roce_send_wqe) +
		     max_t(u32, HOST_SGES * sizeof(struct roce_sge), HOST_INLINE);
	struct roce_qp *qp = &h->qp;

	h->base = base;
	h->mem = mem;
	h->mem_size = size;
	qp->ops = &h->ops;
	qp->qpn = 0x100 + h->id;
	qp->sq.wqes = calloc(HOST_SQ, stride);
	qp->sq.mask = HOST_SQ - 1;
	qp->sq.stride = stride;
	qp->resp.recv_wqe =
		calloc(1, sizeof(*qp->resp.recv_wqe) + HOST_SGES * sizeof(struct roce_sge));
	qp->resp.reorder.pkts = calloc(ROCE_REORDER_SLOTS, sizeof(*qp->resp.reorder.pkts));
	if (!qp->sq.wqes || !qp->resp.recv_wqe || !qp->resp.reorder.pkts)
		abort();
	h->ops = host_ops;
	roce_qp_init(qp);
	h->quota = ROCE_TX_QUOTA_MAX;
	h->rx_tail = &h->rx_head;
	host_reset(h);
}

void host_destroy(struct host *h)
{
	host_reset(h);
	free(h->qp.sq.wqes);
	free(h->qp.resp.recv_wqe);
	free(h->qp.resp.reorder.pkts);
}

static void drop_received(struct host *h)
{
	struct frame *f;

	while ((f = h->rx_head)) {
		h->rx_head = f->next;
		link_frame_free(&h->sim->link, f);
	}
	h->rx_tail = &h->rx_head;
	h->rx_count = 0;
}

void host_reset(struct host *h)
{
	struct roce_attr attr = { .state = ROCE_RESET };

	roce_modify(&h->qp, h->sim->now, &attr, ROCE_QP_STATE);
	drop_received(h);
	h->ops.retain_pkt = h->config.retain ? op_retain : NULL;
	h->rq_prod = 0;
	h->rq_cons = 0;
	h->rx_at = ROCE_NEVER;
	h->tx_at = ROCE_NEVER;
	h->timer_at = ROCE_NEVER;
	h->work_at = ROCE_NEVER;
	h->in_timer = false;
	h->gso = (struct gso){ 0 };
}

void host_set_resources(struct host *h, u32 n)
{
	memset(h->res, 0, sizeof(h->res));
	memset(h->narrowed, 0, sizeof(h->narrowed));
	roce_set_resources(&h->qp, n ? h->res : NULL, n);
	h->resources = n;
}

void host_post(struct host *h, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		trace_post(h, roce_sq_wqe(&h->qp, h->qp.sq.prod + i));
	roce_post(&h->qp, n);
	h->tx_at = h->sim->now;
}

void host_post_recv(struct host *h, const struct recv *recv)
{
	trace_recv(h, recv->wr_id, recv->length);
	h->rq[h->rq_prod++ % HOST_RQ] = *recv;
	h->tx_at = min(h->tx_at, h->sim->now); /* in ERR, the receive is flushed */
}

void host_modify(struct host *h, const struct roce_attr *attr, u32 mask)
{
	if (mask & ROCE_QP_STATE)
		trace_modify(h, attr->state);
	roce_modify(&h->qp, h->sim->now, attr, mask);
	if (mask & ROCE_QP_SQ_PSN)
		rxe_gso_watch_init(&h->gso.watch[0], attr->sq_psn);
	if (mask & ROCE_QP_RQ_PSN)
		rxe_gso_watch_init(&h->gso.watch[1], attr->rq_psn);
	h->tx_at = h->sim->now;
}

void host_arrive(struct host *h, struct frame *f)
{
	struct sim *sim = h->sim;

	f->next = NULL;
	*h->rx_tail = f;
	h->rx_tail = &f->next;
	if (h->rx_at == ROCE_NEVER)
		h->rx_at = sim->now +
			   (h->config.rx_delay ? rng_below(&sim->rng, h->config.rx_delay) : 0);
	if (++h->rx_count >= h->config.rx_batch)
		h->rx_at = sim->now;
}

/* Dequeue up to a batch of frames, and parse the valid ones into @pkts. */
static u32 open_batch(struct host *h, struct roce_pkt *pkts, struct frame **done)
{
	u32 n = 0, i;

	for (i = 0; h->rx_head && i < h->config.rx_batch; i++) {
		struct frame *f = h->rx_head;

		h->rx_head = f->next;
		h->rx_count--;
		f->next = *done;
		*done = f;
		if (frame_open(f, &pkts[n])) {
			n++;
			continue;
		}
		trace_bad_icrc(h);
		h->sim->stats.bad_icrc++;
	}
	if (!h->rx_head)
		h->rx_tail = &h->rx_head;
	return n;
}

/* Narrow the resource of a duplicate READ; true if it starts before the remaining part. */
static bool forgotten(struct host *h, const struct roce_pkt *pkt)
{
	u32 i;

	if (pkt->opcode != ROCE_READ_REQUEST || !roce_psn_before(pkt->psn, h->qp.resp.epsn))
		return false;
	for (i = 0; i < h->resources; i++) {
		const struct roce_rsrc *res = &h->res[i];
		struct narrowed *n = &h->narrowed[i];

		if (res->state == ROCE_RSRC_FREE ||
		    !roce_psn_within(pkt->psn, res->first_psn, res->last_psn))
			continue;
		if (n->first_psn == res->first_psn && pkt->va < n->va)
			return true;
		*n = (struct narrowed){ .first_psn = res->first_psn, .va = pkt->va };
	}
	return false;
}

static void receive(struct host *h)
{
	struct roce_pkt pkts[HOST_BATCH];
	struct frame *done = NULL, *f;
	u32 n = open_batch(h, pkts, &done);

	if (n && h->config.narrows && forgotten(h, pkts))
		n = 0;
	if (n)
		roce_rx(&h->qp, h->sim->now, pkts, n);
	while ((f = done)) {
		done = f->next;
		link_frame_free(&h->sim->link, f);
	}
	h->rx_at = h->rx_head ? h->sim->now : ROCE_NEVER;
}

static int gather(struct host *h, const struct roce_tx_run *run, u32 i, u8 *to)
{
	const struct roce_payload *from = &run->payload;
	u32 len = run->seg_len, offset = i * len;
	u8 *p;

	if (!from->wqe) {
		p = reach(h, from->rkey, from->va + offset, len, ROCE_ACCESS_REMOTE_READ);
		if (p)
			memcpy(to, p, len);
		return p ? 0 : -EFAULT;
	}
	offset += from->offset;
	if (!(from->wqe->flags & ROCE_WR_INLINE))
		return copy_sges(h, from->wqe->sge, from->wqe->num_sge, offset, to, len, false);
	memcpy(to, from->wqe->data + offset, len);
	return 0;
}

static bool sends_gso(const struct host *h)
{
	return h->qp.service == ROCE_OP_RC && !h->config.counted;
}

static bool send_packet(struct host *h, const struct roce_tx_run *run, u32 i)
{
	struct link *link = &h->sim->link;
	struct frame *f = link_frame_new(link);
	bool first = !sends_gso(h) || gso_next(h, run, i);
	u8 *p;

	f->src = h->id;
	f->dst = h->peer->id;
	f->ipv6 = h->ipv6;
	p = frame_start(f, roce_run_pkt_len(run));
	roce_run_header(run, i, p);
	p += run->hdr_len;
	if (run->seg_len && gather(h, run, i, p)) {
		link_frame_free(link, f);
		return false;
	}
	memset(p + run->seg_len, 0, run->pad);
	frame_seal(f);
	if (!first && link->config.fixed_id)
		f->bytes[f->len - 1] ^= 1;
	trace_sent(h, f);
	trace_fate(h, link_send(link, h->sim->now, f));
	return true;
}

static bool send_run(struct host *h, const struct roce_tx_run *run)
{
	u32 i;

	if (run->seg_len && !h->client->readable(h, run))
		return false;
	for (i = 0; i < run->npkts; i++)
		if (!send_packet(h, run, i))
			return false;
	return true;
}

/* An idle QP must have no packet to send and no other change of state. */
static void check_idle(struct host *h)
{
	u64 deadline = roce_deadline(&h->qp);
	u32 next = h->qp.sq.next;

	h->quota.max_pkts = h->config.tx_batch;
	if (roce_tx(&h->qp, h->sim->now, &h->quota, &h->batch) || h->qp.sq.next != next ||
	    roce_deadline(&h->qp) != deadline)
		sim_fail(h->sim, "a QP said to be idle was not");
}

static bool send_batch(struct host *h)
{
	u32 i;

	if (roce_tx_idle(&h->qp)) {
		if (!h->config.trusts_idle)
			check_idle(h);
		return false;
	}
	h->quota.max_pkts = h->config.tx_batch;
	if (!roce_tx(&h->qp, h->sim->now, &h->quota, &h->batch))
		return false;
	h->gso.left = 0;
	for (i = 0; i < h->batch.nruns; i++) {
		if (send_run(h, &h->batch.run[i]))
			continue;
		roce_tx_failed(&h->qp, h->sim->now, &h->batch.run[i]);
		break;
	}
	return true;
}

/* Transmit until no packet is left or the interface's queue is full. */
static void transmit(struct host *h)
{
	struct sim *sim = h->sim;

	do {
		h->tx_at = link_ready_at(&sim->link, h->id, h->config.tx_queue);
		if (h->tx_at > sim->now)
			return;
	} while (send_batch(h));
	h->tx_at = ROCE_NEVER;
}

static void set_timer(struct host *h)
{
	u64 deadline = roce_deadline(&h->qp);
	u32 slack = h->config.timer_slack;

	if (deadline != ROCE_NEVER && slack)
		deadline += rng_below(&h->sim->rng, slack);
	h->timer_at = deadline;
}

u64 host_next_at(const struct host *h)
{
	return min(min(h->rx_at, h->tx_at), min(h->timer_at, h->work_at));
}

/*
 * Call roce_timeout() at the deadline, or before it, where it must have no effect. It must process
 * all expired timers: while another context of the driver sends, nothing else moves the deadline,
 * and a deadline that remains in the past makes the timer fire again at once.
 */
static void run_timer(struct host *h)
{
	u64 now = h->sim->now;

	if (h->timer_at > now && roce_deadline(&h->qp) <= now)
		return;
	h->in_timer = true;
	roce_timeout(&h->qp, now);
	h->in_timer = false;
	if (!h->config.counted && roce_deadline(&h->qp) <= now)
		sim_fail(h->sim, "a timer is expired after roce_timeout()");
}

void host_run(struct host *h)
{
	u64 now = h->sim->now;

	if (h->rx_at <= now)
		receive(h);
	run_timer(h);
	if (h->work_at <= now)
		h->client->work(h);
	transmit(h);
	while (roce_flush(&h->qp, h->config.flush_batch))
		;
	set_timer(h);
}
