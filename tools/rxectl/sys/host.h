/* SPDX-License-Identifier: GPL-2.0 */
/* Host: loaded modules, capabilities and limits of the caller, output of other programs. */
#ifndef RXECTL_HOST_H
#define RXECTL_HOST_H

#include <stdbool.h>
#include <stddef.h>

/* Return: true if a module rdma_rxe, the kernel's own or this one, is loaded or built in. */
bool host_module_loaded(void);

/* Return: true if CAP_NET_ADMIN is effective (in the user namespace of the process). */
bool host_net_admin(void);

/*
 * Read the sysfs attribute "parent" of an RDMA device: the name of the interface underneath,
 * without its namespace. Only software devices have it. Return: true if it was read.
 */
bool host_rdma_parent(const char *name, char *parent, size_t size);

/* Return: true if the caller can read and write the file @name in @dir. */
bool host_can_use(const char *dir, const char *name);

/* Return: true if CAP_IPC_LOCK is effective, with which RLIMIT_MEMLOCK does not apply. */
bool host_ipc_lock(void);

/* Return: true if modprobe finds the module @name for the running kernel. */
bool host_has_module(const char *name);

/* Return: what loads rdma_rxe, or what installs it if the running kernel has no such module. */
const char *host_load_remedy(void);

/* Return: RLIMIT_MEMLOCK in bytes; ULONG_MAX if unlimited. */
unsigned long host_memlock(void);

/*
 * Run a shell command. Return: its standard output, to be freed; NULL if it does not exist or
 * fails.
 */
char *host_run(const char *command);

#endif
