// SPDX-License-Identifier: GPL-2.0
/*
 * Call every verb with its first, second, ... kernel allocation failing, until it succeeds: it must
 * return an error, can be repeated, and its objects can be destroyed. The kernel's settings choose
 * what else fails: copies from and to the program, allocations of pages.
 *
 *	failslab DEVICE_A GID_INDEX DEVICE_B GID_INDEX [NETDEV]
 *
 * With NETDEV, a link is added to that interface and deleted, too.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nldev.h"
#include "pair.h"

#define BUF    (4u << 20)
#define MAX_NTH 1000
#define FULL                                                                      \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | \
	 IBV_ACCESS_REMOTE_ATOMIC)

static struct side a, b;
static int nth_fd;
static unsigned int injected;

/* Make the @nth allocation of this thread fail; 0: none. */
static void arm(int nth)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d", nth);

	if (pwrite(nth_fd, text, len, 0) != len)
		die("fail-nth: %m");
}

/* Return: true if an allocation has failed. */
static bool disarm(void)
{
	char text[16] = "";

	if (pread(nth_fd, text, sizeof(text) - 1, 0) <= 0)
		die("fail-nth: %m");
	arm(0);
	return !atoi(text);
}

/* Objects that the rows create. */
static struct ibv_context *ctx;
static struct ibv_pd *pd;
static struct ibv_mr *mr;
static struct ibv_mw *mw;
static struct ibv_comp_channel *channel;
static struct ibv_cq *cq;
static struct ibv_srq *srq;
static struct ibv_qp *qp;
static struct ibv_ah *ah;
static const char *netdev;

static bool make_ctx(void)
{
	return (ctx = ibv_open_device(a.ctx->device));
}

static bool unmake_ctx(void)
{
	return !ibv_close_device(ctx);
}

static bool make_pd(void)
{
	return (pd = ibv_alloc_pd(a.ctx));
}

static bool unmake_pd(void)
{
	return !ibv_dealloc_pd(pd);
}

static bool make_mr(void)
{
	return (mr = ibv_reg_mr(a.pd, a.buf, BUF, FULL));
}

static bool make_paged_mr(void)
{
	return (mr = ibv_reg_mr(a.pd, a.buf, BUF, FULL | IBV_ACCESS_ON_DEMAND));
}

static bool unmake_mr(void)
{
	return !ibv_dereg_mr(mr);
}

static bool make_mw(void)
{
	return (mw = ibv_alloc_mw(a.pd, IBV_MW_TYPE_1));
}

static bool make_mw_2(void)
{
	return (mw = ibv_alloc_mw(a.pd, IBV_MW_TYPE_2));
}

static bool unmake_mw(void)
{
	return !ibv_dealloc_mw(mw);
}

static bool make_channel(void)
{
	return (channel = ibv_create_comp_channel(a.ctx));
}

static bool unmake_channel(void)
{
	return !ibv_destroy_comp_channel(channel);
}

static bool make_cq(void)
{
	return (cq = ibv_create_cq(a.ctx, 100, NULL, NULL, 0));
}

static bool make_resized_cq(void)
{
	return !ibv_resize_cq(a.cq, 1000);
}

static bool unmake_resized_cq(void)
{
	return !ibv_resize_cq(a.cq, 256);
}

static bool unmake_cq(void)
{
	return !ibv_destroy_cq(cq);
}

static bool make_srq(void)
{
	struct ibv_srq_init_attr init = { .attr = { .max_wr = 100, .max_sge = 2 } };

	return (srq = ibv_create_srq(a.pd, &init));
}

static bool unmake_srq(void)
{
	return !ibv_destroy_srq(srq);
}

static bool make_qp_of(enum ibv_qp_type type)
{
	struct ibv_qp_init_attr init = {
		.send_cq = a.cq,
		.recv_cq = a.cq,
		.cap = { 64, 64, 4, 4, 64 },
		.qp_type = type,
	};

	return (qp = ibv_create_qp(a.pd, &init));
}

static bool make_rc_qp(void)
{
	return make_qp_of(IBV_QPT_RC);
}

static bool make_uc_qp(void)
{
	return make_qp_of(IBV_QPT_UC);
}

static bool make_ud_qp(void)
{
	return make_qp_of(IBV_QPT_UD);
}

