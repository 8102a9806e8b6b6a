// SPDX-License-Identifier: GPL-2.0
/*
 * Test FLUSH to persistent memory: only such memory can be registered for it, and everything that
 * is copied there is written back from the caches.
 *
 * 	flush_pmem DEVICE_A GID_INDEX DEVICE_B GID_INDEX DAX_DEVICE
 *
 * Prints how many bytes have been copied to the persistent memory: so many have to be written back.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "flush_wr.h"
#include "uverbs.h"

#define BUF   16384u
#define PMEM  (4u << 20) /* two huge pages, the alignment that a DAX device asks for */
#define ALL   (LW | RW | RR | RA | FG | FP | IBV_ACCESS_MW_BIND)
#define WHERE (4096u - 256u) /* so that a WRITE of 1 KiB is over two pages */

static uint8_t *pmem;
static size_t copied;

static struct ibv_mr *reg(void *buf, int access, int error)
{
	struct ibv_mr *mr = ibv_reg_mr(b.pd, buf, BUF, access);

	if (mr ? error : errno != error)
		die("a region with rights %#x: %s, expected %s", access, mr ? "made" : strerror(errno),
		    strerror(error));
	return mr;
}

static void flush(uint64_t addr, uint32_t rkey, uint8_t type, uint8_t level)
{
	const struct flush_wr wr = { addr, 1024, rkey, type, level };

	post_flush(&wr);
}

static void post_write(uint32_t rkey)
{
	uint64_t addr = (uintptr_t)pmem + WHERE;
	unsigned int i;

	for (i = 0; i < 1024; i++)
		a.buf[i] = i * 7 + rkey;
	post(IBV_WR_RDMA_WRITE, 0, 1024, addr, rkey, 0);
	copied += 1024;
}

static void check_written(void)
{
	expect("a WRITE to persistent memory", IBV_WC_RDMA_WRITE);
	if (memcmp(a.buf, pmem + WHERE, 1024))
		die("persistent memory has not what was written");
}

static void test_capability(void)
{
	struct ibv_device_attr_ex attr = { 0 };

	if (ibv_query_device_ex(b.ctx, NULL, &attr))
		die("cannot query the device");
	if (!(attr.device_cap_flags_ex & CAP_FLUSH_PERSIST))
		die("FLUSH to persistent memory is not a capability: %#llx",
		    (unsigned long long)attr.device_cap_flags_ex);
}

/* Memory that a power cut empties. */
static void test_volatile(void)
{
	struct ibv_mr *mr = reg(b.buf, LW | RW | FG, 0);

	reg(b.buf, ALL, EINVAL);
	if (!mr_rereg(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, LW | FG | FP))
		die("a region becomes one for persistence");
	if (errno != EOPNOTSUPP)
		die("a region cannot become one for persistence: %m");
	ibv_dereg_mr(mr);
}

static uint8_t *map_pmem(int fd, void *where, int flags)
{
	uint8_t *p = mmap(where, PMEM, PROT_READ | PROT_WRITE, MAP_SHARED | flags, fd, 0);

	if (p == MAP_FAILED)
		die("the DAX device cannot be mapped: %m");
	return p;
}

/* A region whose first page is volatile, and the others are not. */
static void test_mixed(int fd)
{
	int prot = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
	uint8_t *both = mmap(NULL, 2 * PMEM, prot, flags, -1, 0);
	uint8_t *second = (uint8_t *)(((uintptr_t)both + PMEM) & -(uintptr_t)PMEM);

	if (both == MAP_FAILED)
		die("no memory: %m");
	reg(map_pmem(fd, second, MAP_FIXED) - 4096, ALL, EINVAL);
}

static void test_pinned(void)
{
	struct ibv_mr *mr = reg(pmem, ALL, 0);
	uint64_t addr = (uintptr_t)pmem;

	connect_pair(RW | RA | FG | FP);
	post_write(mr->rkey);
	flush(addr + WHERE, mr->rkey, PERSISTENT, RANGE);
	check_written();
	expect("a FLUSH of a range", WC_FLUSH);
	flush(addr, mr->rkey, GLOBAL | PERSISTENT, REGION);
	expect("a FLUSH of a region", WC_FLUSH);

	post_word(addr, mr->rkey, 1234, 8);
	expect("an ATOMIC WRITE", WC_ATOMIC_WRITE);
	post(IBV_WR_ATOMIC_FETCH_AND_ADD, 0, 8, addr, mr->rkey, 1);
	expect("an atomic", IBV_WC_FETCH_ADD);
	copied += 16;
	flush(addr, mr->rkey, PERSISTENT, RANGE);
	expect("a FLUSH behind an atomic", WC_FLUSH);
	if (*(uint64_t *)pmem != 1235)
		die("an atomic has left %llu", (unsigned long long)*(uint64_t *)pmem);
	pair_destroy(&a, &b);
	ibv_dereg_mr(mr);
}

