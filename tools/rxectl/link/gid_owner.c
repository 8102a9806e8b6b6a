// SPDX-License-Identifier: GPL-2.0
/* Interfaces that have the addresses of a GID table. */
#include <string.h>

#include "link/gid_owner.h"
#include "sys/gid.h"
#include "sys/netdev.h"

static bool has_address(const struct netns *ns, const char *name, const struct gid *gid,
			bool otherwise)
{
	char address[INET6_ADDRSTRLEN];
	struct netdev netdev;
	bool has = false;

	if (!name[0] || netdev_get(ns, name, &netdev))
		return otherwise;
	gid_address(&gid->raw, address);
	for (size_t i = 0; i < netdev.n_addresses && !has; i++)
		has = !strcmp(netdev.addresses[i], address);
	netdev_put(&netdev);
	return has;
}

void gids_check(struct gid *gids, size_t n, const struct netns *ns, const char *netdev)
{
	if (n && !gids[0].index && ns && IN6_IS_ADDR_LINKLOCAL(&gids[0].raw))
		gids[0].unassigned = !has_address(ns, netdev, &gids[0], true);
}

bool gid_is_in(const struct gid *gid, const struct netns *ns)
{
	return has_address(ns, gid->netdev, gid, false);
}
