// SPDX-License-Identifier: GPL-2.0
/* Network interfaces, by rtnetlink. */
#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <netlink/addr.h>
#include <netlink/cache.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "sys/netdev.h"
#include "sys/netns.h"

int netdev_ethtool(const struct netns *ns, const char *name, void *command)
{
	struct ifreq ifr = { .ifr_data = command };

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", name);
	return ioctl(netns_ioctl_fd(ns), SIOCETHTOOL, &ifr) ? -errno : 0;
}

/* The ioctl uses the namespace of the socket; sysfs would use the one that it was mounted in. */
static void get_driver(const struct netns *ns, const char *name, struct netdev *netdev)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };

	if (netdev_ethtool(ns, name, &info))
		return;
	snprintf(netdev->driver, sizeof(netdev->driver), "%.*s", (int)sizeof(info.driver) - 1,
		 info.driver);
	snprintf(netdev->path, sizeof(netdev->path), "%.*s", (int)sizeof(info.bus_info) - 1,
		 info.bus_info);
}

/*
 * The first call returns the size of the three link mode masks (negated), the second the settings.
 */
static void get_speed(const struct netns *ns, const char *name, struct netdev *netdev)
{
	union {
		struct ethtool_link_settings req;
		char room[sizeof(struct ethtool_link_settings) + 3 * SCHAR_MAX * sizeof(__u32)];
	} link = { .req.cmd = ETHTOOL_GLINKSETTINGS };

	if (netdev_ethtool(ns, name, &link) || link.req.link_mode_masks_nwords >= 0)
		return;
	link.req.link_mode_masks_nwords = (__s8)-link.req.link_mode_masks_nwords;
	link.req.cmd = ETHTOOL_GLINKSETTINGS;
	if (!netdev_ethtool(ns, name, &link) && link.req.speed != (__u32)SPEED_UNKNOWN)
		netdev->speed = link.req.speed;
}

static int add_address(struct netdev *netdev, struct nl_addr *addr)
{
	char text[INET6_ADDRSTRLEN];
	char **grown;

	if (!addr ||
	    !inet_ntop(nl_addr_get_family(addr), nl_addr_get_binary_addr(addr), text, sizeof(text)))
		return 0;
	grown = reallocarray(netdev->addresses, netdev->n_addresses + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	netdev->addresses = grown;
	grown[netdev->n_addresses] = strdup(text);
	if (!grown[netdev->n_addresses])
		return -ENOMEM;
	netdev->n_addresses++;
	return 0;
}

static int add_addresses(struct netdev *netdev, struct nl_cache *cache, int ifindex, int family)
{
	struct nl_object *obj;
	int err = 0;

	for (obj = nl_cache_get_first(cache); obj && !err; obj = nl_cache_get_next(obj)) {
		struct rtnl_addr *addr = (struct rtnl_addr *)obj;

		if (rtnl_addr_get_ifindex(addr) == ifindex && rtnl_addr_get_family(addr) == family)
			err = add_address(netdev, rtnl_addr_get_local(addr));
	}
	return err;
}

static int get_addresses(const struct netns *ns, int ifindex, struct netdev *netdev)
{
	struct nl_cache *cache;
	int err;

	if (rtnl_addr_alloc_cache(netns_route(ns), &cache))
		return -EIO;
	err = add_addresses(netdev, cache, ifindex, AF_INET);
	if (!err)
		err = add_addresses(netdev, cache, ifindex, AF_INET6);
	nl_cache_free(cache);
	return err;
}

static void get_mac(struct rtnl_link *link, struct netdev *netdev)
{
	struct nl_addr *addr = rtnl_link_get_addr(link);
	const unsigned char *b;

	if (!addr || nl_addr_get_len(addr) != 6)
		return;
	b = nl_addr_get_binary_addr(addr);
	snprintf(netdev->mac, sizeof(netdev->mac), "%02x:%02x:%02x:%02x:%02x:%02x", b[0], b[1],
		 b[2], b[3], b[4], b[5]);
}

int netdev_get(const struct netns *ns, const char *name, struct netdev *netdev)
{
	struct rtnl_link *link;
	const char *kind;
	int err;

	memset(netdev, 0, sizeof(*netdev));
	/* rtnetlink also accepts alternative names, which RDMA links do not support. */
	if (strlen(name) >= IF_NAMESIZE || rtnl_link_get_kernel(netns_route(ns), 0, name, &link))
		return -ENODEV;

	kind = rtnl_link_get_type(link);
	snprintf(netdev->kind, sizeof(netdev->kind), "%s", kind ? kind : "");
	netdev->type = rtnl_link_get_arptype(link);
	netdev->mtu = rtnl_link_get_mtu(link);
	netdev->running = (rtnl_link_get_flags(link) & (IFF_UP | IFF_RUNNING)) ==
			  (IFF_UP | IFF_RUNNING);
	get_mac(link, netdev);
	get_driver(ns, name, netdev);
	get_speed(ns, name, netdev);
	err = get_addresses(ns, rtnl_link_get_ifindex(link), netdev);
	rtnl_link_put(link);
	if (err)
		netdev_put(netdev);
	return err;
}

void netdev_put(struct netdev *netdev)
{
	for (size_t i = 0; i < netdev->n_addresses; i++)
		free(netdev->addresses[i]);
	free(netdev->addresses);
	netdev->addresses = NULL;
	netdev->n_addresses = 0;
}

static int copy_names(struct nl_cache *cache, char (**names)[IF_NAMESIZE], size_t *n)
{
	struct nl_object *obj;

	*n = 0;
	*names = calloc((size_t)nl_cache_nitems(cache) + 1, sizeof(**names));
	if (!*names)
		return -ENOMEM;
	for (obj = nl_cache_get_first(cache); obj; obj = nl_cache_get_next(obj))
		snprintf((*names)[(*n)++], IF_NAMESIZE, "%s",
			 rtnl_link_get_name((struct rtnl_link *)obj));
	return 0;
}

int netdev_list(const struct netns *ns, char (**names)[IF_NAMESIZE], size_t *n)
{
	struct nl_cache *cache;
	int err;

	if (rtnl_link_alloc_cache(netns_route(ns), AF_UNSPEC, &cache))
		return -EIO;
	err = copy_names(cache, names, n);
	nl_cache_free(cache);
	return err;
}

int netdev_set_mtu(const struct netns *ns, const char *name, unsigned int mtu)
{
	struct ifreq ifr = { .ifr_mtu = (int)mtu };

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", name);
	return ioctl(netns_ioctl_fd(ns), SIOCSIFMTU, &ifr) ? -errno : 0;
}
