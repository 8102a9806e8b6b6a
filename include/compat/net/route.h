/* SPDX-License-Identifier: GPL-2.0 */
/* dst_rtable() for older kernels. */
#ifndef COMPAT_NET_ROUTE_H
#define COMPAT_NET_ROUTE_H

#include <linux/container_of.h>
#include_next <net/route.h>

#ifndef dst_rtable
#define dst_rtable(_ptr) container_of_const(_ptr, struct rtable, dst)
#endif

#endif
