// SPDX-License-Identifier: GPL-2.0
/* A row of the table: flows, metrics, goals. */
#include <stdlib.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "gbn_read.h"
#include "row.h"
#include "tcp.h"

static const char *const names[METRICS] = {
	[M_GOODPUT] = "goodput %",
	[M_MBPS] = "goodput Mb/s",
	[M_DROPS] = "drops %",
	[M_OWN_DROPS] = "own drops %",
	[M_MARKS] = "marks %",
	[M_JAIN] = "Jain's index",
	[M_SHARE] = "share",
	[M_TCP_FAIR] = "TCP of fair",
	[M_TCP_MBPS] = "TCP Mb/s",
	[M_TCP_DROPS] = "TCP drops %",
	[M_DELAY] = "delay ms",
	[M_P99] = "p99 delay ms",
	[M_MAX] = "max delay ms",
	[M_ROCE_DELAY] = "RoCE delay ms",
	[M_TCP_DELAY] = "TCP delay ms",
	[M_STANDING] = "standing ms",
	[M_RESENT] = "resent %",
	[M_RESENT_PKTS] = "resent",
	[M_RESENT_RUN] = "resent at once",
	[M_TIMEOUTS] = "timeouts",
	[M_DEAD] = "dead QPs",
	[M_FINISH] = "time by ideal",
	[M_FINISH_MS] = "time ms",
	[M_PER_NAK] = "packets by NAK",
	[M_MESSAGES] = "messages/s",
	[M_SEND_RTTS] = "SEND left RTTs",
	[M_PACKETS] = "packets by need",
	[M_RATIO] = "by reference",
};

const char *metric_name(enum metric m)
{
	return names[m];
}

/**
 * struct conn - a connection of the transport, or of a standard READ requester
 * @from: data comes from here
 * @to: and goes here; not used with a standard requester
 * @gbn: the standard requester
 * @before: payload, when measuring began
 * @tally: of @from, when measuring began
 */
struct conn {
	struct host *from_host;
	struct host *to_host;
	struct endpoint from;
	struct endpoint to;
	struct gbn_read gbn;
	bool standard;
	u64 before;
	struct tally tally;
};

/**
 * struct run - a row that is being run
 * @hosts: sender and receiver of each connection, or of all
 * @start: when it began
 * @since: when measuring began
 */
struct run {
	const struct row *row;
	struct net net;
	struct host *hosts;
	u32 nhosts;
	struct conn *conns;
	u32 nconns;
	struct tcp *tcps;
	u64 *tcp_before;
	u64 start;
	u64 since;
};

static void *zalloc(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);

	if (!p)
		abort();
	return p;
}

static void make_net(struct run *run, u64 seed)
{
	struct lane_config forward = run->row->line, back;

	forward.delay = run->row->rtt / 2;
	forward.step_delay /= 2;
	back = forward;
	if (back.queue.discipline == RED)
		back.queue.discipline = DROPTAIL;
	net_init(&run->net, seed, &forward, &back);
	run->start = run->net.evs.now;
	if (forward.step_at) {
		run->net.forward.config.step_at += run->start;
		run->net.back.config.step_at += run->start;
	}
}

static void make_hosts(struct run *run)
{
	u32 pairs = run->row->one_host ? 1 : run->nconns, i;

	run->nhosts = 2 * pairs;
	run->hosts = zalloc(run->nhosts, sizeof(*run->hosts));
	for (i = 0; i < pairs; i++) {
		host_init(&run->hosts[2 * i], &run->net, &run->row->sender, &run->net.forward);
		host_init(&run->hosts[2 * i + 1], &run->net, &run->row->receiver, &run->net.back);
	}
}

static void make_conn(struct run *run, u32 i)
{
	const struct row *row = run->row;
	const struct stream_config none = { 0 };
	struct stream_config stream = row->stream;
	bool read = stream.op == ROCE_WR_READ;
	struct conn *c = &run->conns[i];
	u32 pair = row->one_host ? 0 : i;

	c->from_host = &run->hosts[2 * pair];
	c->to_host = &run->hosts[2 * pair + 1];
	c->standard = i >= row->qps;
	/* They do not begin at the very same time. */
	if (run->nconns > 1 && !stream.messages)
		stream.start += rng_below(&run->net.rng, 10 * MS);
	endpoint_init(&c->from, c->from_host, &row->qp, read ? &none : &stream,
		      c->standard ? &c->gbn.port : &c->to.port);
	if (c->standard)
		gbn_read_init(&c->gbn, c->to_host, &stream, &row->qp, &c->from.port);
	else
		endpoint_init(&c->to, c->to_host, &row->qp, read ? &stream : &none, &c->from.port);
}

