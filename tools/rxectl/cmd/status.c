// SPDX-License-Identifier: GPL-2.0
/* rxectl status: all rxe devices with the properties of their interfaces. */
#include <json-c/json.h>

#include "cli/watch.h"
#include "cmd/commands.h"
#include "link/show.h"
#include "sys/netdev.h"
#include "sys/port_names.h"
#include "sys/verbs.h"
#include "util/clock.h"

#define STATUS_USAGE "rxectl status [show] [NAME] [--watch [interval SECONDS] [count N]]"

static const struct column columns[] = {
	{ .key = "name", .title = "NAME" },
	{ .key = "state", .title = "STATE" },
	{ .key = "netdev", .title = "NETDEV" },
	{ .key = "driver", .title = "DRIVER", .narrow = 1 },
	{ .key = "speed_mbps", .title = "SPEED", .format = output_speed, .narrow = 2 },
	{ .key = "netdev_mtu", .title = "MTU" },
	{ .key = "rdma_mtu", .title = "RDMA-MTU" },
	{ .key = "addresses", .title = "ADDRESSES" },
	{ .key = "namespace", .title = "NAMESPACE", .narrow = 4 },
	{ .key = "qps", .title = "QPS", .narrow = 3 },
	{ 0 },
};

static struct json_object *addresses_json(const struct netdev *netdev)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < netdev->n_addresses; i++)
		json_object_array_add(list, json_object_new_string(netdev->addresses[i]));
	return list;
}

/* null if unknown, as for an interface in an inaccessible namespace. */
static struct json_object *known(unsigned int value)
{
	return value ? json_object_new_int64(value) : NULL;
}

static struct json_object *qps_json(const struct links *links, const struct rxe_link *link)
{
	uint64_t qps;

	if (nldev_resources(netns_rdma(links->own), link->dev.index, "qp", &qps))
		return NULL;
	return json_object_new_int64((int64_t)qps);
}

static struct json_object *status_row(const struct links *links, const struct rxe_link *link)
{
	struct json_object *row = json_object_new_object();
	struct netdev netdev = { 0 };

	/* If the interface has just been removed, its properties are shown as unknown. */
	if (link->ns && link->netdev[0])
		netdev_get(link->ns, link->netdev, &netdev);
	output_device(row, link->dev.name);
	json_object_object_add(row, "state", json_object_new_string(port_state(link->port.state)));
	json_object_object_add(row, "netdev", output_string(link->netdev));
	json_object_object_add(row, "driver", output_string(netdev.driver));
	json_object_object_add(row, "speed_mbps", known(netdev.speed));
	json_object_object_add(row, "netdev_mtu", known(netdev.mtu));
	json_object_object_add(row, "rdma_mtu", known(verbs_active_mtu(link->dev.name)));
	json_object_object_add(row, "addresses", addresses_json(&netdev));
	json_object_object_add(row, "namespace", output_string(link_namespace(link)));
	json_object_object_add(row, "qps", qps_json(links, link));
	netdev_put(&netdev);
	return row;
}

static void add_row(struct json_object *rows, const struct links *links,
		    const struct rxe_link *link)
{
	json_object_array_add(rows, status_row(links, link));
}

/* One table for each interval; an empty line separates them, except in JSON. */
static int watch_status(struct ctx *ctx, char *name, struct watch *watch)
{
	int status = 0;

	for (unsigned int i = 0; !status && (!watch->count || i < watch->count); i++) {
		if (i) {
			if (clock_pause(watch_left(watch)))
				break;
			watch_advance(watch);
			if (!ctx->json)
				fputc('\n', ctx->out);
		}
		status = show_links(ctx, name ? 1 : 0, &name, STATUS_USAGE, columns, add_row);
		fflush(ctx->out);
		if (ferror(ctx->out))
			break;
	}
	return status;
}

static int status_show(struct ctx *ctx, int argc, char **argv)
{
	struct watch watch = { .interval = 1 };
	char *name = NULL;
	int status;

	if (!(ctx->options & OPT_WATCH))
		return show_links(ctx, argc, argv, STATUS_USAGE, columns, add_row);
	if (argc && !watch_is_keyword(argv[0])) {
		name = *argv++;
		argc--;
	}
	status = watch_parse(ctx, argc, argv, STATUS_USAGE, &watch);
	return status ? status : watch_status(ctx, name, &watch);
}

static const struct command status_commands[] = {
	{ "show", "[NAME] [--watch [interval SECONDS] [count N]]",
	  "show state, interface, MTUs, addresses and QPs of all rxe devices or one; with --watch, "
	  "repeatedly",
	  status_show, OPT_WATCH },
	{ 0 },
};

const struct object status_object = {
	.name = "status",
	.group = GROUP_LINKS,
	.summary = "show all rxe devices and their interfaces in one table",
	.examples = "  rxectl status\n"
		    "  rxectl status --watch rxe0 interval 5\n"
		    "  rxectl -j -p status rxe0\n",
	.fallback = &status_commands[0],
	.commands = status_commands,
};
