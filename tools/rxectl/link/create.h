/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Creation of links, robust against other processes that create links at the same time, as at boot.
 */
#ifndef RXECTL_CREATE_H
#define RXECTL_CREATE_H

#include <stdbool.h>

#include "sys/nldev.h"

struct ctx;
struct netns;

/**
 * struct link_request - a link to be created
 * @ns: network namespace of the interface
 * @netdev: the interface
 * @name: of the device; "" for the default, which link_create() fills in
 * @named: with @if_missing: the link must have this name
 * @if_missing: succeed if the link exists
 * @wait: seconds to wait for the interface to be ready
 * @since: start of the wait (clock_seconds()); 0 for now
 * @remedy: printed if the interface is not ready in time
 */
struct link_request {
	struct netns *ns;
	const char *netdev;
	char name[NLDEV_NAME_SIZE];
	bool named;
	bool if_missing;
	int wait;
	double since;
	const char *remedy;
};

/* Create a link and report errors. Return: the exit status. */
int link_create(const struct ctx *ctx, struct link_request *a);

#endif
