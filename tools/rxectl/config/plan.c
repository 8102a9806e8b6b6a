// SPDX-License-Identifier: GPL-2.0
/* Steps to the configured state: what differs, and how to change it. */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/errors.h"
#include "config/plan.h"
#include "config/profile.h"
#include "link/create.h"
#include "link/links.h"
#include "link/wait.h"
#include "sys/netdev.h"
#include "sys/nlsock.h"
#include "util/clock.h"

static bool is_planned(const struct plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->n; i++)
		if (!strcmp(plan->steps[i].name, name))
			return true;
	return false;
}

static int add_step(struct plan *plan, const struct plan_step *step)
{
	struct plan_step *grown = reallocarray(plan->steps, plan->n + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	plan->steps = grown;
	grown[plan->n++] = *step;
	return 0;
}

static void complain(struct conf *conf, const struct conf_link *section, const char *what)
{
	conf->complaints++;
	conf->complain(section->file, section->line, what, conf->arg);
}

/* An adapter that the profile is not for gets its device, but not the settings. */
static bool wants_profile(struct conf *conf, const struct plan_step *step)
{
	const struct profile *profile = profile_find(step->conf->profile);
	char why[PROFILE_WHY];

	if (!profile)
		return false;
	if (profile_fits(profile, step->ns, step->netdev, why))
		return true;
	complain(conf, step->conf, why);
	return false;
}

static bool tune_differs(const struct plan_step *step)
{
	const struct profile *profile = profile_find(step->conf->profile);
	struct json_object *rows = profile_diff(profile, step->ns, step->netdev, step->conf->mtu);
	bool differs = json_object_array_length(rows);

	json_object_put(rows);
	return differs;
}

/*
 * Judged by the list of links, not by the present state: a device added since may be the wanted
 * one.
 */
static bool is_anothers(const struct links *links, const char *name, const struct rxe_link *link)
{
	for (size_t i = 0; i < links->n; i++)
		if (&links->links[i] != link && !strcmp(links->links[i].dev.name, name))
			return true;
	return false;
}

/*
 * If a pattern gives several interfaces the same name, the first gets it. The others get "rxe_" and
 * the name of the interface, and keep it while the first has the name.
 */
static void choose_name(const struct plan *plan, const struct links *links,
			const struct rxe_link *link, struct plan_step *step)
{
	char own[NLDEV_NAME_SIZE];
	bool planned, taken;

	conf_name(step->conf, step->netdev, step->name);
	if (link && !*step->name)
		memcpy(step->name, link->dev.name, sizeof(step->name));
	if (!*step->name)
		link_default_name(step->netdev, step->name);
	if (!*step->conf->name)
		return;

	snprintf(own, sizeof(own), "rxe_%s", step->netdev);
	planned = is_planned(plan, step->name);
	taken = planned || is_anothers(links, step->name, link);
	if (link ? taken && !strcmp(link->dev.name, own) :
		   planned || (taken && strchr(step->conf->name, '%')))
		memcpy(step->name, own, sizeof(own));
}

/* Plan the steps for an interface whose first matching section is @step->conf. */
static int plan_netdev(struct plan *plan, struct conf *conf, const struct links *links,
		       struct plan_step *step, const struct netdev *netdev)
{
	const struct rxe_link *link = links_on(links, step->ns, step->netdev);
	int err = 0;

	step->wait = step->conf->wait;
	if (step->wait < 0)
		step->wait = is_hsn(step->netdev) ? HSN_WAIT_SECONDS : 0;
	choose_name(plan, links, link, step);

	step->mtu = step->conf->mtu;
	if (step->mtu && netdev->mtu != step->mtu) {
		step->action = PLAN_MTU;
		err = add_step(plan, step);
	}
	if (!err && !link) {
		step->action = PLAN_ADD;
		err = add_step(plan, step);
	} else if (!err && strcmp(step->name, link->dev.name)) {
		step->action = PLAN_RENAME;
		step->index = link->dev.index;
		err = add_step(plan, step);
	}
	if (!err && wants_profile(conf, step) && (!link || tune_differs(step))) {
		step->action = PLAN_TUNE;
		err = add_step(plan, step);
	}
	return err;
}

static int plan_section(struct plan *plan, struct conf *conf, struct conf_link *section,
			const struct links *links, struct netns *ns)
{
	struct plan_step step = { .conf = section, .ns = ns };
	char(*names)[IF_NAMESIZE];
	struct netdev netdev;
	size_t n;
	int err = netdev_list(ns, &names, &n);

	if (err)
		return err;
	section->idle = !plan->only;
	for (size_t i = 0; i < n && !err; i++) {
		if ((plan->only && strcmp(plan->only, names[i])) ||
		    netdev_get(ns, names[i], &netdev))
			continue;
		section->idle &= !conf_holds(section, names[i], &netdev);
		if (conf_find(conf, section->netns, names[i], &netdev) == section) {
			memcpy(step.netdev, names[i], sizeof(step.netdev));
			plan->matched = true;
			err = plan_netdev(plan, conf, links, &step, &netdev);
		}
		netdev_put(&netdev);
	}
	free(names);
	return err;
}

/*
 * Return: the namespace of a section, or NULL if it cannot be entered. A namespace that does not
 * exist is no complaint if only one interface was asked for.
 */
static struct netns *enter(struct plan *plan, struct conf *conf, const struct conf_link *link)
{
	struct netns **grown, *ns;
	char what[128];
	int err;

	for (size_t i = 0; i < plan->n_namespaces; i++)
		if (!strcmp(netns_name(plan->namespaces[i]), link->netns))
			return plan->namespaces[i];
	grown = reallocarray(plan->namespaces, plan->n_namespaces + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	plan->namespaces = grown;
	err = netns_open(link->netns, &ns);
	if (err == -ENOENT && plan->only)
		return NULL;
	if (err) {
		snprintf(what, sizeof(what), "network namespace \"%s\": %s", link->netns,
			 strerror(-err));
		complain(conf, link, what);
		return NULL;
	}
	grown[plan->n_namespaces++] = ns;
	return ns;
}

int plan_make(struct conf *conf, const char *netdev, const struct links *links, struct plan *plan)
{
	int err = 0;

	*plan = (struct plan){ .only = netdev };
	for (size_t i = 0; i < conf->n && !err; i++) {
		struct conf_link *link = &conf->links[i];
		struct netns *ns = links->own;

		if (*link->netns && !link->broken)
			ns = enter(plan, conf, link);
		if (ns && !link->broken)
			err = plan_section(plan, conf, link, links, ns);
	}
	return err;
}

void plan_put(struct plan *plan)
{
	for (size_t i = 0; i < plan->n_namespaces; i++)
		netns_close(plan->namespaces[i]);
	free(plan->namespaces);
	free(plan->steps);
}

static int do_add(const struct ctx *ctx, struct plan_step *step, double since)
{
	struct link_request a = {
		.ns = step->ns,
		.netdev = step->netdev,
		.named = *step->conf->name,
		.if_missing = true,
		.wait = step->wait,
		.since = since,
		.remedy = "bring it up and run rxectl apply, or set wait in its section",
	};
	int status;

	memcpy(a.name, step->name, sizeof(a.name));
	status = link_create(ctx, &a);
	memcpy(step->name, a.name, sizeof(step->name));
	return status;
}

static int do_rename(const struct ctx *ctx, struct plan_step *step)
{
	struct nlsock *rdma = netns_rdma(step->ns);
	int err = nldev_rename(rdma, step->index, step->name);

	if (!err)
		return 0;
	return fail_refused(ctx, step->name, nlsock_message(rdma), err,
			    "cannot rename the device on \"%s\" to \"%s\"", step->netdev, step->name);
}

static int do_mtu(const struct ctx *ctx, struct plan_step *step)
{
	int err = netdev_set_mtu(step->ns, step->netdev, step->mtu);

	if (!err)
		return 0;
	return fail_refused(ctx, step->netdev, NULL, err, "cannot set the MTU of \"%s\" to %u",
			    step->netdev, step->mtu);
}

/* After the link, whose creation loads the module with its parameters. */
static int do_tune(const struct ctx *ctx, struct plan_step *step)
{
	const struct profile *profile = profile_find(step->conf->profile);
	struct json_object *rows;
	int status = profile_apply(ctx, profile, step->ns, step->netdev, step->conf->mtu, &rows);

	json_object_put(rows);
	return status;
}

static int do_step(const struct ctx *ctx, struct plan_step *step, double since)
{
	switch (step->action) {
	case PLAN_ADD:
		return do_add(ctx, step, since);
	case PLAN_RENAME:
		return do_rename(ctx, step);
	case PLAN_MTU:
		return do_mtu(ctx, step);
	case PLAN_TUNE:
		return do_tune(ctx, step);
	}
	return EXIT_RUNTIME;
}

/* Return: what becomes of a link now: PLAN_DONE if it is to be added, and may fail. */
static enum plan_state judge(const struct plan_step *step, double since, bool late)
{
	enum netdev_state state = step->wait ? netdev_state(step->ns, step->netdev) : NETDEV_READY;

	if (state == NETDEV_READY)
		return PLAN_DONE;
	if (late)
		return state == NETDEV_GONE ? PLAN_DROPPED : PLAN_PENDING;
	return clock_seconds() < since + step->wait ? PLAN_PENDING : PLAN_DONE;
}

static bool same_netdev(const struct plan_step *a, const struct plan_step *b)
{
	return a->ns == b->ns && !strcmp(a->netdev, b->netdev);
}

/*
 * Execute the pending steps that need not wait. The steps of an interface are neighbours, and those
 * after its link share its fate. Return: true if some are left.
 */
static bool do_round(const struct ctx *ctx, struct plan *plan, double since, bool late, int *status)
{
	enum plan_state fate = PLAN_DONE;
	bool left = false;

	for (size_t i = 0; i < plan->n; i++) {
		struct plan_step *step = &plan->steps[i];
		int failed;

		if (step->state != PLAN_PENDING)
			continue;
		if (step->action == PLAN_ADD)
			fate = judge(step, since, late);
		else if (!i || !same_netdev(step, step - 1))
			fate = PLAN_DONE;
		step->state = fate;
		left |= fate == PLAN_PENDING;
		failed = fate == PLAN_DONE ? do_step(ctx, step, since) : 0;
		if (failed) {
			step->state = PLAN_DROPPED;
			*status = failed;
		}
	}
	return left;
}

int plan_run(const struct ctx *ctx, struct plan *plan, bool late)
{
	double since = clock_seconds();
	int status = 0;

	while (do_round(ctx, plan, since, late, &status) && !clock_pause(late ? 1 : 0.1))
		;
	return status;
}
