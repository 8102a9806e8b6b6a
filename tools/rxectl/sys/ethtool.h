/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an interface's driver can be told: queues, private flags, up and down.
 *
 * All return 0 or -errno; -EOPNOTSUPP where the driver has no such thing.
 */
#ifndef RXECTL_ETHTOOL_H
#define RXECTL_ETHTOOL_H

#include <stdbool.h>

struct netns;

/**
 * struct ethtool_queues - queues in use
 * @rx, @tx: for one direction
 * @combined: for both
 */
struct ethtool_queues {
	unsigned int rx;
	unsigned int tx;
	unsigned int combined;
};

/* @max: what there may be; may be NULL. */
int ethtool_queues(const struct netns *ns, const char *netdev, struct ethtool_queues *queues,
		   struct ethtool_queues *max);
int ethtool_set_queues(const struct netns *ns, const char *netdev,
		       const struct ethtool_queues *queues);

int ethtool_flag(const struct netns *ns, const char *netdev, const char *flag, bool *on);
int ethtool_set_flag(const struct netns *ns, const char *netdev, const char *flag, bool on);

/* Administratively. */
int ethtool_up(const struct netns *ns, const char *netdev, bool *up);
int ethtool_set_up(const struct netns *ns, const char *netdev, bool up);

#endif
