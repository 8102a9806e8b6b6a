// SPDX-License-Identifier: GPL-2.0
/*
 * The timer is exact. Received packets are handed over in batches, as an interface's poll does.
 */
#include <errno.h>
#include <stdlib.h>
#include <linux/container_of.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <roce/psn.h>

#include "endpoint.h"

#define KEY	      1u
#define BUFFER	      0x10000ull
#define ACCESS	      (ROCE_ACCESS_REMOTE_WRITE | ROCE_ACCESS_REMOTE_READ)
#define QPN	      0x100u
#define PKEY	      0xffffu

/* Longest buffer that goes to the interface (GSO). */
#define BUFFER_BYTES  65536u

/* As ibv_rc_pingpong and most applications have them: 67 ms, seven retries. */
#define LOCAL_TIMEOUT 14
#define RETRIES	      7

static struct endpoint *endpoint_of(struct roce_qp *qp)
{
	return container_of(qp, struct endpoint, qp);
}

/*
 * Operations: memory is always there.
 */

static int op_check_sges(struct roce_qp *qp, const struct roce_sge *sge, u32 num_sge, u32 access)
{
	return 0;
}

static int op_scatter(struct roce_qp *qp, const struct roce_sge *sge, u32 num_sge, u32 offset,
		      const struct roce_pkt *pkt)
{
	endpoint_of(qp)->bytes += pkt->payload_len;
	return 0;
}

static int op_scatter_u64(struct roce_qp *qp, const struct roce_sge *sge, u32 num_sge, u64 value)
{
	return 0;
}

static int op_check_rkey(struct roce_qp *qp, u32 rkey, u64 va, u32 len, u32 access)
{
	return 0;
}

static int op_write(struct roce_qp *qp, u32 rkey, u64 va, const struct roce_pkt *pkt)
{
	endpoint_of(qp)->bytes += pkt->payload_len;
	return 0;
}

static int op_recv_wqe(struct roce_qp *qp, struct roce_recv_wqe *wqe)
{
	struct endpoint *ep = endpoint_of(qp);
	const struct qp_config *c = &ep->config;

	/* Posted RECVs are without end, and would be flushed without end. */
	if (qp->state == ROCE_ERR || c->no_recv ||
	    (c->recv_ns && ep->recvs == ep->recvs_posted))
		return -ENOENT;
	ep->recvs++;
	wqe->wr_id = ep->recvs;
	wqe->length = ROCE_MAX_MSG;
	wqe->num_sge = 1;
	wqe->sge[0] = (struct roce_sge){ BUFFER, ROCE_MAX_MSG, KEY };
	return 0;
}

static struct roce_pkt *op_retain_pkt(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	struct roce_pkt *kept = malloc(sizeof(*kept));

	if (!kept)
		abort();
	*kept = *pkt;
	return kept;
}

static void op_release_pkt(struct roce_qp *qp, struct roce_pkt *pkt)
{
	free(pkt);
}

static void op_complete(struct roce_qp *qp, const struct roce_wc *wc)
{
	struct endpoint *ep = endpoint_of(qp);
	u64 now = ep->net->evs.now;

	if (wc->is_recv) {
		if (!ep->got_send_at)
			ep->got_send_at = now;
		return;
	}
	if (wc->status != ROCE_SUCCESS) {
		ep->dead = true;
		return;
	}
	ep->completed++;
	ep->done_at = now;
}

static void op_event(struct roce_qp *qp, enum roce_event event)
{
}

static void op_count(struct roce_qp *qp, enum roce_count what, u32 n)
{
	endpoint_of(qp)->counts[what] += n;
}

#define COMMON_OPS                          \
	.check_sges = op_check_sges,        \
	.scatter = op_scatter,              \
	.scatter_u64 = op_scatter_u64,      \
	.check_rkey = op_check_rkey,        \
	.write = op_write,                  \
	.get_recv_wqe = op_recv_wqe,        \
	.complete = op_complete,            \
	.event = op_event,                  \
	.count = op_count

static const struct roce_ops no_reorder_ops = {
	COMMON_OPS,
};

