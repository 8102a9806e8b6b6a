/* SPDX-License-Identifier: GPL-2.0 */
/* dscp_t, the six bits of a TOS byte above ECN, for kernels without <net/inet_dscp.h>. */
#ifndef COMPAT_NET_INET_DSCP_H
#define COMPAT_NET_INET_DSCP_H

#ifdef RXE_HAVE_INET_DSCP_H
#include_next <net/inet_dscp.h>
#else
#include <linux/types.h>

typedef u8 __bitwise dscp_t;

#define INET_DSCP_MASK 0xfc

static inline dscp_t inet_dsfield_to_dscp(__u8 dsfield)
{
	return (__force dscp_t)(dsfield & INET_DSCP_MASK);
}

static inline __u8 inet_dscp_to_dsfield(dscp_t dscp)
{
	return (__force __u8)dscp;
}
#endif

#endif
