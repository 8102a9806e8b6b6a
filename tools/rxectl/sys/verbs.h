/* SPDX-License-Identifier: GPL-2.0 */
/* Properties of RDMA devices that only libibverbs reports, or that it reports faster than sysfs. */
#ifndef RXECTL_VERBS_H
#define RXECTL_VERBS_H

#include <stddef.h>

struct gid;
struct ibv_context;

/**
 * verbs_open() - open a device
 * @name: of the RDMA device
 *
 * Return: the device, to be closed by ibv_close_device(); NULL if it cannot be opened, with errno
 * set, or if libibverbs lists no such device, with errno as that has left it.
 */
struct ibv_context *verbs_open(const char *name);

/**
 * verbs_active_mtu() - query the active path MTU of port 1
 * @name: of the RDMA device
 *
 * Return: bytes; 0 if the device cannot be opened (no provider, no device node, no permission).
 */
unsigned int verbs_active_mtu(const char *name);

/**
 * verbs_gids() - get the GID table of port 1 in one call
 * @name: of the RDMA device
 * @gids: entries in use, sorted by index, without their interfaces; free them
 * @n: number of these
 *
 * Return: 0 or a negative errno, if the device cannot be opened.
 */
int verbs_gids(const char *name, struct gid **gids, size_t *n);

#endif
