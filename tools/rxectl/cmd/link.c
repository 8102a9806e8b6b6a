// SPDX-License-Identifier: GPL-2.0
/*
 * rxectl link: add, delete and show links.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/errors.h"
#include "cmd/commands.h"
#include "link/create.h"
#include "link/links.h"
#include "link/show.h"
#include "sys/netdev.h"
#include "sys/nlsock.h"
#include "sys/port_names.h"

#define ADD_USAGE  "rxectl link add [NAME] netdev DEV [wait SECONDS]"
#define DEL_USAGE  "rxectl link delete NAME | netdev DEV"
#define RENAME_USAGE "rxectl link rename NAME NEW"
#define SHOW_USAGE "rxectl link show [NAME]"

/* Names that ib_core and sysfs accept. */
static bool valid_name(const char *name)
{
	if (!*name || strlen(name) >= NLDEV_NAME_SIZE || !strcmp(name, ".") || !strcmp(name, ".."))
		return false;
	for (; *name; name++)
		if (!isgraph((unsigned char)*name) || *name == '/' || *name == '%')
			return false;
	return true;
}

static int fail_name(const struct ctx *ctx, const char *name)
{
	return fail(ctx, EXIT_USAGE, name, "1 to 63 characters without blanks, \"/\" and \"%\"",
		    "\"%s\" cannot be the name of an RDMA device", name);
}

static int parse_wait(struct ctx *ctx, const char *word, int *wait)
{
	char *end;
	long seconds = strtol(word, &end, 10);

	if (end == word || *end || seconds < 0 || seconds > 600)
		return fail(ctx, EXIT_USAGE, word, ADD_USAGE,
			    "\"%s\" is not a number of seconds from 0 to 600", word);
	*wait = (int)seconds;
	return 0;
}

static int parse_type(struct ctx *ctx, const char *word)
{
	if (!strcmp(word, "rxe"))
		return 0;
	return fail(ctx, EXIT_USAGE, word, "leave it out, or say rxe", "unknown link type \"%s\"",
		    word);
}

static const char *const add_keywords[] = { "netdev", "type", "wait", NULL };

/* "type rxe" is accepted, as in the "rdma" command. */
static int parse_add(struct ctx *ctx, int argc, char **argv, struct link_request *a)
{
	int status = 0;

	for (int i = 0; i < argc; i += 2) {
		bool is_type = arg_is_prefix(argv[i], "type"), is_wait = arg_is_prefix(argv[i], "wait");

		if (!is_type && !is_wait && !arg_is_prefix(argv[i], "netdev"))
			return fail(ctx, EXIT_USAGE, argv[i], ADD_USAGE, "unknown word \"%s\"",
				    argv[i]);
		if (i + 1 == argc)
			return fail(ctx, EXIT_USAGE, argv[i], ADD_USAGE, "missing value after "
									 "\"%s\"",
				    argv[i]);
		if (is_type)
			status = parse_type(ctx, argv[i + 1]);
		else if (is_wait)
			status = parse_wait(ctx, argv[i + 1], &a->wait);
		else
			a->netdev = argv[i + 1];
		if (status)
			return status;
	}
	if (!a->netdev)
		return fail(ctx, EXIT_USAGE, "netdev", ADD_USAGE, "no \"netdev\" given");
	return 0;
}

/* Return: 1 if @netdev in the caller's namespace has a link, 0 if not, or minus the exit status. */
static int has_link(struct ctx *ctx, const char *netdev, const char *name)
{
	const struct rxe_link *link;
	struct links links;
	int found = -links_get(ctx, NULL, &links);

	if (!found) {
		link = links_on(&links, links.own, netdev);
		found = link && (!name || !strcmp(link->dev.name, name));
	}
	links_put(&links);
	return found;
}

static int add_link(struct ctx *ctx, struct link_request *a)
{
	int status, err = netns_open(NULL, &a->ns);

	if (err)
		return fail_no_rdma(ctx, err);
	status = link_create(ctx, a);
	netns_close(a->ns);
	return status;
}

/* Look for the link first: finding it needs no privileges. */
static int add_if_missing(struct ctx *ctx, struct link_request *a)
{
	int found = has_link(ctx, a->netdev, a->named ? a->name : NULL);

	if (found)
		return found < 0 ? -found : 0;
	return add_link(ctx, a);
}

static struct json_object *link_row(const struct rxe_link *link);