static const struct roce_ops endpoint_ops = {
	COMMON_OPS,
	.retain_pkt = op_retain_pkt,
	.release_pkt = op_release_pkt,
};

/*
 * Packets
 */

struct packet *roce_packet(u32 flow, struct port *dst, u32 len)
{
	struct packet *p = packet_new();

	p->flow = flow;
	p->dst = dst;
	p->roce.len = len;
	p->bytes = LINE_OVERHEAD + IP_UDP_LEN + len;
	return p;
}

bool roce_packet_parse(struct packet *p, struct roce_pkt *pkt)
{
	u32 linear = min_t(u32, p->roce.len, ROCE_MAX_HDR);

	pkt->cookie = p;
	if (roce_parse(p->roce.hdr, linear, p->roce.len, ROCE_ICRC_LEN, pkt) != ROCE_DROP_NONE)
		return false;
	pkt->ce = p->ce;
	return true;
}

/* Note whether the packet, as sent, repeats an earlier one, and which PSNs it covers. */
static u32 note_sent(struct endpoint *ep, struct packet *p)
{
	struct roce_pkt pkt;
	u32 *max = &ep->max_psn, n = 1;

	if (!roce_packet_parse(p, &pkt))
		abort();
	ep->sent++;
	if ((pkt.op->flags & ROCE_IS_SEND) && !ep->send_left_at) {
		ep->send_left_at = ep->net->evs.now;
		ep->send_left_bytes = ep->bytes;
	}
	if (pkt.op->flags & ROCE_IS_RESPONSE) {
		if (!(pkt.op->flags & ROCE_IS_READ))
			return 0;
		max = &ep->max_resp_psn;
	} else if (pkt.op->flags & ROCE_IS_READ) {
		n = max((pkt.dma_len + ep->config.mtu - 1) / ep->config.mtu, 1u);
	}
	if (roce_psn_before(pkt.psn, *max)) {
		ep->resent++;
		return 1;
	}
	*max = roce_psn_add(pkt.psn, n);
	return 0;
}

/*
 * Running
 */

static void post_message(struct endpoint *ep, u8 op, u32 size)
{
	struct roce_send_wqe *wqe = roce_sq_wqe(&ep->qp, ep->qp.sq.prod);

	memset(wqe, 0, sizeof(*wqe));
	wqe->opcode = op;
	wqe->remote_addr = BUFFER;
	wqe->rkey = KEY;
	wqe->flags = ROCE_WR_SIGNALED;
	wqe->length = size;
	wqe->num_sge = 1;
	wqe->sge[0] = (struct roce_sge){ BUFFER, size, KEY };
	roce_post(&ep->qp, 1);
	ep->posted++;
}

static void post(struct endpoint *ep)
{
	const struct stream_config *s = &ep->stream;

	while (ep->qp.sq.prod - ep->qp.sq.cons < s->depth &&
	       (!s->messages || ep->posted < s->messages))
		post_message(ep, s->op, s->size);
	if (s->last_send && ep->posted == s->messages)
		post_message(ep, ROCE_WR_SEND, s->last_send);
}

/* The program that posts RECVs sleeps in between, and gets the processor if no packet does. */
static void post_recv(struct endpoint *ep)
{
	ep->recvs_posted++;
	ep->recv_at = ep->net->evs.now + ep->config.recv_ns;
}

/* Packets of a run that one buffer holds. */
static u32 pkts_per_buffer(const struct roce_tx_run *run)
{
	return max(BUFFER_BYTES / roce_run_pkt_len(run), 1u);
}

static void send_packet(struct endpoint *ep, const struct roce_tx_run *run, u32 i, u32 *resent)
{
	struct packet *p = roce_packet(ep->flow, ep->dst, roce_run_pkt_len(run));

	roce_run_header(run, i, p->roce.hdr);
	p->tally = &ep->data;
	p->ect = ep->config.ect && !run->cnp;
	p->joins = i % pkts_per_buffer(run);
	*resent += note_sent(ep, p);
	ep->host->busy_until += ep->host->config.pkt_ns;
	ep->own_drops += !lane_send(&ep->host->access, p);
}

