// SPDX-License-Identifier: GPL-2.0
/*
 * Threads with a real-time priority (SCHED_FIFO) invalidate memory while a thread of ordinary
 * priority, which they preempt, writes to it. Each invalidation must end within a second, although
 * the thread that it waits for runs on the same CPU.
 *
 *	fifo_invalidate DEVICE_A GID_INDEX DEVICE_B GID_INDEX SECONDS
 *
 * A writes to B's memory. A watchdog of a higher priority takes the priority from a thread that
 * makes no progress, so that the test fails instead of hanging.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pair.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define BUF	      (64u * 1024)
#define IN_FLIGHT     8
#define LIMIT	      1.0 /* seconds that an invalidation may take */
#define END_LIMIT     20.0 /* seconds after the end, until all rounds have ended */
#define WATCHDOG_PRIO 90

/**
 * struct duel - a writer, and a FIFO thread that invalidates what it writes to
 * @take_away: invalidates @rkey
 * @written_rkey: @rkey of the round: another bind replaces it
 * @other: QP of B's PD by which type 1 windows are bound
 * @mr: region that the windows are bound to
 * @prio: priority of the FIFO thread
 * @stage: what the FIFO thread does, for the report of a hang
 * @since: time at which an invalidation began; 0: none is going on
 * @longest: seconds that an invalidation took
 */
struct duel {
	const char *name;
	enum ibv_mw_type type;
	int prio;
	void (*take_away)(struct duel *d);
	struct side a;
	struct side b;
	struct ibv_qp *other;
	struct ibv_mr *mr;
	struct ibv_mw *mw;
	uint32_t rkey;
	uint32_t written_rkey;
	pthread_t thread;
	const char *stage;
	_Atomic double since;
	double longest;
	unsigned int rounds;
	bool failed;
	atomic_bool done;
};

static double end;
static atomic_int running;

/* Wait for a completion of B's, and sleep meanwhile: nothing of lower priority runs otherwise. */
static void wait_b(struct duel *d)
{
	double limit = seconds() + 10;
	struct ibv_wc wc;
	int n;

	while (!(n = ibv_poll_cq(d->b.cq, 1, &wc)) && seconds() < limit)
		usleep(100);
	if (n != 1 || wc.status != IBV_WC_SUCCESS)
		die("%s: operation of B's: %d, status %d", d->name, n, n == 1 ? wc.status : 0);
}

static void post_b(struct duel *d, struct ibv_send_wr *wr)
{
	struct ibv_send_wr *bad;

	wr->send_flags = IBV_SEND_SIGNALED;
	if (ibv_post_send(d->b.qp, wr, &bad))
		die("%s: posting failed: %m", d->name);
	wait_b(d);
}

/* Type 1: by another queue pair, so that the lock of the one that is written to is not taken. */
static void bind_1(struct duel *d)
{
	struct ibv_mw_bind bind = {
		.send_flags = IBV_SEND_SIGNALED,
		.bind_info = { d->mr, (uintptr_t)d->b.buf, BUF, IBV_ACCESS_REMOTE_WRITE },
	};

	if (ibv_bind_mw(d->other, d->mw, &bind))
		die("%s: bind failed: %m", d->name);
	wait_b(d);
	d->rkey = d->mw->rkey;
}

static void bind_2(struct duel *d)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_BIND_MW };

	d->rkey = (d->rkey & ~0xffu) | ((d->rkey + 1) & 0xff);
	wr.bind_mw.mw = d->mw;
	wr.bind_mw.rkey = d->rkey;
	wr.bind_mw.bind_info = (struct ibv_mw_bind_info){ d->mr, (uintptr_t)d->b.buf, BUF,
							  IBV_ACCESS_REMOTE_WRITE };
	post_b(d, &wr);
	d->mw->rkey = d->rkey;
}

static void invalidate(struct duel *d)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_LOCAL_INV, .invalidate_rkey = d->rkey };

	post_b(d, &wr);
}

static void deallocate(struct duel *d)
{
	if (ibv_dealloc_mw(d->mw))
		die("%s: failed: %m", d->name);
	d->mw = NULL;
}

static void open_window(struct duel *d)
{
	if (!d->mw) {
		d->mw = ibv_alloc_mw(d->b.pd, d->type);
		if (!d->mw)
			die("%s: no window: %m", d->name);
		d->rkey = d->mw->rkey;
	}
	if (d->type == IBV_MW_TYPE_1)
		bind_1(d);
	else
		bind_2(d);
}

static void post_write(struct duel *d)
{
	struct ibv_sge sge = { (uintptr_t)d->a.buf, BUF, d->a.mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_RDMA_WRITE,
		.send_flags = IBV_SEND_SIGNALED,
		.wr.rdma = { (uintptr_t)d->b.buf, d->written_rkey },
	};

	if (ibv_post_send(d->a.qp, &wr, &bad))
		die("posting a WRITE failed: %m");
}

/* Write until a WRITE fails with a remote access error. */
static void *write_on(void *arg)
{
	struct duel *d = arg;
	struct ibv_wc wc;
	int i;

	for (i = 0; i < IN_FLIGHT; i++)
		post_write(d);
	for (;;) {
		side_wait(&d->a, &wc);
		if (wc.status != IBV_WC_SUCCESS)
			break;
		post_write(d);
	}
	if (wc.status != IBV_WC_REM_ACCESS_ERR)
		die("%s: a WRITE: %s", d->name, ibv_wc_status_str(wc.status));
	return NULL;
}

