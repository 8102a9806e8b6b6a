/* SPDX-License-Identifier: GPL-2.0 */
/* Output functions of routes, which older kernels do not export. */
#ifndef COMPAT_NET_IP6_ROUTE_H
#define COMPAT_NET_IP6_ROUTE_H

#include_next <net/ip6_route.h>
#include <net/ip.h>
#include <net/xfrm.h>

/**
 * rxe_dst_is_plain_output() - true if the output function of a route is that of plain IP
 * @dst: route, of unicast, without a tunnel, and not of an interface that is a l3 master
 * @v6: IPv6
 *
 * Older kernels do not export these functions. There, no route is plain while the namespace has a
 * policy of IPsec for output.
 */
static inline bool rxe_dst_is_plain_output(const struct dst_entry *dst, bool v6)
{
#ifdef RXE_HAVE_RT_GW_FAMILY
	return READ_ONCE(dst->output) == (v6 ? ip6_output : ip_output);
#else
#ifdef CONFIG_XFRM
	if (READ_ONCE(dev_net(dst->dev)->xfrm.policy_count[XFRM_POLICY_OUT]) || dst_xfrm(dst))
		return false;
#endif
	return READ_ONCE(dst->output) != dst_discard_out;
#endif
}

#endif
