/* SPDX-License-Identifier: GPL-2.0 */
/* GIDs, which are IP addresses of interfaces. */
#ifndef RXECTL_GID_H
#define RXECTL_GID_H

#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * struct gid - an entry of the table
 * @index: GID index
 * @raw: the GID; IPv4 addresses are mapped (::ffff:a.b.c.d)
 * @type: as in sysfs ("RoCE v2")
 * @netdev: interface that has the address, which may be a VLAN above the device's interface; "" if
 *	unknown
 * @unassigned: the device's interface does not have the address, so no packet can use it; set by
 *	gids_check()
 */
struct gid {
	unsigned int index;
	struct in6_addr raw;
	char type[16];
	char netdev[IF_NAMESIZE];
	bool unassigned;
};

/* Return: the RoCE v2 entry for @address (IPv4 mapped), or NULL. */
const struct gid *gids_find(const struct gid *gids, size_t n, const struct in6_addr *address);

/*
 * Return: the preferred RoCE v2 entry that is not known to be unassigned: IPv4, then IPv6 with more
 * than link scope, then link-local IPv6; NULL if there is none.
 */
const struct gid *gids_best(const struct gid *gids, size_t n);

/*
 * Format a GID as sysfs does (eight groups of four digits), or its IPv4 address ("" if it is not
 * IPv4 mapped).
 */
void gid_text(const struct gid *gid, char text[INET6_ADDRSTRLEN]);
void gid_ipv4(const struct gid *gid, char text[INET_ADDRSTRLEN]);

/* Format the IP address of a GID: dotted quad for IPv4, compressed for IPv6. */
void gid_address(const struct in6_addr *raw, char text[INET6_ADDRSTRLEN]);

#endif
