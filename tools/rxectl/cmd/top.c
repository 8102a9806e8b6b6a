// SPDX-License-Identifier: GPL-2.0
/* rxectl top: load of devices and queue pairs, updated continuously. */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "cli/errors.h"
#include "cli/output.h"
#include "cli/watch.h"
#include "cmd/commands.h"
#include "link/sample.h"
#include "util/clock.h"
#include "util/terminal.h"

static const struct column device_columns[] = {
	{ .key = "device", .title = "DEVICE" },
	{ .key = "netdev", .title = "NETDEV", .narrow = 1 },
	{ .key = "state", .title = "STATE", .narrow = 2 },
	{ .key = "qps", .title = "QPS" },
	{ .key = "tx", .title = "TX-BIT/S", .format = output_rate },
	{ .key = "rx", .title = "RX-BIT/S", .format = output_rate },
	{ .key = "tx_packets", .title = "TX-PKT/S", .format = output_rate },
	{ .key = "rx_packets", .title = "RX-PKT/S", .format = output_rate },
	{ .key = "retries", .title = "RETRY/S", .format = output_rate },
	{ .key = "drops", .title = "DROPS/S", .format = output_rate },
	{ 0 },
};

static const struct column qp_columns[] = {
	{ .key = "device", .title = "DEVICE" },
	{ .key = "qpn", .title = "QPN" },
	{ .key = "type", .title = "TYPE", .narrow = 2 },
	{ .key = "state", .title = "STATE" },
	{ .key = "peer_qpn", .title = "PEER-QPN", .narrow = 1 },
	{ .key = "packets", .title = "TX-PKT/S", .format = output_rate },
	{ .key = "pid", .title = "PID" },
	{ .key = "command", .title = "COMMAND" },
	{ 0 },
};

/**
 * struct order - a sort order of devices
 * @key: on the keyboard
 * @name: shown in the heading
 * @value: sort key, largest first; NULL sorts by name
 */
struct order {
	char key;
	const char *name;
	double (*value)(struct json_object *row);
};

static double member(struct json_object *row, const char *key)
{
	return json_object_get_double(json_object_object_get(row, key));
}

static double bandwidth(struct json_object *row)
{
	return member(row, "tx") + member(row, "rx");
}

static double sent(struct json_object *row)
{
	return member(row, "tx");
}

static double received(struct json_object *row)
{
	return member(row, "rx");
}

static double retries(struct json_object *row)
{
	return member(row, "retries") + member(row, "drops");
}

static double packets(struct json_object *row)
{
	return member(row, "packets");
}

static const struct order orders[] = {
	{ 'b', "bandwidth", bandwidth },
	{ 't', "sent", sent },
	{ 'r', "received", received },
	{ 'e', "errors", retries },
	{ 'd', "device", NULL },
	{ 0 },
};

/* json_object_array_sort() passes no argument to its callback. */
static const struct order *sorting;

static const char *text_of(struct json_object *row, const char *key)
{
	return json_object_get_string(json_object_object_get(row, key));
}

static int compare(const void *a, const void *b)
{
	struct json_object *row_a = *(struct json_object *const *)a;
	struct json_object *row_b = *(struct json_object *const *)b;
	double difference = sorting->value ? sorting->value(row_b) - sorting->value(row_a) : 0;

	if (difference != 0)
		return difference > 0 ? 1 : -1;
	return strcmp(text_of(row_a, "device"), text_of(row_b, "device"));
}

static void sort(struct json_object *rows, const struct order *order)
{
	sorting = order;
	json_object_array_sort(rows, compare);
}

/**
 * struct top - state of the command
 * @name: show only this device; NULL for all
 * @watch: schedule of the samples
 * @order: of the devices
 * @before: the sample before the last
 * @after: the last sample; the output is the difference
 */
struct top {
	const char *name;
	struct watch watch;
	const struct order *order;
	struct sample before;
	struct sample after;
};

static void print_tables(const struct ctx *ctx, struct json_object *devices,
			 struct json_object *qps)
{
	struct json_object *both;

	if (!ctx->json) {
		output_rows(ctx, device_columns, devices);
		if (json_object_array_length(qps))
			fputc('\n', ctx->out);
		output_rows(ctx, qp_columns, qps);
		return;
	}
	both = json_object_new_object();
	json_object_object_add(both, "devices", json_object_get(devices));
	json_object_object_add(both, "qps", json_object_get(qps));
	output_json(ctx, ctx->out, both);
	json_object_put(both);
}

