// SPDX-License-Identifier: GPL-2.0
/*
 * rxectl monitor: additions, changes and removals of devices, ports and queue pairs.
 *
 * Kernels before 6.13 have no notifications for devices, and none has them for QPs: the state is
 * polled, and the differences are the events.
 */
#include <inttypes.h>
#include <json-c/json.h>
#include <netlink/attr.h>
#include <rdma/rdma_netlink.h>
#include <string.h>

#include "cli/output.h"
#include "cli/watch.h"
#include "cmd/commands.h"
#include "link/links.h"
#include "sys/port_names.h"
#include "util/clock.h"

/*
 * Snapshot: a JSON object with keys such as "device rxe0" and "qp rxe0 17", and their states as
 * values.
 */

struct qp_sink {
	struct json_object *snapshot;
	const char *device;
};

static void add_qp(struct nlattr **tb, void *arg)
{
	const struct qp_sink *sink = arg;
	char key[NLDEV_NAME_SIZE + 32];
	uint8_t state;

	if (!tb[RDMA_NLDEV_ATTR_RES_LQPN] || !tb[RDMA_NLDEV_ATTR_RES_STATE])
		return;
	state = nla_get_u8(tb[RDMA_NLDEV_ATTR_RES_STATE]);
	snprintf(key, sizeof(key), "qp %s %" PRIu32, sink->device,
		 nla_get_u32(tb[RDMA_NLDEV_ATTR_RES_LQPN]));
	json_object_object_add(sink->snapshot, key,
			       json_object_new_string(resource_qp_state(state)));
}

static void add_device(struct json_object *snapshot, const struct links *links,
		       const struct rxe_link *link)
{
	struct qp_sink sink = { .snapshot = snapshot, .device = link->dev.name };
	char key[NLDEV_NAME_SIZE + 32], text[128];

	snprintf(key, sizeof(key), "device %s", link->dev.name);
	snprintf(text, sizeof(text), "netdev %s", link->netdev[0] ? link->netdev : "-");
	json_object_object_add(snapshot, key, json_object_new_string(text));
	snprintf(key, sizeof(key), "port %s 1", link->dev.name);
	json_object_object_add(snapshot, key, json_object_new_string(port_state(link->port.state)));
	nldev_dump(netns_rdma(links->own), link->dev.index, RDMA_NLDEV_CMD_RES_QP_GET,
		   RDMA_NLDEV_ATTR_RES_QP, add_qp, &sink);
}

static int take(const struct ctx *ctx, struct json_object **snapshot)
{
	struct links links;
	int status = links_get(ctx, NULL, &links);

	*snapshot = json_object_new_object();
	for (size_t i = 0; i < links.n && !status; i++)
		add_device(*snapshot, &links, &links.links[i]);
	links_put(&links);
	return status;
}

/* Return: the device in a key of a snapshot. */
static struct json_object *device_of(const char *what)
{
	const char *name = strchr(what, ' ') + 1;
	const char *end = strncmp(what, "device ", 7) ? strrchr(name, ' ') : name + strlen(name);

	return json_object_new_string_len(name, (int)(end - name));
}

/* One line of text, or one JSON object per line. */
static void report(const struct ctx *ctx, const char *event, const char *what, const char *value)
{
	struct json_object *row;
	char stamp[CLOCK_STAMP];

	clock_stamp(stamp);
	if (!ctx->json) {
		fprintf(ctx->out, "%s %-7s %s %s\n", stamp, event, what, value);
		return;
	}
	row = json_object_new_object();
	json_object_object_add(row, "time", json_object_new_string(stamp));
	json_object_object_add(row, "event", json_object_new_string(event));
	json_object_object_add(row, "device", device_of(what));
	json_object_object_add(row, "object", json_object_new_string(what));
	json_object_object_add(row, "value", json_object_new_string(value));
	output_json(ctx, ctx->out, row);
	json_object_put(row);
}

/* @first: @before is empty, and the objects of @after existed when the command started. */
static void compare(const struct ctx *ctx, struct json_object *before, struct json_object *after,
		    bool first)
{
	struct json_object *other;

	json_object_object_foreach(before, gone, was)
	{
		if (!json_object_object_get_ex(after, gone, &other))
			report(ctx, "removed", gone, json_object_get_string(was));
	}
	json_object_object_foreach(after, key, now)
	{
		const char *value = json_object_get_string(now);

		if (!json_object_object_get_ex(before, key, &other))
			report(ctx, first ? "present" : "added", key, value);
		else if (strcmp(json_object_get_string(other), value))
			report(ctx, "changed", key, value);
	}
	fflush(ctx->out);
}

/* The first comparison is with an empty snapshot. */
static int monitor_show(struct ctx *ctx, int argc, char **argv)
{
	struct json_object *before = json_object_new_object(), *after;
	struct watch watch = { .interval = 0.2 };
	int status = watch_parse(ctx, argc, argv,
				 "rxectl monitor [show] [interval SECONDS] [count N]", &watch);

	for (unsigned int i = 0; !status && (!watch.count || i < watch.count); i++) {
		if (i && clock_pause(watch.interval))
			break;
		status = take(ctx, &after);
		if (!status)
			compare(ctx, before, after, !i);
		json_object_put(before);
		before = after;
		if (ferror(ctx->out))
			break;
	}
	json_object_put(before);
	return status;
}

static const struct command monitor_commands[] = {
	{ "show", "[interval SECONDS] [count N]",
	  "print the existing devices, ports and QPs, then each addition, change and removal, "
	  "until interrupted",
	  monitor_show, 0 },
	{ 0 },
};

const struct object monitor_object = {
	.name = "monitor",
	.group = GROUP_LOOK,
	.summary = "print changes of devices, ports and queue pairs",
	.examples = "  rxectl monitor\n"
		    "  rxectl -j monitor interval 1\n",
	.fallback = &monitor_commands[0],
	.commands = monitor_commands,
};
