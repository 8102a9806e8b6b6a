// SPDX-License-Identifier: GPL-2.0
/*
 * Calls that fail at random while packets are sent and received, in each context: operations of
 * reliable services complete and move the right data, messages of unreliable ones are lost as a
 * whole. With memory paged on demand, an operation may fail if there is no memory for a page.
 *
 *	fault_packets DEVICE_A GID_INDEX DEVICE_B GID_INDEX
 *
 * The kernel's settings choose which calls may fail.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "pair.h"
#include "unreliable.h"

#define BUF	 (1u << 17)
#define ROUNDS	 200
#define ODP_ROUNDS 40
#define LONGEST	 40000u
#define ATOMIC	 8u
#define DATAGRAM 1024u
#define GRH	 40u
#define BURST	 32
#define RECVS	 (BURST + 1)

/* Of calls that fail; a large message makes many. */
#define PERCENT	      8
#define PERCENT_SMALL 30

#define SETTINGS "/sys/kernel/debug/"
#define ODP                                                                       \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | \
	 IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_ON_DEMAND)

/* The timeout is longer than page-in takes on a slow kernel. */
static const struct pair_attr attr = { .mtu = IBV_MTU_1024, .timeout = 16, .psn = 0xffff00 };

static struct side a, b;

static void set(const char *capability, const char *name, int value)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), SETTINGS "%s/%s", capability, name);
	file = fopen(path, "w");
	if (!file || fprintf(file, "%d", value) < 0 || fclose(file))
		die("%s: %m", path);
}

static int percent_of(uint32_t length)
{
	return length > DATAGRAM ? PERCENT : PERCENT_SMALL;
}

/* From here on, @percent of the calls that may fail do so. */
static void fail_randomly(int percent)
{
	set("failslab", "probability", percent);
	set("fail_page_alloc", "probability", percent);
}

/* Number of failures that are left. */
static long times(const char *capability)
{
	char path[128];
	long n = 0;
	FILE *file;

	snprintf(path, sizeof(path), SETTINGS "%s/times", capability);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%ld", &n) != 1)
		die("%s: %m", path);
	fclose(file);
	return n;
}

static long failures_left(void)
{
	return times("failslab") + times("fail_page_alloc");
}

/* A row in which no call fails tests nothing. */
static void report(const char *name, long calls, const char *more)
{
	printf("%-30s %ld calls failed%s\n", name, calls, more);
	fflush(stdout);
	if (!calls)
		die("%s: no call failed", name);
}

static uint8_t content(int round, uint32_t at)
{
	return round * 37 + at * 31 + at / 256 * 7;
}

static void fill(struct side *s, int round)
{
	for (uint32_t at = 0; at < LONGEST; at++)
		s->buf[at] = content(round, at);
}

static void check(const uint8_t *data, int round, uint32_t length, const char *name)
{
	for (uint32_t at = 0; at < length; at++)
		if (data[at] != content(round, at))
			die("%s: byte %u of %u is wrong", name, at, length);
}

/**
 * struct operation - a kind of work request of a
 * @reads: of b's memory
 * @receives: it takes a receive WR of b
 */
struct operation {
	const char *name;
	enum ibv_wr_opcode opcode;
	bool reads;
	bool receives;
};

static void post_recv(uint32_t length)
{
	struct ibv_sge sge = { (uintptr_t)b.buf, length, b.mr->lkey };
	struct ibv_recv_wr *bad, wr = { .sg_list = &sge, .num_sge = 1 };

	if (ibv_post_recv(b.qp, &wr, &bad))
		die("posting a receive fails: %m");
}

/* Post @wr. If a failure keeps its doorbell from ringing, that of the next WR covers it. */
static void post(struct ibv_send_wr *wr)
{
	struct ibv_send_wr *bad, nothing = { .opcode = IBV_WR_RDMA_WRITE };

	if (!ibv_post_send(a.qp, wr, &bad))
		return;
	fail_randomly(0);
	if (ibv_post_send(a.qp, &nothing, &bad))
		die("posting fails: %m");
}

static enum ibv_wc_status completion(struct side *s)
{
	struct ibv_wc wc;

	side_wait(s, &wc);
	return wc.status;
}

