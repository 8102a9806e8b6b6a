/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPAT_LINUX_NETDEVICE_H
#define COMPAT_LINUX_NETDEVICE_H

#include_next <linux/netdevice.h>

/**
 * rxe_netdev_has_tc_ingress() - would tc or BPF see packets that @dev receives
 * @dev: the device; the answer may be out of date at once
 *
 * The field that tells so has had two names.
 */
static inline bool rxe_netdev_has_tc_ingress(const struct net_device *dev)
{
#if defined(RXE_HAVE_TCX_INGRESS) && defined(CONFIG_NET_XGRESS)
	return rcu_access_pointer(dev->tcx_ingress);
#elif !defined(RXE_HAVE_TCX_INGRESS) && defined(CONFIG_NET_CLS_ACT)
	return rcu_access_pointer(dev->miniq_ingress);
#else
	return false;
#endif
}

#endif
