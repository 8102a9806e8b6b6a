/* SPDX-License-Identifier: GPL-2.0 */
/* Routes: lookup by destination, save and restore by interface. */
#ifndef RXECTL_ROUTE_H
#define RXECTL_ROUTE_H

#include <net/if.h>
#include <netinet/in.h>

struct netns;

/* Parse an IP address; IPv4 is mapped into IPv6. Return: 0 or -EINVAL. */
int address_parse(const char *text, struct in6_addr *address);

/*
 * The same for an IP address or the name of a host. Return: NULL, or the reason why the name has no
 * address.
 */
const char *address_resolve(const char *text, struct in6_addr *address);

/**
 * route_get() - look up a route
 * @ns: network namespace
 * @to: destination, IPv4 mapped
 * @source: receives the source address, IPv4 mapped
 * @netdev: receives the outgoing interface
 *
 * Return: 0, -ENETUNREACH or another -errno.
 */
int route_get(const struct netns *ns, const struct in6_addr *to, struct in6_addr *source,
	      char netdev[IF_NAMESIZE]);

struct routes;

/*
 * Save the routes whose only next hop is on @netdev, except those of the kernel and of router
 * advertisements: the kernel deletes them when the interface goes down, even if its addresses stay.
 * Return: the routes for routes_restore(), or NULL.
 */
struct routes *routes_save(const struct netns *ns, const char *netdev);

/*
 * Add missing routes after the interface is up again, and free @routes. Retries up to 2 s each
 * until the gateway is reachable. Return: 0, or the -errno of the first route that could not be
 * added.
 */
int routes_restore(const struct netns *ns, struct routes *routes);

#endif
