// SPDX-License-Identifier: GPL-2.0
/*
 * Shared receive queues: valid and invalid arguments; each WQE is consumed once, whichever QP takes
 * it; the limit event is raised once for each arming; resizing loses no WQE; and a QP that fails
 * leaves the remaining WQEs to the other QPs.
 *
 * 	srq DEVICE_A GID_INDEX DEVICE_B GID_INDEX MESSAGES
 *
 * A sends over several QPs, B receives from one SRQ.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pair.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define BUF	      65536
#define SLOT	      64
#define LIMIT_S	      20
#define QPS	      4

static struct side a, b;
static struct ibv_qp *qa[QPS], *qb[QPS];

static struct ibv_srq *create(uint32_t max_wr, uint32_t max_sge)
{
	struct ibv_srq_init_attr init = { .attr = { .max_wr = max_wr, .max_sge = max_sge } };

	return ibv_create_srq(b.pd, &init);
}

static void connect_qps(unsigned int n)
{
	struct pair_attr attr = { .mtu = IBV_MTU_1024, .timeout = 14, .psn = 0xfffff0 };
	unsigned int i;

	for (i = 0; i < n; i++) {
		pair_create(&a, &b, &attr);
		qa[i] = a.qp;
		qb[i] = b.qp;
	}
}

static void destroy_qps(unsigned int n)
{
	struct ibv_wc wc;
	unsigned int i;

	for (i = 0; i < n; i++)
		if (ibv_destroy_qp(qa[i]) || ibv_destroy_qp(qb[i]))
			die("cannot destroy a QP: %m");
	a.qp = b.qp = NULL;
	while (ibv_poll_cq(a.cq, 1, &wc) > 0 || ibv_poll_cq(b.cq, 1, &wc) > 0)
		;
}

static int try_post(struct ibv_srq *srq, uint64_t id)
{
	struct ibv_sge sge = { (uintptr_t)b.buf + id % (BUF / SLOT) * SLOT, SLOT, b.mr->lkey };
	struct ibv_recv_wr *bad, wr = { .wr_id = id, .sg_list = &sge, .num_sge = 1 };

	return ibv_post_srq_recv(srq, &wr, &bad);
}

static void post(struct ibv_srq *srq, uint64_t from, unsigned int n)
{
	for (; n--; from++)
		if (try_post(srq, from))
			die("posting receive %llu failed", (unsigned long long)from);
}

static void send_on(struct ibv_qp *qp, uint64_t value)
{
	struct ibv_sge sge = { (uintptr_t)a.buf, sizeof(value), a.mr->lkey };
	struct ibv_send_wr *bad, wr = { .wr_id = value,
					.sg_list = &sge,
					.num_sge = 1,
					.opcode = IBV_WR_SEND,
					.send_flags = IBV_SEND_SIGNALED };

	memcpy(a.buf, &value, sizeof(value));
	if (ibv_post_send(qp, &wr, &bad))
		die("posting a SEND failed: %m");
}

/* Send, and check that the message arrives in the receive WQE @id. */
static void deliver(struct ibv_qp *qp, uint64_t value, uint64_t id)
{
	uint64_t got;
	struct ibv_wc wc;

	send_on(qp, value);
	side_expect(&a, value, IBV_WC_SUCCESS, &wc);
	side_expect(&b, id, IBV_WC_SUCCESS, &wc);
	memcpy(&got, b.buf + id % (BUF / SLOT) * SLOT, sizeof(got));
	if (got != value)
		die("receive %llu holds %llu, not %llu", (unsigned long long)id,
		    (unsigned long long)got, (unsigned long long)value);
}

static void test_sizes(void)
{
	static const struct {
		uint32_t max_wr;
		uint32_t max_sge;
		int error;
	} rows[] = {
		{ 1, 1, 0 },	  { 1, 0, 0 },	     { 100, 32, 0 },
		{ 65536, 1, 0 },  { 1048576, 1, 0 }, { 1048577, 1, EINVAL },
		{ 0, 1, EINVAL }, { 1, 33, EINVAL }, { UINT32_MAX, 1, EINVAL },
	};
	struct ibv_srq_attr attr;
	struct ibv_srq *srq;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		errno = 0;
		srq = create(rows[i].max_wr, rows[i].max_sge);
		if (!srq != !!rows[i].error || (!srq && errno != rows[i].error))
			die("an SRQ of %u WQEs, %u SGEs: %s", rows[i].max_wr, rows[i].max_sge,
			    srq ? "made" : strerror(errno));
		if (!srq)
			continue;
		if (ibv_query_srq(srq, &attr) || attr.max_wr < rows[i].max_wr ||
		    attr.max_sge < rows[i].max_sge || attr.srq_limit)
			die("an SRQ of %u WQEs says it has %u", rows[i].max_wr, attr.max_wr);
		if (ibv_destroy_srq(srq))
			die("cannot destroy an SRQ: %m");
	}
}

