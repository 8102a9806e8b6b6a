// SPDX-License-Identifier: GPL-2.0
/*
 * Streams of WRITEs or READs by rdma_cm: prints their goodput and how equal they are.
 *
 *	streams ADDRESS PORT
 *	streams ADDRESS PORT write|read QPS SECONDS MARGIN TOS
 *
 * The first form is the server, for one client. Each QP keeps DEPTH messages outstanding for
 * SECONDS, of which MARGIN at either end do not count. The client prints "connected", and begins
 * when it can read a line from its standard input, or its end. Then it prints "MB/S JAIN": 10^6
 * bytes a second of all QPs, and Jain's index of their shares, from 1/QPS to 1.
 */
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

#include "util.h"

#define MESSAGE 65536u
#define DEPTH	4u
#define MOST	256u

/* The private data of the server's answer: its memory. Both ends have one byte order. */
struct memory {
	uint64_t addr;
	uint32_t rkey;
};

struct stream {
	struct rdma_cm_id *id;
	struct memory memory;
	uint64_t bytes;
};

static struct stream streams[MOST];
static unsigned int count;
static char *buf;
static struct ibv_mr *mr;
static struct ibv_cq *cq;
static struct ibv_pd *pd;
static struct ibv_comp_channel *channel;

static struct rdma_addrinfo *resolve(const char *address, const char *port, int flags)
{
	struct rdma_addrinfo hints = { .ai_flags = flags, .ai_port_space = RDMA_PS_TCP };
	struct rdma_addrinfo *info;

	if (rdma_getaddrinfo(address, port, &hints, &info))
		die("%s: %m", address);
	return info;
}

/* One PD, CQ and region serve all QPs of the device. */
static void open_device(struct ibv_context *ctx)
{
	if (pd)
		return;
	pd = ibv_alloc_pd(ctx);
	buf = aligned_alloc(4096, MESSAGE * DEPTH);
	if (!pd || !buf)
		die("no memory");
	memset(buf, 1, MESSAGE * DEPTH);
	mr = ibv_reg_mr(pd, buf, MESSAGE * DEPTH,
			IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ);
	channel = ibv_create_comp_channel(ctx);
	cq = channel ? ibv_create_cq(ctx, MOST * DEPTH, NULL, channel, 0) : NULL;
	if (!mr || !cq)
		die("the device has no CQ or MR for this: %m");
}

static void create_qp(struct rdma_cm_id *id)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap = {
			.max_send_wr = DEPTH,
			.max_recv_wr = 1,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
		.qp_type = IBV_QPT_RC,
	};

	if (rdma_create_qp(id, pd, &attr))
		die("rdma_create_qp: %m");
}

static void accept_stream(struct rdma_cm_id *id)
{
	struct rdma_conn_param param = {
		.responder_resources = DEPTH,
		.initiator_depth = DEPTH,
	};
	struct memory memory;

	open_device(id->verbs);
	create_qp(id);
	memory = (struct memory){ (uintptr_t)buf, mr->rkey };
	param.private_data = &memory;
	param.private_data_len = sizeof(memory);
	if (rdma_accept(id, &param))
		die("rdma_accept: %m");
}

static void serve(const char *address, const char *port)
{
	struct rdma_event_channel *events = rdma_create_event_channel();
	struct rdma_addrinfo *info = resolve(address, port, RAI_PASSIVE);
	struct rdma_cm_event *event;
	struct rdma_cm_id *listener;
	unsigned int left = 0;

	if (!events || rdma_create_id(events, &listener, NULL, RDMA_PS_TCP) ||
	    rdma_bind_addr(listener, info->ai_src_addr) || rdma_listen(listener, MOST))
		die("cannot listen: %m");
	/* Until the last stream has ended. */
	do {
		struct rdma_cm_id *id;

		if (rdma_get_cm_event(events, &event))
			die("rdma_get_cm_event: %m");
		id = event->id;
		if (event->event == RDMA_CM_EVENT_CONNECT_REQUEST) {
			accept_stream(id);
			left++;
		} else if (event->event == RDMA_CM_EVENT_DISCONNECTED) {
			rdma_disconnect(id);
			left--;
		} else if (event->event != RDMA_CM_EVENT_ESTABLISHED &&
			   event->event != RDMA_CM_EVENT_TIMEWAIT_EXIT) {
			die("server: %s", rdma_event_str(event->event));
		}
		rdma_ack_cm_event(event);
	} while (left);
}

/* One of the steps that a client waits for. */
static struct rdma_cm_event *expect(struct rdma_cm_id *id, enum rdma_cm_event_type wanted)
{
	struct rdma_cm_event *event;

	if (rdma_get_cm_event(id->channel, &event))
		die("rdma_get_cm_event: %m");
	if (event->event != wanted)
		die("%s instead of %s", rdma_event_str(event->event), rdma_event_str(wanted));
	return event;
}

