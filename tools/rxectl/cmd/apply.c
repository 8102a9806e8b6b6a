// SPDX-License-Identifier: GPL-2.0
/* rxectl apply, diff: apply the configuration in /etc/rxe, or show the steps. */
#include <json-c/json.h>
#include <string.h>

#include "cli/args.h"
#include "cli/errors.h"
#include "cli/output.h"
#include "cmd/commands.h"
#include "config/plan.h"
#include "link/links.h"
#include "sys/netdev.h"
#include "util/files.h"

#define APPLY_USAGE "rxectl apply [run] [DEV] [--late] [--check [--root DIR]]"

static const char *const actions[] = {
	[PLAN_ADD] = "add",
	[PLAN_RENAME] = "rename",
	[PLAN_MTU] = "mtu",
	[PLAN_TUNE] = "tune",
};

static const struct column columns[] = {
	{ .key = "action", .title = "ACTION" },
	{ .key = "name", .title = "NAME" },
	{ .key = "netdev", .title = "NETDEV" },
	{ .key = "namespace", .title = "NAMESPACE" },
	{ .key = "mtu", .title = "MTU" },
	{ .key = "where", .title = "WHERE" },
	{ 0 },
};

/* A section, as "apply --check" shows it. */
static const struct column section_columns[] = {
	{ .key = "where", .title = "WHERE" },	  { .key = "netdev", .title = "NETDEV" },
	{ .key = "mac", .title = "MAC" },	  { .key = "driver", .title = "DRIVER" },
	{ .key = "path", .title = "PATH" },	  { .key = "namespace", .title = "NAMESPACE" },
	{ .key = "device", .title = "DEVICE" },	  { .key = "mtu", .title = "MTU" },
	{ .key = "profile", .title = "PROFILE" }, { 0 },
};

static struct json_object *section_row(const struct conf_link *link)
{
	struct json_object *row = json_object_new_object();
	char where[96];

	snprintf(where, sizeof(where), "%s:%u", link->file, link->line);
	json_object_object_add(row, "where", json_object_new_string(where));
	json_object_object_add(row, "netdev", output_string(link->netdev));
	json_object_object_add(row, "mac", output_string(link->mac));
	json_object_object_add(row, "driver", output_string(link->driver));
	json_object_object_add(row, "path", output_string(link->path));
	json_object_object_add(row, "namespace", output_string(link->netns));
	json_object_object_add(row, "device", output_string(link->name));
	json_object_object_add(row, "mtu", link->mtu ? json_object_new_int64(link->mtu) : NULL);
	json_object_object_add(row, "profile", output_string(link->profile));
	return row;
}

/* Show the sections that have an effect. Needs no kernel, so that it works on images. */
static void show_sections(const struct ctx *ctx, const struct conf *conf)
{
	struct json_object *rows = json_object_new_array();

	for (size_t i = 0; i < conf->n; i++)
		if (!conf->links[i].broken)
			json_object_array_add(rows, section_row(&conf->links[i]));
	output_rows(ctx, section_columns, rows);
	json_object_put(rows);
}

static struct json_object *step_row(const struct plan_step *step)
{
	struct json_object *row = json_object_new_object();
	char where[96];

	snprintf(where, sizeof(where), "%s:%u", step->conf->file, step->conf->line);
	json_object_object_add(row, "action", json_object_new_string(actions[step->action]));
	output_device(row, step->name);
	json_object_object_add(row, "netdev", json_object_new_string(step->netdev));
	json_object_object_add(row, "namespace", output_string(netns_name(step->ns)));
	json_object_object_add(row, "mtu",
			       step->action == PLAN_MTU ? json_object_new_int64(step->mtu) : NULL);
	json_object_object_add(row, "where", json_object_new_string(where));
	return row;
}

static void complain(const char *file, unsigned int line, const char *what, void *arg)
{
	const struct ctx *ctx = arg;
	char where[96];

	snprintf(where, sizeof(where), "%s:%u", file, line);
	fail(ctx, EXIT_RUNTIME, where, NULL, "%s" CONF_DIR "/%s: %s", ctx->root ? ctx->root : "",
	     where, what);
}

/* The steps, without those that have not been executed. */
static void show_steps(const struct ctx *ctx, const struct plan *plan, bool apply)
{
	struct json_object *rows = json_object_new_array();

	for (size_t i = 0; i < plan->n; i++)
		if (!apply || plan->steps[i].state == PLAN_DONE)
			json_object_array_add(rows, step_row(&plan->steps[i]));
	output_rows(ctx, columns, rows);
	json_object_put(rows);
}

static int follow(const struct ctx *ctx, struct plan *plan, bool apply)
{
	int status = apply ? plan_run(ctx, plan, ctx->options & OPT_LATE) : 0;

	show_steps(ctx, plan, apply);
	return status;
}

/* No section matches the interface, or the interface does not exist. */
static int report_unmatched(const struct ctx *ctx, const char *name, const struct netns *ns)
{
	struct netdev netdev;

	if (netdev_get(ns, name, &netdev))
		return fail(ctx, EXIT_RUNTIME, name, "ip -brief link lists them",
			    "no network interface \"%s\"", name);
	netdev_put(&netdev);
	err_hint(ctx, "no section [link] in " CONF_DIR "/*.conf matches \"%s\"", name);
	return 0;
}

