// SPDX-License-Identifier: GPL-2.0
/* Routes, by rtnetlink: lookup, save, restore. */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/rtnetlink.h>
#include <netdb.h>
#include <netlink/addr.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <netlink/route/nexthop.h>
#include <netlink/route/route.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/netns.h"
#include "sys/route.h"
#include "util/clock.h"

static void map_ipv4(const void *ipv4, struct in6_addr *address)
{
	memset(address, 0, sizeof(*address));
	address->s6_addr[10] = 0xff;
	address->s6_addr[11] = 0xff;
	memcpy(&address->s6_addr[12], ipv4, 4);
}

int address_parse(const char *text, struct in6_addr *address)
{
	struct in_addr ipv4;

	if (inet_pton(AF_INET, text, &ipv4) == 1) {
		map_ipv4(&ipv4, address);
		return 0;
	}
	return inet_pton(AF_INET6, text, address) == 1 ? 0 : -EINVAL;
}

/* The first address, in the order of RFC 6724. */
const char *address_resolve(const char *text, struct in6_addr *address)
{
	struct addrinfo *list, hints = { .ai_socktype = SOCK_DGRAM };
	int err;

	if (!address_parse(text, address))
		return NULL;
	err = getaddrinfo(text, NULL, &hints, &list);
	if (err)
		return gai_strerror(err);
	if (list->ai_family == AF_INET)
		map_ipv4(&((struct sockaddr_in *)list->ai_addr)->sin_addr, address);
	else
		*address = ((struct sockaddr_in6 *)list->ai_addr)->sin6_addr;
	freeaddrinfo(list);
	return NULL;
}

static int take_route(struct nl_msg *msg, void *route)
{
	return rtnl_route_parse(nlmsg_hdr(msg), route) ? NL_SKIP : NL_OK;
}

static struct nl_msg *make_request(const struct in6_addr *to)
{
	bool ipv4 = IN6_IS_ADDR_V4MAPPED(to);
	const void *address = ipv4 ? &to->s6_addr[12] : &to->s6_addr[0];
	struct rtmsg header = { .rtm_family = ipv4 ? AF_INET : AF_INET6,
				.rtm_dst_len = ipv4 ? 32 : 128 };
	struct nl_msg *msg = nlmsg_alloc_simple(RTM_GETROUTE, 0);

	if (msg && !nlmsg_append(msg, &header, sizeof(header), NLMSG_ALIGNTO) &&
	    !nla_put(msg, RTA_DST, header.rtm_dst_len / 8, address))
		return msg;
	nlmsg_free(msg);
	return NULL;
}

/*
 * rtnl_route_lookup() of libnl is missing in the versions of Debian 11 and SLES 15. The reply is
 * the route, and then an acknowledgement.
 */
static int look_up(struct nl_sock *sk, const struct in6_addr *to, struct rtnl_route **route)
{
	struct nl_msg *msg = make_request(to);
	struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);
	int err = -ENOMEM;

	*route = NULL;
	if (!msg || !cb)
		goto out;
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, take_route, route);
	err = -EIO;
	if (nl_send_auto(sk, msg) < 0)
		goto out;
	err = nl_recvmsgs(sk, cb) < 0 ? -ENETUNREACH : 0;
	if (!err)
		nl_wait_for_ack(sk);
	if (!err && !*route)
		err = -ENETUNREACH;
out:
	nl_cb_put(cb);
	nlmsg_free(msg);
	return err;
}

static int read_source(struct rtnl_route *route, struct in6_addr *source)
{
	struct nl_addr *from = rtnl_route_get_pref_src(route);

	if (!from)
		return -EADDRNOTAVAIL;
	if (nl_addr_get_family(from) == AF_INET)
		map_ipv4(nl_addr_get_binary_addr(from), source);
	else
		memcpy(source, nl_addr_get_binary_addr(from), sizeof(*source));
	return 0;
}

static int read_netdev(const struct netns *ns, struct rtnl_route *route, char netdev[IF_NAMESIZE])
{
	struct rtnl_nexthop *hop = rtnl_route_nexthop_n(route, 0);
	struct rtnl_link *link;

	if (!hop ||
	    rtnl_link_get_kernel(netns_route(ns), rtnl_route_nh_get_ifindex(hop), NULL, &link))
		return -ENODEV;
	snprintf(netdev, IF_NAMESIZE, "%s", rtnl_link_get_name(link));
	rtnl_link_put(link);
	return 0;
}

int route_get(const struct netns *ns, const struct in6_addr *to, struct in6_addr *source,
	      char netdev[IF_NAMESIZE])
{
	struct rtnl_route *route;
	int err = look_up(netns_route(ns), to, &route);

	if (err)
		return err;
	err = read_source(route, source);
	if (!err)
		err = read_netdev(ns, route, netdev);
	rtnl_route_put(route);
	return err;
}

/**
 * struct routes - saved routes
 * @all: all routes of the namespace
 * @ifindex: interface whose routes are restored
 */
struct routes {
	struct nl_cache *all;
	int ifindex;
};

struct routes *routes_save(const struct netns *ns, const char *netdev)
{
	struct routes *routes = calloc(1, sizeof(*routes));
	struct rtnl_link *link;

	if (!routes || rtnl_link_get_kernel(netns_route(ns), 0, netdev, &link))
		goto err_free;
	routes->ifindex = rtnl_link_get_ifindex(link);
	rtnl_link_put(link);
	if (!rtnl_route_alloc_cache(netns_route(ns), AF_UNSPEC, 0, &routes->all))
		return routes;
err_free:
	free(routes);
	return NULL;
}

/* The kernel adds its own routes with the addresses, and routers advertise theirs again. */
static bool is_lost(const struct routes *routes, struct rtnl_route *route)
{
	int protocol = rtnl_route_get_protocol(route);

	return protocol != RTPROT_KERNEL && protocol != RTPROT_RA &&
	       rtnl_route_get_nnexthops(route) == 1 &&
	       rtnl_route_nh_get_ifindex(rtnl_route_nexthop_n(route, 0)) == routes->ifindex;
}

static int add_route(const struct netns *ns, struct rtnl_route *route)
{
	double end = clock_seconds() + 2;
	int err;

	do {
		err = rtnl_route_add(netns_route(ns), route, NLM_F_CREATE | NLM_F_EXCL);
		if (!err || err == -NLE_EXIST)
			return 0;
	} while (clock_seconds() < end && !clock_pause(0.1));
	return -ENETUNREACH;
}

int routes_restore(const struct netns *ns, struct routes *routes)
{
	int err = 0;

	if (!routes)
		return 0;
	for (struct nl_object *o = nl_cache_get_first(routes->all); o; o = nl_cache_get_next(o)) {
		struct rtnl_route *route = (struct rtnl_route *)o;
		int failed = is_lost(routes, route) ? add_route(ns, route) : 0;

		err = err ? err : failed;
	}
	nl_cache_free(routes->all);
	free(routes);
	return err;
}
