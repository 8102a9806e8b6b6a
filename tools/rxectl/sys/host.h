/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The machine and the caller's rights on it.
 */
#ifndef RXECTL_HOST_H
#define RXECTL_HOST_H

#include <stdbool.h>
#include <stddef.h>

/* Is module rdma_rxe, whichever, loaded or built in? */
bool host_module_loaded(void);

/* Has the process CAP_NET_ADMIN (in its own user namespace)? */
bool host_net_admin(void);

/*
 * The sysfs attribute "parent" of an RDMA device, which only software devices have: the name of
 * the interface underneath, without its namespace. Returns whether it is there.
 */
bool host_rdma_parent(const char *name, char *parent, size_t size);

/* May the caller read and write the file @name in @dir? */
bool host_can_use(const char *dir, const char *name);

/* Bytes that the caller may lock; ULONG_MAX without a limit. */
unsigned long host_memlock(void);

/* What a command prints, to be freed; NULL if it is not there or fails. */
char *host_run(const char *command);

#endif
