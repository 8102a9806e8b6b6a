// SPDX-License-Identifier: GPL-2.0
/*
 * Test FLUSH and ATOMIC WRITE: they require certain access rights, execute in order and exactly
 * once, and are rejected by a kernel that does not support them.
 *
 * 	flush DEVICE_A GID_INDEX DEVICE_B GID_INDEX all|effects|absent ROUNDS
 *
 * A executes both on B's memory. "effects" omits operations that fail: on a lossy network, the NAK
 * that carries the error code may be lost, too.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flush_wr.h"
#include "pair.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define BUF	      16384u
#define FROM	      (4096u - 256u) /* the memory that a row is about, over two pages */
#define LENGTH	      1024u
#define WORD	      0x1122334455667788ull

static struct ibv_pd *other_pd;

/*
 * Access rights that each operation requires.
 */

enum which { RIGHT, LOW_BYTE, INDEX };

/**
 * struct row - one operation
 * @op: WR_FLUSH or WR_ATOMIC_WRITE
 * @mr: access rights of the region besides local write; @qp: those of the QP
 * @type: placement type of a FLUSH; @level: its selectivity level
 * @offset: into the region; @length: from there
 */
static const struct row {
	const char *name;
	int op;
	int mr, qp;
	uint8_t type, level;
	int64_t offset;
	uint32_t length;
	enum which key;
	bool other_pd;
	enum ibv_wc_status status;
} rows[] = {
	{ "all of it", WR_FLUSH, FG, FG, GLOBAL, RANGE, 0, LENGTH, 0, 0, IBV_WC_SUCCESS },
	{ "a byte", WR_FLUSH, FG, FG, GLOBAL, RANGE, 5, 1, 0, 0, IBV_WC_SUCCESS },
	{ "nothing of it", WR_FLUSH, FG, FG, GLOBAL, RANGE, 5, 0, 0, 0, IBV_WC_SUCCESS },
	{ "a region by its key", WR_FLUSH, FG, FG, GLOBAL, REGION, -4096, 9999, 0, 0, IBV_WC_SUCCESS },
	{ "no right of the region", WR_FLUSH, RW | RR | RA, FG, GLOBAL, RANGE, 0, 8, 0, 0,
	  IBV_WC_REM_ACCESS_ERR },
	{ "no right of the QP", WR_FLUSH, FG, RW | RR | RA, GLOBAL, RANGE, 0, 8, 0, 0,
	  IBV_WC_REM_ACCESS_ERR },
	{ "a region without the right", WR_FLUSH, RW, FG, GLOBAL, REGION, 0, 0, 0, 0,
	  IBV_WC_REM_ACCESS_ERR },
	{ "persistence", WR_FLUSH, FG, FG, PERSISTENT, RANGE, 0, 8, 0, 0, IBV_WC_REM_ACCESS_ERR },
	{ "persistence, QP willing", WR_FLUSH, FG, FG | FP, PERSISTENT, RANGE, 0, 8, 0, 0,
	  IBV_WC_REM_ACCESS_ERR },
	{ "both", WR_FLUSH, FG, FG | FP, GLOBAL | PERSISTENT, RANGE, 0, 8, 0, 0,
	  IBV_WC_REM_ACCESS_ERR },
	{ "a byte before", WR_FLUSH, FG, FG, GLOBAL, RANGE, -1, 8, 0, 0, IBV_WC_REM_ACCESS_ERR },
	{ "a byte behind", WR_FLUSH, FG, FG, GLOBAL, RANGE, 1, LENGTH, 0, 0, IBV_WC_REM_ACCESS_ERR },
	{ "2 GiB", WR_FLUSH, FG, FG, GLOBAL, RANGE, 0, 1u << 31, 0, 0, IBV_WC_REM_ACCESS_ERR },
	{ "more", WR_FLUSH, FG, FG, GLOBAL, RANGE, 0, (1u << 31) + 1, 0, 0, IBV_WC_LOC_LEN_ERR },
	{ "key with a wrong low byte", WR_FLUSH, FG, FG, GLOBAL, RANGE, 0, 8, LOW_BYTE, 0,
	  IBV_WC_REM_ACCESS_ERR },
	{ "key of nothing", WR_FLUSH, FG, FG, GLOBAL, REGION, 0, 8, INDEX, 0, IBV_WC_REM_ACCESS_ERR },
	{ "another PD", WR_FLUSH, FG, FG, GLOBAL, RANGE, 0, 8, 0, 1, IBV_WC_REM_ACCESS_ERR },
	{ "no type", WR_FLUSH, FG, FG, 0, RANGE, 0, 8, 0, 0, IBV_WC_LOC_QP_OP_ERR },
	{ "an unknown type", WR_FLUSH, FG, FG, 4, RANGE, 0, 8, 0, 0, IBV_WC_LOC_QP_OP_ERR },
	{ "an unknown level", WR_FLUSH, FG, FG, GLOBAL, 2, 0, 8, 0, 0, IBV_WC_LOC_QP_OP_ERR },

	{ "the first word", WR_ATOMIC_WRITE, RW, RW, 0, 0, 0, 8, 0, 0, IBV_WC_SUCCESS },
	{ "before the page's end", WR_ATOMIC_WRITE, RW, RW, 0, 0, 248, 8, 0, 0, IBV_WC_SUCCESS },
	{ "the last word", WR_ATOMIC_WRITE, RW, RW, 0, 0, LENGTH - 8, 8, 0, 0, IBV_WC_SUCCESS },
	{ "the word behind", WR_ATOMIC_WRITE, RW, RW, 0, 0, LENGTH, 8, 0, 0, IBV_WC_REM_ACCESS_ERR },
	{ "the word before", WR_ATOMIC_WRITE, RW, RW, 0, 0, -8, 8, 0, 0, IBV_WC_REM_ACCESS_ERR },
	{ "an odd address", WR_ATOMIC_WRITE, RW, RW, 0, 0, 4, 8, 0, 0, IBV_WC_REM_INV_REQ_ERR },
	{ "half a word", WR_ATOMIC_WRITE, RW, RW, 0, 0, 0, 4, 0, 0, IBV_WC_LOC_LEN_ERR },
	{ "two words", WR_ATOMIC_WRITE, RW, RW, 0, 0, 0, 16, 0, 0, IBV_WC_LOC_LEN_ERR },
	{ "no right of the region", WR_ATOMIC_WRITE, RR | RA, RW, 0, 0, 0, 8, 0, 0,
	  IBV_WC_REM_ACCESS_ERR },
	{ "no right of the QP", WR_ATOMIC_WRITE, RW, RR | RA | FG, 0, 0, 0, 8, 0, 0,
	  IBV_WC_REM_ACCESS_ERR },
	{ "key with a wrong low byte", WR_ATOMIC_WRITE, RW, RW, 0, 0, 0, 8, LOW_BYTE, 0,
	  IBV_WC_REM_ACCESS_ERR },
	{ "key of nothing", WR_ATOMIC_WRITE, RW, RW, 0, 0, 0, 8, INDEX, 0, IBV_WC_REM_ACCESS_ERR },
	{ "another PD", WR_ATOMIC_WRITE, RW, RW, 0, 0, 0, 8, 0, 1, IBV_WC_REM_ACCESS_ERR },
};

