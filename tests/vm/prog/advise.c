// SPDX-License-Identifier: GPL-2.0
/*
 * A thread advises the kernel to prefetch with the key of a memory window, which is not a valid key
 * for advice, while the peer repeatedly invalidates the window.
 *
 * 	advise DEVICE-A GID-INDEX-A DEVICE-B GID-INDEX-B ROUNDS
 *
 * Both threads share a processor, so that the peer's packets interrupt the advice.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pair.h"
#include "uverbs.h"

#define BUF 4096
#define RW  (IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE)

static struct side a, b;
static struct ibv_mr *mr;
static struct ibv_mw *mw;
static atomic_uint key;
static atomic_bool done;

static void share_processor(void)
{
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (sched_setaffinity(0, sizeof(first), &first))
		die("cannot choose a processor: %s", strerror(errno));
}

static void *advise(void *arg)
{
	struct ibv_sge sge = { .addr = (uintptr_t)a.buf, .length = BUF };
	unsigned long *n = arg;
	int err;

	while (!done) {
		sge.lkey = key;
		err = pd_advise(a.pd, IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH, 0, &sge, 1);
		if (err != EFAULT)
			die("advice on a window: %s", strerror(err));
		(*n)++;
	}
	return NULL;
}

static void bind_window(unsigned int round)
{
	struct ibv_send_wr *bad, wr = {
		.wr_id = round,
		.opcode = IBV_WR_BIND_MW,
		.send_flags = IBV_SEND_SIGNALED,
		.bind_mw = {
			.mw = mw,
			.rkey = ibv_inc_rkey(mw->rkey),
			.bind_info = { mr, (uintptr_t)a.buf, BUF, RW },
		},
	};
	struct ibv_wc wc;

	if (ibv_post_send(a.qp, &wr, &bad))
		die("binding: %s", strerror(errno));
	side_expect(&a, round, IBV_WC_SUCCESS, &wc);
	mw->rkey = wr.bind_mw.rkey;
	key = mw->rkey;
}

static void take_away(unsigned int round)
{
	struct ibv_recv_wr *bad_recv, recv = { .wr_id = round };
	struct ibv_send_wr *bad, wr = {
		.wr_id = round,
		.opcode = IBV_WR_SEND_WITH_INV,
		.send_flags = IBV_SEND_SIGNALED,
		.invalidate_rkey = mw->rkey,
	};
	struct ibv_wc wc;

	if (ibv_post_recv(a.qp, &recv, &bad_recv) || ibv_post_send(b.qp, &wr, &bad))
		die("posting: %s", strerror(errno));
	/* Yield the processor to the other thread until the packet arrives, about 100 us later. */
	usleep(300);
	side_expect(&a, round, IBV_WC_SUCCESS, &wc);
	side_expect(&b, round, IBV_WC_SUCCESS, &wc);
}

int main(int argc, char **argv)
{
	const struct pair_attr attr = { .mtu = IBV_MTU_1024, .timeout = 14, .psn = 0xfffff0 };
	unsigned long advices = 0;
	unsigned int i, rounds;
	pthread_t thread;

	if (argc != 6)
		die("usage: advise DEVICE-A GID-INDEX-A DEVICE-B GID-INDEX-B ROUNDS");
	rounds = atoi(argv[5]);
	share_processor();
	side_open(&a, argv[1], atoi(argv[2]), BUF);
	side_open(&b, argv[3], atoi(argv[4]), BUF);
	pair_create(&a, &b, &attr);
	mr = ibv_reg_mr(a.pd, a.buf, BUF, RW | IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND);
	mw = mr ? ibv_alloc_mw(a.pd, IBV_MW_TYPE_2) : NULL;
	if (!mw)
		die("no window: %s", strerror(errno));
	if (pthread_create(&thread, NULL, advise, &advices))
		die("no thread");
	for (i = 0; i < rounds; i++) {
		bind_window(i);
		take_away(i);
	}
	done = true;
	pthread_join(thread, NULL);
	printf("%lu advices refused while a window was taken away %u times\n", advices, rounds);
	pair_destroy(&a, &b);
	ibv_dealloc_mw(mw);
	ibv_dereg_mr(mr);
	side_close(&a);
	side_close(&b);
	return 0;
}
