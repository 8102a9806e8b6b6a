/* SPDX-License-Identifier: GPL-2.0 */
/* Wait for a network interface to be up with its final MAC address. */
#ifndef RXECTL_WAIT_H
#define RXECTL_WAIT_H

#include <stdbool.h>

struct ctx;
struct netns;

/* Default time to wait for Slingshot interfaces. */
#define HSN_WAIT_SECONDS 120

/* Return: true if the name is that of a Slingshot interface, whose address the fabric assigns. */
bool is_hsn(const char *netdev);

/*
 * Return: true if a Slingshot interface still has an address of its vendor. @mac: as in struct
 * netdev.
 */
bool is_hsn_unassigned(const char *netdev, const char *mac);

enum netdev_state { NETDEV_READY, NETDEV_NOT_READY, NETDEV_GONE };

/* Return: whether an interface is running and has its final address. */
enum netdev_state netdev_state(const struct netns *ns, const char *netdev);

/**
 * wait_for_netdev() - wait until an interface is running and has its final address
 * @ctx: output stream and format
 * @ns: network namespace of the interface
 * @netdev: the interface
 * @seconds: limit; 0 returns at once without a check
 * @since: start of the wait (clock_seconds()); 0 for now
 * @remedy: printed if the limit is reached
 *
 * Reports its errors.
 *
 * Return: the exit status.
 */
int wait_for_netdev(const struct ctx *ctx, const struct netns *ns, const char *netdev, int seconds,
	       double since, const char *remedy);

#endif
