/* SPDX-License-Identifier: GPL-2.0 */
/* Plan: steps that bring the system to its configured state. */
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
 * struct plan_step - an action on an interface
 * @action: PLAN_*
 * @conf: the section that asks for it
 * @ns: network namespace of the interface
 * @netdev: the interface
 * @name: of the device after the step
 * @index: of the device to rename
 * @mtu: to set, bytes
 * @wait: seconds to wait for the interface to be ready
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
 * struct plan - steps in the order of their execution
 * @only: consider only this interface; NULL for all
 * @matched: a section matches an interface considered
 * @steps: the steps
 * @n: number of steps
 * @namespaces: namespaces of sections, open
 * @n_namespaces: number of elements
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
 * plan_make() - compare the system with its configuration
 * @conf: the configuration; receives complaints
 * @netdev: consider only this interface; NULL for all
 * @links: the existing links
 * @plan: release with plan_put(), also after an error
 *
 * A namespace that cannot be entered is a complaint, unless it does not exist and @netdev is given.
 *
 * Return: 0 or -errno.
 */
int plan_make(struct conf *conf, const char *netdev, const struct links *links, struct plan *plan);

/**
 * plan_do() - execute one step
 * @ctx: output stream and format
 * @step: the step; @step->name is updated if the link gets another name, which can happen if its
 *	section has none
 * @since: start of the first step (clock_seconds()), from which all waits for interfaces count
 *
 * Reports its errors.
 *
 * Return: the exit status.
 */
int plan_do(const struct ctx *ctx, struct plan_step *step, double since);

void plan_put(struct plan *plan);

#endif
