// SPDX-License-Identifier: GPL-2.0
/*
 * Test that page faults of one process, which never end, do not delay those of another one.
 *
 * 	odp_stall DEVICE GID_INDEX DIRECTORY
 *
 * DIRECTORY is the root of a file system that can be frozen, as by fsfreeze(8). While it is, a page
 * of a file there cannot be made writable. One process has QPS faults on such pages, and another
 * has prefetches of them. A third process then has to write to on-demand memory, to prefetch it and
 * to deregister it. After the file system has been thawed, the faults must end; then the same again
 * with processes that are killed while they have faults.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pair.h"
#include "uverbs.h"

/* More than the work items of an unbound workqueue that run at the same time, 1024. */
#define QPS	   1100u
#define PREFETCHES 300u
#define PAGE	   4096u
#define WAIT	   60.0
#define BYSTANDER  5.0

static const char *device;
static int gid_index, file;

static void *file_memory(void)
{
	void *mem = mmap(NULL, QPS * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

	if (mem == MAP_FAILED)
		die("the file cannot be mapped: %m");
	return mem;
}

static struct ibv_mr *on_demand(struct side *s, void *mem, size_t size)
{
	struct ibv_mr *mr = ibv_reg_mr(s->pd, mem, size,
				       IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
					       IBV_ACCESS_ON_DEMAND);

	if (!mr)
		die("an on-demand region is refused: %m");
	return mr;
}

static struct ibv_qp *loopback_qp(struct side *s)
{
	struct ibv_qp_init_attr init = {
		.send_cq = s->cq,
		.recv_cq = s->cq,
		.qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 },
	};
	struct ibv_qp_attr attr = { .qp_access_flags = IBV_ACCESS_REMOTE_WRITE };
	struct ibv_qp *qp = ibv_create_qp(s->pd, &init);

	if (!qp)
		die("cannot create a QP: %m");
	qp_connect_to_self(qp, s);
	if (ibv_modify_qp(qp, &attr, IBV_QP_ACCESS_FLAGS))
		die("the QP's access flags cannot be modified: %m");
	return qp;
}

static void write_page(struct side *s, struct ibv_qp *qp, void *to, uint32_t rkey)
{
	struct ibv_sge sge = { (uintptr_t)s->buf, 8, s->mr->lkey };
	struct ibv_send_wr *bad, wr = { .sg_list = &sge,
					.num_sge = 1,
					.opcode = IBV_WR_RDMA_WRITE,
					.send_flags = IBV_SEND_SIGNALED,
					.wr.rdma = { (uintptr_t)to, rkey } };

	if (ibv_post_send(qp, &wr, &bad))
		die("posting failed: %m");
}

static void open_side(struct side *s)
{
	side_open(s, device, gid_index, PAGE);
	s->cq = ibv_create_cq(s->ctx, QPS, NULL, NULL, 0);
	if (!s->cq)
		die("cannot create a CQ");
}

/* Does not return before the file system is thawed. */
static void faults_forever(void)
{
	uint8_t *mem = file_memory();
	struct ibv_qp *qp[QPS];
	struct ibv_mr *mr;
	struct ibv_wc wc;
	struct side s;
	unsigned int i;

	open_side(&s);
	mr = on_demand(&s, mem, QPS * PAGE);
	/* The process cannot map memory, as that of a QP, while it has a page fault. */
	for (i = 0; i < QPS; i++)
		qp[i] = loopback_qp(&s);
	for (i = 0; i < QPS; i++)
		write_page(&s, qp[i], mem + i * PAGE, mr->rkey);
	for (i = 0; i < QPS; i++)
		side_expect(&s, 0, IBV_WC_SUCCESS, &wc);
}

/* The kernel may execute a prefetch, if there are many, before the call returns. */
static void prefetches_forever(void)
{
	uint8_t *mem = file_memory();
	struct ibv_sge sge = { .length = PAGE };
	unsigned int i;
	struct side s;

	open_side(&s);
	sge.lkey = on_demand(&s, mem, QPS * PAGE)->lkey;
	for (i = 0; i < PREFETCHES; i++) {
		sge.addr = (uintptr_t)mem + i * PAGE;
		if (pd_advise(s.pd, IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE, 0, &sge, 1))
			die("prefetch %u failed: %m", i);
	}
}

