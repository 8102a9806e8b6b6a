// SPDX-License-Identifier: GPL-2.0
/*
 * Completion events of a completion queue (CQ) that is armed while it holds completions.
 *
 *	arming DEVICE_A GID_INDEX DEVICE_B GID_INDEX
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "pair.h"

#define CQES	15
#define CQES_RESIZED 63

static const struct pair_attr attr = { IBV_MTU_1024, 14, 100 };

/*
 * Steps of a program that receives:
 *	s S	a message arrives, with S a solicited one
 *	a o	arm the CQ for any completion, with o for solicited ones
 *	p	poll one completion
 *	r	resize the CQ
 *	0 1	take the events, which must be so many
 */
static const struct row {
	const char *name, *steps;
} rows[] = {
	{ "an empty CQ", "a0s1" },
	{ "the completion that has raised the event", "as1a0p0" },
	{ "the same, armed twice", "as1aa0p0" },
	{ "the same, and a later one", "as1a0s1" },
	{ "a completion before the first arming", "sa1" },
	{ "completions after the event, before the arming", "asss1a1" },
	{ "the same, armed again", "ass1a1a0p0" },
	{ "completions that a poll has left", "asss1a1pa1pa1pa0s1" },
	{ "completions that a poll of others has left", "asss1a1ssppa1" },
	{ "all polled", "ass1a1ppa0s1" },
	{ "solicited only: unsolicited ones are left", "sso0S1" },
	{ "solicited only: a solicited one is left", "sSso1o0" },
	{ "solicited only: the solicited one is polled", "Sspo0" },
	{ "solicited only: it has raised the event", "oS1sso0S1" },
	{ "solicited only: one after the event", "oSS1o1o0" },
	{ "solicited only: one that a poll has left", "oSS1o1po1po0" },
	{ "solicited only, then any", "sso0a1" },
	{ "any, then solicited only", "aos1" },
	{ "resized: nothing has changed", "as1ra0p0" },
	{ "resized: completions after the event", "ass1ra1a0" },
	{ "resized: a poll has left one", "ass1a1pra1pa0s1" },
};

/* Connect a QP on each side; the CQ of @b raises events. */
static struct ibv_comp_channel *connect_with_events(struct side *a, struct side *b)
{
	struct ibv_comp_channel *channel = ibv_create_comp_channel(b->ctx);

	if (!channel)
		die("no completion channel: %m");
	b->cq = ibv_create_cq(b->ctx, CQES, NULL, channel, 0);
	if (!b->cq)
		die("no CQ: %m");
	pair_create(a, b, &attr);
	return channel;
}

/* The receiver's completion and its event precede the sender's completion. */
static void message(struct side *a, struct side *b, unsigned int solicited)
{
	struct ibv_sge to = { (uintptr_t)b->buf, 64, b->mr->lkey };
	struct ibv_sge from = { (uintptr_t)a->buf, 64, a->mr->lkey };
	struct ibv_recv_wr *bad_recv, recv = { .sg_list = &to, .num_sge = 1 };
	struct ibv_send_wr *bad, send = { .sg_list = &from,
					  .num_sge = 1,
					  .opcode = IBV_WR_SEND,
					  .send_flags = IBV_SEND_SIGNALED | solicited };
	struct ibv_wc wc;

	if (ibv_post_recv(b->qp, &recv, &bad_recv) || ibv_post_send(a->qp, &send, &bad))
		die("posting failed: %m");
	side_expect(a, 0, IBV_WC_SUCCESS, &wc);
}

static int events(struct ibv_comp_channel *channel)
{
	struct pollfd p = { .fd = channel->fd, .events = POLLIN };
	struct ibv_cq *cq;
	void *context;
	int n;

	for (n = 0; poll(&p, 1, 0) == 1; n++) {
		if (ibv_get_cq_event(channel, &cq, &context))
			die("no event: %m");
		ibv_ack_cq_events(cq, 1);
	}
	return n;
}

static void step(char step, struct side *a, struct side *b)
{
	struct ibv_wc wc;

	switch (step) {
	case 's':
	case 'S':
		message(a, b, step == 'S' ? IBV_SEND_SOLICITED : 0);
		break;
	case 'a':
	case 'o':
		if (ibv_req_notify_cq(b->cq, step == 'o'))
			die("arming failed");
		break;
	case 'p':
		if (ibv_poll_cq(b->cq, 1, &wc) != 1 || wc.status != IBV_WC_SUCCESS)
			die("no completion");
		break;
	case 'r':
		if (ibv_resize_cq(b->cq, CQES_RESIZED))
			die("resizing failed");
		break;
	}
}

/* Return the number of errors. */
static int run(const struct row *row, struct side *a, struct side *b)
{
	struct ibv_comp_channel *channel = connect_with_events(a, b);
	const char *s;
	int n, wrong = 0;

	for (s = row->steps; *s && !wrong; s++) {
		if (*s != '0' && *s != '1') {
			step(*s, a, b);
			continue;
		}
		n = events(channel);
		if (n != *s - '0') {
			fprintf(stderr, "%s: %d events, not %c, after \"%.*s\" of \"%s\"\n",
				row->name, n, *s, (int)(s - row->steps), row->steps, row->steps);
			wrong = 1;
		}
	}
	events(channel);
	pair_destroy(a, b);
	if (ibv_destroy_cq(b->cq) || ibv_destroy_comp_channel(channel))
		die("cannot destroy a CQ: %m");
	return wrong;
}

int main(int argc, char **argv)
{
	struct side a, b;
	int wrong = 0;
	size_t i;

	if (argc != 5)
		die("usage: arming DEVICE_A GID_INDEX DEVICE_B GID_INDEX");
	side_open(&a, argv[1], atoi(argv[2]), 4096);
	side_open(&b, argv[3], atoi(argv[4]), 4096);
	if (ibv_destroy_cq(b.cq))
		die("cannot destroy a CQ: %m");
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		wrong += run(&rows[i], &a, &b);
	if (wrong)
		die("%d of %zu rows failed", wrong, sizeof(rows) / sizeof(rows[0]));
	b.cq = ibv_create_cq(b.ctx, CQES, NULL, NULL, 0);
	if (!b.cq)
		die("no CQ: %m");
	side_close(&a);
	side_close(&b);
	return 0;
}
