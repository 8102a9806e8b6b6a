// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <json-c/json.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "errors.h"
#include "links.h"
#include "netdev.h"
#include "nlsock.h"
#include "plan.h"
#include "profile.h"
#include "ready.h"
#include "refusal.h"

static bool same_namespace(const struct rxe_link *link, const struct netns *ns)
{
	const char *a = link_namespace(link), *b = netns_name(ns);

	return a && b ? !strcmp(a, b) : a == b;
}

static const struct rxe_link *find_link(const struct links *links, const struct netns *ns,
					const char *netdev)
{
	for (size_t i = 0; i < links->n; i++)
		if (!strcmp(links->links[i].netdev, netdev) && same_namespace(&links->links[i], ns))
			return &links->links[i];
	return NULL;
}

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

static bool tune_differs(const struct plan_step *step)
{
	const struct profile *profile = profile_find(step->conf->profile);
	struct json_object *rows = profile_diff(profile, step->ns, step->netdev, step->conf->mtu);
	bool differs = json_object_array_length(rows);

	json_object_put(rows);
	return differs;
}

/* What the section wants of an interface that it is the first to match. */
static int plan_netdev(struct plan *plan, const struct links *links, struct plan_step *step,
		       const struct netdev *netdev)
{
	const struct rxe_link *link = find_link(links, step->ns, step->netdev);
	int err = 0;

	step->wait = step->conf->wait;
	if (step->wait < 0)
		step->wait = ready_is_hsn(step->netdev) ? READY_HSN_WAIT : 0;
	conf_name(step->conf, step->netdev, step->name);
	if (link && !*step->name)
		memcpy(step->name, link->dev.name, sizeof(step->name));
	if (!*step->name)
		link_default_name(netns_rdma(step->ns), step->netdev, step->name);
	if (!link && is_planned(plan, step->name))
		snprintf(step->name, sizeof(step->name), "rxe_%s", step->netdev);

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
	if (!err && *step->conf->profile && (!link || tune_differs(step))) {
		step->action = PLAN_TUNE;
		err = add_step(plan, step);
	}
	return err;
}

/* The sections before this one go first. */
static bool taken(const struct conf *conf, size_t section, const char *name,
		  const struct netdev *netdev)
{
	for (size_t i = 0; i < section; i++)
		if (!strcmp(conf->links[i].netns, conf->links[section].netns) &&
		    conf_matches(&conf->links[i], name, netdev))
			return true;
	return false;
}

/* "*" does not mean the loopback interface and tunnels; who wants those has to name them. */
static bool is_fit(const struct conf_link *link, const char *name, const struct netdev *netdev)
{
	return netdev->type == ARPHRD_ETHER || !strcmp(link->netdev, name);
}

static int plan_section(struct plan *plan, const struct conf *conf, size_t section,
			const char *only, const struct links *links, struct netns *ns)
{
	struct plan_step step = { .conf = &conf->links[section], .ns = ns };
	char(*names)[IF_NAMESIZE];
	struct netdev netdev;
	size_t n;
	int err = netdev_list(ns, &names, &n);

	if (err)
		return err;
	for (size_t i = 0; i < n && !err; i++) {
		if ((only && strcmp(only, names[i])) || netdev_get(ns, names[i], &netdev))
			continue;
		if (is_fit(step.conf, names[i], &netdev) &&
		    conf_matches(step.conf, names[i], &netdev) &&
		    !taken(conf, section, names[i], &netdev)) {
			memcpy(step.netdev, names[i], sizeof(step.netdev));
			err = plan_netdev(plan, links, &step, &netdev);
		}
		netdev_put(&netdev);
	}
	free(names);
	return err;
}

/* The namespace of a section, or NULL if it cannot be entered. */
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
	if (err) {
		snprintf(what, sizeof(what), "network namespace \"%s\": %s", link->netns,
			 strerror(-err));
		conf->complaints++;
		conf->complain(link->file, link->line, what, conf->arg);
		return NULL;
	}
	grown[plan->n_namespaces++] = ns;
	return ns;
}

int plan_make(struct conf *conf, const char *netdev, const struct links *links, struct plan *plan)
{
	int err = 0;

	memset(plan, 0, sizeof(*plan));
	for (size_t i = 0; i < conf->n && !err; i++) {
		const struct conf_link *link = &conf->links[i];
		struct netns *ns = links->own;

		if (*link->netns && !link->broken)
			ns = enter(plan, conf, link);
		if (ns && !link->broken)
			err = plan_section(plan, conf, i, netdev, links, ns);
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

static int do_add(const struct ctx *ctx, const struct plan_step *step)
{
	struct refusal r = { .ns = step->ns, .name = step->name, .netdev = step->netdev };
	int status = ready_wait(ctx, step->ns, step->netdev, step->wait,
				"bring it up and run rxectl apply, or set wait in its section");

	if (status)
		return status;
	r.err = nldev_newlink(netns_rdma(step->ns), step->name, "rxe", step->netdev);
	return r.err ? refusal_report(ctx, &r) : 0;
}

static int do_rename(const struct ctx *ctx, const struct plan_step *step)
{
	struct nlsock *rdma = netns_rdma(step->ns);
	int err = nldev_rename(rdma, step->index, step->name);

	if (!err)
		return 0;
	return fail_refused(ctx, step->name, nlsock_message(rdma), err,
			    "cannot rename the device on \"%s\" to \"%s\"", step->netdev, step->name);
}

static int do_mtu(const struct ctx *ctx, const struct plan_step *step)
{
	int err = netdev_set_mtu(step->ns, step->netdev, step->mtu);

	if (!err)
		return 0;
	return fail_refused(ctx, step->netdev, NULL, err, "cannot set the MTU of \"%s\" to %u",
			    step->netdev, step->mtu);
}

/* Behind the link, with which the module's parameters come. */
static int do_tune(const struct ctx *ctx, const struct plan_step *step)
{
	const struct profile *profile = profile_find(step->conf->profile);
	struct json_object *rows;
	int status = profile_apply(ctx, profile, step->ns, step->netdev, step->conf->mtu, &rows);

	json_object_put(rows);
	return status;
}

int plan_do(const struct ctx *ctx, const struct plan_step *step)
{
	static int (*const actions[])(const struct ctx *, const struct plan_step *) = {
		[PLAN_ADD] = do_add,
		[PLAN_RENAME] = do_rename,
		[PLAN_MTU] = do_mtu,
		[PLAN_TUNE] = do_tune,
	};

	return actions[step->action](ctx, step);
}
