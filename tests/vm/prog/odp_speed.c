// SPDX-License-Identifier: GPL-2.0
/*
 * Measure RDMA to and from on-demand memory of which no page is resident in the region:
 *
 * 	odp_speed DEVICE_A GID_INDEX DEVICE_B GID_INDEX
 *
 * A accesses B's memory by messages of 1 MiB, one after another. Prints for each operation MB/s and
 * page faults for each MiB: "new": the process has not touched the memory; "touched": it has. Fails
 * if there are more than MAX_FAULTS, or if WRITEs to a part of a sparse file allocate more of it.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pair.h"

#define MESSAGE  (1u << 20)
#define MESSAGES 32u

/* Page faults a MiB, of 256 pages. */
#define MAX_FAULTS 8.0

static struct side a, b;
static const char *device_b;

static uint64_t faults(void)
{
	return device_counter(device_b, "page_fault");
}

static void access_remote(enum ibv_wr_opcode opcode, const struct ibv_mr *mr, size_t offset,
			  uint32_t len)
{
	struct ibv_sge sge = { (uintptr_t)a.buf, len, a.mr->lkey };
	struct ibv_send_wr *bad, wr = { .sg_list = &sge,
					.num_sge = 1,
					.opcode = opcode,
					.send_flags = IBV_SEND_SIGNALED };
	struct ibv_wc wc;

	wr.wr.rdma.remote_addr = (uintptr_t)mr->addr + offset;
	wr.wr.rdma.rkey = mr->rkey;
	if (ibv_post_send(a.qp, &wr, &bad))
		die("posting failed: %m");
	side_expect(&a, 0, IBV_WC_SUCCESS, &wc);
}

/* Return: seconds. */
static double transfer(enum ibv_wr_opcode opcode, const struct ibv_mr *mr)
{
	double begin = seconds();
	unsigned int i;

	for (i = 0; i < MESSAGES; i++)
		access_remote(opcode, mr, (size_t)i * MESSAGE, MESSAGE);
	return seconds() - begin;
}

static void measure(const char *name, enum ibv_wr_opcode opcode, int touched)
{
	struct pair_attr attr = { .mtu = IBV_MTU_1024, .timeout = 14, .psn = 0xfffff0 };
	size_t size = (size_t)MESSAGE * MESSAGES;
	double took, per_mib;
	uint64_t before;
	struct ibv_mr *mr;
	void *mem;

	mem = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mem == MAP_FAILED)
		die("no memory: %m");
	/* Fails on kernels without transparent huge pages. */
	madvise(mem, size, MADV_NOHUGEPAGE);
	if (touched)
		memset(mem, 1, size);
	mr = ibv_reg_mr(b.pd, mem, size,
			IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
				IBV_ACCESS_ON_DEMAND);
	if (!mr)
		die("an on-demand region of %zu bytes is refused: %m", size);
	pair_create(&a, &b, &attr);
	before = faults();
	took = transfer(opcode, mr);
	per_mib = (double)(faults() - before) / MESSAGES;
	printf("%-5s %-7s %6.0f MB/s, %5.1f page faults a MiB", name, touched ? "touched" : "new",
	       size / took / 1e6, per_mib);
	printf("; resident %6.0f MB/s\n", size / transfer(opcode, mr) / 1e6);
	fflush(stdout);
	if (per_mib > MAX_FAULTS)
		die("%.1f page faults a MiB, want at most %.1f", per_mib, MAX_FAULTS);
	pair_destroy(&a, &b);
	ibv_dereg_mr(mr);
	munmap(mem, size);
}

/* WRITEs by messages of 64 KiB to the first MiB of a file of several. */
static void test_sparse_file(void)
{
	struct pair_attr attr = { .mtu = IBV_MTU_1024, .timeout = 14, .psn = 0xfffff0 };
	size_t size = (size_t)MESSAGE * MESSAGES, len = 64 << 10, done;
	int file = memfd_create("odp", 0);
	struct stat st;
	struct ibv_mr *mr;
	void *mem;

	if (file < 0 || ftruncate(file, size))
		die("no file in memory: %m");
	mem = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (mem == MAP_FAILED)
		die("the file cannot be mapped: %m");
	mr = ibv_reg_mr(b.pd, mem, size,
			IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_ON_DEMAND);
	if (!mr)
		die("an on-demand region of %zu bytes is refused: %m", size);
	pair_create(&a, &b, &attr);
	for (done = 0; done < MESSAGE; done += len)
		access_remote(IBV_WR_RDMA_WRITE, mr, done, len);
	if (fstat(file, &st))
		die("fstat: %m");
	printf("%u bytes written to a sparse file allocate %llu\n", MESSAGE,
	       (unsigned long long)st.st_blocks * 512);
	if (st.st_blocks * 512 > MESSAGE)
		die("more of the file is allocated than was written");
	pair_destroy(&a, &b);
	ibv_dereg_mr(mr);
	munmap(mem, size);
	close(file);
}

int main(int argc, char **argv)
{
	int touched;

	if (argc != 5)
		die("usage: odp_speed DEVICE_A GID_INDEX DEVICE_B GID_INDEX");
	device_b = argv[3];
	side_open(&a, argv[1], atoi(argv[2]), MESSAGE);
	side_open(&b, argv[3], atoi(argv[4]), MESSAGE);
	for (touched = 0; touched <= 1; touched++) {
		measure("WRITE", IBV_WR_RDMA_WRITE, touched);
		measure("READ", IBV_WR_RDMA_READ, touched);
	}
	test_sparse_file();
	side_close(&a);
	side_close(&b);
	return 0;
}
