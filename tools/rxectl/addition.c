// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include "addition.h"
#include "links.h"
#include "netns.h"
#include "ready.h"
#include "refusal.h"

static int new_link(const struct addition *a)
{
	return nldev_newlink(netns_rdma(a->ns), a->name, "rxe", a->netdev);
}

/* Since it was looked for. */
static bool made_meanwhile(const struct addition *a)
{
	const struct rxe_link *link;
	struct links links;
	bool made;

	link = links_find(&links) ? NULL : links_on(&links, a->ns, a->netdev);
	made = link && (!a->named || !strcmp(link->dev.name, a->name));
	links_put(&links);
	return made;
}

/* Another interface may have got the name since it was chosen: the next choice is nobody else's. */
static int new_link_renamed(struct addition *a)
{
	link_default_name(netns_rdma(a->ns), a->netdev, a->name);
	return new_link(a);
}

int addition_make(const struct ctx *ctx, struct addition *a)
{
	struct refusal r = { .ns = a->ns, .name = a->name, .netdev = a->netdev };
	int status = ready_wait(ctx, a->ns, a->netdev, a->wait, a->remedy);

	if (status)
		return status;
	if (!*a->name)
		link_default_name(netns_rdma(a->ns), a->netdev, a->name);
	r.err = new_link(a);
	if (r.err && a->if_missing && made_meanwhile(a))
		return 0;
	if (!a->named && (r.err == -EEXIST || r.err == -ENFILE))
		r.err = new_link_renamed(a);
	return r.err ? refusal_report(ctx, &r) : 0;
}