/* The SRQ accepts the requested number of WQEs, and no more than the capacity that it reports. */
static void test_full(void)
{
	struct ibv_srq *srq = create(10, 1);
	struct ibv_srq_attr attr;

	if (!srq || ibv_query_srq(srq, &attr))
		die("no SRQ: %m");
	post(srq, 0, attr.max_wr);
	if (!try_post(srq, 0))
		die("an SRQ of %u takes one more", attr.max_wr);
	ibv_destroy_srq(srq);
}

static bool event_within(int ms)
{
	struct pollfd p = { .fd = b.ctx->async_fd, .events = POLLIN };

	return poll(&p, 1, ms) == 1;
}

static void expect_event(enum ibv_event_type type, const void *element)
{
	struct ibv_async_event event;

	if (!event_within(LIMIT_S * 1000) || ibv_get_async_event(b.ctx, &event))
		die("no event \"%s\"", ibv_event_type_str(type));
	/* All members of the union are pointers to the object. */
	if (event.event_type != type || event.element.srq != element)
		die("event \"%s\", want \"%s\"", ibv_event_type_str(event.event_type),
		    ibv_event_type_str(type));
	ibv_ack_async_event(&event);
}

static void arm(struct ibv_srq *srq, uint32_t limit)
{
	struct ibv_srq_attr attr = { .srq_limit = limit };

	if (ibv_modify_srq(srq, &attr, IBV_SRQ_LIMIT))
		die("cannot set the limit: %m");
}

static uint32_t limit_of(struct ibv_srq *srq)
{
	struct ibv_srq_attr attr;

	if (ibv_query_srq(srq, &attr))
		die("query of an SRQ: %m");
	return attr.srq_limit;
}

static void test_limit(void)
{
	struct ibv_srq_attr attr = { .srq_limit = 10000 };
	unsigned int i;

	b.srq = create(100, 1);
	connect_qps(1);
	if (!ibv_modify_srq(b.srq, &attr, IBV_SRQ_LIMIT))
		die("a limit of 10000 in an SRQ of 100");
	post(b.srq, 0, 20);
	arm(b.srq, 16);
	for (i = 0; i < 4; i++)
		deliver(qa[0], i, i);
	if (limit_of(b.srq) != 16)
		die("the limit is reached with as many left");
	deliver(qa[0], 4, 4);
	expect_event(IBV_EVENT_SRQ_LIMIT_REACHED, b.srq);
	if (limit_of(b.srq))
		die("the limit is still set after its event");
	for (i = 5; i < 10; i++)
		deliver(qa[0], i, i);
	arm(b.srq, 12);
	deliver(qa[0], 10, 10);
	expect_event(IBV_EVENT_SRQ_LIMIT_REACHED, b.srq);
	/* Disarmed before the limit is reached. A pending event would precede the next one. */
	arm(b.srq, 5);
	arm(b.srq, 0);
	for (i = 11; i < 20; i++)
		deliver(qa[0], i, i);
	post(b.srq, 20, 2);
	arm(b.srq, 2);
	deliver(qa[0], 20, 20);
	expect_event(IBV_EVENT_SRQ_LIMIT_REACHED, b.srq);
	if (event_within(0))
		die("an event too many");
	if (!ibv_destroy_srq(b.srq))
		die("an SRQ is destroyed under its QP");
	destroy_qps(1);
	if (ibv_destroy_srq(b.srq))
		die("cannot destroy an SRQ: %m");
	b.srq = NULL;
}

/* The peer waits until a WQE is posted. */
static void test_empty(void)
{
	struct ibv_wc wc;

	b.srq = create(10, 1);
	connect_qps(2);
	send_on(qa[1], 7);
	post(b.srq, 3, 1);
	side_expect(&a, 7, IBV_WC_SUCCESS, &wc);
	side_expect(&b, 3, IBV_WC_SUCCESS, &wc);
	if (wc.qp_num != qb[1]->qp_num)
		die("a receive is said to be of QP %#x, not %#x", wc.qp_num, qb[1]->qp_num);
	destroy_qps(2);
	ibv_destroy_srq(b.srq);
	b.srq = NULL;
}

