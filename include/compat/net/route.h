/* SPDX-License-Identifier: GPL-2.0 */
/* dst_rtable() for older kernels, and the gateway of an IPv4 route. */
#ifndef COMPAT_NET_ROUTE_H
#define COMPAT_NET_ROUTE_H

#include <linux/container_of.h>
#include_next <net/route.h>

#ifndef dst_rtable
#define dst_rtable(_ptr) container_of_const(_ptr, struct rtable, dst)
#endif

/* The IPv4 gateway, 0 if there is none. */
static inline __be32 rxe_rt_gateway4(const struct rtable *rt)
{
#ifdef RXE_HAVE_RT_GW_FAMILY
	return rt->rt_gw_family == AF_INET ? rt->rt_gw4 : 0;
#else
	return rt->rt_gateway;
#endif
}

/* True if the gateway has an IPv6 address: older kernels have no such routes. */
static inline bool rxe_rt_has_gateway6(const struct rtable *rt)
{
#ifdef RXE_HAVE_RT_GW_FAMILY
	return rt->rt_gw_family == AF_INET6;
#else
	return false;
#endif
}

#endif
