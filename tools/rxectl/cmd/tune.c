// SPDX-License-Identifier: GPL-2.0
/* rxectl tune: apply a profile of settings, and revert it. */
#include <json-c/json.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "cli/errors.h"
#include "cli/output.h"
#include "cmd/commands.h"
#include "config/profile.h"
#include "doctor/system.h"
#include "sys/modprobe.h"
#include "sys/netdev.h"
#include "sys/netns.h"
#include "util/files.h"

#define TUNE_USAGE "rxectl tune [set] NETDEV [profile NAME]"

static const struct column columns[] = {
	{ .key = "netdev", .title = "NETDEV" },
	{ .key = "setting", .title = "SETTING" },
	{ .key = "before", .title = "BEFORE" },
	{ .key = "after", .title = "AFTER" },
	{ 0 },
};

/* A hint, as the parameter cannot be changed while the module is loaded. */
static void check_buffers(const struct ctx *ctx)
{
	char count[16];

	if (cxi_lacks_buffers(count, sizeof(count)))
		err_hint(ctx, "cxi_eth has large_pkts_buf_count=%s: load it with " CXI_BUFFERS, count);
}

static int run(struct ctx *ctx, const char *name, const struct profile *profile,
	       const struct netns *ns)
{
	struct json_object *rows;
	char why[PROFILE_WHY];
	int status = 0;

	if (!(ctx->options & (OPT_FORCE | OPT_REVERT)) && !profile_fits(profile, ns, name, why))
		return fail(ctx, EXIT_RUNTIME, name, "rxectl tune --force applies it nevertheless",
			    "%s", why);
	if (ctx->options & OPT_DRY_RUN)
		rows = profile_diff(profile, ns, name, false);
	else if (ctx->options & OPT_REVERT)
		status = profile_revert(ctx, ns, name, &rows);
	else
		status = profile_apply(ctx, profile, ns, name, false, &rows);
	output_rows(ctx, columns, rows);
	json_object_put(rows);
	if (!(ctx->options & OPT_REVERT))
		check_buffers(ctx);
	return status;
}

/* Matches lines such as "options cxi-eth large_pkts_buf_count=10000"; modprobe takes "-" for "_". */
static void find_buffers(const char *dir, const char *name, char *line, void *found)
{
	char *save, *word = strtok_r(line, " \t", &save);
	char *module = word ? strtok_r(NULL, " \t", &save) : NULL;

	(void)dir;
	(void)name;
	if (!module || strcmp(word, "options") ||
	    (strcmp(module, "cxi_eth") && strcmp(module, "cxi-eth")))
		return;
	while ((word = strtok_r(NULL, " \t", &save)))
		*(bool *)found |= !strcmp(word, "large_pkts_buf_count=" CXI_BUFFERS);
}

/* The settings of a profile, for a system that does not run: an image below @ctx->root. */
static int show_offline(struct ctx *ctx, const char *name, const struct profile *profile)
{
	const char *system = files_root;
	struct json_object *rows;
	char path[PATH_MAX];
	bool found = false;

	if (!file_exists("%s", ctx->root) ||
	    snprintf(path, sizeof(path), "%s%s", system, ctx->root) >= (int)sizeof(path))
		return fail(ctx, EXIT_RUNTIME, ctx->root, NULL, "no directory \"%s\"", ctx->root);
	rows = profile_settings(profile, name);
	output_rows(ctx, columns, rows);
	json_object_put(rows);
	files_root = path;
	modprobe_each_line(find_buffers, &found);
	files_root = system;
	if (!found)
		err_hint(ctx,
			 "no file of %s" MODPROBE_ETC " sets large_pkts_buf_count=" CXI_BUFFERS
			 " for cxi_eth",
			 ctx->root);
	return 0;
}

/* The interface is gone, and may have been tuned before. */
static int revert_gone(struct ctx *ctx, const char *name, const struct netns *ns)
{
	if (!profile_has_tuned(name))
		return fail(ctx, EXIT_RUNTIME, name, "rxectl tune show lists the changes",
			    "no network interface \"%s\", and nothing recorded for it", name);
	err_hint(ctx, "\"%s\" is gone from this network namespace, and its settings with it", name);
	return run(ctx, name, NULL, ns);
}

