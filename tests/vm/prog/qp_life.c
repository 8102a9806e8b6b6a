// SPDX-License-Identifier: GPL-2.0
/*
 * Test the life of a queue pair: capacities, attributes, states, flushes and asynchronous events.
 *
 *	qp_life DEVICE_A GID_INDEX DEVICE_B GID_INDEX
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pair.h"

#define BUF_SIZE     8192
#define WAIT_SECONDS 10

static struct side a, b;

static const struct pair_attr attr = { .mtu = IBV_MTU_1024, .timeout = 14, .psn = 0xfffffe };

static void check(bool ok, const char *what)
{
	if (!ok)
		die("failed: %s (%m)", what);
}

/* Create and connect two QPs. */
static void fresh(void)
{
	if (a.qp)
		side_destroy_qp(&a);
	if (b.qp)
		side_destroy_qp(&b);
	pair_create(&a, &b, &attr);
}

static void post_recv(struct side *s, uint64_t wr_id)
{
	struct ibv_sge sge = { (uintptr_t)s->buf, BUF_SIZE, s->mr->lkey };
	struct ibv_recv_wr wr = { .wr_id = wr_id, .sg_list = &sge, .num_sge = 1 };
	struct ibv_recv_wr *bad;

	check(!ibv_post_recv(s->qp, &wr, &bad), "post a receive");
}

static int try_send(struct side *s, uint64_t wr_id)
{
	struct ibv_sge sge = { (uintptr_t)s->buf, 100, s->mr->lkey };
	struct ibv_send_wr wr = {
		.wr_id = wr_id,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
	};
	struct ibv_send_wr *bad;

	return ibv_post_send(s->qp, &wr, &bad);
}

static void post_send(struct side *s, uint64_t wr_id)
{
	check(!try_send(s, wr_id), "post a send");
}

static int to_state(struct side *s, enum ibv_qp_state state, int mask)
{
	struct ibv_qp_attr to = { .qp_state = state, .en_sqd_async_notify = 1 };

	return ibv_modify_qp(s->qp, &to, IBV_QP_STATE | mask);
}

static enum ibv_qp_state state_of(struct side *s)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr now;

	check(!ibv_query_qp(s->qp, &now, IBV_QP_STATE, &init), "query a QP");
	return now.qp_state;
}

/* Read the device's events until @type is reported for its QP, for at most 10 s. */
static bool event_comes(struct side *s, enum ibv_event_type type)
{
	time_t limit = time(NULL) + WAIT_SECONDS;
	struct ibv_async_event event;
	bool found = false;

	fcntl(s->ctx->async_fd, F_SETFL, O_NONBLOCK);
	while (!found && time(NULL) < limit) {
		if (ibv_get_async_event(s->ctx, &event))
			continue;
		found = event.event_type == type && event.element.qp == s->qp;
		ibv_ack_async_event(&event);
	}
	return found;
}

static void test_capacities(void)
{
	static const struct {
		struct ibv_qp_cap cap;
		bool ok;
	} rows[] = {
		{ { 0, 0, 0, 0, 0 }, true },
		{ { 1, 1, 1, 1, 0 }, true },
		{ { 100, 33, 3, 5, 100 }, true },
		{ { 4096, 4096, 32, 32, 512 }, true },
		{ { 65536, 65536, 1, 1, 0 }, true },
		{ { 1, 1048576, 1, 1, 0 }, true },
		{ { 1048577, 1, 1, 1, 0 }, false },
		{ { 1, 1048577, 1, 1, 0 }, false },
		{ { 1, 1, 33, 1, 0 }, false },
		{ { 1, 1, 1, 33, 0 }, false },
		{ { 1, 1, 1, 1, 513 }, false },
		{ { ~0u, ~0u, ~0u, ~0u, ~0u }, false },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct ibv_qp_cap *want = &rows[i].cap;
		struct ibv_qp_init_attr init = {
			.send_cq = a.cq,
			.recv_cq = a.cq,
			.cap = *want,
			.qp_type = IBV_QPT_RC,
		};
		struct ibv_qp_init_attr got;
		struct ibv_qp_attr now;
		struct ibv_qp *qp = ibv_create_qp(a.pd, &init);

		if (!!qp != rows[i].ok)
			die("capacities, row %zu: created %d", i, !!qp);
		if (!qp)
			continue;
		check(init.cap.max_send_wr >= want->max_send_wr &&
		      init.cap.max_recv_wr >= want->max_recv_wr &&
		      init.cap.max_send_sge >= want->max_send_sge &&
		      init.cap.max_recv_sge >= want->max_recv_sge &&
		      init.cap.max_inline_data >= want->max_inline_data,
		      "capacities are at least those asked for");
		check(!ibv_query_qp(qp, &now, IBV_QP_CAP, &got) &&
		      !memcmp(&got.cap, &init.cap, sizeof(got.cap)) &&
			      now.qp_state == IBV_QPS_RESET,
		      "they are read back");
		check(!ibv_destroy_qp(qp), "destroy a QP");
	}
}

