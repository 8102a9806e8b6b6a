// SPDX-License-Identifier: GPL-2.0
/* Creation of links. */
#include <errno.h>
#include <string.h>

#include "link/create.h"
#include "link/diagnose.h"
#include "link/links.h"
#include "link/wait.h"
#include "sys/netns.h"
#include "util/clock.h"

/* Seconds to wait for another process that is adding or removing the same link. */
#define SETTLE 2

/* Return: true if the interface has a link, named @name unless that is NULL. */
static bool has_link(const struct link_request *a, const char *name)
{
	const struct rxe_link *link;
	struct links links;
	bool has;

	link = links_find(&links) ? NULL : links_on(&links, a->ns, a->netdev);
	has = link && (!name || !strcmp(link->dev.name, name));
	links_put(&links);
	return has;
}

static bool was_created(const struct link_request *a)
{
	return has_link(a, a->named ? a->name : NULL);
}

/*
 * A link that another process is adding or removing is not listed, but makes the kernel refuse:
 * retry for SETTLE seconds.
 */
static int new_link(const struct link_request *a)
{
	struct nlsock *rdma = netns_rdma(a->ns);
	double end = clock_seconds() + SETTLE;
	int err;

	while ((err = nldev_newlink(rdma, a->name, "rxe", a->netdev)) == -EEXIST ||
	       err == -ENFILE) {
		if (link_name_taken(rdma, a->name) || has_link(a, NULL) || clock_seconds() >= end)
			break;
		clock_pause(0.02);
	}
	return err;
}

int link_create(const struct ctx *ctx, struct link_request *a)
{
	struct link_refusal r = { .ns = a->ns, .name = a->name, .netdev = a->netdev };
	int status = wait_for_netdev(ctx, a->ns, a->netdev, a->wait, a->since, a->remedy);

	if (status)
		return status;
	if (!*a->name)
		link_default_name(a->netdev, a->name);
	r.err = new_link(a);
	if (r.err && a->if_missing && was_created(a))
		return 0;
	return r.err ? link_diagnose(ctx, &r) : 0;
}