static int look(const struct ctx *ctx, struct top *top)
{
	sample_put(&top->before);
	top->before = top->after;
	return sample_read(ctx, top->name, &top->after);
}

static void show(const struct ctx *ctx, const struct top *top)
{
	static const struct order by_packets = { .value = packets };
	struct json_object *devices = sample_devices(&top->before, &top->after);
	struct json_object *qps = sample_qps(&top->before, &top->after);

	sort(devices, top->order);
	sort(qps, &by_packets);
	print_tables(ctx, devices, qps);
	json_object_put(devices);
	json_object_put(qps);
}

static int watch_plainly(struct ctx *ctx, struct top *top)
{
	int status = 0;

	for (unsigned int i = 0; !status && (!top->watch.count || i < top->watch.count); i++) {
		if (clock_pause(watch_left(&top->watch)))
			break;
		if (i && !ctx->json)
			fputc('\n', ctx->out);
		status = look(ctx, top);
		if (!status)
			show(ctx, top);
		watch_advance(&top->watch);
		fflush(ctx->out);
		if (ferror(ctx->out))
			break;
	}
	return status;
}

static void print_head(FILE *out, const struct order *by)
{
	fprintf(out, "by %s; keys:", by->name);
	for (const struct order *o = orders; o->name; o++)
		fprintf(out, " %c %s,", o->key, o->name);
	fputs(" q quit\n\n", out);
}

static void draw(const struct ctx *ctx, const struct top *top)
{
	struct ctx screen = *ctx;
	char *text = NULL;
	size_t size = 0;

	screen.out = open_memstream(&text, &size);
	if (!screen.out)
		abort();
	screen.width = terminal_width(ctx->out);
	print_head(screen.out, top->order);
	show(&screen, top);
	fclose(screen.out);
	terminal_draw(ctx->out, text);
	free(text);
}

static void press(struct top *top, int key)
{
	for (const struct order *o = orders; o->name; o++)
		if (o->key == key)
			top->order = o;
}

/* A key redraws the current samples; a new sample is taken only when it is due. */
static int watch_keys(const struct ctx *ctx, struct top *top)
{
	int key, status = 0;

	for (unsigned int looks = 0; !status; draw(ctx, top)) {
		key = terminal_key(watch_left(&top->watch));
		if (key == 'q')
			break;
		press(top, key);
		if (watch_left(&top->watch) > 0)
			continue;
		if (top->watch.count && looks++ == top->watch.count)
			break;
		status = look(ctx, top);
		watch_advance(&top->watch);
	}
	return status;
}

/* Errors are collected and printed after the normal screen is restored. */
static int watch_screen(struct ctx *ctx, struct top *top)
{
	struct ctx quiet = *ctx;
	char *text = NULL;
	size_t size = 0;
	int status;

	if (!terminal_open(ctx->out))
		return watch_plainly(ctx, top);
	quiet.err = open_memstream(&text, &size);
	if (!quiet.err)
		abort();
	draw(&quiet, top);
	status = watch_keys(&quiet, top);
	terminal_close(ctx->out);
	fclose(quiet.err);
	fputs(text, ctx->err);
	free(text);
	return status;
}

static int top_show(struct ctx *ctx, int argc, char **argv)
{
	struct top top = { .watch = { .interval = 1 }, .order = orders };
	int status;

	if (argc && !watch_is_keyword(argv[0])) {
		top.name = *argv++;
		argc--;
	}
	status = watch_parse(ctx, argc, argv,
			     "rxectl top [show] [NAME] [interval SECONDS] [count N]", &top.watch);
	if (!status)
		status = sample_read(ctx, top.name, &top.after);
	if (!status)
		status = !ctx->json && terminal_is(ctx->out) ? watch_screen(ctx, &top) :
							       watch_plainly(ctx, &top);
	sample_put(&top.before);
	sample_put(&top.after);
	return status;
}

static const struct command top_commands[] = {
	{ "show", "[NAME] [interval SECONDS] [count N]",
	  "show bandwidth, packets, retries and QPs, repeatedly; on a terminal, keys sort and q "
	  "quits",
	  top_show, 0 },
	{ 0 },
};

const struct object top_object = {
	.name = "top",
	.group = GROUP_LOOK,
	.summary = "show the load of devices and queue pairs, updated continuously",
	.examples = "  rxectl top\n"
		    "  rxectl top rxe0 interval 5 count 1\n",
	.fallback = &top_commands[0],
	.commands = top_commands,
};
