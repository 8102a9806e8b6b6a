// SPDX-License-Identifier: GPL-2.0
/*
 * Processes that make random calls, most of them well-formed, on two devices, and that are
 * signalled and killed.
 *
 * random_calls DEVICE_A GID_INDEX DEVICE_B GID_INDEX SECONDS SEED PROCESSES
 *
 * Each life of a process has a seed of its own, which follows from SEED, and makes the same calls
 * with the same seed. The scheduler decides how those of different processes meet. A process has
 * tables of objects, takes any two of them for a call, and does not care whether the call
 * succeeds. It also forks, and writes into the rings. It may well crash in the library: then, as
 * after SIGKILL, it gets the next life. The kernel must bear it all; the case looks at what is
 * left.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pair.h"
#include "random.h"
#include "rings.h"
#include "uverbs.h"

#define BUF_SIZE      (1u << 20)
#define SLOTS	      12
#define MAX_PROCESSES 16
#define CALLS_A_LIFE  4000
#define MAPPINGS      8
#define CRASHED	      3

/**
 * struct table - objects of one process
 * @qpn: numbers of its queue pairs, and of those that it had
 */
struct table {
	struct ibv_context *ctx[2];
	union ibv_gid gid[2];
	int gid_index[2];
	uint8_t *buf;
	struct ibv_pd *pd[SLOTS];
	struct ibv_mr *mr[SLOTS];
	struct ibv_mw *mw[SLOTS];
	struct ibv_comp_channel *channel[SLOTS];
	struct ibv_cq *cq[SLOTS];
	struct ibv_srq *srq[SLOTS];
	struct ibv_qp *qp[SLOTS];
	struct ibv_ah *ah[SLOTS];
	void *mapping[MAPPINGS];
	uint32_t qpn[SLOTS];
};

static struct table t;

/* Whether this life writes into the rings, which the library does not survive for long. */
static bool scribbles;

/* Queue pairs of all processes, so that they send to one another. */
static uint32_t *shared_qpn;

/* A count: mostly small, at times at a limit or beyond. */
static uint32_t count(void)
{
	static const uint32_t edges[] = { 0, 1, 32, 33, 1023, 4096, 1u << 31, ~0u };

	return one_in(8) ? edges[below(sizeof(edges) / sizeof(edges[0]))] : 1 + below(64);
}

static int access_flags(void)
{
	return one_in(8) ? (int)rnd() : (int)below(1 << 7) | IBV_ACCESS_LOCAL_WRITE;
}

/* Any slot, so that calls also meet objects that are not there: those return at once. */
#define ANY(kind)  (t.kind[below(SLOTS)])
#define SLOT(kind) (&t.kind[below(SLOTS)])

static uint32_t any_qpn(void)
{
	return one_in(16) ? rnd() & 0xffffff : shared_qpn[below(SLOTS * MAX_PROCESSES)];
}

static void call_pd(void)
{
	struct ibv_pd **pd = SLOT(pd);

	if (!*pd)
		*pd = ibv_alloc_pd(t.ctx[below(2)]);
	else if (one_in(4) && !ibv_dealloc_pd(*pd))
		*pd = NULL;
}

static void call_mr(void)
{
	struct ibv_mr **mr = SLOT(mr);
	struct ibv_pd *pd = ANY(pd);
	uint32_t offset = below(BUF_SIZE), length = below(BUF_SIZE - offset);

	if (*mr && one_in(3)) {
		if (pd)
			mr_rereg(*mr, below(8), pd, t.buf + offset, length, access_flags());
	} else if (*mr) {
		if (!ibv_dereg_mr(*mr))
			*mr = NULL;
	} else if (pd) {
		*mr = ibv_reg_mr(pd, t.buf + offset, one_in(16) ? rnd() : length, access_flags());
	}
}

static void call_mw(void)
{
	struct ibv_mw **mw = SLOT(mw);
	struct ibv_pd *pd = ANY(pd);

	if (*mw && !ibv_dealloc_mw(*mw))
		*mw = NULL;
	else if (!*mw && pd)
		*mw = ibv_alloc_mw(pd, 1 + below(2));
}

