// SPDX-License-Identifier: GPL-2.0
/*
 * A program that breaks every rule of the rings it shares with the kernel: invalid opcodes,
 * lengths,
 * SGE counts and indices, changed while the kernel reads them. A well-behaved pair of QPs on the
 * same
 * devices exchanges messages at the same time and must not be affected.
 *
 * 	hostile DEVICE_A GID_INDEX DEVICE_B GID_INDEX DOORBELLS SEED
 *
 * The same seed writes the same garbage; the scheduler decides when the kernel reads it. Succeeds
 * if
 * the hostile process survives DOORBELLS doorbells, and each message of the well-behaved pair
 * arrives
 * intact.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pair.h"
#include "random.h"
#include "rings.h"

#define BUF_SIZE  65536
#define PING_SIZE 4096
/* Most QPs enter the ERR state early and stay there until their next life. */
#define DOORBELLS_A_LIFE 64
#define LIVES_A_QP 16

/* Boundary values that checks may get wrong, and random ones. */
static uint32_t odd_u32(void)
{
	static const uint32_t edges[] = {
		0,	    1,		2,	    7,		8,	    15,	   16,
		31,	    32,		33,	    48,		64,	    255,   256,
		511,	    512,	513,	    4095,	4096,	    65535, 65536,
		0x7fffffff, 0x80000000, 0x80000001, 0xfffffff0, 0xffffffff,
	};

	if (one_in(3))
		return rnd();
	return edges[below(sizeof(edges) / sizeof(edges[0]))];
}

/**
 * struct hostile - one side of the hostile pair
 * @rq: receive ring
 * @sq: send ring
 * @cq: completion ring
 * @srq: shared receive queue, used by half of the QPs
 * @srq_ring: its ring, laid out like @rq
 * @bind_mr: region that windows may be bound to
 * @mw: windows of both types
 * @mw_key: their expected keys
 */
struct hostile {
	struct side side;
	struct ibv_srq *srq;
	struct rxe_queue_buf *srq_ring;
	struct ibv_mr *bind_mr;
	struct ibv_mw *mw[2];
	uint32_t mw_key[2];
	struct rxe_queue_buf *rq;
	struct rxe_queue_buf *sq;
	struct rxe_queue_buf *cq;
};

/* The kernel's own values; the program overwrites those in the ring's header. */
static uint32_t sq_mask, sq_log2, rq_mask, rq_log2;

static void open_windows(struct hostile *h)
{
	int i;

	h->bind_mr = ibv_reg_mr(h->side.pd, h->side.buf, BUF_SIZE,
				IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND);
	for (i = 0; i < 2; i++) {
		h->mw[i] = ibv_alloc_mw(h->side.pd, i ? IBV_MW_TYPE_2 : IBV_MW_TYPE_1);
		if (!h->bind_mr || !h->mw[i])
			die("no window");
		h->mw_key[i] = h->mw[i]->rkey;
	}
}

static void open_hostile(struct hostile *h, const char *device, int gid_index)
{
	struct ibv_srq_init_attr srq = { .attr = { .max_wr = 64, .max_sge = 4 } };

	rings_mapped = 0;
	side_open(&h->side, device, gid_index, BUF_SIZE);
	if (!rings_mapped)
		die("%s: the CQ's ring was not mapped", device);
	h->cq = ring_mapped[0];
	open_windows(h);
	rings_mapped = 0;
	h->srq = ibv_create_srq(h->side.pd, &srq);
	if (!h->srq || rings_mapped != 1)
		die("%s: no SRQ", device);
	h->srq_ring = ring_mapped[0];
}

/* Every second generation of QPs uses the shared receive queue. */
static void create_hostile(struct hostile *h, bool shared)
{
	rings_mapped = 0;
	h->side.srq = shared ? h->srq : NULL;
	side_create_qp(&h->side);
	if (rings_mapped != (shared ? 1 : 2))
		die("%u rings of a QP were mapped", rings_mapped);
	h->rq = shared ? h->srq_ring : ring_mapped[0];
	h->sq = ring_mapped[!shared];
	/* The first one uses no SRQ. Both rings have the same size. */
	if (!shared) {
		rq_mask = h->rq->index_mask;
		rq_log2 = h->rq->log2_elem_size;
	}
	sq_mask = h->sq->index_mask;
	sq_log2 = h->sq->log2_elem_size;
	if (1u << sq_log2 < sizeof(struct rxe_send_wqe))
		die("the second ring mapped is not the send queue's");
}

