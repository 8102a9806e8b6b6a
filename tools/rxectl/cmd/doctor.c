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

#define DOCTOR_USAGE "rxectl doctor [check] [NAME]"

static void run_checks(struct exam *exam, const struct check *checks)
{
	for (; checks->name; checks++) {
		unsigned int skipped = exam->skipped;

		exam->check = checks->name;
		checks->run(exam);
		exam->checks += skipped == exam->skipped;
	}
}

static const char *member(struct json_object *row, const char *key)
{
	return json_object_get_string(json_object_object_get(row, key));
}

static void print_summary(FILE *out, const struct exam *exam)
{
	if (exam->problems)
		fprintf(out, "%u problem%s found", exam->problems, exam->problems == 1 ? "" : "s");
	else
		fputs("No problems found", out);
	fprintf(out, ", %u checks, %u skipped\n", exam->checks, exam->skipped);
}

static void print_findings(const struct ctx *ctx, struct json_object *rows)
{
	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		const char *severity = member(row, "severity");

		output_severity(ctx, severity);
		fprintf(ctx->out, "%*s %s: %s\n", (int)(7 - strlen(severity)), "",
			member(row, "check"), member(row, "reason"));
		if (member(row, "remedy"))
			fprintf(ctx->out, "        fix: %s\n", member(row, "remedy"));
	}
}

/* Without a name, a failure is left to the checks. Return: the exit status. */
static int find_links(const struct ctx *ctx, const char *name, struct exam *exam)
{
	if (name)
		return links_get(ctx, name, &exam->links);
	exam->rdma_error = links_find(&exam->links);
	return 0;
}

static int doctor_check(struct ctx *ctx, int argc, char **argv)
{
	static const int statuses[] = { 0, 0, EXIT_WARNING, EXIT_ERROR };
	struct exam exam = { .worst = -1 };
	int status;

	if (argc > 1)
		return fail(ctx, EXIT_USAGE, argv[1], DOCTOR_USAGE, "unknown word \"%s\"", argv[1]);
	status = find_links(ctx, argc ? argv[0] : NULL, &exam);
	if (status) {
		links_put(&exam.links);
		return status;
	}
	exam.rows = json_object_new_array();
	run_checks(&exam, doctor_system_checks);
	run_checks(&exam, doctor_link_checks);
	run_checks(&exam, doctor_firewall_checks);
	if (ctx->json) {
		output_json(ctx, ctx->out, exam.rows);
	} else {
		print_findings(ctx, exam.rows);
		print_summary(ctx->out, &exam);
	}
	json_object_put(exam.rows);
	links_put(&exam.links);
	return exam.worst < 0 ? 0 : statuses[exam.worst];
}

static const struct command doctor_commands[] = {
	{ "check", "[NAME]",
	  "look for problems that keep all rxe devices or one from working, and print the commands "
	  "that fix them",
	  doctor_check, 0 },
	{ 0 },
};

const struct object doctor_object = {
	.name = "doctor",
	.group = GROUP_TEST,
	.summary = "diagnose problems, and print the commands that fix them",
	.examples = "  rxectl doctor\n"
		    "  rxectl doctor rxe0\n"
		    "  rxectl -j -p doctor\n",
	.fallback = &doctor_commands[0],
	.commands = doctor_commands,
};
