/* SPDX-License-Identifier: GPL-2.0 */
/* dst_rt6_info() and fib6_has_custom_rules() for older kernels. */
#ifndef COMPAT_NET_IP6_FIB_H
#define COMPAT_NET_IP6_FIB_H

#include <linux/container_of.h>
#include_next <net/ip6_fib.h>

#ifndef dst_rt6_info
#define dst_rt6_info(_ptr) container_of_const(_ptr, struct rt6_info, dst)
#endif

#ifndef RXE_HAVE_FIB6_CUSTOM_RULES
static inline bool fib6_has_custom_rules(const struct net *net)
{
#ifdef CONFIG_IPV6_MULTIPLE_TABLES
	return net->ipv6.fib6_has_custom_rules;
#else
	return false;
#endif
}
#endif

#endif
