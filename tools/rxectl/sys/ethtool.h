/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Driver settings of a network interface: queues, private flags, administrative state.
 *
 * All functions return 0 or -errno; -EOPNOTSUPP if the driver does not support the setting.
 */
#ifndef RXECTL_ETHTOOL_H
#define RXECTL_ETHTOOL_H

#include <stdbool.h>

struct netns;

/**
 * struct ethtool_queues - number of channels
 * @rx: receive only
 * @tx: transmit only
 * @combined: receive and transmit
 */
struct ethtool_queues {
	unsigned int rx;
	unsigned int tx;
	unsigned int combined;
};

/* Read the channels in use, and the maxima into @max unless it is NULL. */
int ethtool_queues(const struct netns *ns, const char *netdev, struct ethtool_queues *queues,
		   struct ethtool_queues *max);
int ethtool_set_queues(const struct netns *ns, const char *netdev,
		       const struct ethtool_queues *queues);

int ethtool_flag(const struct netns *ns, const char *netdev, const char *flag, bool *on);
int ethtool_set_flag(const struct netns *ns, const char *netdev, const char *flag, bool on);

/* Administrative state (IFF_UP). */
int ethtool_up(const struct netns *ns, const char *netdev, bool *up);
int ethtool_set_up(const struct netns *ns, const char *netdev, bool up);

#endif
