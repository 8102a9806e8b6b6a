/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The addresses of this host's RDMA devices, which their GIDs are made of.
 */
#ifndef RXECTL_LOCAL_H
#define RXECTL_LOCAL_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "perf/rc.h"
#include "sys/nldev.h"

/* A socket's address, IPv4 or IPv6, as it stands in GIDs (IPv4 mapped). */
struct in6_addr peer_local_gid(const struct sockaddr_storage *address);

/*
 * Opens the device that has @gid; says which, and the GID's @index there. Return: NULL with
 * @why, and an empty @device if there is none.
 */
struct rc *peer_local_open(const struct in6_addr *gid, char device[NLDEV_NAME_SIZE],
			   unsigned int *index, char *why);

/* An address of @device, or of any for NULL, that this network namespace has. */
bool peer_local_address(const char *device, char address[INET6_ADDRSTRLEN]);

#endif
