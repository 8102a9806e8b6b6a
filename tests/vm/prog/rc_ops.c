// SPDX-License-Identifier: GPL-2.0
/*
 * Every RC operation between two devices, with one packet and with many, each checked byte by byte;
 * and the errors that the specification defines for invalid requests. PSNs start just before the
 * wrap.
 *
 *	rc_ops DEVICE GID-INDEX DEVICE GID-INDEX
 */
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair.h"

#define SIZE	(64 * 1024)
#define HALF	(SIZE / 2)
#define IMM	0xfeedbeefu

static const struct pair_attr attr = { IBV_MTU_1024, 14, 0xfffffa };
static uint64_t next_id = 1;

static void fill(struct side *s, unsigned int seed)
{
	size_t i;

	srandom(seed);
	for (i = 0; i < s->size; i++)
		s->buf[i] = random();
}

static void fresh(struct side *a, struct side *b)
{
	fill(a, next_id);
	fill(b, next_id + 1000);
}

/* Post a send WR whose data is the start of @s's buffer, in @nsge pieces. */
static uint64_t post(struct side *s, struct ibv_send_wr *wr, uint32_t len, int nsge)
{
	struct ibv_sge sge[4];
	struct ibv_send_wr *bad;
	uint32_t done = 0;
	int i;

	for (i = 0; i < nsge; i++) {
		uint32_t n = i == nsge - 1 ? len - done : len / nsge;

		sge[i] = (struct ibv_sge){ (uintptr_t)s->buf + done, n, s->mr->lkey };
		done += n;
	}
	wr->wr_id = next_id++;
	wr->sg_list = sge;
	wr->num_sge = nsge;
	wr->send_flags |= IBV_SEND_SIGNALED;
	if (ibv_post_send(s->qp, wr, &bad))
		die("posting failed");
	return wr->wr_id;
}

static uint64_t post_recv(struct side *s, uint32_t len)
{
	struct ibv_sge sge = { (uintptr_t)s->buf + HALF, len, s->mr->lkey };
	struct ibv_recv_wr wr = { .wr_id = next_id++, .sg_list = &sge, .num_sge = 1 };
	struct ibv_recv_wr *bad;

	if (ibv_post_recv(s->qp, &wr, &bad))
		die("posting a receive failed");
	return wr.wr_id;
}

static void same(const void *a, const void *b, size_t len, const char *what)
{
	if (memcmp(a, b, len))
		die("%s of %zu bytes: the data differs", what, len);
}

static void test_send(struct side *a, struct side *b, uint32_t len, bool imm, int flags)
{
	struct ibv_send_wr wr = {
		.opcode = imm ? IBV_WR_SEND_WITH_IMM : IBV_WR_SEND,
		.send_flags = flags,
		.imm_data = htonl(IMM),
	};
	struct ibv_wc wc;
	uint64_t rid, sid;

	fresh(a, b);
	rid = post_recv(b, HALF);
	sid = post(a, &wr, len, len ? 3 : 0);
	side_expect(b, rid, IBV_WC_SUCCESS, &wc);
	if (wc.byte_len != len || !!(wc.wc_flags & IBV_WC_WITH_IMM) != imm ||
	    (imm && wc.imm_data != htonl(IMM)) || wc.opcode != IBV_WC_RECV)
		die("SEND of %u bytes: the receive completion is wrong", len);
	same(a->buf, b->buf + HALF, len, "SEND");
	side_expect(a, sid, IBV_WC_SUCCESS, &wc);
}

static void test_write(struct side *a, struct side *b, uint32_t len, bool imm)
{
	struct ibv_send_wr wr = {
		.opcode = imm ? IBV_WR_RDMA_WRITE_WITH_IMM : IBV_WR_RDMA_WRITE,
		.imm_data = htonl(IMM),
		.wr.rdma = { (uintptr_t)b->buf + HALF + 1, b->mr->rkey },
	};
	uint64_t rid = 0, sid;
	uint8_t before, after;
	struct ibv_wc wc;

	fresh(a, b);
	before = b->buf[HALF];
	after = b->buf[HALF + 1 + len];
	if (imm)
		rid = post_recv(b, 0);
	sid = post(a, &wr, len, 2);
	side_expect(a, sid, IBV_WC_SUCCESS, &wc);
	if (imm) {
		side_expect(b, rid, IBV_WC_SUCCESS, &wc);
		if (wc.opcode != IBV_WC_RECV_RDMA_WITH_IMM ||
		    wc.imm_data != htonl(IMM) || wc.byte_len != len)
			die("WRITE with immediate: the receive completion is wrong");
	}
	same(a->buf, b->buf + HALF + 1, len, "WRITE");
	if (b->buf[HALF] != before || b->buf[HALF + 1 + len] != after)
		die("WRITE of %u bytes reached beyond its range", len);
}

static void test_read(struct side *a, struct side *b, uint32_t len)
{
	struct ibv_send_wr wr = {
		.opcode = IBV_WR_RDMA_READ,
		.wr.rdma = { (uintptr_t)b->buf + 3, b->mr->rkey },
	};
	struct ibv_wc wc;

	fresh(a, b);
	side_expect(a, post(a, &wr, len, 2), IBV_WC_SUCCESS, &wc);
	if (wc.byte_len != len)
		die("READ of %u bytes: %u in the completion", len, wc.byte_len);
	same(a->buf, b->buf + 3, len, "READ");
}