static void connect_stream(struct stream *s, struct rdma_addrinfo *info, uint8_t tos)
{
	struct rdma_conn_param param = {
		.responder_resources = DEPTH,
		.initiator_depth = DEPTH,
		.retry_count = 7,
		.rnr_retry_count = 7,
	};
	struct rdma_cm_event *event;

	/* Without a channel of its own, each call would wait for its event and keep it. */
	if (rdma_create_id(rdma_create_event_channel(), &s->id, NULL, RDMA_PS_TCP) ||
	    rdma_resolve_addr(s->id, NULL, info->ai_dst_addr, 5000))
		die("rdma_resolve_addr: %m");
	rdma_ack_cm_event(expect(s->id, RDMA_CM_EVENT_ADDR_RESOLVED));
	if (tos && rdma_set_option(s->id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, &tos, sizeof(tos)))
		die("tos: %m");
	if (rdma_resolve_route(s->id, 5000))
		die("rdma_resolve_route: %m");
	rdma_ack_cm_event(expect(s->id, RDMA_CM_EVENT_ROUTE_RESOLVED));
	open_device(s->id->verbs);
	create_qp(s->id);
	if (rdma_connect(s->id, &param))
		die("rdma_connect: %m");
	event = expect(s->id, RDMA_CM_EVENT_ESTABLISHED);
	memcpy(&s->memory, event->param.conn.private_data, sizeof(s->memory));
	rdma_ack_cm_event(event);
}

static void post(struct stream *s, unsigned int slot, enum ibv_wr_opcode opcode)
{
	struct ibv_sge sge = { (uintptr_t)buf + slot * MESSAGE, MESSAGE, mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.wr_id = (s - streams) * DEPTH + slot,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = opcode,
		.send_flags = IBV_SEND_SIGNALED,
		.wr.rdma = { s->memory.addr + slot * MESSAGE, s->memory.rkey },
	};

	if (ibv_post_send(s->id->qp, &wr, &bad))
		die("post: %m");
}

/* Sleep until a CQE is there, or until @end. */
static void wait_for_cqe(double end)
{
	double left = end - seconds();
	struct pollfd fd = { .fd = channel->fd, .events = POLLIN };
	struct ibv_cq *from;
	void *context;

	if (left <= 0 || poll(&fd, 1, left * 1000 + 1) != 1)
		return;
	if (ibv_get_cq_event(channel, &from, &context))
		die("ibv_get_cq_event: %m");
	ibv_ack_cq_events(cq, 1);
}

static void completed(const struct ibv_wc *wc, enum ibv_wr_opcode opcode)
{
	struct stream *s = &streams[wc->wr_id / DEPTH];

	if (wc->status != IBV_WC_SUCCESS)
		die("stream %zu: %s", s - streams, ibv_wc_status_str(wc->status));
	s->bytes += MESSAGE;
	post(s, wc->wr_id % DEPTH, opcode);
}

static void run_until(double end, enum ibv_wr_opcode opcode)
{
	struct ibv_wc wc[32];
	int i, n;

	while (seconds() < end) {
		if (ibv_req_notify_cq(cq, 0))
			die("ibv_req_notify_cq: %m");
		n = ibv_poll_cq(cq, 32, wc);
		for (i = 0; i < n; i++)
			completed(&wc[i], opcode);
		if (!n)
			wait_for_cqe(end);
	}
}

static void print_figures(double took)
{
	double sum = 0, squares = 0;
	unsigned int i;

	for (i = 0; i < count; i++) {
		sum += streams[i].bytes;
		squares += (double)streams[i].bytes * streams[i].bytes;
	}
	printf("%.3f %.3f\n", sum / took / 1e6, squares ? sum * sum / squares / count : 0);
}

static void wait_for_line(void)
{
	int c;

	puts("connected");
	fflush(stdout);
	do
		c = getchar();
	while (c != '\n' && c != EOF);
}

static void load(char **argv)
{
	enum ibv_wr_opcode opcode = strcmp(argv[3], "read") ? IBV_WR_RDMA_WRITE : IBV_WR_RDMA_READ;
	double margin = atof(argv[6]), end, began;
	struct rdma_addrinfo *info = resolve(argv[1], argv[2], 0);
	unsigned int i;

	count = atoi(argv[4]);
	if (!count || count > MOST)
		die("1 to %u QPs", MOST);
	for (i = 0; i < count; i++)
		connect_stream(&streams[i], info, atoi(argv[7]));
	wait_for_line();
	for (i = 0; i < count * DEPTH; i++)
		post(&streams[i / DEPTH], i % DEPTH, opcode);
	end = seconds() + atof(argv[5]);
	run_until(seconds() + margin, opcode);
	for (i = 0; i < count; i++)
		streams[i].bytes = 0;
	began = seconds();
	run_until(end - margin, opcode);
	print_figures(seconds() - began);
	run_until(end, opcode);
	for (i = 0; i < count; i++)
		rdma_disconnect(streams[i].id);
}

int main(int argc, char **argv)
{
	if (argc == 3)
		serve(argv[1], argv[2]);
	else if (argc == 8)
		load(argv);
	else
		die("usage: streams ADDRESS PORT [write|read QPS SECONDS MARGIN TOS]");
	return 0;
}