static void write_sge(struct rxe_sge *sge, const struct side *s)
{
	*sge = (struct rxe_sge){
		.addr = (uintptr_t)s->buf + below(BUF_SIZE / 2),
		.length = below(4) ? below(9000) : odd_u32(),
		.lkey = s->mr->lkey,
	};
	if (one_in(8))
		sge->addr = rnd();
	if (one_in(8))
		sge->lkey = odd_u32();
}

/* Write a bind, in most cases a valid one. */
static void write_bind(struct rxe_send_wr *wr, struct hostile *h)
{
	int type = below(2);

	wr->wr.mw.addr = (uintptr_t)h->side.buf + below(BUF_SIZE / 2);
	wr->wr.mw.length = below(4) ? below(9000) : odd_u32();
	wr->wr.mw.mr_lkey = h->bind_mr->lkey;
	wr->wr.mw.mw_rkey = h->mw_key[type];
	wr->wr.mw.access = rnd() & 0xf;
	if (one_in(8))
		wr->wr.mw.addr = rnd();
	if (one_in(8))
		wr->wr.mw.length = rnd();
	if (one_in(8))
		wr->wr.mw.access = rnd();
	if (one_in(8))
		wr->wr.mw.mr_lkey = odd_u32();
	if (one_in(8))
		wr->wr.mw.mw_rkey = h->side.mr->rkey;
	h->mw_key[type] = (h->mw_key[type] & ~0xffu) | ((h->mw_key[type] + 1) & 0xff);
	wr->wr.mw.rkey = one_in(8) ? odd_u32() : h->mw_key[type];
}

/* Write a valid send WQE and then corrupt a part of it. */
static void write_send_wqe(struct rxe_send_wqe *wqe, struct hostile *h,
			   const struct hostile *peer)
{
	uint32_t room = (1u << sq_log2) - sizeof(*wqe);
	uint32_t i;

	if (one_in(8)) {
		uint64_t *words = (uint64_t *)wqe;

		for (i = 0; i < (1u << sq_log2) / 8; i++)
			words[i] = rnd();
		if (one_in(2))
			return;
	}
	wqe->wr.wr_id = rnd();
	wqe->wr.opcode = one_in(4) ? odd_u32() : below(16);
	wqe->wr.send_flags = rnd() & 0xf;
	if (one_in(8))
		wqe->wr.send_flags = rnd();
	wqe->wr.wr.atomic.remote_addr = (uintptr_t)peer->side.buf + 8 * below(BUF_SIZE / 16);
	if (wqe->wr.opcode == IBV_WR_ATOMIC_CMP_AND_SWP ||
	    wqe->wr.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD)
		wqe->wr.wr.atomic.rkey = peer->side.mr->rkey;
	else
		wqe->wr.wr.rdma.rkey = peer->side.mr->rkey;
	if (one_in(4))
		wqe->wr.wr.rdma.rkey = peer->mw_key[below(2)];
	if (one_in(8))
		wqe->wr.wr.rdma.rkey = odd_u32();
	if (one_in(8))
		wqe->wr.wr.rdma.remote_addr = rnd();
	if (wqe->wr.opcode == IBV_WR_BIND_MW)
		write_bind(&wqe->wr, h);
	if (wqe->wr.opcode == IBV_WR_LOCAL_INV)
		wqe->wr.ex.invalidate_rkey = h->mw_key[below(2)];
	if (wqe->wr.opcode == IBV_WR_SEND_WITH_INV)
		wqe->wr.ex.invalidate_rkey = peer->mw_key[below(2)];
	wqe->dma.num_sge = below(4) ? below(room / 16 + 1) : odd_u32();
	wqe->dma.length = below(4) ? below(room + 1) : odd_u32();
	wqe->dma.resid = odd_u32();
	wqe->dma.cur_sge = odd_u32();
	wqe->dma.sge_offset = odd_u32();
	wqe->state = odd_u32();
	wqe->mask = odd_u32();
	wqe->first_psn = odd_u32();
	wqe->last_psn = odd_u32();
	wqe->has_rd_atomic = odd_u32();
	for (i = 0; i < room / 16; i++)
		write_sge(&wqe->dma.sge[i], &h->side);
}

static void write_recv_wqe(struct rxe_recv_wqe *wqe, const struct hostile *h)
{
	uint32_t room = (1u << rq_log2) - sizeof(*wqe);
	uint32_t i;

	wqe->wr_id = rnd();
	wqe->dma.num_sge = below(4) ? below(room / 16 + 1) : odd_u32();
	wqe->dma.length = odd_u32();
	wqe->dma.resid = odd_u32();
	wqe->dma.cur_sge = odd_u32();
	wqe->dma.sge_offset = odd_u32();
	for (i = 0; i < room / 16; i++)
		write_sge(&wqe->dma.sge[i], &h->side);
}

