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

enum plan_state { PLAN_PENDING, PLAN_DONE, PLAN_DROPPED };

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
 * @state: PLAN_PENDING until it has been executed, or has failed
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
	enum plan_state state;
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
 * plan_run() - execute the steps
 * @ctx: output stream and format
 * @plan: the steps; receives the @state of each. @name of a step is updated if the link
 *	gets another name, which can happen if its section has none.
 * @late: wait without a limit for interfaces whose steps have one, as long as they exist
 *
 * Steps for interfaces that are ready come first; the others are waited for at the same time. A
 * step that fails does not stop the others. Reports its errors.
 *
 * Return: the exit status.
 */
int plan_run(const struct ctx *ctx, struct plan *plan, bool late);

void plan_put(struct plan *plan);

#endif
