/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The GID table of a device's port, as sysfs shows it to everybody.
 */
#ifndef RXECTL_GID_H
#define RXECTL_GID_H

#include <net/if.h>
#include <netinet/in.h>
#include <stddef.h>

/**
 * struct gid - an entry that is in use
 * @index: in the table, which is what programs are told
 * @raw: IPv4 addresses are mapped (::ffff:a.b.c.d)
 * @type: as the kernel writes it ("RoCE v2")
 * @netdev: that has the address, perhaps a VLAN above the device's own; empty if not known
 */
struct gid {
	unsigned int index;
	struct in6_addr raw;
	char type[16];
	char netdev[IF_NAMESIZE];
};

/* The entries of the first port in order; @gids is to be freed. Return: 0 or -ENOMEM. */
int gids_get(const char *device, struct gid **gids, size_t *n);

/* The entry for RoCE v2 with an address (IPv4 mapped), or NULL. */
const struct gid *gids_find(const struct gid *gids, size_t n, const struct in6_addr *address);

/*
 * The entry that a program that is told none does best with: IPv4, then IPv6 of wider than link
 * scope, then any; NULL if there is none for RoCE v2.
 */
const struct gid *gids_best(const struct gid *gids, size_t n);

/* As sysfs writes it, eight groups of four digits; the IPv4 address in it, or "" without one. */
void gid_text(const struct gid *gid, char text[INET6_ADDRSTRLEN]);
void gid_ipv4(const struct gid *gid, char text[INET_ADDRSTRLEN]);

/* The address that a GID is made of, as people write it. */
void gid_address(const struct in6_addr *raw, char text[INET6_ADDRSTRLEN]);

#endif
