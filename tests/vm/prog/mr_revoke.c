// SPDX-License-Identifier: GPL-2.0
/*
 * Invalidate memory while a peer writes to it, in several ways. After the invalidation, no byte may
 * be written, and the peer's WRITE must fail.
 *
 *	mr_revoke DEVICE_A GID_INDEX DEVICE_B GID_INDEX ROUNDS
 *
 * A writes to B's memory.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pair.h"
#include "uverbs.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define BUF	      (16u * 1024)
#define IN_FLIGHT     8

#define LW IBV_ACCESS_LOCAL_WRITE
#define RW IBV_ACCESS_REMOTE_WRITE
#define MB IBV_ACCESS_MW_BIND

static struct side a, b;
static struct ibv_pd *other_pd;
static uint8_t *other_buf;
static bool can_translate;

/**
 * struct target - memory that is written to and invalidated
 * @mw: window that is accessed; NULL for all of @mr
 */
struct target {
	struct ibv_mr *mr;
	struct ibv_mw *mw;
	uint32_t rkey;
};

/* Ways to invalidate the memory. Each function returns when the invalidation is done. */

static void post_b(struct ibv_send_wr *wr)
{
	struct ibv_send_wr *bad;
	struct ibv_wc wc;

	wr->send_flags = IBV_SEND_SIGNALED;
	if (ibv_post_send(b.qp, wr, &bad))
		die("posting failed: %m");
	side_wait(&b, &wc);
	if (wc.status != IBV_WC_SUCCESS)
		die("operation %d of B's: %s", wr->opcode, ibv_wc_status_str(wc.status));
}

static void invalidate(struct target *t)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_LOCAL_INV, .invalidate_rkey = t->rkey };

	post_b(&wr);
}

/* Invalidation by the peer, between its WRITEs. The writer polls the completion. */
static void send_invalidate(struct target *t)
{
	struct ibv_send_wr *bad_send, send = {
		.opcode = IBV_WR_SEND_WITH_INV,
		.send_flags = IBV_SEND_SIGNALED,
		.invalidate_rkey = t->rkey,
	};
	struct ibv_recv_wr *bad_recv, recv = { .wr_id = 1 };
	struct ibv_wc wc;

	if (ibv_post_recv(b.qp, &recv, &bad_recv) || ibv_post_send(a.qp, &send, &bad_send))
		die("posting failed: %m");
	side_wait(&b, &wc);
	if (wc.status != IBV_WC_SUCCESS || !(wc.wc_flags & IBV_WC_WITH_INV) ||
	    wc.invalidated_rkey != t->rkey)
		die("SEND with invalidate: %s, flags %#x, key %#x", ibv_wc_status_str(wc.status),
		    wc.wc_flags, wc.invalidated_rkey);
}

static void deallocate(struct target *t)
{
	if (ibv_dealloc_mw(t->mw))
		die("a window that is written to cannot be deallocated: %m");
	t->mw = NULL;
}

static void deregister(struct target *t)
{
	if (ibv_dereg_mr(t->mr))
		die("a region that is written to cannot be deregistered: %m");
	t->mr = NULL;
}

static void rereg(struct target *t, int flags, struct ibv_pd *pd, void *addr, int access)
{
	if (mr_rereg(t->mr, flags, pd, addr, BUF, access))
		die("a region that is written to cannot be changed (flags %d): %m", flags);
}

static void take_right(struct target *t)
{
	rereg(t, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, LW);
}

/* Linux before 5.11 refuses it, without an effect on the WRITEs, which other rights end then. */
static void move(struct target *t)
{
	if (can_translate) {
		rereg(t, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, other_buf, 0);
		return;
	}
	if (!mr_rereg(t->mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, other_buf, BUF, 0) ||
	    errno != EOPNOTSUPP)
		die("change of translation: not EOPNOTSUPP but %m");
	take_right(t);
}

static void give_to_others(struct target *t)
{
	rereg(t, IBV_REREG_MR_CHANGE_PD, other_pd, NULL, 0);
}

static const struct {
	const char *name;
	bool window;
	void (*take_away)(struct target *t);
} rows[] = {
	{ "LOCAL_INV of a window", true, invalidate },
	{ "SEND with invalidate of a window", true, send_invalidate },
	{ "deallocation of a window", true, deallocate },
	{ "deregistration", false, deregister },
	{ "another translation", false, move },
	{ "other rights", false, take_right },
	{ "another PD", false, give_to_others },
};

