// SPDX-License-Identifier: GPL-2.0
/* rxectl params: show the parameters of the module, their defaults, and where they are set. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/errors.h"
#include "cli/output.h"
#include "cmd/commands.h"
#include "sys/host.h"
#include "sys/modprobe.h"
#include "util/files.h"

#define PARAMS_USAGE "rxectl params [show] [PARAMETER]"
#define PARAMETERS   "/sys/module/rdma_rxe/parameters"
#define VALUE_SIZE   64

/**
 * struct param - a parameter of the module
 * @name: of the parameter
 * @standard: default value; "auto" if the module chooses it; NULL for a constant
 * @unit: of the value, or NULL
 * @writable: can be changed at run time
 * @meaning: in a few words; rdma_rxe(4) has the description
 */
struct param {
	const char *name;
	const char *standard;
	const char *unit;
	bool writable;
	const char *meaning;
};

/* scripts/manual compares the names and defaults with the module and with rdma_rxe(4). */
static const struct param params[] = {
	{ "simd", "auto", "bits", false, "width of the vector registers for ICRCs: 0, 128 or 512" },
	{ "cc", "delay", NULL, true, "congestion control of new queue pairs: delay, aimd or fixed" },
	{ "ecn", "app", NULL, true, "ECN of new connections: app, always or never" },
	{ "max_path_mtu", "port", NULL, true, "path MTU of new connections: port or route" },
	{ "cnp_dscp", "48", NULL, true, "DSCP of congestion notification packets" },
	{ "max_unacked_psns", "128", "packets", true, "upper bound of the congestion window" },
	{ "max_pkt_per_ack", "64", "packets", true, "upper bound of packets for one AckReq" },
	{ "inflight_skbs_per_qp_high", "64", "packets", true,
	  "upper bound of the congestion window, too" },
	{ "inflight_skbs_per_qp_low", "16", "packets", true, "ignored" },
	{ "max_iterations", "1024", "packets", true,
	  "packets that a queue pair sends before it yields" },
	{ "use_sg", "Y", NULL, true, "send several packets in one socket buffer (GSO)" },
	{ "xmit_hard", "Y", NULL, true, "bypass the network stack where nothing in it acts on packets" },
	{ "skb_hash_to_txq", "Y", NULL, false,
	  "with xmit_hard: choose the transmit queue by the queue pair" },
	{ "dump_qp_on_error", "N", NULL, true, "log a queue pair that enters the error state" },
	{ "ndelay", "0", NULL, true, "ignored" },
	{ "disable_numa_balance", "Y", NULL, true, "ignored" },
	{ "exclude_numa_mask", "0", NULL, true, "ignored" },
	{ "log_numa", "N", NULL, true, "ignored" },
	{ "cray_version", NULL, NULL, false, "version of the module" },
	{ 0 },
};

/**
 * struct setting_source - where a parameter is set for the load of the module
 * @name: of the parameter
 * @value: "" if it is set nowhere
 * @file: that sets it
 */
struct setting_source {
	const char *name;
	char value[VALUE_SIZE];
	char file[320];
};

static const struct column columns[] = {
	{ .key = "name", .title = "NAME" },
	{ .key = "value", .title = "VALUE" },
	{ .key = "default", .title = "DEFAULT" },
	{ .key = "unit", .title = "UNIT" },
	{ .key = "set", .title = "SET" },
	{ .key = "meaning", .title = "MEANING" },
	{ 0 },
};

/* Take "NAME=VALUE" if the name is that of @source. */
static bool take_word(struct setting_source *source, const char *word)
{
	size_t n = strlen(source->name);

	if (strncmp(word, source->name, n) || word[n] != '=')
		return false;
	snprintf(source->value, sizeof(source->value), "%.63s", word + n + 1);
	return true;
}

/* "options rdma_rxe use_sg=0 ndelay=5"; the last line applies. */
static void take_line(const char *dir, const char *name, char *line, void *arg)
{
	struct setting_source *source = arg;
	char *save, *word = strtok_r(line, " \t", &save);
	char *module = word ? strtok_r(NULL, " \t", &save) : NULL;

	if (!module || strcmp(word, "options") || !modprobe_is_ours(module))
		return;
	while ((word = strtok_r(NULL, " \t", &save)))
		if (take_word(source, word))
			snprintf(source->file, sizeof(source->file), "%.31s/%.255s", dir, name);
}