static void call_channel(void)
{
	struct ibv_comp_channel **channel = SLOT(channel);

	if (!*channel)
		*channel = ibv_create_comp_channel(t.ctx[below(2)]);
	else if (one_in(4) && !ibv_destroy_comp_channel(*channel))
		*channel = NULL;
}

static void call_cq(void)
{
	struct ibv_comp_channel *channel = ANY(channel);
	struct ibv_cq **cq = SLOT(cq);
	struct ibv_wc wc[16];

	if (!*cq) {
		*cq = ibv_create_cq(channel ? channel->context : t.ctx[below(2)], count(), NULL,
				    channel, one_in(16) ? rnd() : 0);
		return;
	}
	switch (below(6)) {
	case 0:
		if (!ibv_destroy_cq(*cq))
			*cq = NULL;
		break;
	case 1:
		ibv_resize_cq(*cq, count());
		break;
	case 2:
		ibv_req_notify_cq(*cq, below(2));
		break;
	default:
		ibv_poll_cq(*cq, 16, wc);
	}
}

/*
 * Events, without waiting. Those of CQs are not acknowledged at times: destroying the CQ would
 * then wait for ever.
 */
static void call_events(void)
{
	struct ibv_comp_channel *channel = ANY(channel);
	struct ibv_async_event event;
	struct ibv_cq *cq;
	void *context;

	if (channel && !fcntl(channel->fd, F_SETFL, O_NONBLOCK) &&
	    !ibv_get_cq_event(channel, &cq, &context))
		ibv_ack_cq_events(cq, 1);
	if (!ibv_get_async_event(t.ctx[below(2)], &event))
		ibv_ack_async_event(&event);
}

static void call_srq(void)
{
	struct ibv_srq_init_attr init = { .attr = { .max_wr = count(), .max_sge = 1 + below(8) } };
	struct ibv_srq_attr attr = { .max_wr = count(), .srq_limit = count() };
	struct ibv_srq **srq = SLOT(srq);
	struct ibv_pd *pd = ANY(pd);

	if (!*srq) {
		*srq = pd ? ibv_create_srq(pd, &init) : NULL;
		return;
	}
	switch (below(4)) {
	case 0:
		if (!ibv_destroy_srq(*srq))
			*srq = NULL;
		break;
	case 1:
		ibv_query_srq(*srq, &attr);
		break;
	default:
		ibv_modify_srq(*srq, &attr, below(4));
	}
}

static void create_qp(struct ibv_qp **qp)
{
	static const enum ibv_qp_type types[] = { IBV_QPT_RC, IBV_QPT_RC, IBV_QPT_UC, IBV_QPT_UD };
	struct ibv_qp_init_attr init = {
		.send_cq = ANY(cq),
		.recv_cq = ANY(cq),
		.srq = one_in(4) ? ANY(srq) : NULL,
		.cap = { count(), count(), 1 + below(8), 1 + below(8), below(256) },
		.qp_type = one_in(32) ? below(16) : types[below(4)],
		.sq_sig_all = below(2),
	};
	struct ibv_pd *pd = ANY(pd);

	if (!pd || !init.send_cq || !init.recv_cq)
		return;
	*qp = ibv_create_qp(pd, &init);
	if (*qp)
		shared_qpn[below(SLOTS * MAX_PROCESSES)] = (*qp)->qp_num;
}

static struct ibv_qp_attr any_attr(enum ibv_qp_state to)
{
	int device = below(2);

	return (struct ibv_qp_attr){
		.qp_state = to,
		.cur_qp_state = below(8),
		.path_mtu = 1 + below(one_in(16) ? 8 : 3),
		.qkey = 0x11111111,
		.rq_psn = rnd() & 0xffffff,
		.sq_psn = rnd() & 0xffffff,
		.dest_qp_num = any_qpn(),
		.qp_access_flags = access_flags(),
		.cap = { count(), count(), 1, 1, 0 },
		.ah_attr = { .is_global = !one_in(32),
			     .port_num = one_in(32) ? below(4) : 1,
			     .dlid = below(2),
			     .grh = { .dgid = t.gid[device],
				      .sgid_index = one_in(16) ? (int)below(300) :
								 t.gid_index[device],
				      .hop_limit = below(64) } },
		.alt_ah_attr = { .is_global = below(2), .port_num = below(3) },
		.max_rd_atomic = below(one_in(16) ? 256 : 17),
		.max_dest_rd_atomic = below(one_in(16) ? 256 : 17),
		.min_rnr_timer = below(40),
		.port_num = one_in(32) ? below(4) : 1,
		/* 8 is a millisecond. */
		.timeout = below(one_in(16) ? 40 : 8),
		.retry_cnt = below(9),
		.rnr_retry = below(9),
		.rate_limit = one_in(16) ? rnd() : 0,
	};
}