static struct ibv_mr *reg(struct ibv_pd *pd, int access)
{
	return ibv_reg_mr(pd, b.buf + FROM, LENGTH, LW | access);
}

static uint32_t key_of(const struct ibv_mr *mr, enum which which)
{
	return which == LOW_BYTE ? mr->rkey ^ 1 : which == INDEX ? mr->rkey ^ 0x10000 : mr->rkey;
}

static void post_row(const struct row *row, const struct ibv_mr *mr)
{
	uint64_t addr = (uintptr_t)b.buf + FROM + row->offset;
	uint32_t key = key_of(mr, row->key);
	struct flush_wr flush = { addr, row->length, key, row->type, row->level };

	if (row->op == WR_FLUSH)
		post_flush(&flush);
	else
		post_word(addr, key, WORD, row->length);
}

/* The word must be in its place if it was written, and nothing else may have changed. */
static void check_memory(const struct row *row, bool written)
{
	static uint8_t want[BUF];
	uint64_t word = WORD;

	memset(want, 0x5a, BUF);
	if (written)
		memcpy(want + FROM + row->offset, &word, sizeof(word));
	if (memcmp(b.buf, want, BUF))
		die("ATOMIC WRITE, %s: memory is not as it should be", row->name);
}

static void test_row(const struct row *row)
{
	const char *op = row->op == WR_FLUSH ? "FLUSH" : "ATOMIC WRITE";
	int opcode = row->op == WR_FLUSH ? WC_FLUSH : WC_ATOMIC_WRITE;
	bool good = row->status == IBV_WC_SUCCESS;
	struct ibv_mr *mr = reg(row->other_pd ? other_pd : b.pd, row->mr);
	struct ibv_wc wc;

	if (!mr)
		die("%s, %s: no region with rights %#x: %m", op, row->name, row->mr);
	memset(b.buf, 0x5a, BUF);
	connect_pair(row->qp);
	post_row(row, mr);
	side_wait(&a, &wc);
	if (wc.status != row->status || (good && (int)wc.opcode != opcode))
		die("%s, %s: %s, opcode %d; expected %s", op, row->name,
		    ibv_wc_status_str(wc.status), wc.opcode, ibv_wc_status_str(row->status));
	check_memory(row, good && row->op == WR_ATOMIC_WRITE);
	pair_destroy(&a, &b);
	if (ibv_dereg_mr(mr))
		die("%s, %s: the region cannot be deregistered: %m", op, row->name);
}

