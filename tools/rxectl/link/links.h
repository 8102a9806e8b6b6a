/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The links: each rxe device and the network interface that it runs on.
 */
#ifndef RXECTL_LINKS_H
#define RXECTL_LINKS_H

#include <stdbool.h>

#include "sys/netns.h"
#include "sys/nldev.h"

struct ctx;

/**
 * struct rxe_link - an rxe device
 * @dev: the RDMA device
 * @port: its only port
 * @netdev: the interface; empty if there is none any more or its name is not known
 * @ns: the interface's namespace; NULL if it is in one that cannot be entered or has no name
 */
struct rxe_link {
	struct nldev_dev dev;
	struct nldev_port port;
	char netdev[IF_NAMESIZE];
	const struct netns *ns;
};

/**
 * struct links - links in the order in which the kernel lists the devices
 * @own: the caller's network namespace
 * @named: the other namespaces, opened when the first device's interface is not in @own
 */
struct links {
	struct rxe_link *links;
	size_t n;
	struct netns *own;
	struct netns **named;
	size_t n_named;
	bool named_opened;
};

/**
 * links_get() - find the links
 * @name: of the only device that is of interest, or NULL for all
 * @links: to be released with links_put(), whatever is returned
 *
 * Reports its errors; no device at all is one only if @name is given.
 *
 * Return: the exit status.
 */
int links_get(const struct ctx *ctx, const char *name, struct links *links);

/* The same for all links, without a report. Return: 0 or -errno. */
int links_find(struct links *links);

void links_put(struct links *links);

/* Where the interface is: NULL for the caller's namespace, "?" if that is not known. */
const char *link_namespace(const struct rxe_link *link);

/* The link on the interface @netdev of namespace @ns, or NULL. */
const struct rxe_link *links_on(const struct links *links, const struct netns *ns,
				const char *netdev);

/* Is there an RDMA device, of any driver, that is called so? */
bool link_name_taken(struct nlsock *rdma, const char *name);

/*
 * The name for a link to @netdev that is given none: "rxe" and the number that the interface's
 * name ends with, or "rxe_" and that name if there is no number or the other is taken.
 */
void link_default_name(struct nlsock *rdma, const char *netdev, char name[NLDEV_NAME_SIZE]);

/* Might it have been given none? */
bool link_has_default_name(const struct rxe_link *link);

/* Says on the error stream why there is nothing to show. */
void links_hint_none(const struct ctx *ctx);

#endif
