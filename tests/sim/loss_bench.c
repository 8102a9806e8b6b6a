// SPDX-License-Identifier: GPL-2.0
/* Benchmark of loss recovery: a ping-pong over links of a table. */
#include <stdio.h>
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "loss_bench.h"
#include "sim.h"

#define ITERATIONS 1000
#define MESSAGE	   65536u
#define LONG	   (32 * MESSAGE)
#define MTU	   1024u
#define KEY	   1u
#define ACCESS	   (ROCE_ACCESS_LOCAL_WRITE | ROCE_ACCESS_REMOTE_READ | ROCE_ACCESS_REMOTE_WRITE)
#define TIMEOUT	   14 /* 67 ms, as ibv_rc_pingpong has it */
#define LIMIT	   (600 * SEC)

struct link_row {
	const char *name;
	struct link_config config;
	double limit; /* virtual seconds for all iterations */
	u32 iterations;
	u32 message;
	u32 depth; /* requests that one host keeps in flight; 0: a ping-pong of SENDs */
	u64 tx_queue; /* ns of queueing delay at which a host stops sending */
	u8 opcode; /* of the work requests */
};

#define RTT(us) .delay = (us)*US / 2, .byte_ps = 800, .dead_at = ROCE_NEVER

#define SHORT ITERATIONS, MESSAGE, 0, MS, ROCE_WR_SEND
#define TINY ITERATIONS, 64, 0, MS, ROCE_WR_SEND
#define READS ITERATIONS, MESSAGE, 16, MS, ROCE_WR_READ
#define WRITES ITERATIONS, MESSAGE, 16, MS, ROCE_WR_WRITE
#define LONG_WRITES 100, LONG, 16, MS, ROCE_WR_WRITE
#define LONGER 20, LONG, 0, MS, ROCE_WR_SEND
#define LONG_READS 100, LONG, 16, MS, ROCE_WR_READ
#define HIDDEN 5, LONG, 0, 10 * SEC, ROCE_WR_SEND
#define VERY_SLOW .delay = 250 * US, .byte_ps = 2500000, .dead_at = ROCE_NEVER
#define SLOWER(at) RTT(100), .slow_at = (at), .slow_ps = 10000000
#define UNSEEN .queue = 700 * 1100
#define SLOW .delay = 250 * US, .byte_ps = 100000, .dead_at = ROCE_NEVER