static void resize(struct ibv_srq *srq, uint32_t max_wr, bool ok)
{
	struct ibv_srq_attr attr = { .max_wr = max_wr };

	if (!ibv_modify_srq(srq, &attr, IBV_SRQ_MAX_WR) != ok)
		die("a resize to %u is %s", max_wr, ok ? "refused" : "not refused");
}

static void test_resize(void)
{
	uint64_t posted = 0, received = 0;
	unsigned int round, i;

	b.srq = create(30, 1);
	connect_qps(2);
	for (round = 0; round < 10; round++) {
		for (i = 0; i < 20; i++)
			post(b.srq, posted++, 1);
		for (i = 0; i < 5; i++, received++)
			deliver(qa[i % 2], received, received);
		resize(b.srq, 3, false);
		resize(b.srq, 1000, true);
		for (i = 0; i < 5; i++, received++)
			deliver(qa[i % 2], received, received);
		resize(b.srq, 16 + round, true);
		for (i = 0; i < 10; i++, received++)
			deliver(qa[i % 2], received, received);
	}
	resize(b.srq, 0, false);
	resize(b.srq, 1048577, false);
	arm(b.srq, 10);
	resize(b.srq, 5, false);
	destroy_qps(2);
	ibv_destroy_srq(b.srq);
	b.srq = NULL;
}

/* A failing QP flushes no WQEs of the SRQ, and reports when it will take no more of them. */
static void test_failure(void)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };
	struct ibv_wc wc;
	unsigned int i;

	b.srq = create(10, 1);
	connect_qps(2);
	post(b.srq, 0, 5);
	deliver(qa[0], 100, 0);
	if (ibv_modify_qp(qb[0], &attr, IBV_QP_STATE))
		die("ERR refused: %m");
	expect_event(IBV_EVENT_QP_LAST_WQE_REACHED, qb[0]);
	for (i = 1; i < 5; i++)
		deliver(qa[1], 100 + i, i);
	if (ibv_poll_cq(b.cq, 1, &wc))
		die("a QP in error completes receive %llu of the SRQ",
		    (unsigned long long)wc.wr_id);
	if (event_within(0))
		die("an event too many");
	destroy_qps(2);
	ibv_destroy_srq(b.srq);
	b.srq = NULL;
}

/* The buffers are checked against the SRQ's protection domain, not the QP's. */
static void test_domain(void)
{
	struct ibv_srq_init_attr init = { .attr = { .max_wr = 10, .max_sge = 1 } };
	struct ibv_pd *pd = ibv_alloc_pd(b.ctx);
	struct ibv_mr *mine = b.mr, *other;
	struct ibv_wc wc;

	other = pd ? ibv_reg_mr(pd, b.buf, BUF, IBV_ACCESS_LOCAL_WRITE) : NULL;
	b.srq = other ? ibv_create_srq(pd, &init) : NULL;
	if (!b.srq)
		die("no SRQ of another protection domain: %m");
	connect_qps(1);
	b.mr = other;
	post(b.srq, 0, 1);
	deliver(qa[0], 7, 0);
	b.mr = mine;
	post(b.srq, 1, 1);
	send_on(qa[0], 8);
	side_expect(&b, 1, IBV_WC_LOC_PROT_ERR, &wc);
	side_expect(&a, 8, IBV_WC_REM_OP_ERR, &wc);
	destroy_qps(1);
	ibv_destroy_srq(b.srq);
	b.srq = NULL;
	ibv_dereg_mr(other);
	ibv_dealloc_pd(pd);
}

/* A WQE with an invalid SGE fails together with its QP; the next QP continues. */
static void test_bad_wqe(void)
{
	struct ibv_sge sge = { (uintptr_t)b.buf, SLOT, b.mr->lkey ^ 1 };
	struct ibv_recv_wr *bad, wr = { .wr_id = 1, .sg_list = &sge, .num_sge = 1 };
	struct ibv_wc wc;

	b.srq = create(10, 1);
	connect_qps(2);
	if (ibv_post_srq_recv(b.srq, &wr, &bad))
		die("posting refused");
	post(b.srq, 2, 1);
	send_on(qa[0], 5);
	side_expect(&b, 1, IBV_WC_LOC_PROT_ERR, &wc);
	side_wait(&a, &wc);
	if (wc.status != IBV_WC_REM_OP_ERR)
		die("the sender is told \"%s\"", ibv_wc_status_str(wc.status));
	deliver(qa[1], 6, 2);
	destroy_qps(2);
	ibv_destroy_srq(b.srq);
	b.srq = NULL;
	while (event_within(0)) {
		struct ibv_async_event event;

		if (!ibv_get_async_event(b.ctx, &event))
			ibv_ack_async_event(&event);
	}
}

