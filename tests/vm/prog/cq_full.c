// SPDX-License-Identifier: GPL-2.0
/*
 * Overflow of a completion queue: the consumer gets an asynchronous event, and the queue pairs that
 * use it move to ERR, with an event each.
 *
 *	cq_full DEVICE_A GID_INDEX DEVICE_B GID_INDEX
 */
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pair.h"

#define MESSAGES 20
#define SECONDS	 10

static const struct pair_attr attr = { IBV_MTU_1024, 12, 0xfffff8 };

static void post_recvs(struct side *s, int n)
{
	struct ibv_sge sge = { (uintptr_t)s->buf, 64, s->mr->lkey };
	struct ibv_recv_wr *bad, wr = { .sg_list = &sge, .num_sge = 1 };

	while (n--)
		if (ibv_post_recv(s->qp, &wr, &bad))
			die("posting a receive failed: %m");
}

static void send(struct side *s, int n)
{
	struct ibv_sge sge = { (uintptr_t)s->buf, 64, s->mr->lkey };
	struct ibv_send_wr *bad, wr = { .sg_list = &sge,
					.num_sge = 1,
					.opcode = IBV_WR_SEND,
					.send_flags = IBV_SEND_SIGNALED };

	while (n--)
		if (ibv_post_send(s->qp, &wr, &bad))
			die("posting failed: %m");
}

static enum ibv_qp_state state_of(struct ibv_qp *qp)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	if (ibv_query_qp(qp, &attr, IBV_QP_STATE, &init))
		die("query failed: %m");
	return attr.qp_state;
}

/* Return the type of the next event as a bit. */
static unsigned int event_of(struct side *s)
{
	struct pollfd p = { .fd = s->ctx->async_fd, .events = POLLIN };
	struct ibv_async_event event;
	bool known;

	if (poll(&p, 1, SECONDS * 1000) != 1 || ibv_get_async_event(s->ctx, &event))
		die("no event");
	known = event.event_type == IBV_EVENT_CQ_ERR ? event.element.cq == s->cq :
							event.element.qp == s->qp;
	if (!known)
		die("%s of another object", ibv_event_type_str(event.event_type));
	ibv_ack_async_event(&event);
	return 1u << event.event_type;
}

static void wait_for_error(struct ibv_qp *qp)
{
	time_t limit = time(NULL) + SECONDS;

	while (state_of(qp) != IBV_QPS_ERR)
		if (time(NULL) > limit)
			die("a QP without a CQ goes on");
}

int main(int argc, char **argv)
{
	const unsigned int wanted = 1u << IBV_EVENT_CQ_ERR | 1u << IBV_EVENT_QP_FATAL;
	unsigned int events = 0;
	struct side a, b;
	struct ibv_qp *first[2];
	struct ibv_wc wc;
	int i, n = 0;

	if (argc != 5)
		die("usage: cq_full DEVICE_A GID_INDEX DEVICE_B GID_INDEX");
	side_open(&a, argv[1], atoi(argv[2]), 4096);
	side_open(&b, argv[3], atoi(argv[4]), 4096);
	if (ibv_destroy_cq(b.cq))
		die("cannot destroy a CQ: %m");
	b.cq = ibv_create_cq(b.ctx, 7, NULL, NULL, 0);
	if (!b.cq)
		die("no CQ: %m");

	/* A second pair that shares only the CQ. */
	pair_create(&a, &b, &attr);
	first[0] = a.qp;
	first[1] = b.qp;
	pair_create(&a, &b, &attr);
	post_recvs(&b, MESSAGES);
	send(&a, MESSAGES);
	while (events != wanted)
		events |= event_of(&b);
	wait_for_error(b.qp);
	if (state_of(first[1]) != IBV_QPS_RTS)
		die("a QP that has completed nothing is in state %d", state_of(first[1]));
	/* Completions generated before the overflow can be polled; there are no later ones. */
	while (ibv_poll_cq(b.cq, 1, &wc) == 1)
		n += wc.status == IBV_WC_SUCCESS;
	if (n != b.cq->cqe)
		die("%d completions of %d", n, b.cq->cqe);
	for (i = 0; i < MESSAGES; i++)
		side_wait(&a, &wc);

	side_destroy_qp(&a);
	side_destroy_qp(&b);
	a.qp = first[0];
	b.qp = first[1];
	post_recvs(&b, 1);
	send(&a, 1);
	if (event_of(&b) != 1u << IBV_EVENT_QP_FATAL)
		die("the second QP is not told");
	wait_for_error(b.qp);
	if (ibv_poll_cq(b.cq, 1, &wc))
		die("a completion behind those that were lost");
	side_close(&a);
	side_close(&b);
	return 0;
}