static const struct link_row rows[] = {
	{ "rtt 100us", { RTT(100) }, 0.25, SHORT },
	{ "rtt 100us, loss 0.1%", { RTT(100), .loss = 1000 }, 0.3, SHORT },
	{ "rtt 100us, loss 1%", { RTT(100), .loss = 10000 }, 0.4, SHORT },
	{ "rtt 100us, loss 5%", { RTT(100), .loss = 50000 }, 0.7, SHORT },
	{ "rtt 100us, loss 10%", { RTT(100), .loss = 100000 }, 1.25, SHORT },
	{ "rtt 100us, duplicate 5%", { RTT(100), .dup = 50000 }, 0.25, SHORT },
	{ "rtt 100us, corrupt 1%", { RTT(100), .corrupt = 10000 }, 0.4, SHORT },
	{ "rtt 10us, loss 1%", { RTT(10), .loss = 10000 }, 0.2, SHORT },
	{ "rtt 10us, loss 5%", { RTT(10), .loss = 50000 }, 0.3, SHORT },
	{ "rtt 10us, loss 10%", { RTT(10), .loss = 100000 }, 0.5, SHORT },
	/* At most one message is in flight. */
	{ "64 bytes, rtt 10us, loss 5%", { RTT(10), .loss = 50000 }, 0.04, TINY },
	{ "64 bytes, rtt 10us, loss 25%", { RTT(10), .loss = 250000 }, 0.3, TINY },
	{ "64 bytes, rtt 1ms, loss 25%", { RTT(1000), .loss = 250000 }, 4, TINY },
	{ "64 bytes, rtt 1ms, loss 33%", { RTT(1000), .loss = 333000 }, 7, TINY },
	{ "delay 1ms", { RTT(2000) }, 2.25, SHORT },
	{ "delay 1ms, reorder 25% 50%",
	  { RTT(2000), .reorder = 250000, .burst = 500000, .reorder_ns = MS },
	  3,
	  SHORT },
	/* Transmission takes 0.07 s in both directions, 8.8 s on the slow link. */
	{ "2 MiB, rtt 100us", { RTT(100) }, 0.09, LONGER },
	{ "2 MiB, rtt 20ms", { RTT(20000) }, 2, LONGER },
	{ "2 MiB, loss 0.1%", { RTT(100), .loss = 1000 }, 0.2, LONGER },
	{ "2 MiB, loss 1%", { RTT(100), .loss = 10000 }, 0.4, LONGER },
	{ "2 MiB, queue of 128", { RTT(100), .queue = 128 * 1100 }, 0.2, LONGER },
	{ "2 MiB, 10 MB/s", { SLOW }, 10, LONGER },
	{ "2 MiB, 10 MB/s, queue of 100", { SLOW, .queue = 100 * 1100 }, 10, LONGER },
	{ "2 MiB, 10 MB/s, stalls", { SLOW, .stall = 1000, .stall_ns = 30 * MS }, 14, LONGER },
	/* Transmission takes 57 s, or 230 s on the slowed link. */
	{ "2 MiB, 0.4 MB/s, queue unseen", { VERY_SLOW, UNSEEN }, 70, HIDDEN },
	{ "2 MiB, slows to 0.1 MB/s at 7 ms", { SLOWER(7 * MS), UNSEEN }, 160, HIDDEN },
	{ "2 MiB, slows at 8 ms", { SLOWER(8 * MS), UNSEEN }, 160, HIDDEN },
	{ "2 MiB, slows at 9 ms", { SLOWER(9 * MS), UNSEEN }, 160, HIDDEN },
	{ "2 MiB, slows at 11 ms", { SLOWER(11 * MS), UNSEEN }, 160, HIDDEN },
	{ "2 MiB, slows at 15 ms", { SLOWER(15 * MS), UNSEEN }, 160, HIDDEN },
	/*
	 * A packet lost while 700 are queued is repaired after 7 s, but retries end after 2 s:
	 * whether a connection survives depends on the queue at that time.
	 */
	{ "2 MiB, at 10 ms, loss 0.1%",
	  { SLOWER(10 * MS), UNSEEN, .loss = 1000 },
	  160,
	  HIDDEN },
	{ "2 MiB, at 15 ms, loss 0.1%",
	  { SLOWER(15 * MS), UNSEEN, .loss = 1000 },
	  160,
	  HIDDEN },
	{ "READ, rtt 100us", { RTT(100) }, 0.1, READS },
	{ "READ, rtt 100us, loss 1%", { RTT(100), .loss = 10000 }, 0.12, READS },
	{ "READ, rtt 100us, loss 5%", { RTT(100), .loss = 50000 }, 0.3, READS },
	{ "READ, delay 1ms", { RTT(2000) }, 0.4, READS },
	{ "READ, delay 1ms, reorder 25%",
	  { RTT(2000), .reorder = 250000, .burst = 500000, .reorder_ns = MS },
	  1,
	  READS },
	{ "READ 2 MiB, 1ms, loss 1%",
	  { RTT(1000), .loss = 10000 },
	  1.2,
	  LONG_READS },
	{ "READ, queue of 128", { RTT(100), .queue = 128 * 1100 }, 0.15, READS },
	{ "READ, 10 MB/s, stalls",
	  { SLOW, .stall = 1000, .stall_ns = 30 * MS },
	  12.5,
	  READS },
	/* All packets of a GSO buffer but the first have a wrong ICRC, until the sender notices. */
	{ "IDs fixed", { RTT(100), .fixed_id = true }, 0.5, SHORT },
	{ "IDs fixed, rtt 10us", { RTT(10), .fixed_id = true }, 0.5, SHORT },
	{ "IDs fixed, delay 1ms", { RTT(2000), .fixed_id = true }, 3, SHORT },
	{ "IDs fixed, loss 1%", { RTT(100), .loss = 10000, .fixed_id = true }, 0.5, SHORT },
	{ "IDs fixed, 2 MiB", { RTT(100), .fixed_id = true }, 0.5, LONGER },
	{ "IDs fixed, WRITE", { RTT(100), .fixed_id = true }, 0.5, WRITES },
	{ "IDs fixed, WRITE, rtt 10us", { RTT(10), .fixed_id = true }, 0.5, WRITES },
	{ "IDs fixed, WRITE, delay 1ms", { RTT(2000), .fixed_id = true }, 1, WRITES },
	{ "IDs fixed, WRITE 2 MiB", { RTT(100), .fixed_id = true }, 1, LONG_WRITES },
	{ "IDs fixed, READ", { RTT(100), .fixed_id = true }, 0.5, READS },
	{ "IDs fixed, READ, loss 1%", { RTT(100), .loss = 10000, .fixed_id = true }, 0.5, READS },
	{ "IDs fixed, READ, delay 1ms", { RTT(2000), .fixed_id = true }, 1, READS },
	{ "IDs fixed, READ 2 MiB", { RTT(100), .fixed_id = true }, 0.5, LONG_READS },
	/* Losses for which no sender may give up GSO. */
	{ "READ, rtt 100us, loss 10%", { RTT(100), .loss = 100000 }, 0.8, READS },
	{ "WRITE, rtt 100us, loss 5%", { RTT(100), .loss = 50000 }, 0.8, WRITES },
	{ "WRITE, rtt 100us, loss 10%", { RTT(100), .loss = 100000 }, 0.8, WRITES },
	{ "2 MiB, loss 10%", { RTT(100), .loss = 100000 }, 2, LONGER },
	{ "2 MiB, queue of 32", { RTT(100), .queue = 32 * 1100 }, 0.3, LONGER },
	{ "2 MiB, queue of 16", { RTT(100), .queue = 16 * 1100 }, 0.4, LONGER },
	{ "READ, queue of 16", { RTT(100), .queue = 16 * 1100 }, 0.5, READS },
};