/* Post receives for all messages, so that the peer does not stay blocked by RNR NAKs. */
static void fill_recv_ring(struct hostile *h)
{
	uint32_t consumer = __atomic_load_n(&h->rq->consumer_index, __ATOMIC_ACQUIRE);
	uint32_t i, producer = h->rq->producer_index;

	for (i = producer; ((i + 1 - consumer) & rq_mask); i++)
		write_recv_wqe(ring_element(h->rq, i, rq_mask, rq_log2), h);
	__atomic_store_n(&h->rq->producer_index, i & rq_mask, __ATOMIC_RELEASE);
}

static void write_header(struct rxe_queue_buf *ring)
{
	ring->log2_elem_size = odd_u32();
	ring->index_mask = odd_u32();
	ring->consumer_index = odd_u32();
	if (one_in(2))
		ring->producer_index = odd_u32();
}

static void write_rings(struct hostile *h, struct hostile *peer)
{
	uint32_t n = 1 + below(one_in(8) ? sq_mask : 4);
	uint32_t i;

	for (i = 0; i < n; i++)
		write_send_wqe(ring_element(h->sq, h->sq->producer_index + i, sq_mask, sq_log2), h,
			       peer);
	for (i = 0; i < 4; i++)
		write_recv_wqe(ring_element(h->rq, h->rq->producer_index + i, rq_mask, rq_log2), h);
	__atomic_store_n(&h->rq->producer_index, (h->rq->producer_index + 4) & rq_mask,
			 __ATOMIC_RELEASE);
	__atomic_store_n(&h->sq->producer_index, (h->sq->producer_index + n) & sq_mask,
			 __ATOMIC_RELEASE);
	fill_recv_ring(h);
	fill_recv_ring(peer);
	if (one_in(16))
		write_header(h->sq);
	if (one_in(16))
		write_header(h->rq);
	if (one_in(16))
		write_header(h->cq);
	else
		h->cq->consumer_index = h->cq->producer_index;
}

/* Overwrite the rings while the kernel validates them. */
static pthread_mutex_t rings = PTHREAD_MUTEX_INITIALIZER; /* they stay mapped */
static bool scribbling = true;

static void *scribble(void *arg)
{
	struct hostile *h = arg;
	uint32_t i, x = 1;
	bool go_on;

	do {
		pthread_mutex_lock(&rings);
		for (i = 0; i < 500; i++) {
			volatile struct rxe_send_wqe *wqe;

			x = x * 1664525 + 1013904223;
			wqe = ring_element(h->sq, x >> 16, sq_mask, sq_log2);
			wqe->wr.opcode = x >> 28;
			wqe->dma.num_sge = x >> 8;
			wqe->dma.length = x;
			wqe->dma.sge_offset = x >> 4;
		}
		go_on = scribbling;
		pthread_mutex_unlock(&rings);
		/* Leave most of the CPU to the doorbells. */
		usleep(100);
	} while (go_on);
	return NULL;
}

static void drain_events(struct ibv_context *ctx)
{
	struct ibv_async_event event;

	while (!ibv_get_async_event(ctx, &event))
		ibv_ack_async_event(&event);
}

static void reset_qp(struct side *s)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RESET,
		.port_num = 1,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
				   IBV_ACCESS_REMOTE_ATOMIC,
	};

	if (ibv_modify_qp(s->qp, &attr, IBV_QP_STATE))
		die("QP to RESET failed: %m");
	attr.qp_state = IBV_QPS_INIT;
	if (ibv_modify_qp(s->qp, &attr,
			  IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS))
		die("QP to INIT failed: %m");
}

/*
 * Some lives begin with new QPs, the others with a transition through RESET. Packets of one life
 * may arrive in the next and must not carry the PSN it expects, or it could not start. So each life
 * has its own PSNs. Those of every fourth life wrap around.
 */
static void begin_life(struct hostile h[2], unsigned int life)
{
	const struct pair_attr attr = {
		.mtu = IBV_MTU_1024,
		.timeout = 8,
		.psn = (0xfffff0 + life % 4 * 0x400000) & 0xffffff,
	};
	int i;

	for (i = 0; i < 2; i++) {
		if (life % LIVES_A_QP) {
			reset_qp(&h[i].side);
			continue;
		}
		pthread_mutex_lock(&rings);
		if (h[i].side.qp)
			side_destroy_qp(&h[i].side);
		create_hostile(&h[i], life / LIVES_A_QP % 2);
		pthread_mutex_unlock(&rings);
	}
	pair_connect(&h[0].side, &h[1].side, &attr);
}