static void bystander(void)
{
	double begin = seconds();
	struct ibv_sge sge = { .length = PAGE };
	struct ibv_mr *mr;
	struct ibv_wc wc;
	struct side s;
	void *mem;

	open_side(&s);
	mem = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mem == MAP_FAILED)
		die("no memory: %m");
	mr = on_demand(&s, mem, 2 * PAGE);
	write_page(&s, loopback_qp(&s), mem, mr->rkey);
	side_expect(&s, 0, IBV_WC_SUCCESS, &wc);
	sge.addr = (uintptr_t)mem + PAGE;
	sge.lkey = mr->lkey;
	if (pd_advise(s.pd, IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE, 0, &sge, 1))
		die("a prefetch failed: %m");
	if (ibv_dereg_mr(mr))
		die("a region cannot be deregistered: %m");
	printf("another process: page fault, prefetch and deregistration %.2f s\n",
	       seconds() - begin);
	fflush(stdout);
}

static pid_t start(void (*run)(void))
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork: %m");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	run();
	_exit(0);
}

/* State of the process, as ps(1) shows it. */
static char state_of(pid_t pid)
{
	char path[64], state = '?';
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "r");
	if (f) {
		if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
			state = '?';
		fclose(f);
	}
	return state;
}

static uint64_t faults(void)
{
	return device_counter(device, "page_fault");
}

/* Return: true if the process has ended within @limit seconds. */
static bool ends(pid_t pid, double limit, int *status)
{
	double end = seconds() + limit;

	while (seconds() < end) {
		if (waitpid(pid, status, WNOHANG) == pid)
			return true;
		usleep(1000);
	}
	return false;
}

/* Return: true if it has ended by itself and without an error. */
static bool ends_well(pid_t pid, double limit)
{
	int status;

	return ends(pid, limit, &status) && WIFEXITED(status) && !WEXITSTATUS(status);
}

static void wait_for_stalls(pid_t prefetcher, uint64_t before)
{
	double end = seconds() + WAIT;
	char state;

	while (faults() < before + QPS && seconds() < end)
		;
	if (faults() < before + QPS)
		die("%lu page faults after %.0f s", faults() - before, WAIT);
	/* Ended, or waiting for the file system. */
	do
		state = state_of(prefetcher);
	while (state != 'Z' && state != 'D' && seconds() < end);
}

static void freeze(int root)
{
	if (ioctl(root, FIFREEZE, 0))
		die("the file system cannot be frozen: %m");
}

static void thaw(int root)
{
	if (ioctl(root, FITHAW, 0))
		die("the file system cannot be thawed: %m");
}

/* Freeze the file system, and start the processes that wait for it. */
static void stall(int root, pid_t *stalled, pid_t *prefetcher)
{
	uint64_t before = faults();

	freeze(root);
	*stalled = start(faults_forever);
	*prefetcher = start(prefetches_forever);
	wait_for_stalls(*prefetcher, before);
}

static void test_bystander(int root)
{
	pid_t stalled, prefetcher;
	bool undelayed;

	stall(root, &stalled, &prefetcher);
	undelayed = ends_well(start(bystander), BYSTANDER);
	thaw(root);
	if (!undelayed)
		die("another process's page fault or prefetch took more than %.0f s", BYSTANDER);
	if (!ends_well(stalled, WAIT) || !ends_well(prefetcher, WAIT))
		die("the faults did not end after the file system had been thawed");
	printf("%u page faults ended after the file system had been thawed\n", QPS);
}

static void test_killed(int root)
{
	pid_t stalled, prefetcher;
	int status;

	stall(root, &stalled, &prefetcher);
	kill(stalled, SIGKILL);
	kill(prefetcher, SIGKILL);
	thaw(root);
	if (!ends(stalled, WAIT, &status) || !ends(prefetcher, WAIT, &status))
		die("processes that were killed during page faults have not ended");
}

static void open_file(const char *directory)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/odp_stall", directory);
	file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (file < 0 || ftruncate(file, QPS * PAGE))
		die("%s: %m", path);
}

int main(int argc, char **argv)
{
	int root;

	if (argc != 4)
		die("usage: odp_stall DEVICE GID_INDEX DIRECTORY");
	device = argv[1];
	gid_index = atoi(argv[2]);
	open_file(argv[3]);
	root = open(argv[3], O_RDONLY | O_DIRECTORY);
	if (root < 0)
		die("%s: %m", argv[3]);
	test_bystander(root);
	test_killed(root);
	return 0;
}