static void start_thread(pthread_t *thread, int prio, void *(*run)(void *), void *arg)
{
	struct sched_param param = { .sched_priority = prio };
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, prio ? SCHED_FIFO : SCHED_OTHER);
	pthread_attr_setschedparam(&attr, &param);
	errno = pthread_create(thread, &attr, run, arg);
	if (errno)
		die("no thread of priority %d: %m", prio);
	pthread_attr_destroy(&attr);
}

static void play_round(struct duel *d)
{
	struct pair_attr attr = { .mtu = IBV_MTU_1024, .timeout = 14, .psn = 0xffff80 };
	pthread_t writer;
	double took;

	d->stage = "connects";
	pair_create(&d->a, &d->b, &attr);
	d->stage = "binds";
	open_window(d);
	d->written_rkey = d->rkey;
	start_thread(&writer, 0, write_on, d);
	d->stage = "sleeps";
	usleep(2000 + d->rounds * 37 % 3000);
	atomic_store(&d->since, seconds());
	d->stage = "invalidates";
	d->take_away(d);
	took = seconds() - atomic_load(&d->since);
	atomic_store(&d->since, 0);
	if (took > d->longest)
		d->longest = took;
	d->stage = "waits for the writer";
	pthread_join(writer, NULL);
	d->stage = "disconnects";
	pair_destroy(&d->a, &d->b);
	d->rounds++;
}

static void *play(void *arg)
{
	struct duel *d = arg;

	do
		play_round(d);
	while (seconds() < end && !d->failed);
	atomic_store(&d->done, true);
	atomic_fetch_sub(&running, 1);
	return NULL;
}

static void open_duel(struct duel *d, char **argv)
{
	struct ibv_qp_init_attr init = {
		.cap = { 4, 4, 1, 1, 0 },
		.qp_type = IBV_QPT_RC,
	};

	side_open(&d->a, argv[1], atoi(argv[2]), BUF);
	side_open(&d->b, argv[3], atoi(argv[4]), BUF);
	init.send_cq = d->b.cq;
	init.recv_cq = d->b.cq;
	d->other = ibv_create_qp(d->b.pd, &init);
	d->mr = ibv_reg_mr(d->b.pd, d->b.buf, BUF,
			   IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_MW_BIND);
	if (!d->other || !d->mr)
		die("%s: cannot set up: %m", d->name);
	qp_connect_to_self(d->other, &d->b);
}

static void close_duel(struct duel *d)
{
	if ((d->mw && ibv_dealloc_mw(d->mw)) || ibv_dereg_mr(d->mr) || ibv_destroy_qp(d->other))
		die("%s: cannot clean up: %m", d->name);
	side_close(&d->a);
	side_close(&d->b);
}

static struct duel duels[] = {
	{ .name = "deallocation", .type = IBV_MW_TYPE_2, .prio = 80, .take_away = deallocate },
	{ .name = "another bind", .type = IBV_MW_TYPE_1, .prio = 70, .take_away = bind_1 },
	{ .name = "LOCAL_INV", .type = IBV_MW_TYPE_2, .prio = 60, .take_away = invalidate },
};

static void watch(struct duel *d)
{
	struct sched_param param = { .sched_priority = 0 };
	double since = atomic_load(&d->since);

	if (!since || seconds() - since < LIMIT || d->failed)
		return;
	d->failed = true;
	printf("%s by priority %d: not done in %.1f s, as its CPU has no time for the writer\n",
	       d->name, d->prio, seconds() - since);
	fflush(stdout);
	pthread_setschedparam(d->thread, SCHED_OTHER, &param);
}

/* Long after the end, no duel should go on. */
static void watch_end(void)
{
	struct sched_param param = { .sched_priority = 0 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(duels); i++) {
		if (atomic_load(&duels[i].done))
			continue;
		printf("%s: hangs after %u rounds, it %s\n", duels[i].name, duels[i].rounds,
		       duels[i].stage);
		duels[i].failed = true;
		pthread_setschedparam(duels[i].thread, SCHED_OTHER, &param);
	}
	fflush(stdout);
}

static void *watch_all(void *unused)
{
	bool ended = false;
	size_t i;

	while (atomic_load(&running)) {
		usleep(50 * 1000);
		if (!ended && seconds() > end + END_LIMIT) {
			ended = true;
			watch_end();
		}
		for (i = 0; i < ARRAY_SIZE(duels); i++)
			watch(&duels[i]);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t watchdog;
	bool failed = false;
	size_t i;

	if (argc != 6)
		die("usage: fifo_invalidate DEVICE_A GID_INDEX DEVICE_B GID_INDEX SECONDS");
	for (i = 0; i < ARRAY_SIZE(duels); i++)
		open_duel(&duels[i], argv);
	end = seconds() + atof(argv[5]);
	atomic_store(&running, ARRAY_SIZE(duels));
	start_thread(&watchdog, WATCHDOG_PRIO, watch_all, NULL);
	for (i = 0; i < ARRAY_SIZE(duels); i++)
		start_thread(&duels[i].thread, duels[i].prio, play, &duels[i]);
	for (i = 0; i < ARRAY_SIZE(duels); i++) {
		pthread_join(duels[i].thread, NULL);
		printf("%s: %u, the longest %.3f s\n", duels[i].name, duels[i].rounds,
		       duels[i].longest);
		failed |= duels[i].failed;
	}
	pthread_join(watchdog, NULL);
	for (i = 0; i < ARRAY_SIZE(duels); i++)
		close_duel(&duels[i]);
	return failed;
}