static void make(struct run *run, const struct row *row, u64 seed)
{
	u32 i;

	memset(run, 0, sizeof(*run));
	run->row = row;
	run->nconns = row->qps + row->standard;
	make_net(run, seed);
	make_hosts(run);
	run->conns = zalloc(run->nconns, sizeof(*run->conns));
	for (i = 0; i < run->nconns; i++)
		make_conn(run, i);
	run->tcps = zalloc(row->tcps, sizeof(*run->tcps));
	run->tcp_before = zalloc(row->tcps, sizeof(*run->tcp_before));
	for (i = 0; i < row->tcps; i++)
		tcp_init(&run->tcps[i], &run->net, &row->tcp_access,
			 run->start + rng_below(&run->net.rng, 10 * MS), row->tcp_ecn, false);
}

static void destroy(struct run *run)
{
	u32 i;

	for (i = 0; i < run->nconns; i++) {
		endpoint_destroy(&run->conns[i].from);
		if (!run->conns[i].standard)
			endpoint_destroy(&run->conns[i].to);
	}
	for (i = 0; i < run->nhosts; i++)
		host_destroy(&run->hosts[i]);
	for (i = 0; i < run->row->tcps; i++)
		tcp_destroy(&run->tcps[i]);
	net_destroy(&run->net);
	free(run->tcps);
	free(run->tcp_before);
	free(run->conns);
	free(run->hosts);
}

/* The end whose user posts. */
static const struct endpoint *user(const struct run *run, const struct conn *c)
{
	return run->row->stream.op == ROCE_WR_READ ? &c->to : &c->from;
}

static u64 payload(const struct conn *c)
{
	return c->standard ? c->gbn.bytes : c->to.bytes;
}

static bool all_done(void *arg)
{
	const struct run *run = arg;
	u32 i;

	for (i = 0; i < run->nconns; i++)
		if (run->conns[i].standard || !endpoint_done(user(run, &run->conns[i])))
			return false;
	return run->nconns;
}

static void begin_measuring(struct run *run)
{
	u32 i;

	run->since = run->net.evs.now;
	net_reset_delay(&run->net);
	for (i = 0; i < run->nconns; i++) {
		run->conns[i].before = payload(&run->conns[i]);
		run->conns[i].tally = run->conns[i].from.data;
	}
	for (i = 0; i < run->row->tcps; i++)
		run->tcp_before[i] = run->tcps[i].rcv_total;
}

/* Rate of the slowest line on the way, bits per second. */
static double line_rate(const struct row *row)
{
	u64 rate = row->line.rate;

	if (row->sender.access.rate)
		rate = min(rate, row->sender.access.rate);
	return rate;
}

/* What a line needs for all messages, ns. */
static double ideal_ns(const struct row *row)
{
	double pkts = (double)(row->stream.size + row->qp.mtu - 1) / row->qp.mtu;
	double bytes = row->stream.size + (u64)pkts * (LINE_OVERHEAD + IP_UDP_LEN + 16.0);

	return row->qps * row->stream.messages * bytes * 8 * SEC / line_rate(row);
}

static void measure_payload(const struct run *run, struct result *res)
{
	double seconds = (double)(run->net.evs.now - run->since) / SEC;
	double sum = 0, squares = 0, tcp = 0, *v = res->value;
	u32 i, n = run->nconns, tcps = run->row->tcps;

	for (i = 0; i < n; i++) {
		double bytes = payload(&run->conns[i]) - run->conns[i].before;

		sum += bytes;
		squares += bytes * bytes;
	}
	for (i = 0; i < tcps; i++)
		tcp += (double)(run->tcps[i].rcv_total - run->tcp_before[i]) * TCP_MSS;
	v[M_MBPS] = sum * 8 / seconds / 1e6;
	v[M_GOODPUT] = 100 * v[M_MBPS] * 1e6 / line_rate(run->row);
	v[M_JAIN] = squares ? sum * sum / n / squares : 0;
	if (!tcps)
		return;
	v[M_TCP_MBPS] = tcp * 8 / seconds / 1e6 / tcps;
	v[M_TCP_FAIR] = v[M_TCP_MBPS] * 1e6 * (n + tcps) / line_rate(run->row);
	v[M_SHARE] = n && tcp ? sum / n / (tcp / tcps) : n ? 1e6 : 0;
}

