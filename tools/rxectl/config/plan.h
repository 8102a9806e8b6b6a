/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What has to be done for the machine to be as it is configured.
 */
#ifndef RXECTL_PLAN_H
#define RXECTL_PLAN_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>

#include "config/conf.h"

struct ctx;
struct links;
struct netns;

enum plan_action { PLAN_ADD, PLAN_RENAME, PLAN_MTU, PLAN_TUNE };

/**
 * struct plan_step - one action on an interface
 * @conf: the section that wants it
 * @name: the device's, as it will be
 * @index: of the device to rename
 * @mtu: to set
 * @wait: seconds that the interface may take to be ready before
 */
struct plan_step {
	enum plan_action action;
	const struct conf_link *conf;
	struct netns *ns;
	char netdev[IF_NAMESIZE];
	char name[NLDEV_NAME_SIZE];
	unsigned int index;
	unsigned int mtu;
	int wait;
};

/**
 * struct plan - the steps, in order
 * @namespaces: those that sections name, open
 * @only: the only interface of interest, or NULL
 * @matched: a section holds for an interface of interest
 */
struct plan {
	const char *only;
	bool matched;
	struct plan_step *steps;
	size_t n;
	struct netns **namespaces;
	size_t n_namespaces;
};

/**
 * plan_make() - compare the machine with its configuration
 * @netdev: the only interface to look at, or NULL for all
 * @links: the links that there are
 * @plan: to be released with plan_put(), whatever is returned
 *
 * A namespace that cannot be entered is complained about through @conf, but not if it is not there
 * and @netdev is given.
 *
 * Return: 0 or -errno.
 */
int plan_make(struct conf *conf, const char *netdev, const struct links *links, struct plan *plan);

/**
 * plan_do() - do one step
 * @since: when the first was begun (clock_seconds()): interfaces that have to be waited for are
 *	waited for together
 *
 * Reports what goes wrong. A link that has no name in its section may get another than the one
 * planned.
 *
 * Return: the exit status.
 */
int plan_do(const struct ctx *ctx, struct plan_step *step, double since);

void plan_put(struct plan *plan);

#endif
