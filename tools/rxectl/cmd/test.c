// SPDX-License-Identifier: GPL-2.0
/* rxectl test: test of the RDMA path to another host. */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/errors.h"
#include "cli/output.h"
#include "cmd/commands.h"
#include "perf/client.h"
#include "perf/server.h"
#include "sys/pmtu.h"

#define RUN_USAGE    "rxectl test [run] [PEER] [device NAME] [port PORT] [seconds N]"
#define SERVER_USAGE "rxectl test server [port PORT] [count N]"

/**
 * struct words - parsed arguments
 * @allowed: keywords of the command; NULL ends the array
 * @usage: printed with errors
 * @device: "device NAME"
 * @port: "port PORT"
 * @seconds: "seconds N"
 * @count: "count N"
 */
struct words {
	const char *const *allowed;
	const char *usage;
	const char *device;
	double port;
	double seconds;
	double count;
};

static const char *find_word(const struct words *words, const char *word)
{
	for (const char *const *name = words->allowed; *name; name++)
		if (arg_is_prefix(word, *name))
			return *name;
	return NULL;
}

static int parse_pair(const struct ctx *ctx, const char *name, const char *value,
		      struct words *words)
{
	if (!strcmp(name, "port"))
		return number_between(ctx, value, words->usage, 1, 65535, &words->port);
	if (!strcmp(name, "seconds"))
		return number_between(ctx, value, words->usage, 0.1, 3600, &words->seconds);
	if (!strcmp(name, "count"))
		return number_between(ctx, value, words->usage, 1, 1e9, &words->count);
	words->device = value;
	return 0;
}

static int parse(const struct ctx *ctx, int argc, char **argv, struct words *words)
{
	int status = 0;

	for (int i = 0; i < argc && !status; i += 2) {
		const char *name = find_word(words, argv[i]);

		if (!name)
			return fail(ctx, EXIT_USAGE, argv[i], words->usage,
				    "unknown word \"%s\"", argv[i]);
		if (i + 1 == argc)
			return fail(ctx, EXIT_USAGE, argv[i], words->usage,
				    "missing value after \"%s\"", argv[i]);
		status = parse_pair(ctx, name, argv[i + 1], words);
	}
	return status;
}

static const char *const steps[PEER_STEPS] = {
	[PEER_REACH] = "reach",	    [PEER_CONNECT] = "connect",	    [PEER_MTU] = "mtu",
	[PEER_LATENCY] = "latency", [PEER_BANDWIDTH] = "bandwidth",
};

static const struct column columns[] = {
	{ .key = "step", .title = "STEP" },
	{ .key = "result", .title = "RESULT" },
	{ .key = "detail", .title = "DETAIL" },
	{ 0 },
};

/* Describe the path MTU that has been found, and the link that allows no more if it is known. */
static void describe_mtu(const struct peer_result *r, char *text, size_t size)
{
	struct pmtu_report report;
	int len = snprintf(text, size, "%u bytes", r->mtu);

	if (r->mtu == r->port_mtu)
		return;
	len += snprintf(text + len, size - len, ", less than both ports support");
	if (pmtu_recent(r->device, &report) && !strcmp(report.peer, r->address))
		snprintf(text + len, size - len, ": the path has an MTU of %u", report.mtu);
}

/* Describe the result of a step. Return: its number for JSON; NULL if it has none. */
static struct json_object *describe(const struct peer_result *r, enum peer_step step, bool loopback,
				    char *text, size_t size)
{
	switch (step) {
	case PEER_REACH:
		snprintf(text, size, "%s%s", r->address,
			 loopback ? ", loopback within this host" : "");
		return NULL;
	case PEER_CONNECT:
		snprintf(text, size, "%s, GID index %u", r->device, r->index);
		return NULL;
	case PEER_MTU:
		describe_mtu(r, text, size);
		return json_object_new_int64(r->mtu);
	case PEER_LATENCY:
		snprintf(text, size, "%.1f us for a READ of 8 bytes", r->latency * 1e6);
		return json_object_new_double(r->latency);
	default:
		snprintf(text, size, "%.2f Gb/s in WRITEs of 64 KiB", r->bandwidth / 1e9);
		return json_object_new_double(r->bandwidth);
	}
}

static struct json_object *step_row(const struct peer_result *r, enum peer_step step, bool loopback)
{
	struct json_object *row = json_object_new_object(), *value = NULL;
	static const char *const units[PEER_STEPS] = {
		[PEER_MTU] = "bytes",
		[PEER_LATENCY] = "seconds",
		[PEER_BANDWIDTH] = "bits_per_second",
	};
	bool narrow = step == PEER_MTU && r->mtu < r->port_mtu;
	const char *word = step == r->done ? "failed" : narrow ? "warning" : "ok";
	char text[ERRBUF_SIZE];