static void test_types(void)
{
	struct ibv_qp_init_attr init = {
		.send_cq = a.cq,
		.recv_cq = a.cq,
		.cap = { 1, 1, 1, 1, 0 },
		.qp_type = IBV_QPT_XRC_SEND,
	};

	check(!ibv_create_qp(a.pd, &init) && errno == EOPNOTSUPP, "an XRC QP is refused");
}

static void test_attributes(void)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr now;

	fresh();
	check(!ibv_query_qp(a.qp, &now, IBV_QP_STATE, &init), "query a QP");
	check(now.qp_state == IBV_QPS_RTS && now.path_mtu == IBV_MTU_1024 &&
	      now.dest_qp_num == b.qp->qp_num && now.rq_psn == attr.psn &&
		      now.sq_psn == attr.psn,
	      "numbers of the connection");
	check(now.timeout == attr.timeout && now.retry_cnt == 7 && now.rnr_retry == 7 &&
	      now.min_rnr_timer == 1 && now.max_rd_atomic == 4 && now.max_dest_rd_atomic == 4,
	      "timers and limits");
	check(now.port_num == 1 && now.ah_attr.is_global &&
	      now.ah_attr.grh.sgid_index == a.gid_index &&
		      !memcmp(&now.ah_attr.grh.dgid, &b.gid, sizeof(b.gid)),
	      "the address");
}

/* Invalid values are rejected and leave the state unchanged. */
static void test_refusals(void)
{
	static const struct {
		struct ibv_qp_attr attr;
		int mask;
	} rows[] = {
		{ { .min_rnr_timer = 32 }, IBV_QP_MIN_RNR_TIMER },
		{ { .qp_state = IBV_QPS_RTR }, IBV_QP_STATE },
		{ { .qp_state = IBV_QPS_SQE }, IBV_QP_STATE },
		{ { .qp_state = IBV_QPS_INIT }, IBV_QP_STATE },
		{ { .qp_state = IBV_QPS_ERR + 1 }, IBV_QP_STATE },
		{ { .qp_state = IBV_QPS_RTS, .cur_qp_state = IBV_QPS_SQD },
		  IBV_QP_STATE | IBV_QP_CUR_STATE },
		{ { .cap = { 1, 1, 1, 1, 1 } }, IBV_QP_CAP },
		{ { .rq_psn = 1 }, IBV_QP_RQ_PSN },
	};
	size_t i;

	fresh();
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibv_qp_attr bad = rows[i].attr;

		if (!ibv_modify_qp(a.qp, &bad, rows[i].mask))
			die("attributes, row %zu: taken, but must be refused", i);
	}
	check(state_of(&a) == IBV_QPS_RTS, "refused attributes change nothing");
	check(!to_state(&a, IBV_QPS_RESET, 0) && try_send(&a, 1) && state_of(&a) == IBV_QPS_RESET,
	      "no sends in RESET");
}

