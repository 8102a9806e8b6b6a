// SPDX-License-Identifier: GPL-2.0
/* Driver settings of a network interface, by ioctl. */
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "sys/ethtool.h"
#include "sys/netdev.h"
#include "sys/netns.h"

int ethtool_queues(const struct netns *ns, const char *netdev, struct ethtool_queues *queues,
		   struct ethtool_queues *max)
{
	struct ethtool_channels channels = { .cmd = ETHTOOL_GCHANNELS };
	int err = netdev_ethtool(ns, netdev, &channels);

	*queues = (struct ethtool_queues){ channels.rx_count, channels.tx_count,
					   channels.combined_count };
	if (max)
		*max = (struct ethtool_queues){ channels.max_rx, channels.max_tx,
						channels.max_combined };
	return err;
}

int ethtool_set_queues(const struct netns *ns, const char *netdev,
		       const struct ethtool_queues *queues)
{
	struct ethtool_channels channels = { .cmd = ETHTOOL_GCHANNELS };
	int err = netdev_ethtool(ns, netdev, &channels);

	if (err)
		return err;
	channels.cmd = ETHTOOL_SCHANNELS;
	channels.rx_count = queues->rx;
	channels.tx_count = queues->tx;
	channels.combined_count = queues->combined;
	return netdev_ethtool(ns, netdev, &channels);
}

static int count_flags(const struct netns *ns, const char *netdev, unsigned int *n)
{
	union {
		struct ethtool_sset_info info;
		char room[sizeof(struct ethtool_sset_info) + sizeof(__u32)];
	} set = { .info = { .cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ULL << ETH_SS_PRIV_FLAGS } };
	int err = netdev_ethtool(ns, netdev, &set);

	if (!err && !set.info.sset_mask)
		err = -EOPNOTSUPP;
	if (!err)
		memcpy(n, set.info.data, sizeof(*n));
	return err;
}

static int find_name(const struct ethtool_gstrings *names, unsigned int n, const char *flag)
{
	for (unsigned int i = 0; i < n && i < names->len && i < 32; i++)
		if (!strncmp((const char *)names->data + i * ETH_GSTRING_LEN, flag,
			     ETH_GSTRING_LEN))
			return (int)i;
	return -EOPNOTSUPP;
}

/* Return: the bit number of a private flag, or -errno. */
static int find_flag(const struct netns *ns, const char *netdev, const char *flag)
{
	struct ethtool_gstrings *names;
	unsigned int n;
	int err = count_flags(ns, netdev, &n);

	if (err)
		return err;
	names = calloc(1, sizeof(*names) + (size_t)n * ETH_GSTRING_LEN);
	if (!names)
		return -ENOMEM;
	names->cmd = ETHTOOL_GSTRINGS;
	names->string_set = ETH_SS_PRIV_FLAGS;
	names->len = n;
	err = netdev_ethtool(ns, netdev, names);
	if (!err)
		err = find_name(names, n, flag);
	free(names);
	return err;
}

int ethtool_flag(const struct netns *ns, const char *netdev, const char *flag, bool *on)
{
	struct ethtool_value value = { .cmd = ETHTOOL_GPFLAGS };
	int bit = find_flag(ns, netdev, flag);
	int err = bit < 0 ? bit : netdev_ethtool(ns, netdev, &value);

	if (!err)
		*on = value.data >> bit & 1;
	return err;
}

int ethtool_set_flag(const struct netns *ns, const char *netdev, const char *flag, bool on)
{
	struct ethtool_value value = { .cmd = ETHTOOL_GPFLAGS };
	int bit = find_flag(ns, netdev, flag);
	int err = bit < 0 ? bit : netdev_ethtool(ns, netdev, &value);

	if (err)
		return err;
	value.cmd = ETHTOOL_SPFLAGS;
	value.data = on ? value.data | 1U << bit : value.data & ~(1U << bit);
	return netdev_ethtool(ns, netdev, &value);
}

static int get_flags(const struct netns *ns, struct ifreq *ifr, const char *netdev)
{
	memset(ifr, 0, sizeof(*ifr));
	snprintf(ifr->ifr_name, sizeof(ifr->ifr_name), "%s", netdev);
	return ioctl(netns_ioctl_fd(ns), SIOCGIFFLAGS, ifr) ? -errno : 0;
}

int ethtool_up(const struct netns *ns, const char *netdev, bool *up)
{
	struct ifreq ifr;
	int err = get_flags(ns, &ifr, netdev);

	*up = !err && ifr.ifr_flags & IFF_UP;
	return err;
}

int ethtool_set_up(const struct netns *ns, const char *netdev, bool up)
{
	struct ifreq ifr;
	int err = get_flags(ns, &ifr, netdev);

	if (err)
		return err;
	ifr.ifr_flags = (short)(up ? ifr.ifr_flags | IFF_UP : ifr.ifr_flags & ~IFF_UP);
	return ioctl(netns_ioctl_fd(ns), SIOCSIFFLAGS, &ifr) ? -errno : 0;
}
