// SPDX-License-Identifier: GPL-2.0
/*
 * Test ODP: each operation faults in the pages that it needs, at both ends; changes of a mapping
 * apply to the peer's accesses at once; and accesses to unmapped addresses fail.
 *
 * 	odp DEVICE_A GID_INDEX DEVICE_B GID_INDEX ROUNDS
 *
 * A accesses B's memory. ROUNDS operations race with changes of the address space.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pair.h"
#include "uverbs.h"

#define PAGE  4096u
#define PAGES 64u
#define SIZE  (PAGES * PAGE)
#define FULL                                                                      \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | \
	 IBV_ACCESS_REMOTE_ATOMIC)

/* Of the kernel's headers: FLUSH of a device, FLUSH and ATOMIC WRITE of on-demand paging. */
#define CAP_FLUSH_GLOBAL (1ull << 38)
#define ODP_MPE		 (3u << 6)

static struct side a, b;
static const char *device_b;

static void connect_pair(void)
{
	struct pair_attr attr = { .mtu = IBV_MTU_1024, .timeout = 14, .psn = 0xfffff0 };

	pair_create(&a, &b, &attr);
}

static void destroy_pair(void)
{
	pair_destroy(&a, &b);
}

static uint8_t *map(void *at, size_t size)
{
	uint8_t *p = mmap(at, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);

	if (p == MAP_FAILED)
		die("no memory: %m");
	return p;
}

static struct ibv_mr *reg(struct side *s, void *addr, size_t size, int access)
{
	struct ibv_mr *mr = ibv_reg_mr(s->pd, addr, size, access | IBV_ACCESS_ON_DEMAND);

	if (!mr)
		die("an on-demand region of %zu bytes for %#x is refused: %m", size, access);
	return mr;
}

static void dereg(struct ibv_mr *mr)
{
	if (ibv_dereg_mr(mr))
		die("a region cannot be deregistered: %m");
}

/* Drop all pages of the range from memory. */
static void drop(void *addr, size_t size)
{
	if (madvise(addr, size, MADV_DONTNEED))
		die("madvise: %m");
}

static void fill(uint8_t *p, size_t size, uint32_t seed)
{
	size_t i;

	for (i = 0; i < size; i++)
		p[i] = (seed + i) * 2654435761u >> 24;
}

/*
 * User-Mode Linux cannot interrupt a process that runs on another CPU: the process sees replaced
 * pages when it next enters the kernel.
 */
static void see_pages(void)
{
	sched_yield();
}

static void check(const uint8_t *p, size_t size, uint32_t seed, const char *what)
{
	size_t i;

	see_pages();
	for (i = 0; i < size; i++)
		if (p[i] != (uint8_t)((seed + i) * 2654435761u >> 24))
			die("%s: byte %zu is %#x", what, i, p[i]);
}

static void check_zero(const uint8_t *p, size_t size, const char *what)
{
	size_t i;

	see_pages();
	for (i = 0; i < size; i++)
		if (p[i])
			die("%s: byte %zu is %#x", what, i, p[i]);
}

static enum ibv_wc_status post(enum ibv_wr_opcode opcode, void *local, uint32_t len, uint32_t lkey,
			       void *remote, uint32_t rkey)
{
	struct ibv_sge sge = { (uintptr_t)local, len, lkey };
	struct ibv_send_wr *bad, wr = { .sg_list = &sge,
					.num_sge = 1,
					.opcode = opcode,
					.send_flags = IBV_SEND_SIGNALED };
	struct ibv_wc wc;

	if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		wr.wr.atomic.remote_addr = (uintptr_t)remote;
		wr.wr.atomic.rkey = rkey;
		wr.wr.atomic.compare_add = 5;
	} else {
		wr.wr.rdma.remote_addr = (uintptr_t)remote;
		wr.wr.rdma.rkey = rkey;
	}
	if (ibv_post_send(a.qp, &wr, &bad))
		die("posting failed: %m");
	side_wait(&a, &wc);
	return wc.status;
}

