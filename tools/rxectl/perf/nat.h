/* SPDX-License-Identifier: GPL-2.0 */
/* Detection of address translation (NAT) between the ends of the path test. */
#ifndef RXECTL_NAT_H
#define RXECTL_NAT_H

#include <netinet/in.h>
#include <stdbool.h>

#include "util/errbuf.h"

/**
 * struct nat_view - the addresses of a TCP connection, as both ends see them
 * @self: local GID of the client, the source address of its packets
 * @self_seen: source address that the server receives; unspecified if it does not report it
 * @peer: local GID of the server, the destination address that it receives
 * @peer_seen: destination address of the client's packets
 */
struct nat_view {
	struct in6_addr self;
	struct in6_addr self_seen;
	struct in6_addr peer;
	struct in6_addr peer_seen;
};

/* Return: true, with @why, if an address is translated on the way. */
bool nat_found(const struct nat_view *view, char why[ERRBUF_SIZE]);

#endif