/* The attributes that the step to the next state takes, or any. */
static void modify_qp(struct ibv_qp *qp)
{
	static const int next[] = {
		[IBV_QPS_RESET] = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT,
		[IBV_QPS_INIT] = IBV_QP_STATE,
		[IBV_QPS_RTR] = IBV_QP_STATE | IBV_QP_SQ_PSN,
		[IBV_QPS_RTS] = IBV_QP_STATE,
		[IBV_QPS_SQD] = IBV_QP_STATE,
		[IBV_QPS_SQE] = IBV_QP_STATE,
		[IBV_QPS_ERR] = IBV_QP_STATE,
	};
	enum ibv_qp_state from = qp->state <= IBV_QPS_ERR ? qp->state : IBV_QPS_RESET;
	enum ibv_qp_state to = from < IBV_QPS_RTS ? from + 1 : below(8);
	struct ibv_qp_attr attr = any_attr(one_in(8) ? below(8) : to);
	int mask = next[from];

	if (from == IBV_QPS_RESET)
		mask |= qp->qp_type == IBV_QPT_UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS;
	if (from == IBV_QPS_INIT && qp->qp_type != IBV_QPT_UD)
		mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
	if (from == IBV_QPS_INIT && qp->qp_type == IBV_QPT_RC)
		mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
	if (from == IBV_QPS_RTR && qp->qp_type == IBV_QPT_RC)
		mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			IBV_QP_MAX_QP_RD_ATOMIC;
	if (one_in(8))
		mask ^= 1 << below(26);
	if (one_in(16))
		mask = rnd();
	ibv_modify_qp(qp, &attr, mask);
}

static void call_qp(void)
{
	struct ibv_qp **qp = SLOT(qp);
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	if (!*qp) {
		create_qp(qp);
		return;
	}
	switch (below(8)) {
	case 0:
		if (!ibv_destroy_qp(*qp))
			*qp = NULL;
		break;
	case 1:
		ibv_query_qp(*qp, &attr, rnd(), &init);
		break;
	case 2:
		if (below(2))
			ibv_attach_mcast(*qp, &t.gid[below(2)], 0);
		else
			ibv_detach_mcast(*qp, &t.gid[below(2)], 0);
		break;
	default:
		modify_qp(*qp);
	}
}

static void call_ah(void)
{
	struct ibv_ah_attr attr = any_attr(0).ah_attr;
	struct ibv_ah **ah = SLOT(ah);
	struct ibv_pd *pd = ANY(pd);

	if (*ah && !ibv_destroy_ah(*ah))
		*ah = NULL;
	else if (!*ah && pd)
		*ah = ibv_create_ah(pd, &attr);
}

static struct ibv_sge any_sge(void)
{
	struct ibv_mr *mr = ANY(mr);

	return (struct ibv_sge){
		.addr = (uintptr_t)t.buf + below(BUF_SIZE),
		.length = one_in(32) ? rnd() : below(20000),
		.lkey = mr ? mr->lkey : (uint32_t)rnd(),
	};
}

