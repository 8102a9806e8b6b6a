/* SPDX-License-Identifier: GPL-2.0 */
/* dst_dev() for older kernels. */
#ifndef COMPAT_NET_DST_H
#define COMPAT_NET_DST_H

#include_next <net/dst.h>

#ifndef RXE_HAVE_DST_DEV
static inline struct net_device *dst_dev(const struct dst_entry *dst)
{
	return READ_ONCE(dst->dev);
}
#endif

#endif
