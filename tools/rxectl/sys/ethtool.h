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
 * struct adapter_queues - queues in use
 * @rx, @tx: for one direction
 * @combined: for both
 */
struct adapter_queues {
	unsigned int rx;
	unsigned int tx;
	unsigned int combined;
};

/* @max: what there may be; may be NULL. */
int adapter_queues(const struct netns *ns, const char *netdev, struct adapter_queues *queues,
		   struct adapter_queues *max);
int adapter_set_queues(const struct netns *ns, const char *netdev,
		       const struct adapter_queues *queues);

int adapter_flag(const struct netns *ns, const char *netdev, const char *flag, bool *on);
int adapter_set_flag(const struct netns *ns, const char *netdev, const char *flag, bool on);

/* Administratively. */
int adapter_up(const struct netns *ns, const char *netdev, bool *up);
int adapter_set_up(const struct netns *ns, const char *netdev, bool up);

#endif