/* All posted WQEs complete, including those posted in ERR. */
static void test_flush(void)
{
	struct ibv_wc wc;
	uint64_t i;

	fresh();
	for (i = 1; i <= 10; i++)
		post_recv(&a, i);
	check(!to_state(&a, IBV_QPS_ERR, 0), "to ERR");
	for (i = 1; i <= 10; i++)
		side_expect(&a, i, IBV_WC_WR_FLUSH_ERR, &wc);
	post_recv(&a, 11);
	side_expect(&a, 11, IBV_WC_WR_FLUSH_ERR, &wc);
	post_send(&a, 12);
	side_expect(&a, 12, IBV_WC_WR_FLUSH_ERR, &wc);
}

static void exchange(uint64_t wr_id)
{
	struct ibv_wc wc;

	post_recv(&b, wr_id);
	post_send(&a, wr_id);
	side_expect(&b, wr_id, IBV_WC_SUCCESS, &wc);
	side_expect(&a, wr_id, IBV_WC_SUCCESS, &wc);
}

/* Post a receive 5 ms after its QP has failed. Returns the milliseconds until it is flushed. */
static unsigned int late_flush(void)
{
	struct ibv_wc wc;
	double begin;
	uint64_t i;

	fresh();
	for (i = 1; i <= 12; i++) {
		exchange(i);
		usleep(5000);
	}
	check(!to_state(&a, IBV_QPS_ERR, 0), "to ERR");
	usleep(5000);
	begin = seconds();
	post_recv(&a, 100);
	side_expect(&a, 100, IBV_WC_WR_FLUSH_ERR, &wc);
	return (seconds() - begin) * 1000;
}

/* Posting a receive makes no system call. The driver polls, often at first, in any QP. */
static void test_late_flush(void)
{
	unsigned int i, ms, best = UINT_MAX;

	for (i = 0; i < 5 && best > 100; i++) {
		ms = late_flush();
		best = ms < best ? ms : best;
	}
	if (best > 100)
		die("a receive posted late is flushed after %u ms", best);
}

static void to_init(struct side *s)
{
	struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT, .port_num = 1 };

	check(!to_state(s, IBV_QPS_RESET, 0), "to RESET");
	check(!ibv_modify_qp(s->qp, &init,
			     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
	      "to INIT");
}

/* RESET drops posted WQEs, and the QP can be connected again. */
static void test_reset(void)
{
	struct ibv_wc wc;
	int i;

	fresh();
	for (i = 0; i < 3; i++) {
		exchange(100 + i);
		post_recv(&b, 999);
		to_init(&a);
		to_init(&b);
		pair_connect(&a, &b, &attr);
		check(!ibv_poll_cq(a.cq, 1, &wc) && !ibv_poll_cq(b.cq, 1, &wc),
		      "RESET completes nothing");
	}
	exchange(200);
}

/* In SQD, sends wait; an event reports that the queue has drained; RTS resumes. */
static void test_drain(void)
{
	struct ibv_wc wc;

	fresh();
	exchange(1);
	check(!to_state(&a, IBV_QPS_SQD, IBV_QP_EN_SQD_ASYNC_NOTIFY), "to SQD");
	check(event_comes(&a, IBV_EVENT_SQ_DRAINED), "the drained event");
	post_recv(&b, 2);
	post_send(&a, 2);
	check(!ibv_poll_cq(b.cq, 1, &wc), "nothing is sent in SQD");
	check(!to_state(&a, IBV_QPS_RTS, 0), "back to RTS");
	side_expect(&b, 2, IBV_WC_SUCCESS, &wc);
	side_expect(&a, 2, IBV_WC_SUCCESS, &wc);
}

/* An unreachable peer is detected, even with the largest retry count. */
static void test_dead_peer(void)
{
	static const struct pair_attr quick = { .mtu = IBV_MTU_1024, .timeout = 8, .psn = 1 };
	struct ibv_wc wc;

	fresh();
	to_init(&a);
	to_init(&b);
	pair_connect(&a, &b, &quick);
	side_destroy_qp(&b);
	post_send(&a, 1);
	side_expect(&a, 1, IBV_WC_RETRY_EXC_ERR, &wc);
	check(state_of(&a) == IBV_QPS_ERR, "the QP is in ERR");
	post_send(&a, 2);
	side_expect(&a, 2, IBV_WC_WR_FLUSH_ERR, &wc);
}

