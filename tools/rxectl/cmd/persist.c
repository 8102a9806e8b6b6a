// SPDX-License-Identifier: GPL-2.0
/* rxectl persist: save links to the configuration, and remove them from it. */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/errors.h"
#include "cli/output.h"
#include "cmd/commands.h"
#include "config/conf.h"
#include "link/links.h"
#include "sys/host.h"
#include "sys/netdev.h"
#include "util/files.h"

#define HEADING "# Written by rxectl persist"

#define DEL_USAGE  "rxectl persist delete NAME"
#define SAVE_USAGE "rxectl persist [save] [NAME]"

static int fail_write(const struct ctx *ctx, const char *path, int err)
{
	const char *remedy = err == -EACCES || err == -EPERM ? "run it as root" : NULL;

	return fail(ctx, EXIT_RUNTIME, path, remedy, "cannot write %s: %s", path, strerror(-err));
}

/* Return: the index of a line that write_link() writes; -1 for any other line. */
static int own_line(const char *line)
{
	static const char *const beginnings[] = { "netdev = ", "name = ", "netns = " };

	if (!strcmp(line, HEADING))
		return 0;
	if (!strcmp(line, "[link]"))
		return 1;
	for (int i = 0; i < 3; i++)
		if (!strncmp(line, beginnings[i], strlen(beginnings[i])) && !strpbrk(line, "*?["))
			return 2 + i;
	return -1;
}

/* Return: true if the file has lines that write_link() did not write, which must not be lost. */
static bool is_edited(const char *path)
{
	char *text = file_text(path), *save;
	bool edited = false, seen[5] = {}, any = false;

	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line && !edited;
	     line = strtok_r(NULL, "\n", &save)) {
		int which = own_line(line);

		edited = which < 0 || seen[which];
		any = true;
		if (!edited)
			seen[which] = true;
	}
	free(text);
	return edited || (any && !seen[0]);
}

/* Return: what systemd says of rxe.service, "enabled" or another state; "" without systemd. */
static void unit_state(char state[32])
{
	char *text = host_run("sh -c 'systemctl is-enabled rxe.service; true'");

	snprintf(state, 32, "%.*s", text ? (int)strcspn(text, "\n") : 0, text ? text : "");
	free(text);
}

static bool boot_applies(const char *state)
{
	return !strncmp(state, "enabled", 7);
}

/* Text: a line for each written file; JSON: the rows at the end. */
static void report_saved(const struct ctx *ctx, struct json_object *rows, const char *name,
			 const char *path, bool written)
{
	struct json_object *row = json_object_new_object();

	output_device(row, name);
	json_object_object_add(row, "file", json_object_new_string(path));
	json_object_object_add(row, "written", json_object_new_boolean(written));
	json_object_array_add(rows, row);
	if (!ctx->json && written)
		fprintf(ctx->out, "wrote %s\n", path);
}

static void hint_boot(const struct ctx *ctx, const char *state)
{
	if (!strcmp(state, "masked"))
		err_hint(ctx, "rxe.service is masked, so boot does not create the devices: systemctl "
			      "unmask rxe && systemctl enable rxe");
	else if (!boot_applies(state))
		err_hint(ctx, "rxe.service is not enabled, so boot does not create the devices: "
			      "systemctl enable rxe");
}

/* Ends the report of the files: whether boot will read them. */
static void end_report(const struct ctx *ctx, struct json_object *rows)
{
	size_t n = json_object_array_length(rows);
	char state[32] = "";

	if (n)
		unit_state(state);
	for (size_t i = 0; i < n; i++)
		json_object_object_add(json_object_array_get_idx(rows, i), "boot",
				       json_object_new_boolean(boot_applies(state)));
	if (ctx->json)
		output_json(ctx, ctx->out, rows);
	else if (n)
		hint_boot(ctx, state);
}

static int write_link(const struct ctx *ctx, const struct rxe_link *link, const char *ns,
		      struct json_object *rows)
{
	char path[128], text[512], remedy[128];
	int err;

