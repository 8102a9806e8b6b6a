// SPDX-License-Identifier: GPL-2.0
/* Detection of address translation (NAT) between the ends of the path test. */
#include "perf/nat.h"
#include "sys/gid.h"

static bool differ(const struct in6_addr *gid, const struct in6_addr *seen)
{
	return !IN6_IS_ADDR_UNSPECIFIED(seen) && !IN6_ARE_ADDR_EQUAL(gid, seen);
}

bool nat_found(const struct nat_view *view, char why[ERRBUF_SIZE])
{
	char gid[INET6_ADDRSTRLEN], seen[INET6_ADDRSTRLEN];

	if (differ(&view->self, &view->self_seen)) {
		gid_address(&view->self, gid);
		gid_address(&view->self_seen, seen);
		errbuf_set(why, "NAT on the way: the address of this host is %s, but the peer sees %s",
			   gid, seen);
		return true;
	}
	if (differ(&view->peer, &view->peer_seen)) {
		gid_address(&view->peer, gid);
		gid_address(&view->peer_seen, seen);
		errbuf_set(why, "NAT on the way: %s leads to a host whose address is %s", seen, gid);
		return true;
	}
	return false;
}
