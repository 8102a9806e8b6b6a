// SPDX-License-Identifier: GPL-2.0
/* rxectl map: mapping between devices and interfaces. */
#include <json-c/json.h>
#include <string.h>

#include "cli/errors.h"
#include "cli/output.h"
#include "cmd/commands.h"
#include "link/links.h"
#include "sys/port_names.h"

#define MAP_USAGE "rxectl map [show] [NAME|DEV]"

static const struct column columns[] = {
	{ .key = "name", .title = "NAME" },
	{ .key = "netdev", .title = "NETDEV" },
	{ .key = "namespace", .title = "NAMESPACE" },
	{ .key = "state", .title = "STATE" },
	{ 0 },
};

static struct json_object *map_row(const struct rxe_link *link)
{
	struct json_object *row = json_object_new_object();

	output_device(row, link->dev.name);
	json_object_object_add(row, "netdev", output_string(link->netdev));
	json_object_object_add(row, "namespace", output_string(link_namespace(link)));
	json_object_object_add(row, "state", json_object_new_string(port_state(link->port.state)));
	return row;
}

static struct json_object *map_rows(const struct links *links, const char *word)
{
	struct json_object *rows = json_object_new_array();

	for (size_t i = 0; i < links->n; i++) {
		const struct rxe_link *link = &links->links[i];

		if (!word || !strcmp(link->dev.name, word) || !strcmp(link->netdev, word))
			json_object_array_add(rows, map_row(link));
	}
	return rows;
}

static int map_show(struct ctx *ctx, int argc, char **argv)
{
	struct json_object *rows;
	struct links links;
	int status;

	if (argc > 1)
		return fail(ctx, EXIT_USAGE, argv[1], MAP_USAGE, "unknown word \"%s\"", argv[1]);
	status = links_get(ctx, NULL, &links);
	if (!status) {
		rows = map_rows(&links, argc ? argv[0] : NULL);
		if (argc && !json_object_array_length(rows))
			status = fail(ctx, EXIT_RUNTIME, argv[0], "rxectl map lists all",
				      "\"%s\" is neither an rxe device nor the interface of one",
				      argv[0]);
		else
			output_rows(ctx, columns, rows);
		if (!links.n && !argc)
			links_hint_none(ctx);
		json_object_put(rows);
	}
	links_put(&links);
	return status;
}

static const struct command map_commands[] = {
	{ "show", "[NAME|DEV]",
	  "show which rxe device is on which interface, for all or for one device or interface",
	  map_show, 0 },
	{ 0 },
};

const struct object map_object = {
	.name = "map",
	.group = GROUP_LINKS,
	.summary = "show which RDMA device runs on which network interface",
	.examples = "  rxectl map\n"
		    "  rxectl map eth0\n",
	.fallback = &map_commands[0],
	.commands = map_commands,
};
