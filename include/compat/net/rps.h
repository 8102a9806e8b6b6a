/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPAT_NET_RPS_H
#define COMPAT_NET_RPS_H

/* What there is of it was in netdevice.h. */
#ifdef RXE_HAVE_RPS_H
#include_next <net/rps.h>
#else
#include <linux/netdevice.h>
#endif

#endif
