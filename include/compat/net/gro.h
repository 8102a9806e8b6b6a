/* SPDX-License-Identifier: GPL-2.0 */
/* GRO, which was declared in <linux/netdevice.h> before <net/gro.h> existed. */
#ifndef COMPAT_NET_GRO_H
#define COMPAT_NET_GRO_H

#ifdef RXE_HAVE_GRO_H
#include_next <net/gro.h>
#else
#include <linux/netdevice.h>
#endif

#ifndef RXE_HAVE_GRO_HEADER
static inline void *skb_gro_header(struct sk_buff *skb, unsigned int hlen, unsigned int offset)
{
	if (skb_gro_header_hard(skb, hlen))
		return skb_gro_header_slow(skb, hlen, offset);
	return skb_gro_header_fast(skb, offset);
}
#endif

#endif