/* One end of the ping-pong. */
struct player {
	u32 message;
	u32 depth;
	u8 opcode;
	u32 received;
	u32 acked;
};

static u32 message_of(const struct host *h)
{
	const struct player *p = h->user;

	return p->message;
}

static u32 end_of(const struct host *h)
{
	return 2 * message_of(h);
}

static void post_message(struct host *h)
{
	struct roce_send_wqe *wqe = roce_sq_wqe(&h->qp, h->qp.sq.prod);
	const struct player *p = h->user;

	memset(wqe, 0, sizeof(*wqe));
	wqe->opcode = p->opcode;
	wqe->remote_addr = h->base;
	wqe->rkey = KEY;
	wqe->flags = ROCE_WR_SIGNALED;
	wqe->length = message_of(h);
	wqe->num_sge = 1;
	wqe->sge[0] = (struct roce_sge){ h->base, message_of(h), KEY };
	host_post(h, 1);
}

static void post_receive(struct host *h)
{
	struct recv recv = {
		.length = message_of(h),
		.num_sge = 1,
		.sge = { { h->base + message_of(h), message_of(h), KEY } },
	};

	host_post_recv(h, &recv);
}

static void on_complete(struct host *h, const struct roce_wc *wc)
{
	struct player *p = h->user;

	if (wc->status != ROCE_SUCCESS)
		sim_fail(h->sim, "host %u: %s", h->id, trace_status(wc->status));
	if (!wc->is_recv && !p->depth) {
		p->acked++;
		return;
	}
	p->received++;
	h->work_at = h->sim->now;
}

/* Reply to each received message; host 0 has sent the first one. */
static void on_work(struct host *h)
{
	const struct player *p = h->user;

	h->work_at = ROCE_NEVER;
	if (!p->depth) {
		post_receive(h);
		post_message(h);
	}
	while (h->qp.sq.prod - h->qp.sq.cons < p->depth)
		post_message(h);
}

static void on_event(struct host *h, enum roce_event event)
{
}

static void on_received(struct host *h, u32 offset, const u8 *data, u32 len)
{
}

static void on_wrote(struct host *h, u64 va, const u8 *data, u32 len)
{
}

static void on_recv_taken(struct host *h, const struct recv *recv)
{
}

static bool on_readable(struct host *h, const struct roce_tx_run *run)
{
	return true;
}

static const struct host_client client = {
	.complete = on_complete,
	.event = on_event,
	.wrote = on_wrote,
	.received = on_received,
	.recv_taken = on_recv_taken,
	.readable = on_readable,
	.work = on_work,
};

static void connect(struct host *h)
{
	struct roce_attr attr = {
		.state = ROCE_RTR,
		.timeout = TIMEOUT,
		.retry_cnt = 7,
		.rnr_retry = 7,
		.min_rnr_timer = 12,
		.pkey = 0xffff,
		.dest_qpn = h->peer->qp.qpn,
		.mtu = MTU,
		.max_rd_atomic = HOST_RES,
		.access = ACCESS,
	};

	host_set_resources(h, HOST_RES);
	host_modify(h, &attr, ~0u);
	attr.state = ROCE_RTS;
	host_modify(h, &attr, ROCE_QP_STATE);
	post_receive(h);
	post_receive(h);
}

