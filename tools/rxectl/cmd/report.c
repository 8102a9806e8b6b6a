// SPDX-License-Identifier: GPL-2.0
/* rxectl report: output of all diagnostic commands, for a problem report. */
#include <json-c/json.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "cli/errors.h"
#include "cli/output.h"
#include "cmd/commands.h"
#include "util/files.h"
#include "util/redact.h"

/* Commands of the report, in order. */
static const struct object *const parts[] = {
	&status_object, &mtu_object,  &gids_object,   &qp_object,
	&stats_object,	&diff_object, &doctor_object, NULL,
};

/* Return: the output of a command, to be freed; in text mode with its errors. */
static char *run_part(const struct object *part, bool json)
{
	struct ctx own = { .json = json };
	char *text = NULL, *errors = NULL;
	char *none[] = { NULL };
	size_t n;

	own.out = open_memstream(&text, &n);
	own.err = json ? open_memstream(&errors, &n) : own.out;
	if (!own.out || !own.err)
		abort();
	part->fallback->run(&own, 0, none);
	if (json)
		fclose(own.err);
	fclose(own.out);
	free(errors);
	return text;
}

static void print_host(FILE *out)
{
	char module[64] = "the kernel's own or none";
	struct utsname host;

	file_line(module, sizeof(module), "/sys/module/rdma_rxe/version");
	if (!uname(&host))
		fprintf(out, "kernel %s %s\n", host.release, host.machine);
	fprintf(out, "rxectl %s\nrdma_rxe %s\n", RXECTL_VERSION, module);
}

static void print_text(FILE *out)
{
	print_host(out);
	for (const struct object *const *part = parts; *part; part++) {
		char *text = run_part(*part, false);

		fprintf(out, "\n--- rxectl %s\n%s", (*part)->name, text);
		free(text);
	}
}

static void print_json(const struct ctx *ctx, FILE *out)
{
	struct json_object *top = json_object_new_object();

	for (const struct object *const *part = parts; *part; part++) {
		char *text = run_part(*part, true);

		json_object_object_add(top, (*part)->name, json_tokener_parse(text));
		free(text);
	}
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
	{ "show", "", "print a report; with --mask, without addresses",
	  report_show, OPT_MASK },
	{ 0 },
};

const struct object report_object = {
	.name = "report",
	.summary = "print a complete report to attach to a problem report",
	.examples = "  rxectl report\n"
		    "  rxectl report --mask\n",
	.fallback = &report_commands[0],
	.commands = report_commands,
};
