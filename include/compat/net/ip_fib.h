/* SPDX-License-Identifier: GPL-2.0 */
/* fib4_has_custom_rules() for older kernels. */
#ifndef COMPAT_NET_IP_FIB_H
#define COMPAT_NET_IP_FIB_H

#include_next <net/ip_fib.h>

#ifndef RXE_HAVE_FIB4_CUSTOM_RULES
static inline bool fib4_has_custom_rules(const struct net *net)
{
#ifdef CONFIG_IP_MULTIPLE_TABLES
	return net->ipv4.fib_has_custom_rules;
#else
	return false;
#endif
}
#endif

#endif