/* Print the device: as JSON, or its name if the caller has not given one. */
static void print_added(const struct ctx *ctx, const struct link_request *a)
{
	const struct rxe_link *link;
	struct links links;

	link = links_find(&links) ? NULL : links_on(&links, links.own, a->netdev);
	if (link && ctx->json) {
		struct json_object *rows = json_object_new_array();

		json_object_array_add(rows, link_row(link));
		output_json(ctx, ctx->out, rows);
		json_object_put(rows);
	} else if (link && !a->named) {
		fprintf(ctx->out, "%s\n", link->dev.name);
	}
	links_put(&links);
}

static int link_add(struct ctx *ctx, int argc, char **argv)
{
	struct link_request a = {
		.if_missing = ctx->options & OPT_IF_MISSING,
		.remedy = "bring it up, or wait longer",
	};
	int status;

	if (!argc)
		return fail(ctx, EXIT_USAGE, NULL, ADD_USAGE, "no \"netdev\" given");
	if (arg_name_first(argc, argv, add_keywords)) {
		if (!valid_name(argv[0]))
			return fail_name(ctx, argv[0]);
		strcpy(a.name, argv[0]);
		a.named = true;
		argv++;
		argc--;
	}
	status = parse_add(ctx, argc, argv, &a);
	if (status)
		return status;
	status = a.if_missing ? add_if_missing(ctx, &a) : add_link(ctx, &a);
	if (!status)
		print_added(ctx, &a);
	return status;
}

static int delete_device(const struct ctx *ctx, const struct links *links,
			 const struct rxe_link *link)
{
	struct nlsock *rdma = netns_rdma(links->own);
	int err = nldev_dellink(rdma, link->dev.index);

	if (!err)
		return 0;
	return fail_refused(ctx, link->dev.name, nlsock_message(rdma), err, "cannot remove \"%s\"",
			    link->dev.name);
}

/* The device on an interface of the caller's namespace. */
static int delete_on(struct ctx *ctx, const char *netdev)
{
	const struct rxe_link *link;
	struct netdev info;
	struct links links;
	int status = links_get(ctx, NULL, &links);

	link = status ? NULL : links_on(&links, links.own, netdev);
	if (link) {
		status = delete_device(ctx, &links, link);
	} else if (!status && !(ctx->options & OPT_IF_EXISTS)) {
		if (netdev_get(links.own, netdev, &info)) {
			status = fail(ctx, EXIT_RUNTIME, netdev, "ip -brief link lists them",
				      "no network interface \"%s\"", netdev);
		} else {
			netdev_put(&info);
			status = fail(ctx, EXIT_RUNTIME, netdev, "rxectl map lists them",
				      "no rxe device is on \"%s\"", netdev);
		}
	}
	links_put(&links);
	return status;
}

static int delete_named(struct ctx *ctx, const char *name)
{
	struct links links;
	int status = links_get(ctx, name, &links);

	if (!status)
		status = delete_device(ctx, &links, &links.links[0]);
	links_put(&links);
	return status;
}

/* Return: true if no RDMA device has the name, or without any RDMA devices. */
static bool is_absent(const char *name)
{
	struct netns *ns;
	int err = netns_open(NULL, &ns);
	bool absent;

	if (err)
		return err == -EPROTONOSUPPORT;
	absent = name && !link_name_taken(netns_rdma(ns), name);
	netns_close(ns);
	return absent;
}

static int link_delete(struct ctx *ctx, int argc, char **argv)
{
	bool by_netdev = argc && (argc == 2 ? arg_is_prefix(argv[0], "netdev") :
					      !strcmp(argv[0], "netdev"));

	if (!argc)
		return fail(ctx, EXIT_USAGE, NULL, DEL_USAGE, "no name given");
	if (by_netdev && argc == 1)
		return fail(ctx, EXIT_USAGE, argv[0], DEL_USAGE, "missing value after \"%s\"",
			    argv[0]);
	if (argc > 1 + by_netdev)
		return fail(ctx, EXIT_USAGE, argv[1 + by_netdev], DEL_USAGE, "unknown word \"%s\"",
			    argv[1 + by_netdev]);
	if ((ctx->options & OPT_IF_EXISTS) && is_absent(by_netdev ? NULL : argv[0]))
		return 0;
	return by_netdev ? delete_on(ctx, argv[1]) : delete_named(ctx, argv[0]);
}

