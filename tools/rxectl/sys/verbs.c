// SPDX-License-Identifier: GPL-2.0
/* Properties of RDMA devices, by libibverbs. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/gid.h"
#include "sys/verbs.h"

struct ibv_context *verbs_open(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context = NULL;

	for (struct ibv_device **d = list; d && *d && !context; d++)
		if (!strcmp(ibv_get_device_name(*d), name))
			context = ibv_open_device(*d);
	if (list)
		ibv_free_device_list(list);
	return context;
}

unsigned int verbs_active_mtu(const char *name)
{
	struct ibv_context *context = verbs_open(name);
	struct ibv_port_attr port;
	unsigned int mtu = 0;

	if (!context)
		return 0;
	if (!ibv_query_port(context, 1, &port) && port.active_mtu >= IBV_MTU_256)
		mtu = 128U << port.active_mtu; /* IBV_MTU_256 is 1 */
	ibv_close_device(context);
	return mtu;
}

/* Entries of port 1; free the result. Return: NULL, or @n entries. */
static struct ibv_gid_entry *query_gids(struct ibv_context *context, size_t *n)
{
	struct ibv_gid_entry *entries;
	struct ibv_port_attr port;
	ssize_t len;

	if (ibv_query_port(context, 1, &port))
		return NULL;
	entries = calloc((size_t)port.gid_tbl_len + 1, sizeof(*entries));
	if (!entries)
		return NULL;
	/* Fails if another port has more. */
	len = ibv_query_gid_table(context, entries, (size_t)port.gid_tbl_len + 1, 0);
	if (len < 0) {
		free(entries);
		return NULL;
	}
	*n = (size_t)len;
	return entries;
}

/* With the names of types that sysfs has. */
static void convert(const struct ibv_gid_entry *entry, struct gid *gid)
{
	*gid = (struct gid){ .index = entry->gid_index };
	memcpy(&gid->raw, entry->gid.raw, sizeof(gid->raw));
	snprintf(gid->type, sizeof(gid->type), "%s",
		 entry->gid_type == IBV_GID_TYPE_ROCE_V2 ? "RoCE v2" : "IB/RoCE v1");
}

static int by_index(const void *a, const void *b)
{
	const struct gid *first = a, *second = b;

	return first->index < second->index ? -1 : first->index > second->index;
}

static int get_gids(struct ibv_context *context, struct gid **gids, size_t *n)
{
	struct ibv_gid_entry *entries;
	size_t len;

	entries = query_gids(context, &len);
	if (!entries)
		return -ENODATA;
	*n = 0;
	*gids = calloc(len + 1, sizeof(**gids));
	for (size_t i = 0; *gids && i < len; i++)
		if (entries[i].port_num == 1)
			convert(&entries[i], &(*gids)[(*n)++]);
	free(entries);
	if (!*gids)
		return -ENOMEM;
	qsort(*gids, *n, sizeof(**gids), by_index);
	return 0;
}

int verbs_gids(const char *name, struct gid **gids, size_t *n)
{
	struct ibv_context *context = verbs_open(name);
	int err;

	if (!context)
		return -ENODEV;
	err = get_gids(context, gids, n);
	ibv_close_device(context);
	return err;
}
