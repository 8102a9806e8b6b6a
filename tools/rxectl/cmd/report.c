// SPDX-License-Identifier: GPL-2.0
/* rxectl report: output of all diagnostic commands, for a problem report. */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "cli/errors.h"
#include "cli/output.h"
#include "cmd/commands.h"
#include "cmd/hostinfo.h"
#include "util/redact.h"

/* Commands of the report, in order. */
static const struct object *const parts[] = {
	&status_object, &mtu_object,  &gids_object,   &qp_object,
	&stats_object,	&diff_object, &doctor_object, NULL,
};

static void add_error(struct json_object *errors, const char *part, struct json_object *error)
{
	json_object_object_add(error, "part", json_object_new_string(part));
	json_object_array_add(errors, error);
}

/* @text: errors of a part as it printed them, a JSON object on each line. Takes the text. */
static void add_errors(struct json_object *errors, const char *part, char *text)
{
	char *save;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		struct json_object *top = json_tokener_parse(line);
		struct json_object *from = json_object_object_get(top, "error"), *error;

		if (from) {
			error = json_object_new_object();
			json_object_object_add(error, "part", NULL);
			json_object_object_foreach(from, key, value)
				json_object_object_add(error, key, json_object_get(value));
			add_error(errors, part, error);
		}
		json_object_put(top);
	}
	free(text);
}

/*
 * Return: the output of a command, to be freed. Its errors are in the output as text, or are added
 * to @errors, unless that is NULL.
 */
static char *run_part(const struct object *part, struct json_object *errors)
{
	struct ctx own = { .json = errors };
	char *text = NULL, *error_text = NULL;
	char *none[] = { NULL };
	size_t n;

	own.out = open_memstream(&text, &n);
	own.err = errors ? open_memstream(&error_text, &n) : own.out;
	if (!own.out || !own.err)
		abort();
	part->fallback->run(&own, 0, none);
	if (errors)
		fclose(own.err);
	fclose(own.out);
	if (errors)
		add_errors(errors, part->name, error_text);
	return text;
}

/* A part of the host that cannot be read; hostinfo_get(). */
static void host_failed(const char *part, const char *why, void *errors)
{
	struct json_object *error = json_object_new_object();

	json_object_object_add(error, "part", NULL);
	json_object_object_add(error, "message", json_object_new_string(why));
	json_object_object_add(error, "word", NULL);
	json_object_object_add(error, "remedy", NULL);
	add_error(errors, part, error);
}

static void print_text(FILE *out)
{
	struct json_object *errors = json_object_new_array();
	struct json_object *host = hostinfo_get(host_failed, errors);

	hostinfo_print_head(out, host);
	for (const struct object *const *part = parts; *part; part++) {
		char *text = run_part(*part, NULL);

		fprintf(out, "\n--- rxectl %s\n%s", (*part)->name, text);
		free(text);
	}
	hostinfo_print_parts(out, host);
	for (size_t i = 0; i < json_object_array_length(errors); i++)
		fprintf(out, "%s\n",
			json_object_get_string(json_object_object_get(
				json_object_array_get_idx(errors, i), "message")));
	json_object_put(host);
	json_object_put(errors);
}

static void print_json(const struct ctx *ctx, FILE *out)
{
	struct json_object *top = json_object_new_object();
	struct json_object *errors = json_object_new_array();

	json_object_object_add(top, "host", hostinfo_get(host_failed, errors));
	for (const struct object *const *part = parts; *part; part++) {
		char *text = run_part(*part, errors);

		json_object_object_add(top, (*part)->name, json_tokener_parse(text));
		free(text);
	}
	json_object_object_add(top, "errors", errors);
	output_json(ctx, out, top);
	json_object_put(top);
}

static int report_show(struct ctx *ctx, int argc, char **argv)
{
	char *text = NULL;
	FILE *out;
	size_t n;

	if (argc)
		return fail(ctx, EXIT_USAGE, argv[0], "rxectl report [show]", "unknown word \"%s\"",
			    argv[0]);
	out = open_memstream(&text, &n);
	if (!out)
		abort();
	if (ctx->json)
		print_json(ctx, out);
	else
		print_text(out);
	fclose(out);
	if (ctx->options & OPT_MASK)
		redact_addresses(ctx->out, text);
	else
		fputs(text, ctx->out);
	free(text);
	return 0;
}

static const struct command report_commands[] = {
	{ "show", "", "print a report on the host, its devices and problems; with --mask, without addresses",
	  report_show, OPT_MASK },
	{ 0 },
};

const struct object report_object = {
	.name = "report",
	.group = GROUP_REPORT,
	.summary = "print a complete report to attach to a problem report",
	.examples = "  rxectl report\n"
		    "  rxectl report --mask\n",
	.fallback = &report_commands[0],
	.commands = report_commands,
};