static void call_send(void)
{
	struct ibv_mr *mr = ANY(mr), *bound = ANY(mr);
	struct ibv_sge sge[4] = { any_sge(), any_sge(), any_sge(), any_sge() };
	struct ibv_send_wr *bad, wr = {
		.wr_id = rnd(),
		.sg_list = sge,
		.num_sge = below(5),
		.opcode = below(12),
		.send_flags = below(32),
		.imm_data = rnd(),
		.wr.rdma = { (uintptr_t)t.buf + below(BUF_SIZE), mr ? mr->rkey : 0 },
	};
	struct ibv_qp *qp = ANY(qp);
	struct ibv_mw *mw = ANY(mw);

	if (!qp)
		return;
	if (wr.opcode == IBV_WR_ATOMIC_CMP_AND_SWP || wr.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		wr.wr.atomic.remote_addr = (uintptr_t)t.buf + (below(BUF_SIZE) & ~7u);
		wr.wr.atomic.rkey = mr ? mr->rkey : 0;
	} else if (wr.opcode == IBV_WR_BIND_MW) {
		if (!mw || !bound)
			return;
		wr.bind_mw.mw = mw;
		wr.bind_mw.rkey = ibv_inc_rkey(mw->rkey);
		wr.bind_mw.bind_info =
			(struct ibv_mw_bind_info){ bound, (uintptr_t)t.buf + below(BUF_SIZE),
						   below(9000), below(32) };
	} else if (qp->qp_type == IBV_QPT_UD) {
		wr.wr.ud.ah = ANY(ah);
		wr.wr.ud.remote_qpn = any_qpn();
		wr.wr.ud.remote_qkey = 0x11111111;
		if (!wr.wr.ud.ah)
			return;
	}
	ibv_post_send(qp, &wr, &bad);
}

static void call_recv(void)
{
	struct ibv_sge sge[2] = { any_sge(), any_sge() };
	struct ibv_recv_wr *bad, wr = { .wr_id = rnd(), .sg_list = sge, .num_sge = below(3) };
	struct ibv_srq *srq = ANY(srq);
	struct ibv_qp *qp = ANY(qp);

	if (srq && below(2))
		ibv_post_srq_recv(srq, &wr, &bad);
	else if (qp && !qp->srq)
		ibv_post_recv(qp, &wr, &bad);
}

/*
 * Mappings of any offset of the device, with any rights; a mapping of a ring outlives its object.
 */
static void call_mmap(void)
{
	void **mapping = &t.mapping[below(MAPPINGS)];
	size_t length = 4096u << below(6);

	if (*mapping) {
		munmap(*mapping, length);
		*mapping = NULL;
		return;
	}
	*mapping = mmap(NULL, length, below(8), one_in(4) ? MAP_PRIVATE : MAP_SHARED,
			t.ctx[below(2)]->cmd_fd,
			one_in(4) ? (off_t)(rnd() & ~0xfffull) >> 1 : (off_t)below(64) << 12);
	if (*mapping == MAP_FAILED)
		*mapping = NULL;
}

/* A word of a ring that the library has mapped, also while the kernel reads it. */
static void call_scribble(void)
{
	struct rxe_queue_buf *ring = ring_mapped[below(4)];

	if (ring)
		((volatile uint32_t *)ring)[below(1024)] = one_in(2) ? below(256) : rnd();
}

