// SPDX-License-Identifier: GPL-2.0
/* Wait for a network interface, also one of a Slingshot adapter. */
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "cli/errors.h"
#include "link/wait.h"
#include "sys/netdev.h"
#include "util/clock.h"

/* OUI of the vendor: a Slingshot interface has such an address until the fabric assigns one. */
#define HSN_UNASSIGNED "00:40:a6:"

bool is_hsn(const char *netdev)
{
	return !strncmp(netdev, "hsn", 3);
}

bool is_hsn_unassigned(const char *netdev, const char *mac)
{
	return is_hsn(netdev) && !strncasecmp(mac, HSN_UNASSIGNED, strlen(HSN_UNASSIGNED));
}

/* Return: the reason why the interface is not ready, or NULL. */
static const char *lacks(const struct netns *ns, const char *name)
{
	const char *lack = NULL;
	struct netdev netdev;

	if (netdev_get(ns, name, &netdev))
		return "does not exist";
	if (!netdev.running)
		lack = "is not up";
	else if (is_hsn_unassigned(name, netdev.mac))
		lack = "has no algorithmic MAC address yet";
	netdev_put(&netdev);
	return lack;
}

enum netdev_state netdev_state(const struct netns *ns, const char *name)
{
	struct netdev netdev;

	if (netdev_get(ns, name, &netdev))
		return NETDEV_GONE;
	netdev_put(&netdev);
	return lacks(ns, name) ? NETDEV_NOT_READY : NETDEV_READY;
}

int wait_for_netdev(const struct ctx *ctx, const struct netns *ns, const char *netdev, int seconds,
	       double since, const char *remedy)
{
	double end = (since > 0 ? since : clock_seconds()) + seconds;
	const char *lack;

	while (seconds && (lack = lacks(ns, netdev))) {
		if (clock_seconds() >= end)
			return fail(ctx, EXIT_RUNTIME, netdev, remedy, "\"%s\" %s after %d s",
				    netdev, lack, seconds);
		clock_pause(0.1);
	}
	return 0;
}
