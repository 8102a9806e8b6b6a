/* SPDX-License-Identifier: GPL-2.0 */
/* IPsec: what happens to received packets that no policy matches, and which were encrypted. */
#ifndef COMPAT_NET_XFRM_H
#define COMPAT_NET_XFRM_H

#include_next <net/xfrm.h>

/* True if packets pass that no policy matches: always so before a namespace could choose. */
#ifdef CONFIG_XFRM
static inline bool rxe_xfrm_accepts_unmatched(const struct net *net)
{
#if defined(RXE_HAVE_XFRM_DEFAULTS)
	return READ_ONCE(net->xfrm.policy_default[XFRM_POLICY_IN]) == XFRM_USERPOLICY_ACCEPT;
#elif defined(RXE_HAVE_XFRM_DEFAULT_BITS)
	return !(READ_ONCE(net->xfrm.policy_default) & XFRM_POL_DEFAULT_IN);
#else
	return true;
#endif
}
#endif

#ifndef RXE_HAVE_SECPATH_CONST
static inline int rxe_secpath_exists(const struct sk_buff *skb)
{
	return secpath_exists((struct sk_buff *)skb);
}

#define secpath_exists rxe_secpath_exists
#endif

#endif
