/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waiting for a network interface that is still being brought up.
 */
#ifndef RXECTL_WAIT_H
#define RXECTL_WAIT_H

#include <stdbool.h>

struct ctx;
struct netns;

/* Seconds that interfaces of Slingshot get where nothing is said. */
#define HSN_WAIT_SECONDS 120

/* By its name: does the fabric assign the interface's address? */
bool is_hsn(const char *netdev);

/* Does one of those still have an address of its vendor? @mac: as in struct netdev. */
bool is_hsn_unassigned(const char *netdev, const char *mac);

/**
 * wait_for_netdev() - until an interface runs and has its address
 * @seconds: at most; 0 not to wait, nor to look
 * @since: when these began (clock_seconds()); 0 is now
 * @remedy: what to do when it never is
 *
 * Return: the exit status; what the interface lacks has been reported.
 */
int wait_for_netdev(const struct ctx *ctx, const struct netns *ns, const char *netdev, int seconds,
	       double since, const char *remedy);

#endif
