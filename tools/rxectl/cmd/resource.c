// SPDX-License-Identifier: GPL-2.0
/* rxectl qp, mr, cq, pd: verbs objects and their owners. */
#include <json-c/json.h>
#include <netlink/attr.h>
#include <rdma/rdma_netlink.h>

#include "cmd/commands.h"
#include "link/show.h"
#include "sys/nlsock.h"
#include "sys/port_names.h"

static struct json_object *get_state(struct nlattr *attr)
{
	return json_object_new_string(resource_qp_state(nla_get_u8(attr)));
}

static struct json_object *get_type(struct nlattr *attr)
{
	return json_object_new_string(resource_qp_type(nla_get_u8(attr)));
}

static struct json_object *get_u32(struct nlattr *attr)
{
	return json_object_new_int64(nla_get_u32(attr));
}

static struct json_object *get_u64(struct nlattr *attr)
{
	return json_object_new_int64((int64_t)nla_get_u64(attr));
}

/**
 * struct field - a member of an object's row
 * @attr: RDMA_NLDEV_ATTR_*, which the kernel may omit; 0 ends an array
 * @key: of the member
 * @get: converts the attribute
 */
struct field {
	int attr;
	const char *key;
	struct json_object *(*get)(struct nlattr *attr);
};

/**
 * struct resource - a kind of objects
 * @command: RDMA_NLDEV_CMD_RES_*_GET
 * @table: attribute that contains the list
 * @fields: members of a row
 */
struct resource {
	int command;
	int table;
	const struct field *fields;
};

struct rows {
	const struct field *fields;
	const char *device;
	struct json_object *rows;
};

static void add_owner(struct json_object *row, struct nlattr **tb)
{
	struct nlattr *pid = tb[RDMA_NLDEV_ATTR_RES_PID];
	char command[64];

	resource_owner(tb, command, sizeof(command));
	json_object_object_add(row, "pid", pid ? get_u32(pid) : NULL);
	json_object_object_add(row, "command", output_string(command));
}

static void add_object(struct nlattr **tb, void *arg)
{
	const struct rows *rows = arg;
	struct json_object *row = json_object_new_object();

	json_object_object_add(row, "device", json_object_new_string(rows->device));
	for (const struct field *f = rows->fields; f->attr; f++)
		json_object_object_add(row, f->key, tb[f->attr] ? f->get(tb[f->attr]) : NULL);
	add_owner(row, tb);
	json_object_array_add(rows->rows, row);
}

/* A device that is removed during the listing has no objects. */
static void add_objects(struct json_object *array, const struct links *links,
			const struct rxe_link *link, const struct resource *r)
{
	struct rows rows = { .fields = r->fields, .device = link->dev.name, .rows = array };

	nldev_dump(netns_rdma(links->own), link->dev.index, r->command, r->table, add_object,
		   &rows);
}

#define OWNER_COLUMNS                                                                              \
	{ .key = "pid", .title = "PID" }, { .key = "command", .title = "COMMAND" },                \
	{                                                                                          \
		0                                                                                  \
	}

static const struct field qp_fields[] = {
	{ RDMA_NLDEV_ATTR_RES_LQPN, "qpn", get_u32 },
	{ RDMA_NLDEV_ATTR_RES_TYPE, "type", get_type },
	{ RDMA_NLDEV_ATTR_RES_STATE, "state", get_state },
	{ RDMA_NLDEV_ATTR_RES_RQPN, "peer_qpn", get_u32 },
	{ RDMA_NLDEV_ATTR_RES_SQ_PSN, "sq_psn", get_u32 },
	{ RDMA_NLDEV_ATTR_RES_RQ_PSN, "rq_psn", get_u32 },
	{ 0 },
};

static const struct column qp_columns[] = {
	{ .key = "device", .title = "DEVICE" },
	{ .key = "qpn", .title = "QPN" },
	{ .key = "type", .title = "TYPE" },
	{ .key = "state", .title = "STATE" },
	{ .key = "peer_qpn", .title = "PEER-QPN" },
	{ .key = "sq_psn", .title = "SQ-PSN" },
	OWNER_COLUMNS,
};

