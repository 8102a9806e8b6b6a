// SPDX-License-Identifier: GPL-2.0
/*
 * rxectl persist: write links into the configuration, and take them out again.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "conf.h"
#include "errors.h"
#include "files.h"
#include "links.h"

#define DEL_USAGE  "rxectl persist delete NAME"
#define SAVE_USAGE "rxectl persist [save] [NAME]"

static int fail_write(const struct ctx *ctx, const char *path, int err)
{
	const char *remedy = NULL;

	if (err == -EACCES || err == -EPERM)
		remedy = "run it as root";
	else if (err == -ENOENT)
		remedy = "mkdir " CONF_DIR;
	return fail(ctx, EXIT_RUNTIME, path, remedy, "cannot write %s: %s", path, strerror(-err));
}

static int save(const struct ctx *ctx, const struct rxe_link *link)
{
	const char *ns = link_namespace(link);
	char path[128], text[512];
	int err;

	if (!link->netdev[0] || (ns && !strcmp(ns, "?")))
		return fail(ctx, EXIT_RUNTIME, link->dev.name, "run it as root",
			    "the interface of \"%s\" cannot be looked at", link->dev.name);
	snprintf(path, sizeof(path), CONF_DIR "/%s.conf", link->dev.name);
	snprintf(text, sizeof(text), "# Written by rxectl persist\n[link]\nnetdev = %s\nname = %s\n%s%s%s",
		 link->netdev, link->dev.name, ns ? "netns = " : "", ns ? ns : "", ns ? "\n" : "");
	err = file_write(path, text);
	return err ? fail_write(ctx, path, err) : 0;
}

static int persist_save(struct ctx *ctx, int argc, char **argv)
{
	struct links links;
	int status;

	if (argc > 1)
		return fail(ctx, EXIT_USAGE, argv[1], SAVE_USAGE, "unknown word \"%s\"", argv[1]);
	status = links_get(ctx, argc ? argv[0] : NULL, &links);
	if (!status && !links.n)
		links_hint_none(ctx);
	for (size_t i = 0; i < links.n && !status; i++)
		status = save(ctx, &links.links[i]);
	links_put(&links);
	return status;
}

static int persist_delete(struct ctx *ctx, int argc, char **argv)
{
	char path[128];
	int err;

	if (argc != 1)
		return fail(ctx, EXIT_USAGE, argc ? argv[1] : NULL, DEL_USAGE,
			    argc ? "unknown word \"%s\"" : "no name given", argc ? argv[1] : "");
	if (strchr(argv[0], '/') || argv[0][0] == '.' ||
	    snprintf(path, sizeof(path), CONF_DIR "/%s.conf", argv[0]) >= (int)sizeof(path))
		return fail(ctx, EXIT_USAGE, argv[0], DEL_USAGE,
			    "\"%s\" cannot be the name of an RDMA device", argv[0]);
	err = file_remove(path);
	if (err == -ENOENT)
		return fail(ctx, EXIT_RUNTIME, argv[0], "other files in " CONF_DIR " may name it",
			    "there is no %s", path);
	return err ? fail_write(ctx, path, err) : 0;
}

static const struct command persist_commands[] = {
	{ "delete", "NAME", "do not make the device NAME at boot any more", persist_delete, 0 },
	{ "save", "[NAME]", "write all rxe devices or one to /etc/rxe, to be made again at boot",
	  persist_save, 0 },
	{ 0 },
};

const struct object persist_object = {
	.name = "persist",
	.summary = "devices that are to be there after a boot",
	.examples = "  rxectl persist rxe0\n"
		    "  rxectl persist delete rxe0\n",
	.fallback = &persist_commands[1],
	.commands = persist_commands,
};
