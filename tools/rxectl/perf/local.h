/* SPDX-License-Identifier: GPL-2.0 */
/* Addresses of this host's RDMA devices. */
#ifndef RXECTL_LOCAL_H
#define RXECTL_LOCAL_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "perf/rc.h"
#include "sys/nldev.h"

/* Return: the GID of a socket address (IPv4 mapped). */
struct in6_addr peer_local_gid(const struct sockaddr_storage *address);

/*
 * Open the device that has @gid; sets @device and the GID index. Return: NULL with @why if it
 * fails; @device is "" if no device has the GID.
 */
struct rc *peer_local_open(const struct in6_addr *gid, char device[NLDEV_NAME_SIZE],
			   unsigned int *index, char *why);

/*
 * Find an address of @device, or of any device if NULL, that this network namespace has. Return:
 * success.
 */
bool peer_local_address(const char *device, char address[INET6_ADDRSTRLEN]);

#endif