/*
 * Ordering.
 */

/* When a FLUSH has completed, earlier WRITEs are in memory. */
static void test_order(unsigned int rounds)
{
	struct ibv_mr *mr = ibv_reg_mr(b.pd, b.buf, BUF, LW | RW | FG);
	struct flush_wr flush = { (uintptr_t)b.buf, BUF, mr->rkey, GLOBAL, RANGE };
	unsigned int i, j;

	connect_pair(RW | FG);
	for (i = 0; i < rounds; i++) {
		for (j = 0; j < BUF; j++)
			a.buf[j] = i * 7 + j / 3;
		for (j = 0; j < BUF; j += 4096)
			post(IBV_WR_RDMA_WRITE, j, 4096, (uintptr_t)b.buf + j, mr->rkey, 0);
		post_flush(&flush);
		for (j = 0; j < BUF; j += 4096)
			expect("a WRITE before a FLUSH", IBV_WC_RDMA_WRITE);
		expect("a FLUSH behind WRITEs", WC_FLUSH);
		if (memcmp(a.buf, b.buf, BUF))
			die("FLUSH %u completes before what was written is there", i);
	}
	pair_destroy(&a, &b);
	ibv_dereg_mr(mr);
}

/* Watch the words while they are written: each changes atomically and never reverts. */
static const uint64_t final_word = ~0ull;

static void *watch(void *arg)
{
	volatile uint64_t *word = arg;
	uint64_t now, before = 0;

	do {
		now = *word;
		if (now != final_word && (now < before || (uint32_t)now > 2))
			die("a word is %#llx after %#llx", (unsigned long long)now,
			    (unsigned long long)before);
		before = now;
	} while (now != final_word);
	return NULL;
}

/* Each word is written once, after the preceding atomics and before the following ones. */
static void test_words(unsigned int rounds)
{
	uint64_t *old = (uint64_t *)a.buf, addr = (uintptr_t)b.buf;
	struct ibv_mr *mr = ibv_reg_mr(b.pd, b.buf, BUF, LW | RW | RA | FG);
	struct flush_wr flush = { addr, 8, mr->rkey, GLOBAL, REGION };
	pthread_t thread;
	uint64_t i;

	memset(b.buf, 0, 8);
	connect_pair(RW | RA | FG);
	if (pthread_create(&thread, NULL, watch, b.buf))
		die("no thread");
	for (i = 1; i <= rounds; i++) {
		post_word(addr, mr->rkey, i << 32, 8);
		post(IBV_WR_ATOMIC_FETCH_AND_ADD, 0, 8, addr, mr->rkey, 1);
		post_flush(&flush);
		post(IBV_WR_ATOMIC_FETCH_AND_ADD, 8, 8, addr, mr->rkey, 1);
		post_word(addr, mr->rkey, (i << 32) + 2, 8);
		expect("a word", WC_ATOMIC_WRITE);
		expect("an atomic behind it", IBV_WC_FETCH_ADD);
		expect("a FLUSH of a region", WC_FLUSH);
		expect("another atomic", IBV_WC_FETCH_ADD);
		expect("another word", WC_ATOMIC_WRITE);
		if (old[0] != i << 32 || old[1] != (i << 32) + 1)
			die("round %llu: the atomics found %#llx and %#llx", (unsigned long long)i,
			    (unsigned long long)old[0], (unsigned long long)old[1]);
	}
	post_word(addr, mr->rkey, final_word, 8);
	expect("the last word", WC_ATOMIC_WRITE);
	pthread_join(thread, NULL);
	pair_destroy(&a, &b);
	ibv_dereg_mr(mr);
}