/* The passive side of a connection gets an event for the first message received in RTR. */
static void test_established(void)
{
	struct ibv_wc wc;

	fresh();
	to_init(&a);
	to_init(&b);
	side_to_rtr(&a, &b, &attr);
	side_to_rtr(&b, &a, &attr);
	side_to_rts(&a, &attr);
	post_recv(&b, 1);
	post_send(&a, 1);
	side_expect(&b, 1, IBV_WC_SUCCESS, &wc);
	side_expect(&a, 1, IBV_WC_SUCCESS, &wc);
	check(event_comes(&b, IBV_EVENT_COMM_EST), "the event of a connection established");
	check(state_of(&b) == IBV_QPS_RTR, "the QP is in RTR still");
	side_to_rts(&b, &attr);
	exchange(2);
}

/* An invalid request fails both sides, and the responder gets an event. */
static void test_request_event(void)
{
	struct ibv_recv_wr *bad, wr = { .wr_id = 1 };
	struct ibv_wc wc;

	fresh();
	check(!ibv_post_recv(b.qp, &wr, &bad), "post a receive of nothing");
	post_send(&a, 2);
	side_expect(&b, 1, IBV_WC_LOC_LEN_ERR, &wc);
	side_expect(&a, 2, IBV_WC_REM_INV_REQ_ERR, &wc);
	check(event_comes(&b, IBV_EVENT_QP_REQ_ERR), "the request error event");
}

/* On an access violation, the responder gets an event and the requester an error completion. */
static void test_access_event(void)
{
	struct ibv_sge sge = { 0 };
	struct ibv_send_wr *bad, wr = {
		.wr_id = 5,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_RDMA_WRITE,
	};
	struct ibv_wc wc;

	fresh();
	sge = (struct ibv_sge){ (uintptr_t)a.buf, 64, a.mr->lkey };
	wr.wr.rdma.remote_addr = (uintptr_t)b.buf;
	wr.wr.rdma.rkey = b.mr->rkey ^ 0x5a;
	check(!ibv_post_send(a.qp, &wr, &bad), "post a WRITE");
	side_expect(&a, 5, IBV_WC_REM_ACCESS_ERR, &wc);
	check(event_comes(&b, IBV_EVENT_QP_ACCESS_ERR), "the access error event");
}

static void test_numbers(void)
{
	struct ibv_qp_init_attr init = {
		.send_cq = a.cq,
		.recv_cq = a.cq,
		.cap = { 1, 1, 1, 1, 0 },
		.qp_type = IBV_QPT_RC,
	};
	uint32_t last = 0;
	int i;

	for (i = 0; i < 100; i++) {
		struct ibv_qp *qp = ibv_create_qp(a.pd, &init);

		check(qp && qp->qp_num >= 16 && qp->qp_num < 0xffffff, "a QP number in range");
		check(qp->qp_num != last, "a number is not used again at once");
		last = qp->qp_num;
		check(!ibv_destroy_qp(qp), "destroy a QP");
	}
}

/*
 * The user library posts by write(), which uverbs refuses to a program whose credentials are not
 * those of the open file. The last test, as there is no way back: it compares pointers.
 */
static void test_credentials(void)
{
	fresh();
	post_send(&a, 1);
	check(!seteuid(65534), "another user");
	check(try_send(&a, 2) == EACCES, "EACCES of a post after seteuid()");
	check(!seteuid(0), "the first user");
}

int main(int argc, char **argv)
{
	if (argc != 5)
		die("usage: qp_life DEVICE_A GID_INDEX DEVICE_B GID_INDEX");
	side_open(&a, argv[1], atoi(argv[2]), BUF_SIZE);
	side_open(&b, argv[3], atoi(argv[4]), BUF_SIZE);
	test_capacities();
	test_types();
	test_numbers();
	test_attributes();
	test_refusals();
	test_flush();
	test_late_flush();
	test_reset();
	test_drain();
	test_established();
	test_request_event();
	test_access_event();
	test_dead_peer();
	test_credentials();
	side_close(&a);
	side_close(&b);
	return 0;
}