	snprintf(path, sizeof(path), CONF_DIR "/%s.conf", link->dev.name);
	if (is_edited(path)) {
		snprintf(remedy, sizeof(remedy), "set in it netdev = %s, or move it away",
			 link->netdev);
		return fail(ctx, EXIT_RUNTIME, path, remedy,
			    "%s has been edited, and names another interface", path);
	}
	snprintf(text, sizeof(text), HEADING "\n[link]\nnetdev = %s\nname = %s\n%s%s%s",
		 link->netdev, link->dev.name, *ns ? "netns = " : "", ns, *ns ? "\n" : "");
	err = file_make_dir(CONF_DIR);
	if (!err)
		err = file_write(path, text);
	if (err)
		return fail_write(ctx, path, err);
	report_saved(ctx, rows, link->dev.name, path, true);
	return 0;
}

/* Return: the section that applies to the interface of @link, or NULL. */
static const struct conf_link *section_of(const struct conf *conf, const struct rxe_link *link,
					  const char *ns)
{
	const struct conf_link *section;
	struct netdev netdev;

	if (netdev_get(link->ns, link->netdev, &netdev))
		return NULL;
	section = conf_find(conf, ns, link->netdev, &netdev);
	netdev_put(&netdev);
	return section;
}

/* Errors of the configuration are reported by "rxectl diff". */
static void ignore(const char *file, unsigned int line, const char *what, void *arg)
{
	(void)file;
	(void)line;
	(void)what;
	(void)arg;
}

/*
 * A section that creates the link already is enough. One that gives the device another name is the
 * administrator's, and an error.
 */
static int save_in(const struct ctx *ctx, const struct conf *conf, const struct rxe_link *link,
		   const char *ns, struct json_object *rows)
{
	const struct conf_link *section = section_of(conf, link, ns);
	char name[NLDEV_NAME_SIZE], remedy[160];

	if (!section)
		return write_link(ctx, link, ns, rows);
	conf_name(section, link->netdev, name);
	if (!strcmp(name, link->dev.name) || (!*name && link_has_default_name(link))) {
		err_hint(ctx, "\"%s\" is in " CONF_DIR "/%s already", link->dev.name, section->file);
		snprintf(remedy, sizeof(remedy), CONF_DIR "/%s", section->file);
		report_saved(ctx, rows, link->dev.name, remedy, false);
		return 0;
	}
	snprintf(remedy, sizeof(remedy), "set in it name = %s", link->dev.name);
	return fail(ctx, EXIT_RUNTIME, link->dev.name, remedy,
		    CONF_DIR "/%s:%u gives \"%s\" a device of another name", section->file,
		    section->line, link->netdev);
}

/* With CAP_NET_ADMIN, all named namespaces are found, so this one has no name. */
static int fail_place(const struct ctx *ctx, const char *name)
{
	if (host_net_admin())
		return fail(ctx, EXIT_RUNTIME, name,
			    "ip netns attach NAME PID, with the PID of one of its processes",
			    "\"%s\" is in a network namespace without a name", name);
	return fail(ctx, EXIT_RUNTIME, name, "run it as root",
		    "the interface of \"%s\" is not accessible", name);
}

static int save(const struct ctx *ctx, const struct conf *conf, const struct rxe_link *link,
		struct json_object *rows)
{
	char *ns = link->ns ? netns_find_name(link->ns) : NULL;
	int status;

	if (!ns || !link->netdev[0])
		status = fail_place(ctx, link->dev.name);
	else
		status = save_in(ctx, conf, link, ns, rows);
	free(ns);
	return status;
}

/* A link that cannot be saved does not stop the others. */
static int save_all(const struct ctx *ctx, const struct conf *conf, const struct links *links)
{
	struct json_object *rows = json_object_new_array();
	int status = 0;

	for (size_t i = 0; i < links->n; i++) {
		int failed = save(ctx, conf, &links->links[i], rows);

		if (failed)
			status = failed;
	}
	end_report(ctx, rows);
	json_object_put(rows);
	return status;
}

static int persist_save(struct ctx *ctx, int argc, char **argv)
{
	struct conf conf = { .complain = ignore };
	struct links links;
	int status;

	if (argc > 1)
		return fail(ctx, EXIT_USAGE, argv[1], SAVE_USAGE, "unknown word \"%s\"", argv[1]);
	status = links_get(ctx, argc ? argv[0] : NULL, &links);
	if (!status && !links.n)
		links_hint_none(ctx);
	if (!status && conf_read(&conf, ""))
		status = fail(ctx, EXIT_RUNTIME, NULL, NULL, "out of memory");
	if (!status)
		status = save_all(ctx, &conf, &links);
	conf_put(&conf);
	links_put(&links);
	return status;
}