/* Regions of persistent memory that were not registered for it, or QPs that do not allow it. */
static void test_rights(void)
{
	static const struct {
		const char *name;
		int mr, qp;
	} rows[] = {
		{ "no right of the region", LW | RW | FG, RW | FG | FP },
		{ "no right of the QP", LW | RW | FG | FP, RW | FG },
	};
	struct ibv_wc wc;
	unsigned int i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibv_mr *mr = reg(pmem, rows[i].mr, 0);

		connect_pair(rows[i].qp);
		flush((uintptr_t)pmem, mr->rkey, PERSISTENT, RANGE);
		side_wait(&a, &wc);
		if (wc.status != IBV_WC_REM_ACCESS_ERR)
			die("%s: %s", rows[i].name, ibv_wc_status_str(wc.status));
		pair_destroy(&a, &b);
		ibv_dereg_mr(mr);
	}
}

/* What is written through a window is written back, too. */
static void test_window(void)
{
	struct ibv_mr *mr = reg(pmem, ALL, 0);
	struct ibv_mw *mw = ibv_alloc_mw(b.pd, IBV_MW_TYPE_1);
	struct ibv_mw_bind bind = {
		.send_flags = IBV_SEND_SIGNALED,
		.bind_info = { mr, (uintptr_t)pmem, BUF, RW },
	};
	struct ibv_wc wc;

	connect_pair(RW | FP);
	if (!mw || ibv_bind_mw(b.qp, mw, &bind))
		die("a window on persistent memory: %m");
	side_wait(&b, &wc);
	if (wc.status != IBV_WC_SUCCESS)
		die("a window on persistent memory: %s", ibv_wc_status_str(wc.status));
	post_write(mw->rkey);
	flush((uintptr_t)pmem, mr->rkey, PERSISTENT, REGION);
	check_written();
	expect("a FLUSH behind a WRITE through a window", WC_FLUSH);
	pair_destroy(&a, &b);
	ibv_dealloc_mw(mw);
	ibv_dereg_mr(mr);
}

static void test_on_demand(void)
{
	struct ibv_mr *mr = reg(pmem, LW | RW | FP | IBV_ACCESS_ON_DEMAND, 0);
	struct ibv_wc wc;

	connect_pair(RW | FP);
	post_write(mr->rkey);
	flush((uintptr_t)pmem, mr->rkey, PERSISTENT, RANGE);
	check_written();
	expect("a FLUSH of an on-demand region", WC_FLUSH);
	pair_destroy(&a, &b);
	ibv_dereg_mr(mr);

	mr = reg(b.buf, LW | RW | FP | IBV_ACCESS_ON_DEMAND, 0);
	connect_pair(RW | FP);
	post(IBV_WR_RDMA_WRITE, 0, 8, (uintptr_t)b.buf, mr->rkey, 0);
	side_wait(&a, &wc);
	if (wc.status != IBV_WC_REM_ACCESS_ERR)
		die("a WRITE to volatile memory of an on-demand region for persistence: %s",
		    ibv_wc_status_str(wc.status));
	pair_destroy(&a, &b);
	ibv_dereg_mr(mr);
}

int main(int argc, char **argv)
{
	int fd;

	if (argc != 6)
		die("usage: flush_pmem DEVICE_A GID_INDEX DEVICE_B GID_INDEX DAX_DEVICE");
	side_open(&a, argv[1], atoi(argv[2]), BUF);
	side_open(&b, argv[3], atoi(argv[4]), BUF);
	fd = open(argv[5], O_RDWR);
	if (fd < 0)
		die("%s: %m", argv[5]);
	pmem = map_pmem(fd, NULL, 0);
	test_capability();
	test_volatile();
	test_pinned();
	test_rights();
	test_window();
	test_on_demand();
	test_mixed(fd);
	side_close(&a);
	side_close(&b);
	printf("%zu\n", copied);
	return 0;
}