	if (step == r->done)
		snprintf(text, sizeof(text), "%s", r->why);
	else
		value = describe(r, step, loopback, text, sizeof(text));
	json_object_object_add(row, "step", json_object_new_string(steps[step]));
	json_object_object_add(row, "result", json_object_new_string(word));
	json_object_object_add(row, "value", value);
	if (value)
		json_object_object_add(row, units[step], json_object_get(value));
	json_object_object_add(row, "detail", json_object_new_string(text));
	return row;
}

static void show(const struct ctx *ctx, const struct peer_result *r, bool loopback)
{
	struct json_object *rows = json_object_new_array();

	for (int step = 0; step < PEER_STEPS && step <= (int)r->done; step++)
		json_object_array_add(rows, step_row(r, (enum peer_step)step, loopback));
	output_rows(ctx, columns, rows);
	json_object_put(rows);
}

/* The table has the reason; JSON, and a reason without a remedy, need an error. */
static int failed(const struct ctx *ctx, const char *host, const struct peer_result *r)
{
	const char *remedy = *r->remedy ? r->remedy : NULL;

	if (ctx->json)
		return fail(ctx, EXIT_RUNTIME, host, remedy, "%s", r->why);
	if (!remedy)
		return fail(ctx, EXIT_RUNTIME, host, NULL, "the test failed at \"%s\"",
			    steps[r->done]);
	err_hint(ctx, "%s", remedy);
	return EXIT_RUNTIME;
}

static int test_run(struct ctx *ctx, int argc, char **argv)
{
	static const char *const allowed[] = { "device", "port", "seconds", NULL };
	struct words words = {
		.allowed = allowed, .usage = RUN_USAGE, .port = PEER_PORT, .seconds = 1
	};
	struct peer_result result;
	const char *host = NULL;
	int status;

	if (arg_name_first(argc, argv, allowed)) {
		host = *argv++;
		argc--;
	}
	status = parse(ctx, argc, argv, &words);
	if (status)
		return status;
	if (host && words.device)
		return fail(ctx, EXIT_USAGE, "device", RUN_USAGE,
			    "the route to the peer selects the device");
	peer_test(host, words.device, (uint16_t)words.port, words.seconds, &result);
	show(ctx, &result, !host);
	if (result.done < PEER_STEPS)
		return failed(ctx, host, &result);
	return result.mtu < result.port_mtu ? EXIT_WARNING : 0;
}

static void served(const char *address, const char *wrong, void *arg)
{
	const struct ctx *ctx = arg;
	struct json_object *row;

	if (!ctx->json) {
		fprintf(ctx->out, "%s: %s\n", address, wrong ? wrong : "served");
		fflush(ctx->out);
		return;
	}
	row = json_object_new_object();
	json_object_object_add(row, "peer", json_object_new_string(address));
	json_object_object_add(row, "error", output_string(wrong));
	output_json(ctx, ctx->out, row);
	json_object_put(row);
	fflush(ctx->out);
}

static void listening(uint16_t port, void *arg)
{
	const struct ctx *ctx = arg;

	if (ctx->json)
		return;
	fprintf(ctx->out, "listening on TCP %u\n", port);
	fflush(ctx->out);
}

static int test_server(struct ctx *ctx, int argc, char **argv)
{
	static const char *const allowed[] = { "port", "count", NULL };
	struct words words = { .allowed = allowed, .usage = SERVER_USAGE, .port = PEER_PORT };
	char why[ERRBUF_SIZE] = "";
	int status = parse(ctx, argc, argv, &words);

	if (status)
		return status;
	if (peer_serve((uint16_t)words.port, (unsigned int)words.count, listening, served, ctx,
		       why))
		return 0;
	return fail(ctx, EXIT_RUNTIME, NULL, NULL, "%s", why);
}

static const struct command test_commands[] = {
	{ "run", "[PEER] [device NAME] [port PORT] [seconds N]",
	  "test the path to the host PEER, where a server runs, or within this host: reachability, "
	  "MTU, latency, bandwidth",
	  test_run, 0 },
	{ "server", "[port PORT] [count N]", "run the server, for N tests or without limit",
	  test_server, 0 },
	{ 0 },
};

const struct object test_object = {
	.name = "test",
	.group = GROUP_TEST,
	.summary = "test the path to a peer: reachability, MTU, latency, bandwidth",
	.examples = "  rxectl test\n"
		    "  rxectl test server\n"
		    "  rxectl test 192.168.1.2\n"
		    "  rxectl -j test 192.168.1.2 seconds 10\n",
	.fallback = &test_commands[0],
	.commands = test_commands,
};
