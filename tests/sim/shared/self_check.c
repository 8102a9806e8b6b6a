// SPDX-License-Identifier: GPL-2.0
/* Self-checks of the model of the network. */
#include <stdio.h>
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "row.h"
#include "self_check.h"
#include "tcp.h"

#define GBIT  1000000000ull
#define FLOWS 16

/**
 * struct tcp_check - TCP alone
 * @tcps: connections
 * @rate: of the line, bits per second
 * @rtt: ns
 * @seconds: length of the run; the first fifth does not count
 * @queue: discipline
 * @loss: ppm
 * @reorder: ppm, a quarter of a millisecond late
 * @ecn: connections use ECN
 * @paced: connections are paced
 * @least: sum of their rates, Mb/s
 * @most: the same
 * @drops: packets that may be dropped, percent
 */
struct tcp_check {
	const char *name;
	u32 tcps;
	u64 rate;
	u64 rtt;
	u32 seconds;
	struct queue_config queue;
	u32 loss;
	u32 reorder;
	bool ecn;
	bool paced;
	double least;
	double most;
	double drops;
};

#define SHORT GBIT, 200 * US
#define LONG  GBIT, 100 * MS
#define TAIL                    \
	{                       \
		.limit = 250000 \
	}
#define STEP                                                                    \
	{                                                                       \
		.discipline = RED, .limit = 250000, .red_min = 60000,           \
		.red_max = 60000,                                               \
	}
#define RAMP                                                                    \
	{                                                                       \
		.discipline = RED, .limit = 250000, .red_min = 30000,           \
		.red_max = 90000, .red_percent = 10, .red_drops = true,         \
	}
#define FAIR                           \
	{                              \
		.discipline = FQ_CODEL \
	}
#define DEEP                      \
	{                         \
		.limit = 12500000 \
	}

/* The rates on long paths with loss are those that RFC 9438's response function gives. */
static const struct tcp_check tcp_checks[] = {
	{ "1 flow", 1, SHORT, 5, TAIL, .least = 930, .most = 942, .drops = 1 },
	{ "4 flows", 4, SHORT, 5, TAIL, .least = 930, .most = 942, .drops = 3 },
	{ "16 flows", 16, SHORT, 5, TAIL, .least = 930, .most = 942, .drops = 5 },
	{ "4 flows, paced", 4, SHORT, 5, TAIL, .paced = true, .least = 930, .most = 942, .drops = 3 },
	{ "4 flows, ECN", 4, SHORT, 5, STEP, .ecn = true, .least = 900, .most = 942, .drops = 0.1 },
	{ "4 flows, RED", 4, SHORT, 5, RAMP, .least = 850, .most = 942, .drops = 3 },
	{ "4 flows, fq_codel", 4, SHORT, 5, FAIR, .least = 930, .most = 942, .drops = 1 },
	{ "1 flow, reordering", 1, GBIT, 2 * MS, 5, TAIL, .reorder = 10000, .least = 500, .most = 942,
	  .drops = 3 },
	{ "RTT 100 ms", 1, LONG, 20, DEEP, .least = 800, .most = 942, .drops = 1 },
	{ "RTT 100 ms, loss 0.01 %", 1, LONG, 300, DEEP, 100, .least = 18, .most = 34 },
	{ "RTT 100 ms, loss 0.1 %", 1, LONG, 300, DEEP, 1000, .least = 2.8, .most = 5.2 },
	{ "RTT 100 ms, loss 1 %", 1, LONG, 300, DEEP, 10000, .least = 1.0, .most = 2.1 },
};

struct tcp_result {
	double mbps;
	double jain;
	double drops;
	bool conserved;
};

/* Every packet that came in has left, was dropped, or is queued. */
static bool conserved(const struct lane *lane)
{
	const struct tally *t = &lane->total;

	return t->in == t->out + t->dropped + lane->queue.pkts;
}

