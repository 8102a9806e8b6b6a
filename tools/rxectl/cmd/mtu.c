// SPDX-License-Identifier: GPL-2.0
/* rxectl mtu: path MTU of each device, its reason, and the interface MTU for a larger one. */
#include <json-c/json.h>

#include "cmd/commands.h"
#include "link/show.h"
#include "sys/mtu_calc.h"
#include "sys/netdev.h"
#include "sys/verbs.h"

#define MTU_USAGE "rxectl mtu [show] [NAME]"

static const struct column columns[] = {
	{ .key = "name", .title = "NAME" },
	{ .key = "netdev", .title = "NETDEV" },
	{ .key = "netdev_mtu", .title = "MTU" },
	{ .key = "rdma_mtu", .title = "RDMA-MTU" },
	{ .key = "why", .title = "WHY" },
	{ .key = "larger", .title = "LARGER" },
	{ 0 },
};

static void explain(char *text, size_t size, unsigned int netdev_mtu, unsigned int rdma_mtu)
{
	unsigned int fits = mtu_fitting(netdev_mtu);

	text[0] = '\0';
	if (!netdev_mtu)
		return;
	if (!fits)
		snprintf(text, size, "too small: %u + %u of headers do not fit %u", MTU_MIN,
			 MTU_OVERHEAD, netdev_mtu);
	else if (rdma_mtu && rdma_mtu != fits)
		snprintf(text, size, "the driver chose it; %u would fit", fits);
	else if (fits == MTU_MAX)
		snprintf(text, size, "the largest path MTU");
	else
		snprintf(text, size, "%u + %u of headers fit %u, %u do not", fits, MTU_OVERHEAD,
			 netdev_mtu, fits * 2);
}

static void suggest(char *text, size_t size, unsigned int netdev_mtu)
{
	unsigned int next = mtu_fitting(netdev_mtu) * 2;

	text[0] = '\0';
	if (next < MTU_MIN)
		next = MTU_MIN;
	if (netdev_mtu && next <= MTU_MAX)
		snprintf(text, size, "%u with MTU %u", next, next + MTU_OVERHEAD);
}

static struct json_object *known(unsigned int value)
{
	return value ? json_object_new_int64(value) : NULL;
}

static void add_row(struct json_object *rows, const struct links *links,
		    const struct rxe_link *link)
{
	struct json_object *row = json_object_new_object();
	unsigned int rdma_mtu = verbs_active_mtu(link->dev.name);
	struct netdev netdev = { 0 };
	char why[96], larger[64];

	(void)links;
	if (link->ns && link->netdev[0])
		netdev_get(link->ns, link->netdev, &netdev);
	explain(why, sizeof(why), netdev.mtu, rdma_mtu);
	suggest(larger, sizeof(larger), netdev.mtu);
	output_device(row, link->dev.name);
	json_object_object_add(row, "netdev", output_string(link->netdev));
	json_object_object_add(row, "netdev_mtu", known(netdev.mtu));
	json_object_object_add(row, "rdma_mtu", known(rdma_mtu));
	json_object_object_add(row, "why", output_string(why));
	json_object_object_add(row, "larger", output_string(larger));
	json_object_array_add(rows, row);
	netdev_put(&netdev);
}

static int mtu_show(struct ctx *ctx, int argc, char **argv)
{
	return show_links(ctx, argc, argv, MTU_USAGE, columns, add_row);
}

static const struct command mtu_commands[] = {
	{ "show", "[NAME]", "show the path MTU of all rxe devices or one, and the reason for it",
	  mtu_show, 0 },
	{ 0 },
};

const struct object mtu_object = {
	.name = "mtu",
	.group = GROUP_LOOK,
	.summary = "show path MTUs, the reason for each, and how to get a larger one",
	.examples = "  rxectl mtu\n"
		    "  rxectl -j mtu show rxe0\n",
	.fallback = &mtu_commands[0],
	.commands = mtu_commands,
};