/* Return: the status of an operation on @length bytes, at both ends. */
static enum ibv_wc_status operate(const struct operation *op, uint32_t length)
{
	struct ibv_sge sge = { (uintptr_t)a.buf, length, a.mr->lkey };
	struct ibv_send_wr wr = {
		.opcode = op->opcode,
		.sg_list = &sge,
		.num_sge = 1,
		.send_flags = IBV_SEND_SIGNALED,
	};
	enum ibv_wc_status status;

	if (op->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		wr.wr.atomic.remote_addr = (uintptr_t)b.buf;
		wr.wr.atomic.rkey = b.mr->rkey;
	} else {
		wr.wr.rdma.remote_addr = (uintptr_t)b.buf;
		wr.wr.rdma.rkey = b.mr->rkey;
	}
	if (op->receives)
		post_recv(length);
	post(&wr);
	status = completion(&a);
	if (op->receives && status == IBV_WC_SUCCESS)
		status = completion(&b);
	return status;
}

static uint32_t length_of(const struct operation *op, int round)
{
	if (op->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD)
		return ATOMIC;
	return round % 4 ? round * 40503u % LONGEST + 1 : LONGEST;
}

static void check_data(const struct operation *op, int round, uint32_t length)
{
	if (op->reads)
		check(a.buf, round + 1, length, op->name);
	else if (op->opcode != IBV_WR_ATOMIC_FETCH_AND_ADD)
		check(b.buf, round, length, op->name);
}

/* Of memory paged on demand, only the source has pages. */
static void drop_pages(const struct operation *op, int round)
{
	if (madvise(a.buf, BUF, MADV_DONTNEED) || madvise(b.buf, BUF, MADV_DONTNEED))
		die("madvise: %m");
	if (op->reads)
		fill(&b, round + 1);
	else
		fill(&a, round);
}

static void recover(const struct operation *op, int round, bool odp, enum ibv_wc_status status)
{
	if (!odp)
		die("%s: %s", op->name, ibv_wc_status_str(status));
	pair_destroy(&a, &b);
	pair_create(&a, &b, &attr);
	status = operate(op, length_of(op, round));
	if (status != IBV_WC_SUCCESS)
		die("%s after a failure: %s", op->name, ibv_wc_status_str(status));
}

/* Return: true if the operation has failed. */
static bool reliable_round(const struct operation *op, int round, bool odp)
{
	uint32_t length = length_of(op, round);
	enum ibv_wc_status status;

	fill(&a, round);
	fill(&b, round + 1);
	if (odp)
		drop_pages(op, round);
	fail_randomly(percent_of(length));
	status = operate(op, length);
	fail_randomly(0);
	if (status != IBV_WC_SUCCESS)
		recover(op, round, odp, status);
	check_data(op, round, length);
	return status != IBV_WC_SUCCESS;
}

static void reliable(const char *memory, bool odp)
{
	static const struct operation ops[] = {
		{ "WRITE", IBV_WR_RDMA_WRITE, false, false },
		{ "WRITE with immediate", IBV_WR_RDMA_WRITE_WITH_IMM, false, true },
		{ "READ", IBV_WR_RDMA_READ, true, false },
		{ "SEND", IBV_WR_SEND, false, true },
		{ "atomic", IBV_WR_ATOMIC_FETCH_AND_ADD, false, false },
	};
	int round, failed;
	char more[64];
	long left;
	size_t i;

	pair_create(&a, &b, &attr);
	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		left = failures_left();
		failed = 0;
		for (round = 0; round < (odp ? ODP_ROUNDS : ROUNDS); round++)
			failed += reliable_round(&ops[i], round, odp);
		snprintf(more, sizeof(more), ", %d operations (%s)", failed, memory);
		report(ops[i].name, left - failures_left(), more);
	}
	pair_destroy(&a, &b);
}

static void reopen_odp(struct side *s)
{
	if (ibv_dereg_mr(s->mr))
		die("cannot deregister: %m");
	s->mr = ibv_reg_mr(s->pd, s->buf, BUF, ODP);
	if (!s->mr)
		die("no region paged on demand: %m");
}

/**
 * struct message - a kind of message of an unreliable service
 * @type: of the QP
 * @burst: messages that are posted at once
 * @grh: bytes before the data that the peer receives
 */
struct message {
	const char *name;
	enum ibv_qp_type type;
	enum ibv_wr_opcode opcode;
	uint32_t length;
	uint32_t burst;
	uint32_t grh;
};