/* Fill the send queue. The initiator depth of 4 limits how many are outstanding. */
static void test_depth(void)
{
	struct ibv_mr *mr = ibv_reg_mr(b.pd, b.buf, BUF, LW | RW | FG);
	uint64_t i, n = 60, addr = (uintptr_t)b.buf;
	struct flush_wr flush = { addr, 8, mr->rkey, GLOBAL, RANGE };

	connect_pair(RW | FG);
	for (i = 0; i < n; i++) {
		if (i % 2)
			post_flush(&flush);
		else
			post_word(addr + 8 * i, mr->rkey, i, 8);
	}
	for (i = 0; i < n; i++)
		expect("one of many", i % 2 ? WC_FLUSH : WC_ATOMIC_WRITE);
	for (i = 0; i < n; i += 2)
		if (((uint64_t *)b.buf)[i] != i)
			die("word %llu has not been written", (unsigned long long)i);
	pair_destroy(&a, &b);
	ibv_dereg_mr(mr);
}

/*
 * Kernels that do not support them.
 */

static void test_absent(void)
{
	struct ibv_mr *mr = reg(b.pd, RW);
	size_t i;

	if (!mr)
		die("no region: %m");
	if (reg(b.pd, FG))
		die("a region is registered for FLUSHes, which this kernel does not have");
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct ibv_wc wc;

		memset(b.buf, 0x5a, BUF);
		connect_pair(RW);
		post_row(&rows[i], mr);
		side_wait(&a, &wc);
		if (wc.status != IBV_WC_LOC_QP_OP_ERR)
			die("operation %d, which this kernel does not have: %s", rows[i].op,
			    ibv_wc_status_str(wc.status));
		check_memory(&rows[i], false);
		pair_destroy(&a, &b);
	}
	ibv_dereg_mr(mr);
}

static void check_capabilities(bool present)
{
	uint64_t all = CAP_FLUSH_GLOBAL | CAP_ATOMIC_WRITE;
	struct ibv_device_attr_ex attr = { 0 };

	if (ibv_query_device_ex(a.ctx, NULL, &attr))
		die("cannot query the device");
	if ((attr.device_cap_flags_ex & all) != (present ? CAP_FLUSH_GLOBAL | CAP_ATOMIC_WRITE : 0))
		die("capabilities %#llx", (unsigned long long)attr.device_cap_flags_ex);
}

static void test_needs(void)
{
	size_t i;

	if (reg(b.pd, FP))
		die("memory that no power cut empties is promised");
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		test_row(&rows[i]);
}

static void test_effects(unsigned int rounds)
{
	test_order(rounds);
	test_words(rounds);
	test_depth();
}

static void run(const char *mode, unsigned int rounds)
{
	bool present = strcmp(mode, "absent");

	check_capabilities(present);
	if (!strcmp(mode, "all"))
		test_needs();
	if (present)
		test_effects(rounds);
	else
		test_absent();
	printf("FLUSH and ATOMIC WRITE are %s\n", present ? "as specified" : "refused");
}

int main(int argc, char **argv)
{
	if (argc != 7)
		die("usage: flush DEVICE_A GID_INDEX DEVICE_B GID_INDEX all|effects|absent ROUNDS");
	side_open(&a, argv[1], atoi(argv[2]), BUF);
	side_open(&b, argv[3], atoi(argv[4]), BUF);
	other_pd = ibv_alloc_pd(b.ctx);
	if (!other_pd)
		die("no second PD");
	run(argv[5], atoi(argv[6]));
	if (ibv_dealloc_pd(other_pd))
		die("the second PD is still in use");
	side_close(&a);
	side_close(&b);
	return 0;
}
