/* SPDX-License-Identifier: GPL-2.0 */
/* Links: rxe devices and their network interfaces. */
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
 * @netdev: its interface; "" if it has none or the name is unknown
 * @ns: namespace of the interface; NULL if that has no name or cannot be entered
 */
struct rxe_link {
	struct nldev_dev dev;
	struct nldev_port port;
	char netdev[IF_NAMESIZE];
	const struct netns *ns;
};

/**
 * struct links - all links, in the order of the kernel's device list
 * @links: the links
 * @n: number of links
 * @own: the caller's network namespace
 * @named: other namespaces, opened when the interface of a device is not in @own
 * @n_named: number of namespaces in @named
 * @named_opened: @named is valid
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
 * links_get() - list links and report errors
 * @ctx: output stream and format
 * @name: list only this device; NULL for all
 * @links: release with links_put(), also after an error
 *
 * An empty list is an error only if @name is given.
 *
 * Return: the exit status.
 */
int links_get(const struct ctx *ctx, const char *name, struct links *links);

/* List all links without reporting errors. Return: 0 or -errno. */
int links_find(struct links *links);

void links_put(struct links *links);

/* Return: the name of the interface's namespace; NULL for the caller's, "?" if unknown. */
const char *link_namespace(const struct rxe_link *link);

/* Return: the link on interface @netdev of namespace @ns, or NULL. */
const struct rxe_link *links_on(const struct links *links, const struct netns *ns,
				const char *netdev);

/* Return: true if an RDMA device of any driver is named @name. */
bool link_name_taken(struct nlsock *rdma, const char *name);

/*
 * Form the default name of a link: "rxe0" for interface "hsn0", whose number is that of the adapter;
 * "rxe_eth0" for any other. It depends on the interface alone, so that a host has the same names
 * after each boot.
 */
void link_default_name(const char *netdev, char name[NLDEV_NAME_SIZE]);

/* Return: true if the name is that of link_default_name(). */
bool link_has_default_name(const struct rxe_link *link);

/* Print a hint why no link is listed. */
void links_hint_none(const struct ctx *ctx);

#endif
