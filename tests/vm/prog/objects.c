// SPDX-License-Identifier: GPL-2.0
/*
 * Test memory regions and completion queues of one device: valid and invalid arguments; and that a
 * completion queue loses no completion when it is resized, notifies its consumer as requested, and
 * raises an event when it overflows.
 *
 *	objects DEVICE
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "pair.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MIB	      ((size_t)1 << 20)
#define BUF	      (4 * MIB)
#define ALL                                                                        \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | \
	 IBV_ACCESS_REMOTE_ATOMIC)
#define EVENT_MS 5000

static struct ibv_context *ctx;
static struct ibv_pd *pd;
static char *buf;
static char *read_only;

static void open_device(const char *name)
{
	ctx = device_open(name);
	pd = ibv_alloc_pd(ctx);
	if (!pd)
		die("no protection domain");
}

static void *map(size_t size, int prot)
{
	void *p = mmap(NULL, size, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	return p;
}

struct mr_row {
	const char *what;
	char **base;
	size_t offset;
	size_t length;
	int access;
	int error;
};

static char *nowhere = (char *)4096;

static const struct mr_row mr_rows[] = {
	{ "a byte", &buf, 0, 1, ALL, 0 },
	{ "unaligned", &buf, 13, 50000, ALL, 0 },
	{ "all of it", &buf, 0, BUF, ALL, 0 },
	{ "relaxed ordering", &buf, 0, 64, ALL | IBV_ACCESS_RELAXED_ORDERING, 0 },
	{ "no rights", &buf, 0, 64, 0, 0 },
	{ "read-only pages", &read_only, 5, 6000, IBV_ACCESS_REMOTE_READ, 0 },
	{ "writing read-only pages", &read_only, 0, 64, IBV_ACCESS_LOCAL_WRITE, EFAULT },
	{ "remote write without local", &buf, 0, 64, IBV_ACCESS_REMOTE_WRITE, EINVAL },
	{ "nothing", &buf, 0, 0, ALL, EINVAL },
	{ "what is not mapped", &nowhere, 0, 64, ALL, EFAULT },
	{ "zero-based", &buf, 0, 64, ALL | IBV_ACCESS_ZERO_BASED, EOPNOTSUPP },
};

static void test_mr_row(const struct mr_row *row)
{
	struct ibv_mr *mr;

	errno = 0;
	mr = ibv_reg_mr(pd, *row->base + row->offset, row->length, row->access);
	if (!mr != !!row->error || (!mr && errno != row->error))
		die("memory region, %s: %s, want %s", row->what, mr ? "made" : strerror(errno),
		    strerror(row->error));
	if (mr && ibv_dereg_mr(mr))
		die("memory region, %s: cannot be deregistered", row->what);
}

/* On kernels built without ODP, the device must not report support for it. */
static void test_mr_on_demand(void)
{
	struct mr_row row = { "on demand", &buf, 0, 64, ALL | IBV_ACCESS_ON_DEMAND, EOPNOTSUPP };
	struct ibv_device_attr_ex attr = { 0 };

	if (ibv_query_device_ex(ctx, NULL, &attr))
		die("cannot query the device");
	if (attr.odp_caps.general_caps & IBV_ODP_SUPPORT)
		row.error = 0;
	test_mr_row(&row);
}

/* Older headers do not define the flag. Older kernels return the same error for unknown flags. */
static void test_mr_persistent(void)
{
	const int persistent = 1 << 9;

	if (ibv_reg_mr(pd, buf, 64, ALL | persistent))
		die("memory region, persistence: made");
	if (errno != EOPNOTSUPP && errno != EINVAL)
		die("memory region, persistence: %s", strerror(errno));
}

/* A key must not be reused soon, and the next one must not be predictable. */
static void test_keys(void)
{
	static uint32_t keys[1000];
	unsigned int low_differs = 0, in_order = 0;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		struct ibv_mr *mr = ibv_reg_mr(pd, buf, 64, ALL);

		if (!mr)
			die("region %zu: %s", i, strerror(errno));
		keys[i] = mr->rkey;
		for (j = 0; j < i; j++)
			if (keys[j] == keys[i])
				die("key %#x used again after %zu registrations", keys[i], i - j);
		low_differs += i && (uint8_t)keys[i] != (uint8_t)keys[i - 1];
		in_order += i && keys[i] >> 8 == (keys[i - 1] >> 8) + 1;
		ibv_dereg_mr(mr);
	}
	if (in_order > ARRAY_SIZE(keys) / 20)
		die("%u of %zu keys follow their predecessors", in_order, ARRAY_SIZE(keys));
	if (low_differs < ARRAY_SIZE(keys) / 2)
		die("the low bytes of keys do not vary");
}