/* The kernel applies "rdma_rxe.use_sg=0" of its command line before the options of modprobe. */
static void take_command_line(struct setting_source *source)
{
	static const char prefix[] = "rdma_rxe.";
	char *text = file_text("/proc/cmdline"), *save;

	for (char *word = text ? strtok_r(text, " \n", &save) : NULL; word;
	     word = strtok_r(NULL, " \n", &save))
		if (!strncmp(word, prefix, sizeof(prefix) - 1) &&
		    take_word(source, word + sizeof(prefix) - 1))
			strcpy(source->file, "/proc/cmdline");
	free(text);
}

/* Booleans are compared as Y and N, numbers in any base. */
static bool same_value(const char *a, const char *b)
{
	char *end_a, *end_b;
	unsigned long long x, y;

	if (!strcmp(a, b))
		return true;
	if (strchr("YN", *b) && !b[1])
		return (*b == 'Y') == (*a && strchr("yY1", *a));
	x = strtoull(a, &end_a, 0);
	y = strtoull(b, &end_b, 0);
	return end_a != a && end_b != b && !*end_a && !*end_b && x == y;
}

/* Return: the origin of the value; NULL for a constant or without a value. */
static const char *setter(const struct param *param, const char *value,
			  const struct setting_source *source)
{
	const char *place = !strcmp(source->file, "/proc/cmdline") ? "command line" : "modprobe.d";

	if (!param->standard || (!*value && !*source->value))
		return NULL;
	if (*source->value && (!*value || !param->writable || same_value(source->value, value)))
		return place;
	if (!param->writable || same_value(value, param->standard))
		return *source->value ? "run time" : "default";
	return "run time";
}

static struct json_object *param_row(const struct param *param)
{
	struct setting_source source = { .name = param->name };
	struct json_object *row = json_object_new_object();
	char value[VALUE_SIZE] = "";

	file_line(value, sizeof(value), PARAMETERS "/%s", param->name);
	take_command_line(&source);
	modprobe_each_line(take_line, &source);
	json_object_object_add(row, "name", json_object_new_string(param->name));
	json_object_object_add(row, "value", output_string(value));
	json_object_object_add(row, "default", output_string(param->standard));
	json_object_object_add(row, "unit", output_string(param->unit));
	json_object_object_add(row, "meaning", json_object_new_string(param->meaning));
	json_object_object_add(row, "set", output_string(setter(param, value, &source)));
	json_object_object_add(row, "file", output_string(source.file));
	json_object_object_add(row, "writable", json_object_new_boolean(param->writable));
	return row;
}

static void hint_absent(const struct ctx *ctx)
{
	if (!host_module_loaded())
		err_hint(ctx, "module rdma_rxe is not loaded: %s", host_load_remedy());
	else if (!file_exists(PARAMETERS))
		err_hint(ctx, "the loaded rdma_rxe is the kernel's own, which has no parameters: "
			      "rxectl doctor");
}

static int fail_unknown(const struct ctx *ctx, const char *name)
{
	if (ctx->implied)
		return fail(ctx, EXIT_USAGE, name, "rxectl params lists them",
			    "\"%s\" is neither a command nor a parameter", name);
	return fail(ctx, EXIT_RUNTIME, name, "rxectl params lists them",
		    "rdma_rxe has no parameter \"%s\"", name);
}

static int params_show(struct ctx *ctx, int argc, char **argv)
{
	struct json_object *rows;
	int status = 0;

	if (argc > 1)
		return fail(ctx, EXIT_USAGE, argv[1], PARAMS_USAGE, "unknown word \"%s\"", argv[1]);
	rows = json_object_new_array();
	for (const struct param *param = params; param->name; param++)
		if (!argc || !strcmp(argv[0], param->name))
			json_object_array_add(rows, param_row(param));
	if (argc && !json_object_array_length(rows)) {
		status = fail_unknown(ctx, argv[0]);
	} else {
		output_rows(ctx, columns, rows);
		hint_absent(ctx);
	}
	json_object_put(rows);
	return status;
}

static const struct command params_commands[] = {
	{ "show", "[PARAMETER]",
	  "show all parameters of the module or one: value, default, unit, meaning, and whether "
	  "modprobe.d or a write at run time has set it",
	  params_show, 0 },
	{ 0 },
};

const struct object params_object = {
	.name = "params",
	.group = GROUP_LOOK,
	.summary = "show the parameters of the module, and the origin of their values",
	.examples = "  rxectl params\n"
		    "  rxectl -j params use_sg\n",
	.fallback = &params_commands[0],
	.commands = params_commands,
};
