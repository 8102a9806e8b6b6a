// SPDX-License-Identifier: GPL-2.0
/* rxectl stats: counters of the devices, with the reasons of dropped packets. */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "cli/errors.h"
#include "cli/watch.h"
#include "cmd/commands.h"
#include "cmd/metrics.h"
#include "cmd/stats.h"
#include "link/show.h"
#include "sys/nlsock.h"
#include "util/clock.h"

#define STATS_USAGE \
	"rxectl stats [show] [NAME] [--rate [interval SECONDS] [count N] | --format F]"

/* By subject. A counter of a newer driver is shown without a meaning. */
const struct meaning stats_meanings[] = {
	{ "sent_pkts", "packets sent" },
	{ "rcvd_pkts", "packets received" },
	{ "duplicate_request", "duplicate requests: the peer retransmitted" },
	{ "out_of_seq_request", "out-of-order requests: loss or reordering on the way here" },
	{ "rcvd_rnr_err", "RNR NAKs received" },
	{ "send_rnr_err", "RNR NAKs sent: no receive was posted" },
	{ "rcvd_seq_err", "sequence NAKs received: loss or reordering on the way to the peer" },
	{ "ack_deferred", "ACKs coalesced" },
	{ "retry_exceeded_err", "QPs in error: retries exhausted" },
	{ "retry_rnr_exceeded_err", "QPs in error: RNR retries exhausted" },
	{ "completer_retry_err", "retransmissions started" },
	{ "send_err", "packets that the interface did not accept" },
	{ "link_downed", "times that the interface went down" },
	{ "rdma_sends", "SENDs completed" },
	{ "rdma_recvs", "SENDs received" },
	{ "sent_bytes", "bytes sent" },
	{ "rcvd_bytes", "bytes received" },
	{ "timeout_retry", "retransmissions started by a timeout" },
	{ "sent_twice", "tail packets duplicated after a loss" },
	{ "wait_psn", "transmit stalls: congestion window full" },
	{ "wait_skb", "transmit stalls: limit of skbs in flight reached" },
	{ "wait_fence", "transmit stalls: fence behind READs and atomics" },
	{ "wait_depth", "transmit stalls: limit of outstanding READs and atomics reached" },
	{ "xmit_hard_fail", "skbs not sent directly: neighbour not resolved" },
	{ "xmit_hard_stall", "skbs queued in the qdisc: transmit queue stopped" },
	{ "xmit_stack", "packets sent through the network stack: see rxectl doctor" },
	{ "np_ecn_marked_roce_packets", "packets received that a switch marked: congestion" },
	{ "np_cnp_sent", "congestion notification packets (CNPs) sent" },
	{ "rp_cnp_handled", "CNPs received: the queue pair has slowed down" },
	{ "rp_cnp_ignored", "CNPs received for services without congestion control" },
	{ "page_fault", "page faults on ODP memory" },
	{ "drop_ghost_ack", "dropped: unexpected responses (ghost ACKs)" },
	{ "held_request", "out-of-order requests buffered for reordering" },
	{ "drop_icrc", "dropped: wrong ICRC" },
	{ "drop_malformed", "dropped: not a valid RoCEv2 packet" },
	{ "drop_pkey", "dropped: P_Key mismatch" },
	{ "drop_no_qp", "dropped: no such QP" },
	{ "drop_address", "dropped: addresses are not those of the connection" },
	{ "drop_qp_state", "dropped: QP not ready to receive" },
	{ "drop_bad_duplicate", "dropped: duplicate requests without a responder resource" },
	{ "drop_no_memory", "dropped: out of memory" },
	{ "drop_no_receive", "dropped: no receive was posted" },
	{ "drop_request", "dropped: requests that cannot be executed" },
	{ "drop_qkey", "dropped: Q_Key mismatch" },
	{ "gso_fallback", "peers that get one packet a buffer: wrong IPv4 identification" },
	{ "cq_overflow", "CQs that overflowed: each loses its completions" },
	{ "rcvd_too_big", "reports of routers: packets exceed the MTU of a link" },
	{ "drop_bytes", "bytes of dropped packets that reached no QP" },
	{ 0 },
};