/**
 * struct sender - a thread that sends @n messages on one of the QPs
 */
struct sender {
	pthread_t thread;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	unsigned int n;
};

static void *send_many(void *arg)
{
	struct sender *s = arg;
	struct ibv_sge sge = { (uintptr_t)a.buf, SLOT, a.mr->lkey };
	struct ibv_send_wr *bad, wr = { .sg_list = &sge,
					.num_sge = 1,
					.opcode = IBV_WR_SEND,
					.send_flags = IBV_SEND_SIGNALED };
	unsigned int sent = 0, done = 0;
	struct ibv_wc wc[16];
	int i, got;

	while (done < s->n) {
		for (; sent < s->n && sent - done < 32; sent++)
			if (ibv_post_send(s->qp, &wr, &bad))
				die("posting a SEND failed: %m");
		got = ibv_poll_cq(s->cq, ARRAY_SIZE(wc), wc);
		if (!got)
			sched_yield();
		for (i = 0; i < got; i++)
			if (wc[i].status != IBV_WC_SUCCESS)
				die("a SEND: %s", ibv_wc_status_str(wc[i].status));
		done += got;
	}
	return NULL;
}

/* Each WQE is consumed by one QP; @seen counts how often. */
static void receive_many(unsigned int n, uint8_t *seen)
{
	time_t end = time(NULL) + 120;
	unsigned int posted = 0, received = 0;
	struct ibv_wc wc[16];
	int i, got;

	while (received < n) {
		while (posted < n && posted - received < 200) {
			if (try_post(b.srq, posted))
				break;
			posted++;
		}
		got = ibv_poll_cq(b.cq, ARRAY_SIZE(wc), wc);
		if (!got)
			sched_yield();
		for (i = 0; i < got; i++) {
			if (wc[i].status != IBV_WC_SUCCESS || wc[i].wr_id >= n ||
			    seen[wc[i].wr_id]++)
				die("receive %llu: %s, %u times", (unsigned long long)wc[i].wr_id,
				    ibv_wc_status_str(wc[i].status),
				    wc[i].wr_id < n ? seen[wc[i].wr_id] : 0);
		}
		received += got;
		if (time(NULL) > end)
			die("%u of %u messages in two minutes", received, n);
	}
}

static void test_many(unsigned int n)
{
	struct sender senders[QPS];
	uint8_t *seen = calloc(n, QPS);
	struct ibv_cq *cq = a.cq;
	unsigned int i;

	b.srq = create(256, 1);
	for (i = 0; i < QPS; i++)
		senders[i] = (struct sender){ .cq = ibv_create_cq(a.ctx, 64, NULL, NULL, 0),
					      .n = n };
	for (i = 0; i < QPS; i++) {
		struct pair_attr attr = { .mtu = IBV_MTU_1024, .timeout = 14, .psn = i };

		a.cq = senders[i].cq;
		pair_create(&a, &b, &attr);
		senders[i].qp = qa[i] = a.qp;
		qb[i] = b.qp;
	}
	a.cq = cq;
	for (i = 0; i < QPS; i++)
		if (pthread_create(&senders[i].thread, NULL, send_many, &senders[i]))
			die("no thread");
	receive_many(QPS * n, seen);
	for (i = 0; i < QPS; i++)
		pthread_join(senders[i].thread, NULL);
	destroy_qps(QPS);
	for (i = 0; i < QPS; i++)
		ibv_destroy_cq(senders[i].cq);
	ibv_destroy_srq(b.srq);
	b.srq = NULL;
	free(seen);
}

int main(int argc, char **argv)
{
	if (argc != 6)
		die("usage: srq DEVICE_A GID_INDEX DEVICE_B GID_INDEX MESSAGES");
	side_open(&a, argv[1], atoi(argv[2]), BUF);
	side_open(&b, argv[3], atoi(argv[4]), BUF);
	test_sizes();
	test_full();
	test_limit();
	test_empty();
	test_resize();
	test_failure();
	test_bad_wqe();
	test_domain();
	test_many(strtoul(argv[5], NULL, 0));
	side_close(&a);
	side_close(&b);
	return 0;
}