static bool unmake_qp(void)
{
	return !ibv_destroy_qp(qp);
}

/* Take a QP through its states up to RTS. Each attempt starts from RESET. */
static bool make_rts(void)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = FULL,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = 1,
		.max_dest_rd_atomic = 4,
		.ah_attr = { .is_global = 1,
			     .port_num = 1,
			     .grh = { .dgid = b.gid, .sgid_index = a.gid_index, .hop_limit = 9 } },
		.timeout = 14,
		.max_rd_atomic = 4,
	};

	if (ibv_modify_qp(a.qp, &attr,
			  IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS))
		return false;
	attr.qp_state = IBV_QPS_RTR;
	if (ibv_modify_qp(a.qp, &attr,
			  IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				  IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER))
		return false;
	attr.qp_state = IBV_QPS_RTS;
	return !ibv_modify_qp(a.qp, &attr,
			      IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				      IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
}

static bool unmake_rts(void)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RESET };

	return !ibv_modify_qp(a.qp, &attr, IBV_QP_STATE);
}

static bool make_ah(void)
{
	struct ibv_ah_attr attr = {
		.is_global = 1,
		.port_num = 1,
		.grh = { .dgid = b.gid, .sgid_index = a.gid_index, .hop_limit = 9 },
	};

	return (ah = ibv_create_ah(a.pd, &attr));
}

static bool unmake_ah(void)
{
	return !ibv_destroy_ah(ah);
}

static const union ibv_gid group = {
	.raw = { [10] = 0xff, [11] = 0xff, [12] = 239, [13] = 1, [14] = 2, [15] = 3 },
};

static bool make_member(void)
{
	return !ibv_attach_mcast(qp, &group, 0);
}

static bool unmake_member(void)
{
	return !ibv_detach_mcast(qp, &group, 0);
}

static bool make_link(void)
{
	return nldev_newlink("rxe_f", netdev);
}

static bool unmake_link(void)
{
	return nldev_dellink("rxe_f");
}

/**
 * struct row - a verb and the verb that undoes it
 * @retry: undo the completed part of @make before the next attempt
 */
static const struct row {
	const char *name;
	bool (*make)(void);
	bool (*unmake)(void);
	bool retry;
} rows[] = {
	{ "context", make_ctx, unmake_ctx, false },
	{ "protection domain", make_pd, unmake_pd, false },
	{ "memory region", make_mr, unmake_mr, false },
	{ "on-demand memory region", make_paged_mr, unmake_mr, false },
	{ "type 1 memory window", make_mw, unmake_mw, false },
	{ "type 2 memory window", make_mw_2, unmake_mw, false },
	{ "completion channel", make_channel, unmake_channel, false },
	{ "completion queue", make_cq, unmake_cq, false },
	{ "resized completion queue", make_resized_cq, unmake_resized_cq, false },
	{ "shared receive queue", make_srq, unmake_srq, false },
	{ "RC queue pair", make_rc_qp, unmake_qp, false },
	{ "UC queue pair", make_uc_qp, unmake_qp, false },
	{ "UD queue pair", make_ud_qp, unmake_qp, false },
	{ "states of a queue pair", make_rts, unmake_rts, true },
	{ "address handle", make_ah, unmake_ah, false },
};

/* Call @what with each of its allocations failing in turn; call @undo after a success. */
static void each_fails(const struct row *row, bool (*what)(void), bool (*undo)(void), bool retry)
{
	bool failed = true, ok;
	int nth;

	for (nth = 1; failed; nth++) {
		if (nth > MAX_NTH)
			die("%s: no end of allocations", row->name);
		arm(nth);
		ok = what();
		failed = disarm();
		injected += failed;
		if (!ok && !failed)
			die("%s fails: %m", row->name);
		if (!ok && retry && !undo())
			die("%s: cannot start again: %m", row->name);
		/* The caller can do without some allocations. */
		if (ok && !undo())
			die("%s, made with allocation %d failing, cannot be undone: %m", row->name,
			    nth);
	}
}