/* The same for QP numbers. */
static void test_qpns(void)
{
	static uint32_t qpns[500];
	struct ibv_cq *cq = ibv_create_cq(ctx, 1, NULL, NULL, 0);
	struct ibv_qp_init_attr init = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap = { 1, 1, 1, 1, 0 },
		.qp_type = IBV_QPT_RC,
	};
	unsigned int in_order = 0;
	struct ibv_qp *qp;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(qpns); i++) {
		qp = ibv_create_qp(pd, &init);
		if (!qp)
			die("QP %zu: %s", i, strerror(errno));
		qpns[i] = qp->qp_num;
		if (qpns[i] < 2 || qpns[i] >= 0xffffff)
			die("a QP is numbered %#x", qpns[i]);
		for (j = 0; j < i; j++)
			if (qpns[j] == qpns[i])
				die("QPN %#x used again after %zu QPs", qpns[i], i - j);
		in_order += i && qpns[i] == qpns[i - 1] + 1;
		ibv_destroy_qp(qp);
	}
	ibv_destroy_cq(cq);
	if (in_order > ARRAY_SIZE(qpns) / 20)
		die("%u of %zu QPNs follow their predecessors", in_order, ARRAY_SIZE(qpns));
}

/* A large region that maps the same few pages many times. */
static void test_large_mr(size_t size)
{
	int fd = memfd_create("pages", 0);
	struct ibv_mr *mr;
	size_t at;
	char *p;

	if (fd < 0 || ftruncate(fd, BUF))
		die("memfd: %s", strerror(errno));
	p = map(size, PROT_NONE);
	for (at = 0; at < size; at += BUF)
		if (mmap(p + at, BUF, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) ==
		    MAP_FAILED)
			die("mmap: %s", strerror(errno));
	mr = ibv_reg_mr(pd, p, size, ALL);
	if (!mr)
		die("a region of %zu MiB: %s", size / MIB, strerror(errno));
	ibv_dereg_mr(mr);
	munmap(p, size);
	close(fd);
}

static void test_cq_sizes(void)
{
	static const struct {
		int cqe;
		int error;
	} rows[] = {
		{ 1, 0 }, { 2, 0 }, { 100, 0 }, { 524287, 0 }, { 524288, EINVAL }, { 0, EINVAL },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct ibv_cq *cq = ibv_create_cq(ctx, rows[i].cqe, NULL, NULL, 0);

		if (!cq != !!rows[i].error || (!cq && errno != rows[i].error))
			die("a CQ of %d: %s", rows[i].cqe, cq ? "made" : strerror(errno));
		if (cq && cq->cqe < rows[i].cqe)
			die("a CQ of %d has only %d", rows[i].cqe, cq->cqe);
		if (cq)
			ibv_destroy_cq(cq);
	}
}

/**
 * struct flusher - a QP in state ERR, which completes receives as soon as they are posted
 */
struct flusher {
	struct ibv_comp_channel *channel;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	uint64_t posted;
	uint64_t polled;
};

static void flusher_open(struct flusher *f, int cqe)
{
	struct ibv_qp_init_attr init = { .qp_type = IBV_QPT_RC };
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1 };

	f->channel = ibv_create_comp_channel(ctx);
	f->cq = ibv_create_cq(ctx, cqe, NULL, f->channel, 0);
	f->mr = ibv_reg_mr(pd, buf, 64, ALL);
	init.send_cq = init.recv_cq = f->cq;
	init.cap = (struct ibv_qp_cap){ 1, 1000, 1, 1, 0 };
	f->qp = f->cq ? ibv_create_qp(pd, &init) : NULL;
	if (!f->channel || !f->mr || !f->qp)
		die("cannot make a QP: %s", strerror(errno));
	if (ibv_modify_qp(f->qp, &attr,
			  IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS))
		die("INIT refused");
	attr.qp_state = IBV_QPS_ERR;
	if (ibv_modify_qp(f->qp, &attr, IBV_QP_STATE))
		die("ERR refused");
}