/* Fetch a batch and send it; false if there is nothing to send. */
static bool send_batch(struct endpoint *ep)
{
	u64 dropped = ep->own_drops;
	u32 i, j, resent = 0;

	if (roce_tx_idle(&ep->qp))
		return false;
	if (!roce_tx(&ep->qp, ep->net->evs.now, &ROCE_TX_QUOTA_MAX, &ep->batch))
		return false;
	for (i = 0; i < ep->batch.nruns; i++)
		for (j = 0; j < ep->batch.run[i].npkts; j++)
			send_packet(ep, &ep->batch.run[i], j, &resent);
	if (ep->own_drops != dropped)
		roce_tx_dropped(&ep->qp, ep->net->evs.now);
	ep->resent_run = max(ep->resent_run, resent);
	return true;
}

/* Send until there is nothing left, or the host's link has enough to send. */
static void transmit(struct endpoint *ep)
{
	u64 backlog;

	do {
		backlog = ep->host->config.shaped ? 0 : lane_backlog_ns(&ep->host->access);
		if (backlog > TX_QUEUE) {
			ep->tx_at = ep->net->evs.now + backlog - TX_QUEUE;
			return;
		}
	} while (send_batch(ep));
	ep->tx_at = EVENT_NEVER;
}

static void receive_batch(struct endpoint *ep)
{
	struct roce_pkt pkts[RX_BATCH];
	struct packet *taken[RX_BATCH];
	u32 n = 0, i;

	while (n < RX_BATCH && ep->rx.head) {
		taken[n] = fifo_pop(&ep->rx);
		if (!roce_packet_parse(taken[n], &pkts[n]))
			abort();
		n++;
	}
	ep->rx_count -= n;
	ep->host->busy_until += n * ep->host->config.pkt_ns;
	if (roce_rx(&ep->qp, ep->net->evs.now, pkts, n) != n)
		abort();
	for (i = 0; i < n; i++)
		packet_free(taken[i]);
	ep->rx_at = ep->rx.head ? ep->net->evs.now : EVENT_NEVER;
}

/* When the host next has its processor for the endpoint: @now, or later. */
static u64 processor_at(struct host *h, u64 now)
{
	const struct host_config *c = &h->config;

	while (c->run_ns && now >= h->run_until) {
		h->busy_until = max(h->busy_until,
				    h->run_until + rng_below(&h->net->rng, c->pause_ns));
		h->run_until = h->busy_until + 1 + rng_below(&h->net->rng, c->run_ns);
	}
	return max(h->busy_until, now);
}

static void schedule(struct endpoint *ep)
{
	u64 at = min3(min(ep->rx_at, ep->tx_at), ep->start_at, roce_deadline(&ep->qp));

	if (!ep->rx.head)
		at = min(at, ep->recv_at);

	if (at != EVENT_NEVER)
		at = max3(at, ep->net->evs.now, ep->host->busy_until);
	event_set(&ep->net->evs, &ep->run, at);
}

static void on_run(struct event *ev)
{
	struct endpoint *ep = container_of(ev, struct endpoint, run);
	u64 now = ep->net->evs.now, at = processor_at(ep->host, now);

	if (at > now) {
		event_set(&ep->net->evs, ev, at);
		return;
	}
	ep->host->busy_until = now;
	if (ep->rx_at <= now)
		receive_batch(ep);
	if (roce_deadline(&ep->qp) <= now)
		roce_timeout(&ep->qp, now);
	if (ep->recv_at <= now && !ep->rx.head)
		post_recv(ep);
	if (ep->start_at <= now)
		ep->start_at = EVENT_NEVER;
	if (ep->start_at == EVENT_NEVER && ep->stream.depth && !ep->dead)
		post(ep);
	transmit(ep);
	while (roce_flush(&ep->qp, 64))
		;
	schedule(ep);
}

static void on_packet(struct port *port, struct packet *p)
{
	struct endpoint *ep = container_of(port, struct endpoint, port);
	u64 now = ep->net->evs.now;

	fifo_push(&ep->rx, p);
	ep->rx_count++;
	if (ep->rx_at == EVENT_NEVER)
		ep->rx_at = now + rng_below(&ep->net->rng, RX_DELAY);
	if (ep->rx_count >= RX_BATCH)
		ep->rx_at = now;
	schedule(ep);
}