static const char *meaning_of(const char *name)
{
	for (const struct meaning *m = stats_meanings; m->counter; m++)
		if (!strcmp(m->counter, name))
			return m->text;
	return NULL;
}

static const struct column columns[] = {
	{ .key = "device", .title = "DEVICE" },
	{ .key = "counter", .title = "COUNTER" },
	{ .key = "value", .title = "VALUE" },
	{ .key = "meaning", .title = "MEANING" },
	{ 0 },
};

static const struct column rate_columns[] = {
	{ .key = "device", .title = "DEVICE" },
	{ .key = "counter", .title = "COUNTER" },
	{ .key = "rate", .title = "PER-SECOND", .format = output_rate },
	{ .key = "meaning", .title = "MEANING" },
	{ 0 },
};

struct counter_rows {
	const char *device;
	bool zeros;
	struct json_object *rows;
};

static void add_counter(const char *name, uint64_t value, void *arg)
{
	const struct counter_rows *to = arg;
	struct json_object *row;

	if (!value && !to->zeros)
		return;
	row = json_object_new_object();
	json_object_object_add(row, "device", json_object_new_string(to->device));
	json_object_object_add(row, "counter", json_object_new_string(name));
	json_object_object_add(row, "value", json_object_new_int64((int64_t)value));
	json_object_object_add(row, "meaning", output_string(meaning_of(name)));
	json_object_array_add(to->rows, row);
}

static void add_counters(struct json_object *rows, const struct links *links,
			 const struct rxe_link *link, bool zeros)
{
	struct counter_rows to = { .device = link->dev.name, .zeros = zeros, .rows = rows };

	nldev_counters(netns_rdma(links->own), link->dev.index, add_counter, &to);
}

static void add_nonzero(struct json_object *rows, const struct links *links,
			const struct rxe_link *link)
{
	add_counters(rows, links, link, false);
}

static void add_all(struct json_object *rows, const struct links *links,
		    const struct rxe_link *link)
{
	add_counters(rows, links, link, true);
}

static void count_counter(const char *name, uint64_t value, void *arg)
{
	size_t *counts = arg;

	(void)name;
	counts[0]++;
	counts[1] += value != 0;
}

/* Without any row, say that the counters are 0, and not that there are none. */
static void hint_zeros(const struct ctx *ctx, const char *name)
{
	size_t counts[2] = { 0 };
	struct links links;

	if (links_find(&links))
		links.n = 0;
	for (size_t i = 0; i < links.n; i++)
		if (!name || !strcmp(links.links[i].dev.name, name))
			nldev_counters(netns_rdma(links.own), links.links[i].dev.index,
				       count_counter, counts);
	if (counts[0] && !counts[1] && (name || links.n == 1))
		err_hint(ctx, "all %zu counters of \"%s\" are 0", counts[0],
			 name ? name : links.links[0].dev.name);
	else if (counts[0] && !counts[1])
		err_hint(ctx, "all %zu counters of %zu devices are 0", counts[0], links.n);
	links_put(&links);
}

static bool is_of_same(struct json_object *a, struct json_object *b, const char *key)
{
	return !strcmp(json_object_get_string(json_object_object_get(a, key)),
		       json_object_get_string(json_object_object_get(b, key)));
}

/*
 * Return: the row of the same counter at or after index @next, which moves behind it; NULL if there
 * is none. Two samples have the same order, but devices may be added or removed between them.
 */
static struct json_object *find_row(struct json_object *rows, struct json_object *like,
				    size_t *next)
{
	for (size_t i = *next; i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (is_of_same(row, like, "device") && is_of_same(row, like, "counter")) {
			*next = i + 1;
			return row;
		}
	}
	return NULL;
}

static void add_rates(struct json_object *rows, struct json_object *before,
		      struct json_object *after, double seconds)
{
	size_t n = json_object_array_length(after), next = 0;

	for (size_t i = 0; i < n; i++) {
		struct json_object *row = json_object_array_get_idx(after, i);
		struct json_object *old = find_row(before, row, &next);
		uint64_t from = json_object_get_int64(json_object_object_get(old, "value"));
		uint64_t to = json_object_get_int64(json_object_object_get(row, "value"));
		double rate = old && to > from ? (double)(to - from) / seconds : 0;

		if (rate <= 0)
			continue;
		output_number(row, "rate", "per_second", json_object_new_double(rate));
		json_object_array_add(rows, json_object_get(row));
	}
}