static void open_target(struct target *t, bool window)
{
	struct ibv_send_wr bind = { .opcode = IBV_WR_BIND_MW };

	memset(t, 0, sizeof(*t));
	t->mr = ibv_reg_mr(b.pd, b.buf, BUF, LW | RW | MB);
	if (!t->mr)
		die("no region: %m");
	t->rkey = t->mr->rkey;
	if (!window)
		return;
	t->mw = ibv_alloc_mw(b.pd, IBV_MW_TYPE_2);
	if (!t->mw)
		die("no window: %m");
	t->rkey = (t->mw->rkey & ~0xffu) | ((t->mw->rkey + 1) & 0xff);
	bind.bind_mw.mw = t->mw;
	bind.bind_mw.rkey = t->rkey;
	bind.bind_mw.bind_info = (struct ibv_mw_bind_info){ t->mr, (uintptr_t)b.buf, BUF, RW };
	post_b(&bind);
}

static void close_target(struct target *t)
{
	if ((t->mw && ibv_dealloc_mw(t->mw)) || (t->mr && ibv_dereg_mr(t->mr)))
		die("cannot clean up: %m");
}

static void post_write(uint32_t rkey)
{
	struct ibv_sge sge = { (uintptr_t)a.buf, BUF, a.mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_RDMA_WRITE,
		.send_flags = IBV_SEND_SIGNALED,
		.wr.rdma = { (uintptr_t)b.buf, rkey },
	};

	if (ibv_post_send(a.qp, &wr, &bad))
		die("posting a WRITE failed: %m");
}

/* Write until a WRITE fails with a remote access error. */
static void *write_on(void *rkey)
{
	struct ibv_wc wc;
	int i;

	for (i = 0; i < IN_FLIGHT; i++)
		post_write(*(uint32_t *)rkey);
	for (;;) {
		side_wait(&a, &wc);
		if (wc.status != IBV_WC_SUCCESS)
			break;
		post_write(*(uint32_t *)rkey);
	}
	if (wc.status != IBV_WC_REM_ACCESS_ERR)
		die("a WRITE to memory that was taken away: %s", ibv_wc_status_str(wc.status));
	return NULL;
}

static bool all(const uint8_t *p, uint8_t value)
{
	return p[0] == value && !memcmp(p, p + 1, BUF - 1);
}

static void test_row(size_t i, unsigned int round)
{
	struct pair_attr attr = { .mtu = IBV_MTU_1024, .timeout = 14, .psn = 0xffff80 };
	pthread_t thread;
	struct target t;

	memset(a.buf, 0xa5, BUF);
	memset(other_buf, 0, BUF);
	pair_create(&a, &b, &attr);
	open_target(&t, rows[i].window);
	if (pthread_create(&thread, NULL, write_on, &t.rkey))
		die("no thread");
	usleep(round * 37 % 2000);
	rows[i].take_away(&t);
	memset(b.buf, 0, BUF);
	pthread_join(thread, NULL);
	if (!all(b.buf, 0) || !all(other_buf, 0))
		die("%s, round %u: memory is written to that was taken away", rows[i].name, round);
	close_target(&t);
	pair_destroy(&a, &b);
}

int main(int argc, char **argv)
{
	unsigned int round, rounds;
	size_t i;

	if (argc != 6 && (argc != 7 || strcmp(argv[6], "no-translation")))
		die("usage: mr_revoke DEVICE_A GID_INDEX DEVICE_B GID_INDEX ROUNDS [no-translation]");
	rounds = atoi(argv[5]);
	can_translate = argc == 6;
	side_open(&a, argv[1], atoi(argv[2]), BUF);
	side_open(&b, argv[3], atoi(argv[4]), BUF);
	other_pd = ibv_alloc_pd(b.ctx);
	other_buf = calloc(1, BUF);
	if (!other_pd || !other_buf)
		die("no second PD");
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		for (round = 0; round < rounds; round++)
			test_row(i, round);
	free(other_buf);
	if (ibv_dealloc_pd(other_pd))
		die("the second PD is still in use");
	side_close(&a);
	side_close(&b);
	printf("memory was taken away %zu times under fire\n", ARRAY_SIZE(rows) * rounds);
	return 0;
}
