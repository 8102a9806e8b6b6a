/* SPDX-License-Identifier: GPL-2.0 */
/* Interfaces that have the addresses of a GID table. */
#ifndef RXECTL_GID_OWNER_H
#define RXECTL_GID_OWNER_H

#include <stdbool.h>
#include <stddef.h>

struct gid;
struct netns;

/*
 * Find the entry that is no address. The kernel makes GID 0 from the MAC address of the device's
 * interface. An interface with stable-privacy IPv6 addresses, or without a MAC address, does not
 * have that address. Nothing is found if the interface @netdev in @ns cannot be read.
 */
void gids_check(struct gid *gids, size_t n, const struct netns *ns, const char *netdev);

/* Return: true if the interface of @gid is in @ns and has its address. */
bool gid_is_in(const struct gid *gid, const struct netns *ns);

#endif