static int tune_netdev(struct ctx *ctx, const char *name, const struct profile *profile)
{
	struct netdev netdev;
	struct netns *ns;
	int err, status;

	err = netns_open_without_rdma(&ns);
	if (err)
		return fail(ctx, EXIT_RUNTIME, name, NULL, "cannot look up \"%s\": %s", name,
			    strerror(-err));
	err = netdev_get(ns, name, &netdev);
	if (err && ctx->options & OPT_REVERT) {
		status = revert_gone(ctx, name, ns);
	} else if (err) {
		status = fail(ctx, EXIT_RUNTIME, name, "ip -brief link lists them",
			      "no network interface \"%s\"", name);
	} else {
		netdev_put(&netdev);
		status = run(ctx, name, profile, ns);
	}
	netns_close(ns);
	return status;
}

static int tune_set(struct ctx *ctx, int argc, char **argv)
{
	const struct profile *profile;

	if (argc > 1 && arg_is_prefix(argv[0], "netdev") && strcmp(argv[1], "profile")) {
		argv++;
		argc--;
	}
	if (!argc)
		return fail(ctx, EXIT_USAGE, NULL, TUNE_USAGE, "no network interface given");
	if (argc > 1 && !arg_is_prefix(argv[1], "profile"))
		return fail(ctx, EXIT_USAGE, argv[1], TUNE_USAGE, "unknown word \"%s\"", argv[1]);
	if (argc == 2)
		return fail(ctx, EXIT_USAGE, argv[1], TUNE_USAGE, "missing value after \"%s\"",
			    argv[1]);
	if (argc > 3)
		return fail(ctx, EXIT_USAGE, argv[3], TUNE_USAGE, "unknown word \"%s\"", argv[3]);
	profile = argc == 3 ? profile_find(argv[2]) : NULL;
	if (argc == 3 && !profile)
		return fail(ctx, EXIT_USAGE, argv[2], "there is: " PROFILE_NAMES,
			    "unknown profile \"%s\"", argv[2]);
	if ((ctx->options & OPT_DRY_RUN) && (ctx->options & OPT_REVERT))
		return fail(ctx, EXIT_USAGE, "--revert", TUNE_USAGE,
			    "--dry-run and --revert exclude each other");
	if ((ctx->options & OPT_ROOT) && !(ctx->options & OPT_DRY_RUN))
		return fail(ctx, EXIT_USAGE, "--root", "add --dry-run",
			    "tune acts on this system, not on one below \"--root\"");
	if (!profile && !(ctx->options & OPT_REVERT))
		return fail(ctx, EXIT_USAGE, NULL, "add profile NAME; there is: " PROFILE_NAMES,
			    "no profile given");
	if (ctx->options & OPT_ROOT)
		return show_offline(ctx, argv[0], profile);
	return tune_netdev(ctx, argv[0], profile);
}

static int tune_show(struct ctx *ctx, int argc, char **argv)
{
	struct json_object *rows;

	if (argc)
		return fail(ctx, EXIT_USAGE, argv[0], "rxectl tune show", "unknown word \"%s\"",
			    argv[0]);
	rows = profile_recorded();
	output_rows(ctx, columns, rows);
	json_object_put(rows);
	return 0;
}

static const struct command tune_commands[] = {
	{ "set", "NETDEV [profile NAME]",
	  "apply a profile (slingshot) and show the changes; with --dry-run, only show them, "
	  "with --root for an image; with --force, on any adapter; with --revert, undo them (without a profile)",
	  tune_set, OPT_DRY_RUN | OPT_FORCE | OPT_REVERT | OPT_ROOT },
	{ "show", "", "show the changes that have not been reverted", tune_show, 0 },
	{ 0 },
};

const struct object tune_object = {
	.name = "tune",
	.group = GROUP_SET_UP,
	.summary = "apply performance settings to an interface, and revert them",
	.examples = "  rxectl tune --dry-run hsn0 profile slingshot\n"
		    "  rxectl tune hsn0 profile slingshot\n"
		    "  rxectl tune show\n"
		    "  rxectl tune --revert hsn0\n",
	.fallback = &tune_commands[0],
	.commands = tune_commands,
};