/* Send @n messages by one list of WRs. */
static void send_messages(const struct message *m, struct ibv_ah *ah, uint32_t imm, uint32_t n)
{
	struct ibv_sge sge = { (uintptr_t)a.buf, m->length, a.mr->lkey };
	struct ibv_send_wr list[BURST], *bad, wr = {
		.opcode = m->opcode,
		.sg_list = &sge,
		.num_sge = 1,
		.send_flags = IBV_SEND_SIGNALED,
		.imm_data = imm,
	};
	uint32_t i;

	if (ah) {
		wr.wr.ud.ah = ah;
		wr.wr.ud.remote_qpn = b.qp->qp_num;
		wr.wr.ud.remote_qkey = UNRELIABLE_QKEY;
	} else {
		wr.wr.rdma.remote_addr = (uintptr_t)b.buf;
		wr.wr.rdma.rkey = b.mr->rkey;
	}
	for (i = 0; i < n; i++) {
		list[i] = wr;
		list[i].next = i + 1 < n ? &list[i + 1] : NULL;
	}
	/* If the doorbell does not ring, that of the next message covers these. */
	ibv_post_send(a.qp, list, &bad);
}

/*
 * A burst of messages with calls failing, and a message without: that must arrive. Return: the
 * number of receive WRs consumed.
 */
static int unreliable_round(const struct message *m, struct ibv_ah *ah, int round)
{
	struct ibv_wc wc;
	uint32_t i;
	int n = 0;

	fill(&a, round);
	fail_randomly(percent_of(m->length));
	send_messages(m, ah, 2 * round, m->burst);
	fail_randomly(0);
	send_messages(m, ah, 2 * round + 1, 1);
	for (i = 0; i < m->burst + 1; i++)
		if (completion(&a) != IBV_WC_SUCCESS)
			die("%s: a message fails", m->name);
	do {
		side_wait(&b, &wc);
		if (wc.status != IBV_WC_SUCCESS)
			die("%s: receive: %s", m->name, ibv_wc_status_str(wc.status));
		check(b.buf + m->grh, round, m->length, m->name);
		n++;
	} while (wc.imm_data != 2u * round + 1);
	return n;
}

static void unreliable_rounds(const struct message *m, struct ibv_ah *ah)
{
	long left = failures_left();
	int round, i, missing = RECVS;

	unreliable_create(&a, m->type);
	unreliable_create(&b, m->type);
	unreliable_to_rts(&a, &b, m->type);
	unreliable_to_rts(&b, &a, m->type);
	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < missing; i++)
			post_recv(m->length + m->grh);
		missing = unreliable_round(m, ah, round);
	}
	report(m->name, left - failures_left(), "");
	pair_destroy(&a, &b);
}

static void unreliable(void)
{
	/*
	 * The data of a datagram comes from a page fragment. While no datagram of the page is under
	 * way, the kernel uses the page again: so only a burst makes it allocate one.
	 */
	static const struct message messages[] = {
		{ "SEND of UC", IBV_QPT_UC, IBV_WR_SEND_WITH_IMM, LONGEST, 1, 0 },
		{ "WRITE of UC", IBV_QPT_UC, IBV_WR_RDMA_WRITE_WITH_IMM, LONGEST, 1, 0 },
		{ "datagram", IBV_QPT_UD, IBV_WR_SEND_WITH_IMM, DATAGRAM, BURST, GRH },
	};
	struct ibv_ah_attr to = {
		.is_global = 1,
		.port_num = 1,
		.grh = { .dgid = b.gid, .sgid_index = a.gid_index, .hop_limit = 9 },
	};
	struct ibv_ah *ah = ibv_create_ah(a.pd, &to);
	size_t i;

	if (!ah)
		die("no AH: %m");
	for (i = 0; i < sizeof(messages) / sizeof(messages[0]); i++)
		unreliable_rounds(&messages[i], messages[i].type == IBV_QPT_UD ? ah : NULL);
	if (ibv_destroy_ah(ah))
		die("cannot destroy the AH: %m");
}

int main(int argc, char **argv)
{
	if (argc != 5)
		die("usage: fault_packets DEVICE_A GID_INDEX DEVICE_B GID_INDEX");
	side_open(&a, argv[1], atoi(argv[2]), BUF);
	side_open(&b, argv[3], atoi(argv[4]), BUF);
	reliable("pinned", false);
	unreliable();
	reopen_odp(&a);
	reopen_odp(&b);
	reliable("paged on demand", true);
	side_close(&a);
	side_close(&b);
	return 0;
}
