// SPDX-License-Identifier: GPL-2.0
/* Addresses of this host's RDMA devices. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "perf/local.h"
#include "sys/gid.h"
#include "sys/gid_table.h"
#include "util/files.h"

struct in6_addr peer_local_gid(const struct sockaddr_storage *address)
{
	struct in6_addr gid = IN6ADDR_ANY_INIT;

	if (address->ss_family == AF_INET6)
		return ((const struct sockaddr_in6 *)address)->sin6_addr;
	memset(&gid.s6_addr[10], 0xff, 2);
	memcpy(&gid.s6_addr[12], &((const struct sockaddr_in *)address)->sin_addr, 4);
	return gid;
}

static bool find_in(const char *device, const struct in6_addr *gid, unsigned int *index)
{
	const struct gid *match;
	struct gid *gids;
	size_t n;

	if (gids_get(device, &gids, &n))
		return false;
	match = gids_find(gids, n, gid);
	if (match)
		*index = match->index;
	free(gids);
	return match;
}

static bool find_device(const struct in6_addr *gid, char device[NLDEV_NAME_SIZE],
			unsigned int *index)
{
	char **names;
	size_t n = file_list("/sys/class/infiniband", "", &names);
	bool found = false;

	for (size_t i = 0; i < n && !found; i++) {
		found = find_in(names[i], gid, index);
		if (found)
			snprintf(device, NLDEV_NAME_SIZE, "%s", names[i]);
	}
	file_list_free(names, n);
	return found;
}

struct rc *peer_local_open(const struct in6_addr *gid, char device[NLDEV_NAME_SIZE],
			   unsigned int *index, char *why)
{
	char text[INET6_ADDRSTRLEN];

	if (find_device(gid, device, index))
		return rc_open(device, *index, gid, why);
	gid_address(gid, text);
	errbuf_set(why, "no RDMA device has the address %s", text);
	return NULL;
}

/* The interface of a device may be in another network namespace: try to bind the address. */
static bool is_own(const struct in6_addr *gid)
{
	struct sockaddr_in6 own6 = { .sin6_family = AF_INET6, .sin6_addr = *gid };
	struct sockaddr_in own4 = { .sin_family = AF_INET };
	bool v4 = IN6_IS_ADDR_V4MAPPED(gid), own;
	int fd = socket(v4 ? AF_INET : AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return false;
	memcpy(&own4.sin_addr, &gid->s6_addr[12], 4);
	own = v4 ? !bind(fd, (struct sockaddr *)&own4, sizeof(own4)) :
		   !bind(fd, (struct sockaddr *)&own6, sizeof(own6));
	close(fd);
	return own;
}

/* Preferred address of a device, if this network namespace has it. */
static bool own_address(const char *device, char address[INET6_ADDRSTRLEN])
{
	const struct gid *best;
	struct gid *gids;
	size_t n;

	if (gids_get(device, &gids, &n))
		return false;
	best = gids_best(gids, n);
	if (best && !IN6_IS_ADDR_LINKLOCAL(&best->raw) && is_own(&best->raw))
		gid_address(&best->raw, address);
	else
		best = NULL;
	free(gids);
	return best;
}

bool peer_local_address(const char *device, char address[INET6_ADDRSTRLEN])
{
	char **names;
	size_t n = file_list("/sys/class/infiniband", "", &names);
	bool found = false;

	for (size_t i = 0; i < n && !found; i++)
		if (!device || !strcmp(device, names[i]))
			found = own_address(names[i], address);
	file_list_free(names, n);
	return found;
}
