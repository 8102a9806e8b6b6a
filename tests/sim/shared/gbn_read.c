// SPDX-License-Identifier: GPL-2.0
/* READ requester with go-back-N, as standard adapters have it. */
#include <linux/container_of.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <roce/psn.h>

#include "gbn_read.h"

/* 4.096 us << 14, the local ACK timeout that most applications choose. */
#define TIMEOUT (67 * MS)

/* Ask for the responses from number @from to the end of their READ. */
static void request(struct gbn_read *r, u64 from)
{
	u32 done = from % r->per_read;
	struct roce_hdr hdr = {
		.opcode = ROCE_READ_REQUEST,
		.pkey = 0xffff,
		.qpn = 0x100,
		.psn = from & ROCE_PSN_MASK,
		.va = 0x10000 + (u64)done * r->mtu,
		.rkey = 1,
		.dma_len = r->size - done * r->mtu,
	};
	struct packet *p = roce_packet(r->flow, r->dst, 0);

	p->roce.len = roce_build(&hdr, p->roce.hdr) + ROCE_ICRC_LEN;
	p->bytes += p->roce.len;
	lane_send(&r->host->access, p);
}

static u64 end_of_read(const struct gbn_read *r, u64 psn)
{
	return psn - psn % r->per_read + r->per_read;
}

static void arm(struct gbn_read *r)
{
	event_set(&r->net->evs, &r->timer, r->net->evs.now + TIMEOUT);
}

/* Keep @depth READs outstanding. */
static void ask(struct gbn_read *r)
{
	u64 oldest = r->expected - r->expected % r->per_read;

	for (; r->next < oldest + (u64)r->depth * r->per_read; r->next += r->per_read)
		request(r, r->next);
}

static void go_back(struct gbn_read *r)
{
	u64 psn;

	for (psn = r->expected; psn < r->next; psn = end_of_read(r, psn)) {
		request(r, psn);
		r->resent++;
	}
	r->rewound = true;
	arm(r);
}

static void on_timer(struct event *ev)
{
	struct gbn_read *r = container_of(ev, struct gbn_read, timer);

	if (r->expected == r->next)
		ask(r);
	else
		go_back(r);
	arm(r);
}

static void on_response(struct port *port, struct packet *p)
{
	struct gbn_read *r = container_of(port, struct gbn_read, port);
	struct roce_pkt pkt;
	s32 ahead;

	if (!roce_packet_parse(p, &pkt) || !(pkt.op->flags & ROCE_IS_READ)) {
		packet_free(p);
		return;
	}
	ahead = roce_psn_diff(pkt.psn, r->expected & ROCE_PSN_MASK);
	if (!ahead) {
		r->expected++;
		r->bytes += pkt.payload_len;
		r->rewound = false;
		arm(r);
		ask(r);
	} else if (r->timer_only) {
		arm(r);
	} else if (ahead > 0 && !r->rewound) {
		go_back(r);
	}
	packet_free(p);
}

void gbn_read_init(struct gbn_read *r, struct host *host, const struct stream_config *stream,
		   const struct qp_config *qp, struct port *dst)
{
	memset(r, 0, sizeof(*r));
	r->net = host->net;
	r->host = host;
	r->flow = r->net->flows++;
	r->size = stream->size;
	r->depth = min_t(u32, stream->depth, qp->rd_atomic);
	r->mtu = qp->mtu;
	r->per_read = (r->size + r->mtu - 1) / r->mtu;
	r->timer_only = qp->timer_only;
	r->dst = dst;
	r->port.receive = on_response;
	r->timer.fire = on_timer;
	event_set(&r->net->evs, &r->timer, r->net->evs.now);
}