static void be_hostile(char **argv, unsigned long doorbells)
{
	struct hostile h[2] = {};
	unsigned long rung;
	pthread_t thread;
	int i;

	for (i = 0; i < 2; i++) {
		open_hostile(&h[i], argv[1 + 2 * i], atoi(argv[2 + 2 * i]));
		fcntl(h[i].side.ctx->async_fd, F_SETFL, O_NONBLOCK);
	}
	begin_life(h, 0);
	if (pthread_create(&thread, NULL, scribble, h))
		die("no thread");
	for (rung = 1; rung <= doorbells; rung++) {
		int who = one_in(4);

		write_rings(&h[who], &h[!who]);
		ring_doorbell(&h[who].side);
		if (rung % DOORBELLS_A_LIFE)
			continue;
		drain_events(h[0].side.ctx);
		drain_events(h[1].side.ctx);
		begin_life(h, rung / DOORBELLS_A_LIFE);
	}
	pthread_mutex_lock(&rings);
	scribbling = false;
	pthread_mutex_unlock(&rings);
	pthread_join(thread, NULL);
	/* Exit without cleaning up, as a hostile process does. */
	_exit(0);
}

static void fill(uint8_t *buf, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < PING_SIZE; i++)
		buf[i] = n * 31 + i * 7 + (i >> 8);
}

static void ping(struct side *from, struct side *to, uint32_t n)
{
	struct ibv_sge rsge = { (uintptr_t)to->buf + PING_SIZE, PING_SIZE, to->mr->lkey };
	struct ibv_sge ssge = { (uintptr_t)from->buf, PING_SIZE, from->mr->lkey };
	struct ibv_recv_wr recv = { .wr_id = n, .sg_list = &rsge, .num_sge = 1 };
	struct ibv_send_wr send = {
		.wr_id = n,
		.sg_list = &ssge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
	};
	struct ibv_recv_wr *bad_recv;
	struct ibv_send_wr *bad_send;
	struct ibv_wc wc;

	fill(from->buf, n);
	memset(to->buf + PING_SIZE, 0, PING_SIZE);
	if (ibv_post_recv(to->qp, &recv, &bad_recv) || ibv_post_send(from->qp, &send, &bad_send))
		die("ping %u: posting failed", n);
	side_expect(to, n, IBV_WC_SUCCESS, &wc);
	side_expect(from, n, IBV_WC_SUCCESS, &wc);
	if (wc.opcode != IBV_WC_SEND || memcmp(from->buf, to->buf + PING_SIZE, PING_SIZE))
		die("ping %u arrived damaged", n);
}

/* Exchange messages until the hostile process exits. Returns its exit status. */
static int be_good(char **argv, pid_t hostile)
{
	struct side s[2];
	uint32_t n = 0;
	int i, status;

	for (i = 0; i < 2; i++) {
		side_open(&s[i], argv[1 + 2 * i], atoi(argv[2 + 2 * i]), 2 * PING_SIZE);
		side_create_qp(&s[i]);
	}
	pair_connect(&s[0], &s[1], &(struct pair_attr){ IBV_MTU_1024, 14, 7 });
	while (!waitpid(hostile, &status, WNOHANG)) {
		ping(&s[n & 1], &s[!(n & 1)], n);
		n++;
		/* Polling for a completion occupies a CPU: leave time for the hostile process. */
		usleep(1000);
	}
	/* After it has exited, send again in each direction. */
	ping(&s[0], &s[1], n);
	ping(&s[1], &s[0], n + 1);
	side_close(&s[0]);
	side_close(&s[1]);
	printf("%u messages arrived whole next to the hostile process\n", n + 2);
	return status;
}

int main(int argc, char **argv)
{
	int status;
	pid_t pid;

	if (argc != 7)
		die("usage: hostile DEVICE_A GID_INDEX DEVICE_B GID_INDEX DOORBELLS SEED");
	random_state = strtoull(argv[6], NULL, 0) * 2 + 1;
	pid = fork();
	if (pid < 0)
		die("fork: %m");
	if (!pid)
		be_hostile(argv, strtoul(argv[5], NULL, 0));
	status = be_good(argv, pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		die("the hostile process ended with status %#x", status);
	return 0;
}
