/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The route that packets to an address take.
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

#endif