static void test_row(const struct row *row)
{
	unsigned int before = injected;

	each_fails(row, row->make, row->unmake, row->retry);
	/* The undo verb: if it fails, it can be repeated. */
	if (!row->make())
		die("%s fails: %m", row->name);
	for (int nth = 1;; nth++) {
		bool ok, failed;

		arm(nth);
		ok = row->unmake();
		failed = disarm();
		injected += failed;
		if (!ok && !failed)
			die("undoing %s fails: %m", row->name);
		if (!ok && !row->unmake())
			die("undoing %s fails for good: %m", row->name);
		if (!failed)
			break;
		if (!row->make())
			die("%s fails: %m", row->name);
	}
	printf("%-28s %u allocations\n", row->name, injected - before);
}

/* Operations: a failed allocation loses a packet, which only causes a delay. */
static void test_traffic(void)
{
	struct pair_attr attr = { .mtu = IBV_MTU_1024, .timeout = 10, .psn = 0xffff00 };
	static const enum ibv_wr_opcode opcodes[] = { IBV_WR_RDMA_WRITE, IBV_WR_RDMA_READ,
						      IBV_WR_SEND, IBV_WR_ATOMIC_FETCH_AND_ADD };
	struct ibv_sge sge = { (uintptr_t)a.buf, 20000, a.mr->lkey };
	struct ibv_sge into = { (uintptr_t)b.buf, 20000, b.mr->lkey };
	struct ibv_send_wr *bad,
		wr = { .sg_list = &sge, .num_sge = 1, .send_flags = IBV_SEND_SIGNALED };
	struct ibv_send_wr nothing = { .opcode = IBV_WR_RDMA_WRITE };
	struct ibv_recv_wr *bad_recv, recv = { .sg_list = &into, .num_sge = 1 };
	struct ibv_wc wc;
	int nth, err;
	bool failed;
	size_t i;

	pair_create(&a, &b, &attr);
	for (i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++) {
		for (nth = 1; nth <= 40; nth++) {
			wr.opcode = opcodes[i];
			if (wr.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
				sge.length = 8;
				wr.wr.atomic.remote_addr = (uintptr_t)b.buf;
				wr.wr.atomic.rkey = b.mr->rkey;
			} else {
				wr.wr.rdma.remote_addr = (uintptr_t)b.buf;
				wr.wr.rdma.rkey = b.mr->rkey;
			}
			if (wr.opcode == IBV_WR_SEND && ibv_post_recv(b.qp, &recv, &bad_recv))
				die("posting a receive fails: %m");
			arm(nth);
			err = ibv_post_send(a.qp, &wr, &bad);
			failed = disarm();
			injected += failed;
			if (err && !failed)
				die("posting fails: %s", strerror(err));
			/* The doorbell did not ring. The next one covers this WQE, too. */
			if (err && ibv_post_send(a.qp, &nothing, &bad))
				die("posting fails: %m");
			side_wait(&a, &wc);
			if (wc.status != IBV_WC_SUCCESS)
				die("operation %d: %s", wr.opcode, ibv_wc_status_str(wc.status));
			if (wr.opcode == IBV_WR_SEND)
				side_wait(&b, &wc);
		}
	}
	side_destroy_qp(&a);
	side_destroy_qp(&b);
}

int main(int argc, char **argv)
{
	static const struct row member = { "group member", make_member, unmake_member, false };
	static const struct row link = { "link", make_link, unmake_link, false };
	size_t i;

	if (argc != 5 && argc != 6)
		die("usage: failslab DEVICE_A GID_INDEX DEVICE_B GID_INDEX [NETDEV]");
	nth_fd = open("/proc/thread-self/fail-nth", O_RDWR);
	if (nth_fd < 0)
		die("the kernel cannot have allocations fail: %m");
	side_open(&a, argv[1], atoi(argv[2]), BUF);
	side_open(&b, argv[3], atoi(argv[4]), BUF);
	side_create_qp(&a);
	if (!unmake_rts())
		die("cannot reset: %m");
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		test_row(&rows[i]);
	side_destroy_qp(&a);

	if (!make_ud_qp())
		die("no QP: %m");
	test_row(&member);
	unmake_qp();
	test_traffic();
	netdev = argv[5];
	if (netdev) {
		nldev_open();
		test_row(&link);
	}
	if (injected < 50)
		die("only %u allocations failed", injected);
	side_close(&a);
	side_close(&b);
	printf("%u allocations failed\n", injected);
	return 0;
}