static void create(struct sim *sim, struct player *players, const struct link_row *row)
{
	u32 i;

	sim->link.config = row->config;
	if (row->config.slow_at)
		sim->link.config.slow_at += sim->now;
	sim->nhosts = 2;
	for (i = 0; i < 2; i++) {
		struct host *h = &sim->host[i];

		h->sim = sim;
		h->id = i;
		h->peer = &sim->host[1 - i];
		h->client = &client;
		h->user = &players[i];
		players[i].message = row->message;
		players[i].opcode = row->opcode;
		players[i].depth = i ? 0 : row->depth;
		h->config =
			(struct host_config){
				.rx_batch = HOST_BATCH,
				.rx_delay = 2 * US,
				.tx_batch = ROCE_TX_PKTS,
				.trusts_idle = true,
				.tx_queue = row->tx_queue,
				.retain = 100,
				.flush_batch = 64,
			};
		host_init(h, 0x10000, calloc(1, end_of(h)), end_of(h));
		h->region[0] = (struct region){ KEY, ACCESS, 0, end_of(h) };
		h->nregions = 1;
	}
	for (i = 0; i < 2; i++)
		connect(&sim->host[i]);
}

static u64 total(const struct sim *sim, enum roce_count what)
{
	return sim->stats.counts[what];
}

static void print_row(const struct link_row *row, const struct sim *sim, u64 ns, bool ok)
{
	u64 rewinds = total(sim, ROCE_COUNT_REWIND), timeouts = total(sim, ROCE_COUNT_TIMEOUT);
	double n = row->iterations, needed = (row->depth ? 1.0 : 2.0) * n * row->message / MTU;

	printf("%-28s %9.3f %9.0f %9.2f %9.3f %9.3f %9.2f  %s\n", row->name, ns / 1e9,
	       ns / 1e3 / n, sim->link.stats.sent / needed,
	       (double)(rewinds - timeouts) / n, (double)timeouts / n,
	       (double)total(sim, ROCE_COUNT_DUP_REQUEST) / n,
	       ok	   ? "" :
	       sim->why[0] ? sim->why :
			     "TOO SLOW");
}

static bool play(struct sim *sim, const struct player *player, u32 iterations)
{
	u64 end = sim->now + LIMIT;

	if (setjmp(sim->failed))
		return false;
	post_message(&sim->host[0]);
	while (player->received < iterations && sim->now < end)
		if (!sim_step(sim))
			sim_fail(sim, "nothing will ever happen again");
	return player->received >= iterations;
}

static bool bench_row(const struct link_row *row, u64 seed)
{
	struct player players[2] = { 0 };
	static struct sim sim;
	u64 start, ns;
	bool ok;

	sim_init(&sim, seed, false);
	create(&sim, players, row);
	start = sim.now;
	ok = play(&sim, &players[0], row->iterations);
	ns = sim.now - start;
	ok = ok && ns < row->limit * SEC && !sim.stats.gso_fallbacks == !row->config.fixed_id;
	print_row(row, &sim, ns, ok);
	free(sim.host[0].mem);
	free(sim.host[1].mem);
	sim_destroy(&sim);
	return ok;
}

u64 bench_perfect(u32 iterations)
{
	struct player players[2] = { 0 };
	static struct sim sim;
	bool ok;

	sim_init(&sim, 1, false);
	create(&sim, players, &rows[0]);
	sim.host[0].config.counted = true;
	sim.host[1].config.counted = true;
	ok = play(&sim, &players[0], iterations);
	free(sim.host[0].mem);
	free(sim.host[1].mem);
	sim_destroy(&sim);
	return ok ? sim.link.stats.sent : 0;
}

int bench_run(void)
{
	bool ok = true;
	u32 i;

	printf("%u iterations of %u bytes each way, path MTU %u\n", ITERATIONS, MESSAGE, MTU);
	printf("%-28s %9s %9s %9s %9s %9s %9s\n", "", "seconds", "us/iter", "packets", "NAK",
	       "timeout", "duplicate");
	printf("%-28s %9s %9s %9s %9s %9s %9s\n", "link", "", "", "/needed", "rewinds", "rewinds",
	       "requests");
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		ok &= bench_row(&rows[i], 1);
	return ok ? 0 : 1;
}