static void test_atomic(struct side *a, struct side *b, bool cas, bool match)
{
	struct ibv_send_wr wr = {
		.opcode = cas ? IBV_WR_ATOMIC_CMP_AND_SWP : IBV_WR_ATOMIC_FETCH_AND_ADD,
		.wr.atomic = { .remote_addr = (uintptr_t)b->buf + 8,
			       .rkey = b->mr->rkey },
	};
	uint64_t *target = (uint64_t *)(b->buf + 8);
	uint64_t old, expect;
	struct ibv_wc wc;

	fresh(a, b);
	old = *target;
	wr.wr.atomic.compare_add = cas ? old + !match : 0x123456789abcdefull;
	wr.wr.atomic.swap = ~old;
	expect = !cas ? old + 0x123456789abcdefull : match ? ~old : old;
	side_expect(a, post(a, &wr, 8, 1), IBV_WC_SUCCESS, &wc);
	if (*(uint64_t *)a->buf != old)
		die("atomic: the old value is wrong");
	if (*target != expect)
		die("atomic: the new value is wrong");
}

static void reconnect(struct side *a, struct side *b)
{
	struct ibv_wc wc;

	side_destroy_qp(a);
	side_destroy_qp(b);
	while (ibv_poll_cq(a->cq, 1, &wc) > 0 || ibv_poll_cq(b->cq, 1, &wc) > 0)
		;
	pair_create(a, b, &attr);
}

/* Post a request that must be rejected and a second one that must be flushed. */
static void refused(struct side *a, struct side *b, struct ibv_send_wr *wr,
		    uint32_t len, enum ibv_wc_status status)
{
	struct ibv_send_wr second = { .opcode = IBV_WR_SEND };
	uint64_t id = post(a, wr, len, 1), id2 = post(a, &second, 8, 1);
	struct ibv_wc wc;

	side_expect(a, id, status, &wc);
	side_expect(a, id2, IBV_WC_WR_FLUSH_ERR, &wc);
	reconnect(a, b);
}

static void test_errors(struct side *a, struct side *b)
{
	struct ibv_send_wr bad_key = {
		.opcode = IBV_WR_RDMA_WRITE,
		.wr.rdma = { (uintptr_t)b->buf, b->mr->rkey ^ 0x100 },
	};
	struct ibv_send_wr bad_range = {
		.opcode = IBV_WR_RDMA_READ,
		.wr.rdma = { (uintptr_t)b->buf + SIZE - 4, b->mr->rkey },
	};
	struct ibv_send_wr too_long = { .opcode = IBV_WR_SEND };
	/* An invalid key. The packets of both lengths are sent all the same. */
	struct ibv_send_wr inv = {
		.opcode = IBV_WR_SEND_WITH_INV,
		.invalidate_rkey = 0x12345678,
	};

	refused(a, b, &bad_key, 8, IBV_WC_REM_ACCESS_ERR);
	refused(a, b, &bad_range, 8, IBV_WC_REM_ACCESS_ERR);
	post_recv(b, 4);
	refused(a, b, &too_long, 8, IBV_WC_REM_INV_REQ_ERR);
	post_recv(b, HALF);
	refused(a, b, &inv, 8, IBV_WC_REM_ACCESS_ERR);
	post_recv(b, HALF);
	refused(a, b, &inv, 3000, IBV_WC_REM_ACCESS_ERR);
}

/* Without a posted receive, the sender waits, and resumes after one is posted. */
static void test_rnr(struct side *a, struct side *b)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };
	uint64_t sid, rid;
	struct ibv_wc wc;

	fresh(a, b);
	sid = post(a, &wr, 5000, 1);
	if (ibv_poll_cq(a->cq, 1, &wc))
		die("RNR: completed without a receive");
	rid = post_recv(b, HALF);
	side_expect(b, rid, IBV_WC_SUCCESS, &wc);
	side_expect(a, sid, IBV_WC_SUCCESS, &wc);
	same(a->buf, b->buf + HALF, 5000, "SEND after RNR");
}

int main(int argc, char **argv)
{
	static const uint32_t lengths[] = { 0, 1, 3, 4, 1023, 1024, 1025, 2048, 3001, 30000 };
	struct side a, b;
	unsigned int i;

	if (argc != 5)
		die("usage: rc_ops DEVICE GID-INDEX DEVICE GID-INDEX");
	side_open(&a, argv[1], atoi(argv[2]), SIZE);
	side_open(&b, argv[3], atoi(argv[4]), SIZE);
	pair_create(&a, &b, &attr);
	for (i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		test_send(&a, &b, lengths[i], false, 0);
		test_send(&b, &a, lengths[i], true, IBV_SEND_SOLICITED);
		test_write(&a, &b, lengths[i], false);
		test_write(&b, &a, lengths[i], true);
		test_read(&a, &b, lengths[i]);
	}
	test_send(&a, &b, 60, false, IBV_SEND_INLINE);
	test_atomic(&a, &b, true, true);
	test_atomic(&a, &b, true, false);
	test_atomic(&b, &a, false, false);
	test_rnr(&a, &b);
	test_errors(&a, &b);
	side_close(&a);
	side_close(&b);
	printf("rc_ops: all operations as expected\n");
	return 0;
}
