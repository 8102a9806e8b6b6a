// SPDX-License-Identifier: GPL-2.0
/* GIDs: choice of one, and their text. */
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "sys/gid.h"

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
