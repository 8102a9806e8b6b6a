/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Routes: the one that packets to an address take, and those by an interface.
 */
#ifndef RXECTL_ROUTE_H
#define RXECTL_ROUTE_H

#include <net/if.h>
#include <netinet/in.h>

struct netns;

/* An address as text, IPv4 mapped into IPv6. Return: 0 or -EINVAL. */
int address_parse(const char *text, struct in6_addr *address);

/**
 * route_get() - ask the kernel for a route
 * @to: where to, IPv4 mapped
 * @source: receives the address that packets would be sent from, IPv4 mapped
 * @netdev: receives the interface that they leave by
 *
 * Return: 0, -ENETUNREACH or another -errno.
 */
int route_get(const struct netns *ns, const struct in6_addr *to, struct in6_addr *source,
	      char netdev[IF_NAMESIZE]);

struct routes;

/*
 * The routes by an interface alone, but for the kernel's own: they are lost when it goes down,
 * though its addresses may not be. To be given to routes_restore(); NULL if they cannot be read.
 */
struct routes *routes_save(const struct netns *ns, const char *netdev);

/*
 * Adds those that are missing, when the interface is up again. A gateway may take up to two seconds
 * to be reachable. Return: 0, or the -errno of the first that could not be added.
 */
int routes_restore(const struct netns *ns, struct routes *routes);

#endif
