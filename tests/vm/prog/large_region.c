// SPDX-License-Identifier: GPL-2.0
/*
 * Register large regions, which need much memory of the kernel.
 *
 * 	large_region DEVICE GID_INDEX on-demand|pinned
 *
 * "on-demand" pages in ON_DEMAND bytes, prints their number of pages, and stays until it gets a
 * line. "pinned" registers PINNED bytes, which are one huge page again and again, and has the
 * device write the last ones.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pair.h"
#include "uverbs.h"

#define HUGE_PAGE (2ull << 20)
#define ON_DEMAND (2ull << 30)
/* 1 TiB and a huge page: the table of its pages, of 8 bytes for each 4 KiB, is above 2 GiB. */
#define PINNED	  ((1ull << 40) + HUGE_PAGE)

#define ALL (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)

#define UNTOUCHED (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)

static struct side s;

static uint8_t *map(void *at, size_t size, int prot, int flags, int fd)
{
	uint8_t *p = mmap(at, size, prot, flags, fd, 0);

	if (p == MAP_FAILED)
		die("%zu bytes cannot be mapped: %m", size);
	return p;
}

/* Memory that has not been written: all of its pages are the zero page. */
static void page_in(void)
{
	uint8_t *p = map(NULL, ON_DEMAND, PROT_READ, UNTOUCHED, -1);
	int access = IBV_ACCESS_ON_DEMAND | IBV_ACCESS_REMOTE_READ;
	struct ibv_mr *mr = ibv_reg_mr(s.pd, p, ON_DEMAND, access);
	struct ibv_sge sge;
	uint64_t at;
	int err;

	if (!mr)
		die("no on-demand region: %m");
	for (at = 0; at < ON_DEMAND; at += sge.length) {
		sge = (struct ibv_sge){ (uintptr_t)p + at, 1u << 30, mr->lkey };
		err = pd_advise(s.pd, IBV_ADVISE_MR_ADVICE_PREFETCH, IBV_ADVISE_MR_FLAG_FLUSH,
				&sge, 1);
		if (err)
			die("the memory cannot be paged in: %s", strerror(err));
	}
	printf("%llu\n", ON_DEMAND / 4096);
	fflush(stdout);
	getchar();
	ibv_dereg_mr(mr);
}

static uint8_t *map_repeatedly(void)
{
	int fd = memfd_create("page", MFD_HUGETLB);
	uint8_t *all = map(NULL, PINNED + HUGE_PAGE, PROT_NONE, UNTOUCHED, -1);
	uint64_t at;

	all = (uint8_t *)(((uintptr_t)all + HUGE_PAGE - 1) & -(uintptr_t)HUGE_PAGE);
	if (fd < 0 || ftruncate(fd, HUGE_PAGE))
		die("no huge page: %m");
	for (at = 0; at < PINNED; at += HUGE_PAGE)
		map(all + at, HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd);
	return all;
}

static void write_to(uint8_t *to, uint32_t rkey)
{
	struct ibv_sge sge = { (uintptr_t)s.buf, 4096, s.mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_RDMA_WRITE,
		.send_flags = IBV_SEND_SIGNALED,
		.wr.rdma = { (uintptr_t)to, rkey },
	};
	struct ibv_wc wc;

	if (ibv_post_send(s.qp, &wr, &bad))
		die("posting failed: %m");
	side_expect(&s, 0, IBV_WC_SUCCESS, &wc);
}

static void pin(void)
{
	uint8_t *p = map_repeatedly();
	struct ibv_mr *mr = ibv_reg_mr(s.pd, p, PINNED, ALL);
	struct ibv_qp_attr attr = { .qp_access_flags = IBV_ACCESS_REMOTE_WRITE };

	if (!mr)
		die("no region of %llu bytes: %m", PINNED);
	side_create_qp(&s);
	qp_connect_to_self(s.qp, &s);
	if (ibv_modify_qp(s.qp, &attr, IBV_QP_ACCESS_FLAGS))
		die("access rights of a QP: %m");
	memset(s.buf, 0x5a, 4096);
	write_to(p + PINNED - 4096, mr->rkey);
	if (memcmp(p + PINNED - 4096, s.buf, 4096))
		die("the last page has not what was written");
	side_destroy_qp(&s);
	if (ibv_dereg_mr(mr))
		die("the region cannot be deregistered: %m");
}

int main(int argc, char **argv)
{
	if (argc != 4)
		die("usage: large_region DEVICE GID_INDEX on-demand|pinned");
	side_open(&s, argv[1], atoi(argv[2]), 4096);
	if (strcmp(argv[3], "pinned"))
		page_in();
	else
		pin();
	side_close(&s);
	return 0;
}