static void flusher_close(struct flusher *f)
{
	if (ibv_destroy_qp(f->qp) || ibv_destroy_cq(f->cq) || ibv_dereg_mr(f->mr) ||
	    ibv_destroy_comp_channel(f->channel))
		die("cannot clean up: %s", strerror(errno));
}

static void flusher_post(struct flusher *f, int n)
{
	struct ibv_sge sge = { (uintptr_t)buf, 64, f->mr->lkey };
	struct ibv_recv_wr *bad, wr = { .sg_list = &sge, .num_sge = 1 };

	while (n--) {
		wr.wr_id = f->posted++;
		if (ibv_post_recv(f->qp, &wr, &bad))
			die("posting refused");
	}
}

/* Poll @n completions, which must be in order and complete. */
static void flusher_poll(struct flusher *f, int n)
{
	time_t end = time(NULL) + 10;
	struct ibv_wc wc;

	while (n && time(NULL) < end) {
		if (ibv_poll_cq(f->cq, 1, &wc) != 1)
			continue;
		if (wc.wr_id != f->polled || wc.status != IBV_WC_WR_FLUSH_ERR ||
		    wc.qp_num != f->qp->qp_num)
			die("completion %llu of QP %#x, status %s; want %llu",
			    (unsigned long long)wc.wr_id, wc.qp_num, ibv_wc_status_str(wc.status),
			    (unsigned long long)f->polled);
		f->polled++;
		n--;
	}
	if (n)
		die("%d completions are missing", n);
}

static void resize(struct flusher *f, int cqe, bool fits)
{
	if (!ibv_resize_cq(f->cq, cqe) != fits)
		die("a resize to %d is %s", cqe, fits ? "refused" : "not refused");
}

/* Polling finds the ring's producer index only after the remaining entries: leave some unread. */
static void test_resize(void)
{
	struct flusher f = {};
	int round;

	flusher_open(&f, 63);
	for (round = 0; round < 20; round++) {
		flusher_post(&f, 40);
		flusher_poll(&f, 10);
		resize(&f, 1000, true);
		flusher_poll(&f, 27);
		resize(&f, 1, false);
		resize(&f, 63, true);
		flusher_poll(&f, 3);
	}
	flusher_close(&f);
}

static bool readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, EVENT_MS) == 1;
}

/* An error notifies even a CQ armed for solicited completions only. */
static void test_notify(int solicited_only)
{
	struct flusher f = {};
	struct ibv_cq *cq;
	void *context;

	flusher_open(&f, 10);
	if (ibv_req_notify_cq(f.cq, solicited_only))
		die("cannot ask for notification");
	flusher_post(&f, 3);
	if (!readable(f.channel->fd) || ibv_get_cq_event(f.channel, &cq, &context) || cq != f.cq)
		die("no notification (solicited only: %d)", solicited_only);
	ibv_ack_cq_events(cq, 1);
	flusher_poll(&f, 3);
	flusher_close(&f);
}

static void test_overflow(void)
{
	struct ibv_async_event event;
	struct flusher f = {};

	flusher_open(&f, 10);
	flusher_post(&f, f.cq->cqe + 20);
	if (!readable(ctx->async_fd) || ibv_get_async_event(ctx, &event))
		die("an overflow of a CQ raises no event");
	if (event.event_type != IBV_EVENT_CQ_ERR || event.element.cq != f.cq)
		die("an overflow of a CQ raises %s", ibv_event_type_str(event.event_type));
	ibv_ack_async_event(&event);
	flusher_poll(&f, f.cq->cqe);
	flusher_close(&f);
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc != 2)
		die("usage: objects DEVICE");
	open_device(argv[1]);
	buf = map(BUF, PROT_READ | PROT_WRITE);
	read_only = map(2 * (size_t)getpagesize(), PROT_READ);

	for (i = 0; i < ARRAY_SIZE(mr_rows); i++)
		test_mr_row(&mr_rows[i]);
	test_mr_on_demand();
	test_mr_persistent();
	test_keys();
	test_qpns();
	test_large_mr(1200 * MIB);
	test_cq_sizes();
	test_resize();
	test_notify(0);
	test_notify(1);
	test_overflow();

	if (ibv_dealloc_pd(pd) || ibv_close_device(ctx))
		die("cannot close: %s", strerror(errno));
	return 0;
}
