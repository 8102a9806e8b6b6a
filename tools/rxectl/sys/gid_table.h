/* SPDX-License-Identifier: GPL-2.0 */
/* GID table of a port, read without privileges. */
#ifndef RXECTL_GID_TABLE_H
#define RXECTL_GID_TABLE_H

#include <stddef.h>

struct gid;

/* Read the nonzero entries of port 1, sorted by index; free @gids. Return: 0 or -ENOMEM. */
int gids_get(const char *device, struct gid **gids, size_t *n);

#endif