static int rename_device(const struct ctx *ctx, const struct links *links, const char *name)
{
	const struct rxe_link *link = &links->links[0];
	struct nlsock *rdma = netns_rdma(links->own);
	int err;

	if (link_name_taken(rdma, name))
		return fail(ctx, EXIT_RUNTIME, name,
			    "choose another name; rxectl link lists those in use",
			    "an RDMA device \"%s\" exists already", name);
	err = nldev_rename(rdma, link->dev.index, name);
	if (!err)
		return 0;
	return fail_refused(ctx, link->dev.name, nlsock_message(rdma), err,
			    "cannot rename \"%s\" to \"%s\"", link->dev.name, name);
}

static int link_rename(struct ctx *ctx, int argc, char **argv)
{
	struct links links;
	int status;

	if (argc < 2)
		return fail(ctx, EXIT_USAGE, NULL, RENAME_USAGE, "no %sname given",
			    argc ? "new " : "");
	if (argc > 2)
		return fail(ctx, EXIT_USAGE, argv[2], RENAME_USAGE, "unknown word \"%s\"", argv[2]);
	if (!valid_name(argv[1]))
		return fail_name(ctx, argv[1]);
	status = links_get(ctx, argv[0], &links);
	if (!status)
		status = rename_device(ctx, &links, argv[1]);
	links_put(&links);
	return status;
}

static const struct column show_columns[] = {
	{ .key = "name", .title = "NAME" },
	{ .key = "state", .title = "STATE" },
	{ .key = "physical_state", .title = "PHYSICAL" },
	{ .key = "netdev", .title = "NETDEV" },
	{ .key = "namespace", .title = "NAMESPACE" },
	{ .key = "node_guid", .title = "NODE-GUID" },
	{ 0 },
};

static struct json_object *guid_json(uint64_t guid)
{
	char text[20];

	snprintf(text, sizeof(text), "%04x:%04x:%04x:%04x", (unsigned int)(guid >> 48),
		 (unsigned int)(guid >> 32) & 0xffff, (unsigned int)(guid >> 16) & 0xffff,
		 (unsigned int)guid & 0xffff);
	return json_object_new_string(text);
}

static struct json_object *link_row(const struct rxe_link *link)
{
	struct json_object *row = json_object_new_object();

	output_device(row, link->dev.name);
	json_object_object_add(row, "index", json_object_new_int64(link->dev.index));
	json_object_object_add(row, "state", json_object_new_string(port_state(link->port.state)));
	json_object_object_add(row, "physical_state",
			       json_object_new_string(port_phys_state(link->port.phys_state)));
	json_object_object_add(row, "netdev", output_string(link->netdev));
	json_object_object_add(row, "namespace", output_string(link_namespace(link)));
	json_object_object_add(row, "node_guid", guid_json(link->dev.node_guid));
	return row;
}

static void add_row(struct json_object *rows, const struct links *links,
		    const struct rxe_link *link)
{
	(void)links;
	json_object_array_add(rows, link_row(link));
}

static int link_show(struct ctx *ctx, int argc, char **argv)
{
	return show_links(ctx, argc, argv, SHOW_USAGE, show_columns, add_row);
}

static const struct command link_commands[] = {
	{ "add", "[NAME] netdev DEV [wait SECONDS]",
	  "create an RDMA device on network interface DEV, waiting up to SECONDS for DEV to be "
	  "ready; with --if-missing, succeed if the device exists",
	  link_add, OPT_IF_MISSING },
	{ "delete", "NAME | netdev DEV",
	  "remove the rxe device NAME, or that of network interface DEV; with --if-exists, succeed if "
	  "there is none; \"del\" is short for it",
	  link_delete, OPT_IF_EXISTS },
	{ "rename", "NAME NEW", "give the rxe device NAME the name NEW", link_rename, 0 },
	{ "show", "[NAME]", "show all rxe devices or one: name, state, interface, GUID",
	  link_show, 0 },
	{ 0 },
};

const struct object link_object = {
	.name = "link",
	.group = GROUP_LINKS,
	.summary = "add, remove and show RDMA devices and their network interfaces",
	.examples = "  rxectl link add rxe0 netdev eth0\n"
		    "  rxectl link add --if-missing netdev hsn0 wait 120\n"
		    "  rxectl link show rxe0\n"
		    "  rxectl -j link\n"
		    "  rxectl link del rxe0\n"
		    "  rxectl link del --if-exists netdev eth0\n",
	.fallback = &link_commands[3],
	.commands = link_commands,
};
