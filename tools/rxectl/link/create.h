/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Making a link, while other processes may be making links too, as they do at boot.
 */
#ifndef RXECTL_CREATE_H
#define RXECTL_CREATE_H

#include <stdbool.h>

#include "sys/nldev.h"

struct ctx;
struct netns;

/**
 * struct link_request - a link to be made
 * @ns: namespace of the interface
 * @netdev: the interface
 * @name: the device's; "" for the usual one, which is here afterwards
 * @named: no other name will do
 * @if_missing: it is no error if somebody else makes it first
 * @wait: seconds that the interface may take to be ready
 * @since: when they began (clock_seconds()); 0 is now
 * @remedy: what is to be done if it is not ready by then
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

/* Reports what goes wrong. Return: the exit status. */
int link_create(const struct ctx *ctx, struct link_request *a);

#endif
