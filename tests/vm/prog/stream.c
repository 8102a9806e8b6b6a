// SPDX-License-Identifier: GPL-2.0
/*
 * Endless WRITEs and READs in both directions between two devices. Exits with status 42 when a
 * completion fails or an asynchronous event reports the removal of a device. Otherwise, it runs
 * until
 * it is killed.
 *
 * 	stream DEVICE GID-INDEX DEVICE GID-INDEX
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "pair.h"

#define MESSAGE	65536
#define DEPTH	8
#define TOLD	42

static const struct pair_attr attr = { IBV_MTU_1024, 14, 0xffff00 };

static void post(struct side *s, const struct side *peer, uint64_t slot)
{
	struct ibv_sge sge = {
		(uintptr_t)s->buf + slot * MESSAGE,
		MESSAGE,
		s->mr->lkey,
	};
	struct ibv_send_wr *bad, wr = {
		.wr_id = slot,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = slot & 1 ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE,
		.send_flags = IBV_SEND_SIGNALED,
		.wr.rdma = { (uintptr_t)peer->buf + (DEPTH + slot) * MESSAGE,
			     peer->mr->rkey },
	};

	/* The device may have been removed between two calls. */
	if (ibv_post_send(s->qp, &wr, &bad))
		exit(TOLD);
}

static void told(const char *how)
{
	printf("told by %s\n", how);
	exit(TOLD);
}

static void turn(struct side *s, const struct side *peer)
{
	struct pollfd async = { .fd = s->ctx->async_fd, .events = POLLIN };
	struct ibv_wc wc;

	while (ibv_poll_cq(s->cq, 1, &wc) > 0) {
		if (wc.status != IBV_WC_SUCCESS)
			told(ibv_wc_status_str(wc.status));
		post(s, peer, wc.wr_id);
	}
	if (poll(&async, 1, 0) > 0)
		told("an event");
}

int main(int argc, char **argv)
{
	struct side a, b;
	uint64_t i;

	if (argc != 5)
		die("usage: stream DEVICE GID-INDEX DEVICE GID-INDEX");
	side_open(&a, argv[1], atoi(argv[2]), 2 * DEPTH * MESSAGE);
	side_open(&b, argv[3], atoi(argv[4]), 2 * DEPTH * MESSAGE);
	pair_create(&a, &b, &attr);
	for (i = 0; i < DEPTH; i++) {
		post(&a, &b, i);
		post(&b, &a, i);
	}
	for (;;) {
		turn(&a, &b);
		turn(&b, &a);
	}
}