/* Sections without an interface are a hint that one is missing or renamed. */
static void hint_idle(const struct ctx *ctx, const struct conf *conf)
{
	for (size_t i = 0; i < conf->n; i++)
		if (conf->links[i].idle)
			err_hint(ctx, CONF_DIR "/%s:%u matches no existing interface",
			     conf->links[i].file, conf->links[i].line);
}

static int compare(struct ctx *ctx, struct conf *conf, const char *netdev,
		   const struct links *links, bool apply)
{
	struct plan plan;
	int err = plan_make(conf, netdev, links, &plan), status;

	if (err)
		status = fail(ctx, EXIT_RUNTIME, NULL, NULL, "cannot compare: %s", strerror(-err));
	else
		status = follow(ctx, &plan, apply);
	if (!err && netdev && conf->n && !plan.matched)
		status = report_unmatched(ctx, netdev, links->own);
	if (!err)
		hint_idle(ctx, conf);
	plan_put(&plan);
	return status;
}

/* With --check or --root: read the configuration only. */
static int check(struct ctx *ctx)
{
	struct conf conf = { .complain = complain, .arg = ctx };
	const char *root = ctx->root ? ctx->root : "";
	int err, status;

	if (*root && !file_exists("%s", root))
		return fail(ctx, EXIT_RUNTIME, root, NULL, "no directory \"%s\"", root);
	err = conf_read(&conf, root);
	if (!err && !conf.n && !conf.complaints)
		err_hint(ctx, "nothing is configured: no section [link] in %s" CONF_DIR "/*.conf", root);
	if (err)
		fail(ctx, EXIT_RUNTIME, NULL, NULL, "cannot read the configuration: %s",
		     strerror(-err));
	else
		show_sections(ctx, &conf);
	status = err || conf.complaints ? EXIT_RUNTIME : 0;
	conf_put(&conf);
	return status;
}

static int run(struct ctx *ctx, const char *netdev, bool apply)
{
	struct conf conf = { .complain = complain, .arg = ctx };
	struct links links;
	int err, status;

	err = conf_read(&conf, "");
	if (!err && !conf.n && !conf.complaints) {
		if (ctx->json)
			fputs("[]\n", ctx->out);
		err_hint(ctx, "nothing is configured: no section [link] in " CONF_DIR "/*.conf");
		conf_put(&conf);
		return 0;
	}
	status = links_get(ctx, NULL, &links);
	if (err)
		status = fail(ctx, EXIT_RUNTIME, NULL, NULL, "cannot read the configuration: %s",
			      strerror(-err));
	else if (!status)
		status = compare(ctx, &conf, netdev, &links, apply);
	links_put(&links);
	conf_put(&conf);
	return status ? status : conf.complaints ? EXIT_RUNTIME : 0;
}

/* Arguments: "[netdev] DEV". */
static int parse_and_run(struct ctx *ctx, int argc, char **argv, const char *usage, bool apply)
{
	if (argc == 2 && arg_is_prefix(argv[0], "netdev")) {
		argv++;
		argc--;
	}
	if (argc > 1)
		return fail(ctx, EXIT_USAGE, argv[1], usage, "unknown word \"%s\"", argv[1]);
	if (ctx->options & OPT_CHECK && ctx->options & OPT_LATE)
		return fail(ctx, EXIT_USAGE, "--late", usage,
			    "--check and --late exclude each other");
	if (ctx->options & OPT_ROOT && apply && !(ctx->options & OPT_CHECK))
		return fail(ctx, EXIT_USAGE, "--root", "add --check",
			    "apply acts on this system, not on one below \"--root\"");
	if (argc && ctx->options & (OPT_ROOT | OPT_CHECK))
		return fail(ctx, EXIT_USAGE, argv[0], usage,
			    "\"%s\" cannot be looked up without the system that has it", argv[0]);
	if (ctx->options & (OPT_ROOT | OPT_CHECK))
		return check(ctx);
	return run(ctx, argc ? argv[0] : NULL, apply);
}

static int apply_run(struct ctx *ctx, int argc, char **argv)
{
	return parse_and_run(ctx, argc, argv, APPLY_USAGE, true);
}

static int diff_show(struct ctx *ctx, int argc, char **argv)
{
	return parse_and_run(ctx, argc, argv, "rxectl diff [show] [DEV] [--root DIR]", false);
}

static const struct command apply_commands[] = {
	{ "run", "[DEV] [--late] [--check [--root DIR]]",
	  "create configured devices that are missing, on all interfaces or on one; with --late, "
	  "wait for interfaces without a limit; with --check, "
	  "verify the configuration, of this system or of an image in DIR",
	  apply_run, OPT_CHECK | OPT_ROOT | OPT_LATE },
	{ 0 },
};

const struct object apply_object = {
	.name = "apply",
	.group = GROUP_SET_UP,
	.summary = "create the devices configured in /etc/rxe/*.conf",
	.examples = "  rxectl apply\n"
		    "  rxectl apply hsn0\n"
		    "  rxectl apply --check --root /mnt/image\n",
	.fallback = &apply_commands[0],
	.commands = apply_commands,
};

static const struct command diff_commands[] = {
	{ "show", "[DEV] [--root DIR]",
	  "show the steps that apply would take; with --root, the configuration of an image in DIR",
	  diff_show, OPT_ROOT },
	{ 0 },
};

const struct object diff_object = {
	.name = "diff",
	.group = GROUP_SET_UP,
	.summary = "show how the devices differ from /etc/rxe/*.conf",
	.examples = "  rxectl diff\n"
		    "  rxectl -j diff hsn0\n",
	.fallback = &diff_commands[0],
	.commands = diff_commands,
};
