/* SPDX-License-Identifier: GPL-2.0 */
/* Receive packet steering, which was declared in <linux/netdevice.h> before <net/rps.h> existed. */
#ifndef COMPAT_NET_RPS_H
#define COMPAT_NET_RPS_H

#ifdef RXE_HAVE_RPS_H
#include_next <net/rps.h>
#else
#include <linux/netdevice.h>
#endif

#endif