static int read_all(const struct ctx *ctx, const char *name, struct json_object **rows)
{
	struct links links;
	int status = links_get(ctx, name, &links);

	*rows = json_object_new_array();
	for (size_t i = 0; i < links.n && !status; i++)
		add_all(*rows, &links, &links.links[i]);
	links_put(&links);
	return status;
}

/* Print one table of rates; @before becomes the new sample. */
static int show_rates(struct ctx *ctx, const char *name, struct json_object **before, double *then)
{
	struct json_object *after, *rows;
	int status = read_all(ctx, name, &after);
	double now = clock_seconds();

	if (!status) {
		rows = json_object_new_array();
		add_rates(rows, *before, after, now - *then);
		output_rows(ctx, rate_columns, rows);
		fflush(ctx->out);
		json_object_put(rows);
	}
	json_object_put(*before);
	*before = after;
	*then = now;
	return status;
}

static int watch_rates(struct ctx *ctx, const char *name, struct watch *watch)
{
	struct json_object *before;
	int status = read_all(ctx, name, &before);
	double then = clock_seconds();

	for (unsigned int i = 0; !status && (!watch->count || i < watch->count); i++) {
		if (clock_pause(watch_left(watch)))
			break;
		status = show_rates(ctx, name, &before, &then);
		watch_advance(watch);
		if (ferror(ctx->out))
			break;
	}
	json_object_put(before);
	return status;
}

/* All metrics of all devices, or of one. */
static int show_metrics(struct ctx *ctx, int argc, char **argv)
{
	struct json_object *rows;
	struct links links;
	int status;

	if (argc > 1 || ctx->options & OPT_RATE)
		return fail(ctx, EXIT_USAGE, argc > 1 ? argv[1] : "--rate", STATS_USAGE,
			    argc > 1 ? "unknown word \"%s\"" : "\"%s\" and --format exclude each other",
			    argc > 1 ? argv[1] : "--rate");
	status = links_get(ctx, argc ? argv[0] : NULL, &links);
	rows = json_object_new_array();
	for (size_t i = 0; i < links.n && !status; i++)
		add_all(rows, &links, &links.links[i]);
	if (!status)
		status = metrics_print(ctx, &links, rows);
	json_object_put(rows);
	links_put(&links);
	return status;
}

static int stats_show(struct ctx *ctx, int argc, char **argv)
{
	struct watch watch = { .interval = 1 };
	const char *name = NULL;
	int status;

	if (ctx->options & OPT_FORMAT)
		return show_metrics(ctx, argc, argv);
	if (!(ctx->options & OPT_RATE)) {
		status = show_links(ctx, argc, argv, STATS_USAGE, columns,
				    ctx->json ? add_all : add_nonzero);
		if (!status)
			hint_zeros(ctx, argc ? argv[0] : NULL);
		return status;
	}
	if (argc && !watch_is_keyword(argv[0])) {
		name = *argv++;
		argc--;
	}
	status = watch_parse(ctx, argc, argv, STATS_USAGE, &watch);
	return status ? status : watch_rates(ctx, name, &watch);
}

static const struct command stats_commands[] = {
	{ "show", "[NAME] [--rate [interval SECONDS] [count N] | --format F]",
	  "show the counters of all rxe devices or one; with --rate, their rates, repeatedly; with "
	  "--format, as metrics in the format prometheus or openmetrics",
	  stats_show, OPT_RATE | OPT_FORMAT },
	{ 0 },
};

const struct object stats_object = {
	.name = "stats",
	.group = GROUP_LOOK,
	.summary = "show counters, drop reasons and their rates",
	.examples = "  rxectl stats\n"
		    "  rxectl stats --rate rxe0\n"
		    "  rxectl -j stats --rate rxe0 interval 5 count 1\n"
		    "  rxectl stats --format prometheus\n",
	.fallback = &stats_commands[0],
	.commands = stats_commands,
};