/* Return: true if the file configures only the device of that name. */
static bool is_about(const char *path, const char *name)
{
	struct conf conf = { .complain = ignore };
	char *text = file_text(path);
	bool is;

	is = !text || (!conf_parse(&conf, path, text) &&
		       (!conf.n || (conf.n == 1 && !strcmp(conf.links[0].name, name))));
	conf_put(&conf);
	free(text);
	return is;
}

/* Print a hint if another section still creates the device at boot. */
static void hint_section(const struct ctx *ctx, const char *name)
{
	struct conf conf = { .complain = ignore };
	const struct conf_link *section;
	struct links links;
	int err = links_find(&links);

	if (!err)
		err = conf_read(&conf, "");
	for (size_t i = 0; i < links.n && !err; i++) {
		const struct rxe_link *link = &links.links[i];
		char *ns = link->ns ? netns_find_name(link->ns) : NULL;

		section = ns && !strcmp(link->dev.name, name) ? section_of(&conf, link, ns) : NULL;
		if (section)
			err_hint(ctx, CONF_DIR "/%s:%u still configures a device on \"%s\"",
			     section->file, section->line, link->netdev);
		free(ns);
	}
	conf_put(&conf);
	links_put(&links);
}

/*
 * A file with lines of the administrator is not deleted, but renamed: names that do not end with
 * .conf are not read. @status: receives the exit status if the new name is in use. Return: 0 or
 * -errno.
 */
static int put_aside(const struct ctx *ctx, const char *path, int *status)
{
	char aside[160], remedy[512];
	int err;

	snprintf(aside, sizeof(aside), "%s.off", path);
	err = file_move(path, aside);
	if (!err)
		err_hint(ctx, "%s has been edited: it is kept as %s", path, aside);
	if (err != -EEXIST)
		return err;
	snprintf(remedy, sizeof(remedy), "mv %s %s.old", aside, path);
	*status = fail(ctx, EXIT_RUNTIME, path, remedy, "%s has been edited, and %s exists", path,
		       aside);
	return err;
}

static int persist_delete(struct ctx *ctx, int argc, char **argv)
{
	char path[128], remedy[320];
	int err, status = 0;

	if (argc != 1)
		return fail(ctx, EXIT_USAGE, argc ? argv[1] : NULL, DEL_USAGE,
			    argc ? "unknown word \"%s\"" : "no name given", argc ? argv[1] : "");
	if (strchr(argv[0], '/') || argv[0][0] == '.' ||
	    snprintf(path, sizeof(path), CONF_DIR "/%s.conf", argv[0]) >= (int)sizeof(path))
		return fail(ctx, EXIT_USAGE, argv[0], DEL_USAGE,
			    "\"%s\" cannot be the name of an RDMA device", argv[0]);
	snprintf(remedy, sizeof(remedy), "edit it; mv %s %s.off takes all of it out", path, path);
	if (!is_about(path, argv[0]))
		return fail(ctx, EXIT_RUNTIME, argv[0], remedy,
			    "%s does not configure the device \"%s\" alone", path, argv[0]);
	err = is_edited(path) ? put_aside(ctx, path, &status) : file_remove(path);
	if (status)
		return status;
	if (err == -ENOENT)
		return fail(ctx, EXIT_RUNTIME, argv[0], "other files in " CONF_DIR " may name it",
			    "there is no %s", path);
	if (err)
		return fail_write(ctx, path, err);
	hint_section(ctx, argv[0]);
	return 0;
}

static const struct command persist_commands[] = {
	{ "delete", "NAME", "stop creating the device NAME at boot", persist_delete, 0 },
	{ "save", "[NAME]", "write all rxe devices or one to /etc/rxe, to be created at boot",
	  persist_save, 0 },
	{ 0 },
};

const struct object persist_object = {
	.name = "persist",
	.group = GROUP_SET_UP,
	.summary = "save devices to the configuration that is applied at boot",
	.examples = "  rxectl persist rxe0\n"
		    "  rxectl persist delete rxe0\n",
	.fallback = &persist_commands[1],
	.commands = persist_commands,
};