static void call_memory(void)
{
	size_t offset = below(BUF_SIZE) & ~0xfffu, length = below(16) << 12;

	if (offset + length > BUF_SIZE)
		return;
	switch (below(3)) {
	case 0:
		madvise(t.buf + offset, length, MADV_DONTNEED);
		break;
	case 1:
		mprotect(t.buf + offset, length, one_in(2) ? PROT_READ : PROT_READ | PROT_WRITE);
		break;
	default:
		mmap(t.buf + offset, length ?: 4096, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	}
}

/* A child has the same files, and its parent may change and end meanwhile. */
static void call_fork(void)
{
	struct ibv_device_attr attr;
	struct ibv_qp *qp = ANY(qp);
	pid_t child = fork();

	if (child)
		return;
	ibv_query_device(t.ctx[0], &attr);
	call_mmap();
	if (qp && one_in(2))
		modify_qp(qp);
	if (one_in(2))
		execl("/bin/true", "true", NULL);
	_exit(0);
}

static void call_query(void)
{
	struct ibv_port_attr port;
	union ibv_gid gid;

	ibv_query_port(t.ctx[below(2)], below(3), &port);
	ibv_query_gid(t.ctx[below(2)], 1, below(300), &gid);
}

/* All objects stay; the kernel removes them when the last file is closed. */
static void close_all(void)
{
	int i;

	for (i = 0; i < 2; i++)
		close(t.ctx[i]->cmd_fd);
	_exit(0);
}

static void a_call(void)
{
	static void (*const calls[])(void) = {
		call_pd,   call_mr,	call_mr,     call_mw,	 call_channel, call_cq,
		call_cq,   call_events, call_srq,    call_qp,	 call_qp,      call_qp,
		call_qp,   call_ah,	call_send,   call_send,	 call_send,    call_recv,
		call_recv, call_mmap,	call_memory, call_query,
	};

	if (one_in(500))
		call_fork();
	else if (scribbles && one_in(100))
		call_scribble();
	else
		calls[below(sizeof(calls) / sizeof(calls[0]))]();
}

static void nothing(int signal)
{
	(void)signal;
}

/*
 * The library read what a ring has, or a page is gone: no business of the kernel, which would log
 * it.
 */
static void crash(int signal)
{
	(void)signal;
	_exit(CRASHED);
}

/* Open a device, or end if it is gone at the moment. */
static struct ibv_context *opened(const char *name)
{
	struct ibv_context *ctx = device_try_open(name);

	if (!ctx) {
		usleep(10000);
		_exit(0);
	}
	return ctx;
}

static void live(char **argv, uint64_t seed)
{
	/* Without SA_RESTART: calls are interrupted. */
	struct sigaction interrupt = { .sa_handler = nothing };
	struct rlimit core = { 0, 0 };
	int i, end;

	random_state = seed * 0x9e3779b97f4a7c15ull | 1;
	sigaction(SIGUSR1, &interrupt, NULL);
	signal(SIGSEGV, crash);
	signal(SIGBUS, crash);
	signal(SIGFPE, crash);
	signal(SIGCHLD, SIG_IGN);
	setrlimit(RLIMIT_CORE, &core);
	/*
	 * A call that waits for ever, such as for events of a CQ that nobody acknowledges, ends
	 * the life.
	 */
	alarm(20);
	for (i = 0; i < 2; i++) {
		t.ctx[i] = opened(argv[1 + 2 * i]);
		t.gid_index[i] = atoi(argv[2 + 2 * i]);
		if (ibv_query_gid(t.ctx[i], 1, t.gid_index[i], &t.gid[i]))
			_exit(0);
		fcntl(t.ctx[i]->async_fd, F_SETFL, O_NONBLOCK);
	}
	t.buf = mmap(NULL, BUF_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	scribbles = one_in(3);
	end = below(CALLS_A_LIFE);
	for (i = 0; i < end; i++)
		a_call();
	if (one_in(2))
		close_all();
	_exit(0);
}

static pid_t born(char **argv, uint64_t seed)
{
	pid_t child = fork();

	if (child < 0)
		die("fork: %m");
	if (!child)
		live(argv, seed);
	return child;
}

int main(int argc, char **argv)
{
	pid_t child[MAX_PROCESSES];
	uint64_t lives = 0, killed = 0, crashed = 0, seed;
	int i, n, status;
	double end;

	if (argc != 8)
		die("usage: random_calls DEVICE_A GID_INDEX DEVICE_B GID_INDEX SECONDS SEED PROCESSES");
	seed = strtoull(argv[6], NULL, 0);
	n = atoi(argv[7]);
	if (n < 1 || n > MAX_PROCESSES)
		die("1 to %d processes", MAX_PROCESSES);
	shared_qpn = mmap(NULL, sizeof(*shared_qpn) * SLOTS * MAX_PROCESSES, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared_qpn == MAP_FAILED)
		die("mmap: %m");
	random_state = seed | 1;
	end = seconds() + atoi(argv[5]);
	for (i = 0; i < n; i++)
		child[i] = born(argv, seed + lives++);
	while (seconds() < end) {
		i = below(n);
		usleep(1000 + below(9000));
		if (one_in(50)) {
			kill(child[i], SIGKILL);
			killed++;
		} else {
			kill(child[i], SIGUSR1);
		}
		for (i = 0; i < n; i++) {
			if (waitpid(child[i], &status, WNOHANG) != child[i])
				continue;
			crashed += WIFEXITED(status) && WEXITSTATUS(status) == CRASHED;
			child[i] = born(argv, seed + lives++);
		}
	}
	for (i = 0; i < n; i++) {
		kill(child[i], SIGKILL);
		waitpid(child[i], &status, 0);
	}
	printf("%llu lives of %d processes, %llu killed, %llu crashed\n", (unsigned long long)lives,
	       n, (unsigned long long)killed, (unsigned long long)crashed);
	return 0;
}