static void post_recv(void *into, uint32_t len, uint32_t lkey)
{
	struct ibv_sge sge = { (uintptr_t)into, len, lkey };
	struct ibv_recv_wr *bad, wr = { .sg_list = &sge, .num_sge = 1 };

	if (ibv_post_recv(b.qp, &wr, &bad))
		die("posting a receive failed: %m");
}

static enum ibv_wc_status receive(void)
{
	struct ibv_wc wc;

	side_wait(&b, &wc);
	return wc.status;
}

static void want(const char *what, enum ibv_wc_status got, enum ibv_wc_status wanted)
{
	if (got != wanted)
		die("%s: %s, want %s", what, ibv_wc_status_str(got), ibv_wc_status_str(wanted));
}

static void ok(const char *what, enum ibv_wc_status got)
{
	want(what, got, IBV_WC_SUCCESS);
}

static uint64_t faults(void)
{
	return device_counter(device_b, "page_fault");
}

/* Every operation, with no page of source and destination resident. */
static void test_operations(bool implicit)
{
	uint8_t *mine = map(NULL, SIZE), *its = map(NULL, SIZE);
	struct ibv_mr *l = implicit ? reg(&a, NULL, SIZE_MAX, FULL) : reg(&a, mine, SIZE, FULL);
	struct ibv_mr *r = implicit ? reg(&b, NULL, SIZE_MAX, FULL) : reg(&b, its, SIZE, FULL);
	uint32_t off = 100, len = SIZE - 300;
	uint64_t before = faults();

	connect_pair();
	ok("READ of nothing yet", post(IBV_WR_RDMA_READ, mine, SIZE, l->lkey, its, r->rkey));
	check_zero(mine, SIZE, "READ of nothing yet");

	fill(mine, SIZE, 1);
	drop(its, SIZE);
	ok("WRITE", post(IBV_WR_RDMA_WRITE, mine + off, len, l->lkey, its + off + 7, r->rkey));
	check(its + off + 7, len, 1 + off, "WRITE");
	check_zero(its, off + 7, "before what was written");

	drop(mine, SIZE);
	ok("READ", post(IBV_WR_RDMA_READ, mine + 9, len, l->lkey, its + off + 7, r->rkey));
	check(mine + 9, len, 1 + off, "READ");

	drop(its, SIZE);
	post_recv(its + 3, SIZE - 3, r->lkey);
	ok("SEND", post(IBV_WR_SEND, mine + 9, len, l->lkey, NULL, 0));
	ok("RECV", receive());
	check(its + 3, len, 1 + off, "SEND");

	drop(its, SIZE);
	drop(mine, SIZE);
	ok("SEND of nothing", (post_recv(its, SIZE, r->lkey),
			       post(IBV_WR_SEND, mine, SIZE, l->lkey, NULL, 0)));
	ok("RECV of it", receive());

	drop(its, SIZE);
	drop(mine, SIZE);
	*(uint64_t *)(its + PAGE) = 37;
	drop(its, PAGE);
	ok("atomic", post(IBV_WR_ATOMIC_FETCH_AND_ADD, mine + 8, 8, l->lkey, its + PAGE, r->rkey));
	ok("atomic on nothing yet",
	   post(IBV_WR_ATOMIC_FETCH_AND_ADD, mine + 16, 8, l->lkey, its + 8 * PAGE, r->rkey));
	see_pages();
	if (*(uint64_t *)(mine + 8) != 37 || *(uint64_t *)(its + PAGE) != 42 ||
	    *(uint64_t *)(its + 8 * PAGE) != 5)
		die("atomics on paged memory");
	if (faults() == before)
		die("no page was brought in");
	destroy_pair();
	dereg(l);
	dereg(r);
	munmap(mine, SIZE);
	munmap(its, SIZE);
}

