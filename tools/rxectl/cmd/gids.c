// SPDX-License-Identifier: GPL-2.0
/* rxectl gids: GID tables, and the GID index to use toward a peer. */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "cli/errors.h"
#include "cmd/commands.h"
#include "link/gid_owner.h"
#include "link/show.h"
#include "sys/gid.h"
#include "sys/gid_table.h"
#include "sys/route.h"

#define FOR_USAGE  "rxectl gids for ADDR"
#define SHOW_USAGE "rxectl gids [show] [NAME]"

static const struct column columns[] = {
	{ .key = "device", .title = "DEVICE" },
	{ .key = "port", .title = "PORT" },
	{ .key = "index", .title = "INDEX" },
	{ .key = "gid", .title = "GID" },
	{ .key = "ipv4", .title = "IPV4" },
	{ .key = "type", .title = "TYPE" },
	{ .key = "netdev", .title = "NETDEV" },
	{ .key = "note", .title = "NOTE" },
	{ 0 },
};

/* Why programs cannot use the entry; NULL if they can. */
static const char *gid_note(const struct gid *gid)
{
	if (gid->unassigned)
		return "no address of the interface";
	return gid->index > 255 ? "index above 255" : NULL;
}

static struct json_object *gid_row(const char *device, const struct gid *gid)
{
	struct json_object *row = json_object_new_object();
	char text[INET6_ADDRSTRLEN], ipv4[INET_ADDRSTRLEN];

	gid_text(gid, text);
	gid_ipv4(gid, ipv4);
	json_object_object_add(row, "device", json_object_new_string(device));
	json_object_object_add(row, "port", json_object_new_int(1));
	json_object_object_add(row, "index", json_object_new_int64(gid->index));
	json_object_object_add(row, "gid", json_object_new_string(text));
	json_object_object_add(row, "ipv4", output_string(ipv4));
	json_object_object_add(row, "type", output_string(gid->type));
	json_object_object_add(row, "netdev", output_string(gid->netdev));
	json_object_object_add(row, "note", output_string(gid_note(gid)));
	return row;
}

static void add_rows(struct json_object *rows, const struct links *links,
		     const struct rxe_link *link)
{
	struct gid *gids;
	size_t n;

	(void)links;
	if (gids_get(link->dev.name, &gids, &n))
		return;
	gids_check(gids, n, link->ns, link->netdev);
	for (size_t i = 0; i < n; i++)
		json_object_array_add(rows, gid_row(link->dev.name, &gids[i]));
	free(gids);
}

static int gids_show(struct ctx *ctx, int argc, char **argv)
{
	return show_links(ctx, argc, argv, SHOW_USAGE, columns, add_rows);
}

/*
 * Add the device if @source is in its GID table. The address may be one of a VLAN, whose GIDs the
 * parent's device has, or of lo.
 */
static void add_match(struct json_object *rows, const struct rxe_link *link,
		      const struct in6_addr *source)
{
	const struct gid *match;
	struct gid *gids;
	size_t n;

	if (gids_get(link->dev.name, &gids, &n))
		return;
	match = gids_find(gids, n, source);
	if (match)
		json_object_array_add(rows, gid_row(link->dev.name, match));
	free(gids);
}

/* The device of another namespace is that of a node, which its pods share. */
static void add_matches(struct json_object *rows, const struct links *links,
			const struct in6_addr *source, bool own)
{
	for (size_t i = 0; i < links->n; i++)
		if ((links->links[i].ns == links->own) == own)
			add_match(rows, &links->links[i], source);
}

static int fail_no_gid(const struct ctx *ctx, const char *to, const struct in6_addr *source,
		       const char *netdev)
{
	char from[INET6_ADDRSTRLEN], remedy[64];

	gid_address(source, from);
	snprintf(remedy, sizeof(remedy), "rxectl link add netdev %s", netdev);
	return fail(ctx, EXIT_RUNTIME, to, remedy,
		    "packets to %s leave on \"%s\" from %s, which is not a GID of any rxe device",
		    to, netdev, from);
}

static int show_matches(struct ctx *ctx, const char *to, const struct links *links,
			const struct in6_addr *source, const char *netdev)
{
	struct json_object *rows = json_object_new_array();
	int status = 0;

	add_matches(rows, links, source, true);
	if (!json_object_array_length(rows))
		add_matches(rows, links, source, false);
	if (json_object_array_length(rows))
		output_rows(ctx, columns, rows);
	else
		status = fail_no_gid(ctx, to, source, netdev);
	json_object_put(rows);
	return status;
}

static int gids_for(struct ctx *ctx, int argc, char **argv)
{
	struct in6_addr to, source;
	char netdev[IF_NAMESIZE];
	const char *unknown;
	struct links links;
	int err, status;

	if (!argc)
		return fail(ctx, EXIT_USAGE, NULL, FOR_USAGE, "no address given");
	if (argc > 1)
		return fail(ctx, EXIT_USAGE, argv[1], FOR_USAGE, "unknown word \"%s\"", argv[1]);
	unknown = address_resolve(argv[0], &to);
	if (unknown)
		return fail(ctx, EXIT_RUNTIME, argv[0], "give the peer's IP address, or a name that "
							"getent hosts knows",
			    "\"%s\" has no IP address: %s", argv[0], unknown);

	status = links_get(ctx, NULL, &links);
	if (!status) {
		err = route_get(links.own, &to, &source, netdev);
		if (err)
			status = fail(ctx, EXIT_RUNTIME, argv[0], "ip route shows the routes",
				      "no route to %s: %s", argv[0], strerror(-err));
		else
			status = show_matches(ctx, argv[0], &links, &source, netdev);
	}
	links_put(&links);
	return status;
}

static const struct command gids_commands[] = {
	{ "for", "ADDR", "show the GID to use toward the peer with the IP address or host name ADDR", gids_for, 0 },
	{ "show", "[NAME]", "show the GID tables of all rxe devices or one", gids_show, 0 },
	{ 0 },
};

const struct object gids_object = {
	.name = "gids",
	.group = GROUP_LOOK,
	.summary = "show GID tables, and the GID index to use toward a peer",
	.examples = "  rxectl gids\n"
		    "  rxectl gids for 192.168.1.2\n"
		    "  rxectl -j gids show rxe0\n",
	.fallback = &gids_commands[1],
	.commands = gids_commands,
};