static void run_tcp(const struct tcp_check *c, u64 seed, struct tcp_result *res)
{
	struct lane_config line = {
		.rate = c->rate,
		.delay = c->rtt / 2,
		.loss = c->loss,
		.reorder = c->reorder,
		.late = MS / 4,
		.queue = c->queue,
	};
	struct lane_config back = { .rate = c->rate, .delay = c->rtt / 2 };
	struct lane_config access = { .rate = 10 * GBIT };
	static struct tcp tcps[FLOWS];
	u64 before[FLOWS], start, end;
	double sum = 0, squares = 0;
	struct net net;
	u32 i;

	net_init(&net, seed, &line, &back);
	start = net.evs.now;
	end = start + c->seconds * SEC;
	for (i = 0; i < c->tcps; i++)
		tcp_init(&tcps[i], &net, &access, start + rng_below(&net.rng, 10 * MS), c->ecn,
			 c->paced);
	net_run(&net, start + c->seconds * SEC / 5, NULL, NULL);
	for (i = 0; i < c->tcps; i++)
		before[i] = tcps[i].rcv_total;
	net_run(&net, end, NULL, NULL);
	for (i = 0; i < c->tcps; i++) {
		double rate = (tcps[i].rcv_total - before[i]) * TCP_MSS * 8.0 / 1e6 /
			      (c->seconds * 0.8);

		sum += rate;
		squares += rate * rate;
		tcp_destroy(&tcps[i]);
	}
	*res = (struct tcp_result){
		.mbps = sum,
		.jain = sum * sum / c->tcps / squares,
		.drops = 100.0 * net.forward.total.dropped / net.forward.total.in,
		.conserved = conserved(&net.forward) && conserved(&net.back),
	};
	net_destroy(&net);
}

static bool report(const char *name, bool ok)
{
	printf("%-34s %s\n", name, ok ? "ok" : "FAILED");
	return ok;
}

static bool check_tcp(const struct tcp_check *c)
{
	struct tcp_result res;
	bool ok;

	run_tcp(c, 1, &res);
	ok = res.mbps >= c->least && res.mbps <= c->most && res.jain >= 0.9 &&
	     res.drops <= c->drops && res.conserved;
	printf("TCP, %-29s %8.1f Mb/s (%g to %g), Jain's index %.2f, drops %.2f %%%s: %s\n",
	       c->name, res.mbps, c->least, c->most, res.jain, res.drops,
	       res.conserved ? "" : ", packets not conserved", ok ? "ok" : "FAILED");
	return ok;
}

/* The same seed gives the same run. */
static bool check_repeatable(void)
{
	struct row row = rows[3];
	struct result one, other;

	row.warmup = 0;
	row.time = SEC / 2;
	row_run(&row, 7, &one);
	row_run(&row, 7, &other);
	return report("a run repeats itself", !memcmp(&one, &other, sizeof(one)));
}

/* Percentiles of known delays. */
static bool check_delay(void)
{
	static struct delay_stats d;
	double p99, mean;
	u32 i;

	for (i = 1; i <= 1000; i++)
		delay_add(&d, i * MS, i * MS);
	p99 = delay_p99(&d);
	mean = delay_mean(&d);
	return report("delay: mean and p99",
		      mean > 500.4 && mean < 500.6 && p99 >= 990 && p99 < 1000.5);
}

/* All packets of a run are freed at its end, also those that were delayed or queued. */
static bool check_leaks(void)
{
	struct row row = rows[3];
	struct result res;

	row.warmup = 0;
	row.time = SEC / 4;
	row.line.reorder = 10000;
	row.line.late = 50 * MS;
	row_run(&row, 1, &res);
	return report("packets are freed", !packets_in_use());
}

bool self_check(void)
{
	bool ok = true;
	u32 i;

	ok &= check_delay();
	for (i = 0; i < ARRAY_SIZE(tcp_checks); i++)
		ok &= check_tcp(&tcp_checks[i]);
	ok &= check_repeatable();
	ok &= check_leaks();
	return ok;
}