/* The peer must access the replacement of the memory, and never the pages replaced. */
static void test_replaced(void)
{
	int fd = memfd_create("odp", 0);
	uint8_t *its = map(NULL, SIZE), *file;
	struct ibv_mr *r = reg(&b, its, SIZE, FULL);

	if (fd < 0 || ftruncate(fd, SIZE) ||
	    mmap(its, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
		die("no file in memory: %m");
	file = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
	if (file == MAP_FAILED)
		die("the file cannot be mapped again: %m");
	connect_pair();
	fill(a.buf, SIZE, 11);
	ok("WRITE to a file", post(IBV_WR_RDMA_WRITE, a.buf, SIZE, a.mr->lkey, its, r->rkey));
	check(file, SIZE, 11, "WRITE to a file");

	map(its, SIZE);
	ok("READ of what took its place",
	   post(IBV_WR_RDMA_READ, a.buf, SIZE, a.mr->lkey, its, r->rkey));
	check_zero(a.buf, SIZE, "READ of what took its place");
	fill(a.buf, SIZE, 12);
	ok("WRITE to it", post(IBV_WR_RDMA_WRITE, a.buf, SIZE, a.mr->lkey, its, r->rkey));
	check(its, SIZE, 12, "WRITE to what took the file's place");
	check(file, SIZE, 11, "the file after that");
	destroy_pair();
	dereg(r);
	munmap(file, SIZE);
	munmap(its, SIZE);
	close(fd);
}

static enum ibv_wc_status send_to(uint8_t *from, uint32_t lkey, uint8_t *to, uint32_t to_lkey,
				  enum ibv_wc_status *at_receiver)
{
	enum ibv_wc_status status;

	post_recv(to, PAGE, to_lkey);
	status = post(IBV_WR_SEND, from, PAGE, lkey, NULL, 0);
	if (at_receiver)
		*at_receiver = receive();
	return status;
}

/* Memory that is not mapped, or mapped read-only. */
static void test_absent(bool gone)
{
	uint8_t *mine = map(NULL, SIZE), *its = map(NULL, SIZE);
	struct ibv_mr *l = reg(&a, mine, SIZE, FULL), *r = reg(&b, its, SIZE, FULL);
	enum ibv_wc_status at_receiver;
	int access;

	fill(its, SIZE, 21);
	connect_pair();
	ok("WRITE while it is there",
	   post(IBV_WR_RDMA_WRITE, a.buf, PAGE, a.mr->lkey, its + PAGE, r->rkey));
	ok("SEND while it is there", send_to(mine, l->lkey, b.buf, b.mr->lkey, &at_receiver));
	/* A range of addresses that is unmapped, with no other mapping in it. */
	access = gone ? PROT_NONE : PROT_READ;
	if (mprotect(its, SIZE, access) || mprotect(mine, SIZE, access))
		die("taking the memory away: %m");
	if (!gone) {
		ok("READ of what is read-only",
		   post(IBV_WR_RDMA_READ, a.buf, SIZE, a.mr->lkey, its, r->rkey));
		ok("SEND of it", send_to(mine, l->lkey, b.buf, b.mr->lkey, &at_receiver));
	}
	want("WRITE", post(IBV_WR_RDMA_WRITE, a.buf, PAGE, a.mr->lkey, its + PAGE, r->rkey),
	     IBV_WC_REM_ACCESS_ERR);
	destroy_pair();
	connect_pair();
	want("atomic", post(IBV_WR_ATOMIC_FETCH_AND_ADD, a.buf, 8, a.mr->lkey, its, r->rkey),
	     IBV_WC_REM_ACCESS_ERR);
	destroy_pair();
	connect_pair();
	want("RECV", (send_to(a.buf, a.mr->lkey, its, r->lkey, &at_receiver), at_receiver),
	     IBV_WC_LOC_PROT_ERR);
	destroy_pair();
	connect_pair();
	want("READ into it", post(IBV_WR_RDMA_READ, mine, PAGE, l->lkey, b.buf, b.mr->rkey),
	     IBV_WC_LOC_PROT_ERR);
	destroy_pair();
	connect_pair();
	if (gone) {
		want("READ", post(IBV_WR_RDMA_READ, a.buf, PAGE, a.mr->lkey, its, r->rkey),
		     IBV_WC_REM_ACCESS_ERR);
		destroy_pair();
		connect_pair();
		want("SEND", send_to(mine, l->lkey, b.buf, b.mr->lkey, NULL), IBV_WC_LOC_PROT_ERR);
	}
	destroy_pair();
	dereg(l);
	dereg(r);
	munmap(its, SIZE);
	munmap(mine, SIZE);
}

/* After a fork, parent and child have separate copies: the peer writes to the parent's. */
static void test_fork(void)
{
	uint8_t *its = map(NULL, SIZE);
	struct ibv_mr *r = reg(&b, its, SIZE, FULL);
	int pipes[2], status;
	pid_t child;
	char c = 0;

	connect_pair();
	fill(a.buf, SIZE, 31);
	ok("WRITE", post(IBV_WR_RDMA_WRITE, a.buf, SIZE, a.mr->lkey, its, r->rkey));
	if (pipe(pipes))
		die("pipe: %m");
	child = fork();
	if (!child) {
		if (read(pipes[0], &c, 1) != 1)
			_exit(1);
		check(its, SIZE, 31, "the child's memory");
		_exit(0);
	}
	fill(a.buf, SIZE, 32);
	ok("WRITE after fork", post(IBV_WR_RDMA_WRITE, a.buf, SIZE, a.mr->lkey, its, r->rkey));
	check(its, SIZE, 32, "the parent's memory");
	if (write(pipes[1], &c, 1) != 1 || waitpid(child, &status, 0) != child || status)
		die("the child's memory was written to");
	close(pipes[0]);
	close(pipes[1]);
	destroy_pair();
	dereg(r);
	munmap(its, SIZE);
}

static void advised(const char *what, int got, int wanted)
{
	if (got != wanted)
		die("%s: %s, want %s", what, strerror(got), wanted ? strerror(wanted) : "success");
}

#define READING	 IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH
#define WRITING	 IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE
#define NO_FAULT IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT
#define NOW	 IB_UVERBS_ADVISE_MR_FLAG_FLUSH

/* Return: true if a WRITE to, or READ from, the whole range completes without a page fault. */
static bool at_hand(enum ibv_wr_opcode opcode, uint8_t *its, struct ibv_mr *r)
{
	uint64_t before = faults();

	ok("access to what was prefetched", post(opcode, a.buf, SIZE, a.mr->lkey, its, r->rkey));
	return faults() == before;
}

static void test_prefetch(bool implicit)
{
	uint8_t *its = map(NULL, SIZE);
	struct ibv_mr *r = implicit ? reg(&b, NULL, SIZE_MAX, FULL) : reg(&b, its, SIZE, FULL);
	struct ibv_sge sge[2] = { { (uintptr_t)its, SIZE / 2, r->lkey },
				  { (uintptr_t)its + SIZE / 2, SIZE / 2, r->lkey } };
	int i;

	connect_pair();
	advised("nothing is there", pd_advise(b.pd, NO_FAULT, NOW, sge, 2), 0);
	if (at_hand(IBV_WR_RDMA_WRITE, its, r))
		die("memory that was not there was written without a fault");
	drop(its, SIZE);
	advised("for reading", pd_advise(b.pd, READING, NOW, sge, 2), 0);
	if (!at_hand(IBV_WR_RDMA_READ, its, r))
		die("a READ of what was prefetched has to wait");
	drop(its, SIZE);
	advised("for writing", pd_advise(b.pd, WRITING, NOW, sge, 2), 0);
	if (!at_hand(IBV_WR_RDMA_WRITE, its, r))
		die("a WRITE to what was prefetched has to wait");
	drop(its, SIZE);
	fill(its, SIZE, 41);
	advised("what the process has", pd_advise(b.pd, NO_FAULT, NOW, sge, 2), 0);
	if (!at_hand(IBV_WR_RDMA_WRITE, its, r))
		die("a WRITE to what the process has touched has to wait");
	for (i = 0; i < 100; i++) {
		drop(its, SIZE);
		advised("in the background", pd_advise(b.pd, WRITING, 0, sge, 2), 0);
	}
	destroy_pair();
	dereg(r);
	munmap(its, SIZE);
}

static void test_prefetch_refused(void)
{
	uint8_t *its = map(NULL, SIZE);
	struct ibv_mr *r = reg(&b, its, SIZE, IBV_ACCESS_REMOTE_READ);
	struct ibv_sge good = { (uintptr_t)its, SIZE, r->lkey };
	struct ibv_sge bad_key = { (uintptr_t)its, SIZE, r->lkey ^ 1 };
	struct ibv_sge pinned = { (uintptr_t)b.buf, 1, b.mr->lkey };
	struct ibv_sge too_long = { (uintptr_t)its, SIZE + 1, r->lkey };
	struct ibv_sge mixed[2] = { good, bad_key };
	struct ibv_pd *pd = ibv_alloc_pd(b.ctx);

	advised("for reading", pd_advise(b.pd, READING, NOW, &good, 1), 0);
	advised("for writing", pd_advise(b.pd, WRITING, NOW, &good, 1), EPERM);
	advised("another key", pd_advise(b.pd, READING, NOW, &bad_key, 1), EFAULT);
	advised("a good and a bad one", pd_advise(b.pd, READING, 0, mixed, 2), EFAULT);
	advised("pinned memory", pd_advise(b.pd, READING, NOW, &pinned, 1), EFAULT);
	advised("more than the region", pd_advise(b.pd, READING, NOW, &too_long, 1), EFAULT);
	advised("another PD", pd_advise(pd, READING, NOW, &good, 1), EFAULT);
	advised("another advice", pd_advise(b.pd, 99, NOW, &good, 1), EOPNOTSUPP);
	munmap(its, SIZE);
	advised("memory that is gone", pd_advise(b.pd, READING, NOW, &good, 1), EFAULT);
	advised("the same, in the background", pd_advise(b.pd, READING, 0, &good, 1), 0);
	ibv_dealloc_pd(pd);
	dereg(r);
}

/* memfd_secret(): memory that is not in the kernel's direct map. Not all kernels have it. */
static void test_secret(void)
{
	int fd = syscall(SYS_memfd_secret, 0);
	enum ibv_wc_status status;
	struct ibv_sge sge;
	struct ibv_mr *r;
	uint8_t *its;

	if (fd < 0)
		return;
	its = ftruncate(fd, SIZE) ? MAP_FAILED :
				    mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (its == MAP_FAILED)
		die("no secret memory: %m");
	fill(its, SIZE, 51);
	r = reg(&a, its, SIZE, FULL);
	sge = (struct ibv_sge){ (uintptr_t)its, SIZE, r->lkey };
	advised("secret memory", pd_advise(a.pd, READING, NOW, &sge, 1), EFAULT);
	connect_pair();
	status = post(IBV_WR_RDMA_WRITE, its, PAGE, r->lkey, b.buf, b.mr->rkey);
	if (status != IBV_WC_LOC_PROT_ERR)
		die("a WRITE of secret memory: %s", ibv_wc_status_str(status));
	destroy_pair();
	dereg(r);
	munmap(its, SIZE);
	close(fd);
	printf("secret memory is refused\n");
}

static void test_registration(void)
{
	struct ibv_device_attr_ex attr = {};
	uint8_t *its = map(NULL, SIZE);

	if (ibv_query_device_ex(b.ctx, NULL, &attr) ||
	    attr.odp_caps.general_caps != (IBV_ODP_SUPPORT | IBV_ODP_SUPPORT_IMPLICIT))
		die("capabilities %#lx", attr.odp_caps.general_caps);
	if ((attr.device_cap_flags_ex & CAP_FLUSH_GLOBAL) &&
	    (attr.odp_caps.per_transport_caps.rc_odp_caps & ODP_MPE) != ODP_MPE)
		die("capabilities of RC %#x, without FLUSH and ATOMIC WRITE",
		    attr.odp_caps.per_transport_caps.rc_odp_caps);
	if (ibv_reg_mr(b.pd, its, SIZE, FULL | IBV_ACCESS_ON_DEMAND | IBV_ACCESS_MW_BIND))
		die("windows on paged memory are not refused");
	if (ibv_reg_mr_iova(b.pd, its, SIZE, 1, FULL | IBV_ACCESS_ON_DEMAND))
		die("an address of another alignment is not refused");
	munmap(its, SIZE);
}

/* One thread executes operations while another changes the address space. */

static uint8_t *raced[2];
static atomic_bool racing;

static void *change(void *arg)
{
	unsigned int seed = 1;

	(void)arg;
	while (racing) {
		uint8_t *p = raced[rand_r(&seed) % 2];
		uint32_t first = rand_r(&seed) % PAGES, n = 1 + rand_r(&seed) % (PAGES - first);

		switch (rand_r(&seed) % 3) {
		case 0:
			drop(p + first * PAGE, n * PAGE);
			break;
		case 1:
			map(p + first * PAGE, n * PAGE);
			break;
		default:
			memset(p + first * PAGE, 0, n * PAGE);
		}
		usleep(rand_r(&seed) % 300);
	}
	return NULL;
}

static void test_race(unsigned int rounds)
{
	struct ibv_mr *l, *r;
	pthread_t thread;
	unsigned int i;

	raced[0] = map(NULL, SIZE);
	raced[1] = map(NULL, SIZE);
	l = reg(&a, raced[0], SIZE, FULL);
	r = reg(&b, raced[1], SIZE, FULL);
	connect_pair();
	racing = true;
	if (pthread_create(&thread, NULL, change, NULL))
		die("no thread");
	for (i = 0; i < rounds; i++) {
		ok("WRITE", post(IBV_WR_RDMA_WRITE, raced[0], SIZE, l->lkey, raced[1], r->rkey));
		ok("READ", post(IBV_WR_RDMA_READ, raced[0], SIZE, l->lkey, raced[1], r->rkey));
		post_recv(raced[1], SIZE, r->lkey);
		ok("SEND", post(IBV_WR_SEND, raced[0], SIZE, l->lkey, NULL, 0));
		ok("RECV", receive());
	}
	racing = false;
	pthread_join(thread, NULL);
	destroy_pair();
	dereg(l);
	dereg(r);
	munmap(raced[0], SIZE);
	munmap(raced[1], SIZE);
}

/* Regions and QPs that are destroyed while they wait for a page fault. */
static void test_gone(unsigned int rounds)
{
	uint8_t *its = map(NULL, SIZE);
	struct ibv_sge sge = { (uintptr_t)a.buf, SIZE, a.mr->lkey };
	unsigned int i;

	for (i = 0; i < rounds; i++) {
		struct ibv_mr *r = reg(&b, its, SIZE, FULL);
		struct ibv_send_wr *bad, wr = { .sg_list = &sge,
						.num_sge = 1,
						.opcode = IBV_WR_RDMA_WRITE,
						.wr.rdma = { (uintptr_t)its, r->rkey } };

		drop(its, SIZE);
		connect_pair();
		if (ibv_post_send(a.qp, &wr, &bad) || ibv_post_send(a.qp, &wr, &bad))
			die("posting failed: %m");
		if (i % 2)
			dereg(r);
		destroy_pair();
		if (!(i % 2))
			dereg(r);
	}
	munmap(its, SIZE);
}

int main(int argc, char **argv)
{
	unsigned int rounds;

	if (argc != 6)
		die("usage: odp DEVICE_A GID_INDEX DEVICE_B GID_INDEX ROUNDS");
	rounds = atoi(argv[5]);
	device_b = argv[3];
	side_open(&a, argv[1], atoi(argv[2]), SIZE);
	side_open(&b, argv[3], atoi(argv[4]), SIZE);

	test_registration();
	test_operations(false);
	test_operations(true);
	test_replaced();
	test_absent(true);
	test_absent(false);
	test_fork();
	test_prefetch(false);
	test_prefetch(true);
	test_prefetch_refused();
	test_secret();
	test_race(rounds);
	test_gone(rounds);

	side_close(&a);
	side_close(&b);
	return 0;
}
