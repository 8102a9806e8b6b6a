// SPDX-License-Identifier: GPL-2.0
/*
 * rxectl doctor: run all checks and show their findings.
 */
#include <json-c/json.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/errors.h"
#include "cli/output.h"
#include "cmd/commands.h"
#include "doctor/exam.h"

#define DOCTOR_USAGE "rxectl doctor [check]"

static void run_checks(struct exam *exam, const struct check *checks)
{
	for (; checks->name; checks++) {
		exam->check = checks->name;
		checks->run(exam);
	}
}

static const char *member(struct json_object *row, const char *key)
{
	return json_object_get_string(json_object_object_get(row, key));
}

static void print_findings(const struct ctx *ctx, struct json_object *rows)
{
	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		const char *severity = member(row, "severity");

		output_severity(ctx->out, severity);
		fprintf(ctx->out, "%*s %s: %s\n", (int)(7 - strlen(severity)), "",
			member(row, "check"), member(row, "reason"));
		if (member(row, "remedy"))
			fprintf(ctx->out, "        # %s\n", member(row, "remedy"));
	}
	if (!json_object_array_length(rows))
		fputs("no problems found\n", ctx->out);
}

static int doctor_check(struct ctx *ctx, int argc, char **argv)
{
	static const int statuses[] = { 0, EXIT_WARNING, EXIT_ERROR };
	struct exam exam = { .worst = -1 };

	if (argc)
		return fail(ctx, EXIT_USAGE, argv[0], DOCTOR_USAGE, "unknown word \"%s\"", argv[0]);
	exam.rows = json_object_new_array();
	exam.rdma_error = links_find(&exam.links);
	run_checks(&exam, doctor_system_checks);
	run_checks(&exam, doctor_link_checks);
	run_checks(&exam, doctor_firewall_checks);
	if (ctx->json)
		output_json(ctx, ctx->out, exam.rows);
	else
		print_findings(ctx, exam.rows);
	json_object_put(exam.rows);
	links_put(&exam.links);
	return exam.worst < 0 ? 0 : statuses[exam.worst];
}

static const struct command doctor_commands[] = {
	{ "check", "", "look for problems that keep rxe devices from working, and print the "
		       "commands that fix them",
	  doctor_check, 0 },
	{ 0 },
};

const struct object doctor_object = {
	.name = "doctor",
	.summary = "diagnose problems of rxe devices and print the commands that fix them",
	.examples = "  rxectl doctor\n"
		    "  rxectl -j -p doctor\n",
	.fallback = &doctor_commands[0],
	.commands = doctor_commands,
};