/*
 * Beginning and end
 */

static void connect(struct endpoint *ep)
{
	const struct qp_config *c = &ep->config;
	struct roce_attr attr = {
		.state = ROCE_RTR,
		.timeout = LOCAL_TIMEOUT,
		.retry_cnt = RETRIES,
		.rnr_retry = 7,
		.min_rnr_timer = c->rnr_timer,
		.pkey = PKEY,
		.dest_qpn = QPN,
		.mtu = c->mtu,
		.max_rd_atomic = c->rd_atomic,
		.access = ACCESS,
	};
	struct roce_rsrc *res = calloc(c->rd_atomic, sizeof(*res));

	if (!res)
		abort();
	roce_set_resources(&ep->qp, res, c->rd_atomic);
	roce_modify(&ep->qp, ep->net->evs.now, &attr, ~0u);
	attr.state = ROCE_RTS;
	roce_modify(&ep->qp, ep->net->evs.now, &attr, ROCE_QP_STATE);
}

static void alloc_qp(struct endpoint *ep)
{
	struct roce_qp *qp = &ep->qp;
	u32 slots = 2;

	while (slots < ep->stream.depth + 1)
		slots *= 2;
	qp->ops = ep->config.no_reorder ? &no_reorder_ops : &endpoint_ops;
	qp->qpn = QPN;
	qp->sq.mask = slots - 1;
	qp->sq.stride = sizeof(struct roce_send_wqe) + sizeof(struct roce_sge);
	qp->sq.wqes = calloc(slots, qp->sq.stride);
	qp->resp.recv_wqe = calloc(1, sizeof(*qp->resp.recv_wqe) + sizeof(struct roce_sge));
	qp->resp.reorder.pkts = calloc(ROCE_REORDER_SLOTS, sizeof(*qp->resp.reorder.pkts));
	if (!qp->sq.wqes || !qp->resp.recv_wqe || !qp->resp.reorder.pkts)
		abort();
}

void endpoint_init(struct endpoint *ep, struct host *host, const struct qp_config *config,
		   const struct stream_config *stream, struct port *dst)
{
	memset(ep, 0, sizeof(*ep));
	ep->net = host->net;
	ep->host = host;
	ep->config = *config;
	ep->stream = *stream;
	ep->dst = dst;
	ep->flow = ep->net->flows++;
	ep->port.receive = on_packet;
	ep->run.fire = on_run;
	ep->recv_at = config->recv_ns ? ep->net->evs.now : EVENT_NEVER;
	fifo_init(&ep->rx);
	ep->rx_at = EVENT_NEVER;
	ep->tx_at = EVENT_NEVER;
	ep->start_at = stream->depth ? ep->net->evs.now + stream->start : EVENT_NEVER;
	alloc_qp(ep);
	roce_qp_init(&ep->qp);
	if (roce_set_cc(&ep->qp, "delay"))
		abort();
	connect(ep);
	schedule(ep);
}

void endpoint_destroy(struct endpoint *ep)
{
	struct roce_attr attr = { .state = ROCE_RESET };
	struct packet *p;

	roce_modify(&ep->qp, ep->net->evs.now, &attr, ROCE_QP_STATE);
	while ((p = fifo_pop(&ep->rx)))
		packet_free(p);
	free(ep->qp.sq.wqes);
	free(ep->qp.resp.recv_wqe);
	free(ep->qp.resp.reorder.pkts);
	free(ep->qp.resp.res);
}

bool endpoint_done(const struct endpoint *ep)
{
	const struct stream_config *s = &ep->stream;

	return ep->dead || (s->messages && ep->completed >= s->messages + !!s->last_send);
}

void host_init(struct host *h, struct net *net, const struct host_config *config,
	       struct lane *lane)
{
	memset(h, 0, sizeof(*h));
	h->net = net;
	h->config = *config;
	h->run_until = net->evs.now;
	if (config->run_ns)
		h->run_until += rng_below(&net->rng, config->run_ns);
	lane_init(&h->access, &net->evs, &net->rng, &config->access, lane);
}

void host_destroy(struct host *h)
{
	lane_destroy(&h->access);
}