static void measure_bottleneck(const struct run *run, struct result *res)
{
	const struct delay_stats *d = &run->net.forward.delay;
	double in = 0, out = 0, dropped = 0, marked = 0, sent = 0, own_drops = 0;
	double delay = 0, tcp_in = 0, tcp_out = 0, tcp_dropped = 0, tcp_delay = 0;
	double *v = res->value;
	u32 i;

	for (i = 0; i < run->nconns; i++) {
		const struct tally *now = &run->conns[i].from.data, *was = &run->conns[i].tally;

		in += now->in - was->in;
		out += now->out - was->out;
		dropped += now->dropped - was->dropped;
		marked += now->marked - was->marked;
		delay += now->delay_sum - was->delay_sum;
		sent += run->conns[i].from.sent;
		own_drops += run->conns[i].from.own_drops;
	}
	for (i = 0; i < run->row->tcps; i++) {
		tcp_in += run->tcps[i].tally.in;
		tcp_out += run->tcps[i].tally.out;
		tcp_dropped += run->tcps[i].tally.dropped;
		tcp_delay += run->tcps[i].tally.delay_sum;
	}
	v[M_ROCE_DELAY] = out ? delay / out / MS : 0;
	v[M_TCP_DELAY] = tcp_out ? tcp_delay / tcp_out / MS : 0;
	v[M_TCP_DROPS] = tcp_in ? 100 * tcp_dropped / tcp_in : 0;
	v[M_DROPS] = in ? 100 * dropped / in : 0;
	v[M_MARKS] = out ? 100 * marked / out : 0;
	v[M_OWN_DROPS] = sent ? 100 * own_drops / sent : 0;
	v[M_DELAY] = delay_mean(d);
	v[M_P99] = delay_p99(d);
	v[M_MAX] = (double)d->max / MS;
	v[M_STANDING] = delay_standing(d);
}

static void measure_transport(const struct run *run, struct result *res)
{
	double sent = 0, resent = 0, completed = 0, naks = 0, done_at = run->start;
	double *v = res->value;
	u32 i;

	for (i = 0; i < run->nconns; i++) {
		const struct conn *c = &run->conns[i];
		const struct endpoint *u = user(run, c);

		sent += c->from.sent + c->to.sent;
		resent += c->from.resent + c->to.resent + c->gbn.resent;
		if (c->standard)
			continue;
		completed += u->completed;
		naks += u->counts[ROCE_COUNT_RCVD_RNR];
		v[M_TIMEOUTS] += u->counts[ROCE_COUNT_TIMEOUT];
		v[M_DEAD] += u->dead;
		v[M_RESENT_RUN] = max3(v[M_RESENT_RUN], (double)c->from.resent_run,
				       (double)c->to.resent_run);
		done_at = max(done_at, (double)(endpoint_done(u) ? u->done_at : run->net.evs.now));
		if (u->stream.last_send)
			v[M_SEND_RTTS] = (double)(u->send_left_at - run->start) / run->row->rtt;
		v[M_PER_NAK] = naks ? u->sent / naks : 0;
	}
	v[M_RESENT] = sent ? 100 * resent / sent : 0;
	v[M_RESENT_PKTS] = resent;
	v[M_MESSAGES] = completed * SEC / (run->net.evs.now - run->start);
	if (!run->row->stream.messages)
		return;
	v[M_FINISH_MS] = (done_at - run->start) / MS;
	v[M_FINISH] = (done_at - run->start) / ideal_ns(run->row);
	v[M_PACKETS] = run->conns[0].from.sent * (double)run->row->qp.mtu /
		       ((double)run->row->stream.size * run->row->stream.messages);
}

static void measure(const struct row *row, u64 seed, struct result *res)
{
	struct run run;

	make(&run, row, seed);
	net_run(&run.net, run.start + row->warmup, NULL, NULL);
	begin_measuring(&run);
	net_run(&run.net, run.start + row->time, all_done, &run);
	memset(res, 0, sizeof(*res));
	measure_payload(&run, res);
	/* Packets still on their way, and those that they cause, are part of the cost. */
	if (row->stream.messages)
		net_run(&run.net, run.net.evs.now + 2 * row->rtt, NULL, NULL);
	measure_bottleneck(&run, res);
	measure_transport(&run, res);
	destroy(&run);
}

void row_run(const struct row *row, u64 seed, struct result *res)
{
	struct row other = *row;
	struct result reference;

	measure(row, seed, res);
	if (row->reference == REF_FRESH) {
		other.rtt = row->line.step_delay;
		other.line.step_at = 0;
	} else if (row->reference == REF_STANDARD) {
		other.qps = 0;
		other.standard = 1;
	} else {
		return;
	}
	measure(&other, seed, &reference);
	res->value[M_RATIO] = res->value[M_MBPS] / reference.value[M_MBPS];
}

bool goal_reached(const struct goal *g, const struct result *res)
{
	double v = res->value[g->metric];

	return v >= g->at_least && (v <= g->at_most || (!g->at_most && g->at_least));
}
