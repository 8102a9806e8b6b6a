// SPDX-License-Identifier: GPL-2.0
/* GID table of a port, from sysfs. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/gid.h"
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
	file_line(gid->netdev, sizeof(gid->netdev), PORT "/gid_attrs/ndevs/%u", device,
		  gid->index);
	return 0;
}

int gids_get(const char *device, struct gid **gids, size_t *n)
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

static bool is_v2(const struct gid *gid)
{
	return !strcmp(gid->type, "RoCE v2");
}

const struct gid *gids_find(const struct gid *gids, size_t n, const struct in6_addr *address)
{
	for (size_t i = 0; i < n; i++)
		if (is_v2(&gids[i]) && IN6_ARE_ADDR_EQUAL(&gids[i].raw, address))
			return &gids[i];
	return NULL;
}

static int preference(const struct gid *gid)
{
	if (!is_v2(gid) || gid->unassigned)
		return 0;
	if (IN6_IS_ADDR_V4MAPPED(&gid->raw))
		return 3;
	return IN6_IS_ADDR_LINKLOCAL(&gid->raw) ? 1 : 2;
}

const struct gid *gids_best(const struct gid *gids, size_t n)
{
	const struct gid *best = NULL;

	for (size_t i = 0; i < n; i++)
		if (preference(&gids[i]) > (best ? preference(best) : 0))
			best = &gids[i];
	return best;
}

void gid_text(const struct gid *gid, char text[INET6_ADDRSTRLEN])
{
	const uint8_t *b = gid->raw.s6_addr;

	snprintf(text, INET6_ADDRSTRLEN,
		 "%02x%02x:%02x%02x:%02x%02x:%02x%02x:%02x%02x:%02x%02x:%02x%02x:%02x%02x", b[0],
		 b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
		 b[14], b[15]);
}

void gid_ipv4(const struct gid *gid, char text[INET_ADDRSTRLEN])
{
	text[0] = '\0';
	if (IN6_IS_ADDR_V4MAPPED(&gid->raw))
		inet_ntop(AF_INET, &gid->raw.s6_addr[12], text, INET_ADDRSTRLEN);
}

void gid_address(const struct in6_addr *raw, char text[INET6_ADDRSTRLEN])
{
	if (IN6_IS_ADDR_V4MAPPED(raw))
		inet_ntop(AF_INET, &raw->s6_addr[12], text, INET6_ADDRSTRLEN);
	else
		inet_ntop(AF_INET6, raw, text, INET6_ADDRSTRLEN);
}