static const struct field mr_fields[] = {
	{ RDMA_NLDEV_ATTR_RES_MRN, "mrn", get_u32 },
	/* Version 0.1.0 had no key with the unit. */
	{ RDMA_NLDEV_ATTR_RES_MRLEN, "length", get_u64 },
	{ RDMA_NLDEV_ATTR_RES_MRLEN, "bytes", get_u64 },
	{ RDMA_NLDEV_ATTR_RES_PDN, "pdn", get_u32 },
	{ 0 },
};

static const struct column mr_columns[] = {
	{ .key = "device", .title = "DEVICE" },
	{ .key = "mrn", .title = "MRN" },
	{ .key = "length", .title = "LENGTH" },
	{ .key = "pdn", .title = "PDN" },
	OWNER_COLUMNS,
};

static const struct field cq_fields[] = {
	{ RDMA_NLDEV_ATTR_RES_CQN, "cqn", get_u32 },
	{ RDMA_NLDEV_ATTR_RES_CQE, "cqe", get_u32 },
	{ RDMA_NLDEV_ATTR_RES_USECNT, "users", get_u64 },
	{ 0 },
};

static const struct column cq_columns[] = {
	{ .key = "device", .title = "DEVICE" },
	{ .key = "cqn", .title = "CQN" },
	{ .key = "cqe", .title = "CQE" },
	{ .key = "users", .title = "USERS" },
	OWNER_COLUMNS,
};

static const struct field pd_fields[] = {
	{ RDMA_NLDEV_ATTR_RES_PDN, "pdn", get_u32 },
	{ RDMA_NLDEV_ATTR_RES_USECNT, "users", get_u64 },
	{ 0 },
};

static const struct column pd_columns[] = {
	{ .key = "device", .title = "DEVICE" },
	{ .key = "pdn", .title = "PDN" },
	{ .key = "users", .title = "USERS" },
	OWNER_COLUMNS,
};

/* Defines the command of one kind of objects. */
#define RESOURCE(kind, KIND, what, shown)                                                          \
	static void add_##kind(struct json_object *rows, const struct links *links,                \
			       const struct rxe_link *link)                                        \
	{                                                                                          \
		static const struct resource r = {                                                 \
			.command = RDMA_NLDEV_CMD_RES_##KIND##_GET,                                \
			.table = RDMA_NLDEV_ATTR_RES_##KIND,                                       \
			.fields = kind##_fields,                                                   \
		};                                                                                 \
		add_objects(rows, links, link, &r);                                                \
	}                                                                                          \
	static int kind##_show(struct ctx *ctx, int argc, char **argv)                             \
	{                                                                                          \
		return show_links(ctx, argc, argv, "rxectl " #kind " [show] [NAME]",               \
				  kind##_columns, add_##kind);                                     \
	}                                                                                          \
	static const struct command kind##_commands[] = {                                          \
		{ "show", "[NAME]", "show the " what " of all rxe devices or one: " shown,         \
		  kind##_show, 0 },                                                                \
		{ 0 },                                                                             \
	};                                                                                         \
	const struct object kind##_object = {                                                      \
		.name = #kind,                                                                     \
		.group = GROUP_LOOK,                                                               \
		.summary = "show " what " with their owners",                                      \
		.examples = "  rxectl " #kind "\n"                                                 \
			    "  rxectl -j " #kind " show rxe0\n",                                       \
		.fallback = &kind##_commands[0],                                                   \
		.commands = kind##_commands,                                                       \
	}

RESOURCE(qp, QP, "queue pairs", "number, type, state, peer, owner");
RESOURCE(mr, MR, "memory regions", "number, length, protection domain, owner");
RESOURCE(cq, CQ, "completion queues", "number, size, users, owner");
RESOURCE(pd, PD, "protection domains", "number, users, owner");
