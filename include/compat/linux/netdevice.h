/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPAT_LINUX_NETDEVICE_H
#define COMPAT_LINUX_NETDEVICE_H

#include_next <linux/netdevice.h>

/* What tc and BPF have to do with ingress or egress, if anything: the field has had two names. */
#if defined(RXE_HAVE_TCX_INGRESS) && defined(CONFIG_NET_XGRESS)
#define rxe_netdev_tc(dev, way) rcu_access_pointer((dev)->tcx_##way)
#elif !defined(RXE_HAVE_TCX_INGRESS) && defined(CONFIG_NET_CLS_ACT)
#define rxe_netdev_tc(dev, way) rcu_access_pointer((dev)->miniq_##way)
#else
#define rxe_netdev_tc(dev, way) false
#endif

/**
 * rxe_netdev_has_egress_filter() - would tc, BPF or nftables see what is sent
 * @dev: the device; the answer may be out of date at once
 */
static inline bool rxe_netdev_has_egress_filter(const struct net_device *dev)
{
#ifdef CONFIG_NETFILTER_EGRESS
	if (rcu_access_pointer(dev->nf_hooks_egress))
		return true;
#endif
	return rxe_netdev_tc(dev, egress);
}

/* The same of what is received. */
static inline bool rxe_netdev_has_ingress_filter(const struct net_device *dev)
{
#ifdef CONFIG_NETFILTER_INGRESS
	if (rcu_access_pointer(dev->nf_hooks_ingress))
		return true;
#endif
	return rxe_netdev_tc(dev, ingress);
}

static inline bool rxe_netdev_ptype_listed(const struct list_head *ptypes, __be16 protocol)
{
	const struct packet_type *ptype;

	list_for_each_entry_rcu(ptype, ptypes, list)
		if (ptype->type == protocol)
			return true;
	return false;
}

/**
 * rxe_netdev_has_tap() - is a packet socket there for one protocol?
 * @dev: device
 * @protocol: such as ETH_P_IP, network order
 *
 * Those for all devices are in a list of the namespace; older kernels have a private one.
 *
 * Context: RCU read lock held.
 */
static inline bool rxe_netdev_has_tap(const struct net_device *dev, __be16 protocol)
{
#ifdef RXE_HAVE_NET_PTYPE
	if (rxe_netdev_ptype_listed(&dev_net(dev)->ptype_specific, protocol))
		return true;
#endif
	return rxe_netdev_ptype_listed(&dev->ptype_specific, protocol);
}

/**
 * rxe_netdev_count_sent() - count a packet as sent, as the interface itself would have
 * @dev: the device
 * @len: bytes of the packet
 *
 * Context: bottom halves off.
 */
static inline void rxe_netdev_count_sent(struct net_device *dev, unsigned int len)
{
#ifdef RXE_HAVE_PCPU_STAT_TYPE
	if (dev->pcpu_stat_type == NETDEV_PCPU_STAT_LSTATS)
		dev_lstats_add(dev, len);
	else if (dev->pcpu_stat_type == NETDEV_PCPU_STAT_TSTATS)
		dev_sw_netstats_tx_add(dev, 1, len);
#endif
}

/* Would that count? Older kernels do not say what counters an interface has. */
static inline bool rxe_netdev_can_count_sent(const struct net_device *dev)
{
#ifdef RXE_HAVE_PCPU_STAT_TYPE
	return dev->pcpu_stat_type == NETDEV_PCPU_STAT_LSTATS ||
	       dev->pcpu_stat_type == NETDEV_PCPU_STAT_TSTATS;
#else
	return false;
#endif
}

#endif
