// SPDX-License-Identifier: GPL-2.0
/*
 * A program that only polls, under which its device is removed: each posted WR completes in the
 * mapped rings, posting fails with EIO then, the memory stays valid, and there is an event for
 * those who ask. The receive queue is that of the QP or an SRQ.
 *
 *	polling DEVICE GID_INDEX qp|srq
 *
 * Prints "ready" when the device may be removed.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair.h"

#define RECVS	 20
#define SENDS	 3
#define SECONDS	 20
#define RECV_IDS 1000

static int post_recv(struct side *s, uint64_t id)
{
	struct ibv_sge sge = { (uintptr_t)s->buf, 64, s->mr->lkey };
	struct ibv_recv_wr *bad, wr = { .wr_id = id, .sg_list = &sge, .num_sge = 1 };

	return s->srq ? ibv_post_srq_recv(s->srq, &wr, &bad) : ibv_post_recv(s->qp, &wr, &bad);
}

static int post_send(struct side *s, uint64_t id)
{
	struct ibv_sge sge = { (uintptr_t)s->buf, 64, s->mr->lkey };
	struct ibv_send_wr *bad, wr = { .wr_id = id,
					.sg_list = &sge,
					.num_sge = 1,
					.opcode = IBV_WR_RDMA_READ,
					.send_flags = IBV_SEND_SIGNALED };

	wr.wr.rdma.remote_addr = (uintptr_t)s->buf;
	wr.wr.rdma.rkey = s->mr->rkey;
	return ibv_post_send(s->qp, &wr, &bad);
}

/* A QP whose peer does not exist: its sends stay unacknowledged. */
static void connect_to_nobody(struct side *s)
{
	static const struct pair_attr attr = { IBV_MTU_256, 20, 5 };
	struct side nobody = *s;
	struct ibv_qp qp = { .qp_num = s->qp->qp_num ^ 1 };

	nobody.qp = &qp;
	side_to_rtr(s, &nobody, &attr);
	side_to_rts(s, &attr);
}

/* Wait for a completion, without any call into the kernel. */
static void poll_flushed(struct side *s, unsigned int *sends, unsigned int *recvs)
{
	double end = seconds() + SECONDS;
	struct ibv_wc wc;

	while (ibv_poll_cq(s->cq, 1, &wc) == 0)
		if (seconds() > end)
			die("%u sends and %u receives are flushed in %d s", *sends, *recvs,
			    SECONDS);
	if (wc.status != IBV_WC_WR_FLUSH_ERR)
		die("status %s of WR %u", ibv_wc_status_str(wc.status), (unsigned int)wc.wr_id);
	if (wc.wr_id >= RECV_IDS ? wc.wr_id != RECV_IDS + *recvs : wc.wr_id != *sends)
		die("WR %u after %u sends and %u receives", (unsigned int)wc.wr_id, *sends, *recvs);
	*(wc.wr_id >= RECV_IDS ? recvs : sends) += 1;
}

/* The rings end some time after the flush, then posting is an error for ever. */
static void post_until_refused(struct side *s)
{
	double end = seconds() + SECONDS;
	struct ibv_wc wc;
	int err = 0;

	while (!err) {
		err = post_send(s, SENDS);
		if (seconds() > end)
			die("posting goes on");
		while (!err && ibv_poll_cq(s->cq, 1, &wc) == 1)
			;
	}
	if (err != EIO)
		die("posting fails with %s", strerror(err));
	if (post_send(s, SENDS) != EIO)
		die("posting works again");
}

static void expect_fatal(struct side *s)
{
	struct pollfd p = { .fd = s->ctx->async_fd, .events = POLLIN };
	struct ibv_async_event event;

	do {
		if (poll(&p, 1, SECONDS * 1000) != 1 || ibv_get_async_event(s->ctx, &event))
			die("no event");
		if (event.event_type != IBV_EVENT_DEVICE_FATAL)
			ibv_ack_async_event(&event);
	} while (event.event_type != IBV_EVENT_DEVICE_FATAL);
	ibv_ack_async_event(&event);
}

static void use_srq(struct side *s)
{
	struct ibv_srq_init_attr init = { .attr = { .max_wr = RECVS, .max_sge = 1 } };

	s->srq = ibv_create_srq(s->pd, &init);
	if (!s->srq)
		die("no SRQ: %m");
}

int main(int argc, char **argv)
{
	unsigned int i, sends = 0, recvs = 0;
	struct ibv_wc wc;
	struct side s;

	if (argc != 4)
		die("usage: polling DEVICE GID_INDEX qp|srq");
	side_open(&s, argv[1], atoi(argv[2]), 4096);
	if (!strcmp(argv[3], "srq"))
		use_srq(&s);
	side_create_qp(&s);
	connect_to_nobody(&s);
	for (i = 0; i < RECVS; i++)
		if (post_recv(&s, RECV_IDS + i))
			die("posting a receive failed: %m");
	for (i = 0; i < SENDS; i++)
		if (post_send(&s, i))
			die("posting failed: %m");
	printf("ready\n");
	fflush(stdout);

	while (sends < SENDS || recvs < RECVS)
		poll_flushed(&s, &sends, &recvs);
	post_until_refused(&s);
	expect_fatal(&s);
	/* Neither is received by anyone, but the memory must be there. */
	for (i = 0; i < RECVS; i++)
		post_recv(&s, 0);
	if (ibv_poll_cq(s.cq, 1, &wc) < 0)
		die("polling failed");
	return 0;
}
