// SPDX-License-Identifier: GPL-2.0
/* GID table of a port: from the verbs device, or from sysfs if the caller cannot open it. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>

#include "sys/gid.h"
#include "sys/gid_table.h"
#include "sys/verbs.h"
#include "util/files.h"

#define PORT "/sys/class/infiniband/%s/ports/1"

/* Bound of the loop over table entries; rdma_rxe has 1024. */
#define MAX_GIDS 4096

static int add_gid(const char *device, const struct gid *found, struct gid **gids, size_t *n)
{
	struct gid *grown = reallocarray(*gids, *n + 1, sizeof(*grown));
	struct gid *gid;

	if (!grown)
		return -ENOMEM;
	*gids = grown;
	gid = &grown[(*n)++];
	*gid = *found;
	file_line(gid->type, sizeof(gid->type), PORT "/gid_attrs/types/%u", device, gid->index);
	return 0;
}

/* A file for each index, also of those that are not in use. */
static int read_sysfs(const char *device, struct gid **gids, size_t *n)
{
	struct gid gid = { 0 };
	char line[64];
	int err = 0;

	*gids = NULL;
	*n = 0;
	for (; gid.index < MAX_GIDS && !err; gid.index++) {
		if (!file_line(line, sizeof(line), PORT "/gids/%u", device, gid.index))
			break;
		if (inet_pton(AF_INET6, line, &gid.raw) == 1 && !IN6_IS_ADDR_UNSPECIFIED(&gid.raw))
			err = add_gid(device, &gid, gids, n);
	}
	if (err)
		free(*gids);
	return err;
}

int gids_get(const char *device, struct gid **gids, size_t *n)
{
	if (verbs_gids(device, gids, n) && read_sysfs(device, gids, n))
		return -ENOMEM;
	for (size_t i = 0; i < *n; i++)
		file_line((*gids)[i].netdev, sizeof((*gids)[i].netdev), PORT "/gid_attrs/ndevs/%u",
			  device, (*gids)[i].index);
	return 0;
}
