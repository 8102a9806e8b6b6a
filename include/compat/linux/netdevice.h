/* SPDX-License-Identifier: GPL-2.0 */
/* Filters, packet sockets, queues and counters of an interface, whose fields changed. */
#ifndef COMPAT_LINUX_NETDEVICE_H
#define COMPAT_LINUX_NETDEVICE_H

#include_next <linux/netdevice.h>

/* A reference to an interface, with a tracker for debugging where the kernel has them. */
#if defined(RXE_HAVE_NETDEV_HOLD)
#elif defined(RXE_HAVE_DEV_HOLD_TRACK)
#define netdev_hold(dev, tracker, gfp) dev_hold_track(dev, tracker, gfp)
#define netdev_put(dev, tracker)       dev_put_track(dev, tracker)
#else
typedef struct {
} netdevice_tracker;

static inline void netdev_hold(struct net_device *dev, netdevice_tracker *tracker, gfp_t gfp)
{
	dev_hold(dev);
}

static inline void netdev_put(struct net_device *dev, netdevice_tracker *tracker)
{
	dev_put(dev);
}
#endif

#ifndef RXE_HAVE_XDP_PROG_COUNT
/* XDP programs of an interface, in all modes. */
static inline u8 dev_xdp_prog_count(struct net_device *dev)
{
	u8 count = 0;
	int i;

	for (i = 0; i < __MAX_XDP_MODE; i++)
		if (READ_ONCE(dev->xdp_state[i].prog) || READ_ONCE(dev->xdp_state[i].link))
			count++;
	return count;
}
#endif

/* The queue that the driver selects; older kernels pass it a function to fall back to. */
static inline u16 rxe_netdev_select_queue(struct net_device *dev, struct sk_buff *skb)
{
#ifdef RXE_HAVE_SELECT_QUEUE_FALLBACK
	return dev->netdev_ops->ndo_select_queue(dev, skb, NULL, netdev_pick_tx);
#else
	return dev->netdev_ops->ndo_select_queue(dev, skb, NULL);
#endif
}

/* The tc and BPF programs at ingress or egress, NULL if none: the field has had two names. */
#if defined(RXE_HAVE_TCX_INGRESS) && defined(CONFIG_NET_XGRESS)
#define rxe_netdev_tc(dev, direction) rcu_access_pointer((dev)->tcx_##direction)
#elif !defined(RXE_HAVE_TCX_INGRESS) && defined(CONFIG_NET_CLS_ACT)
#define rxe_netdev_tc(dev, direction) rcu_access_pointer((dev)->miniq_##direction)
#else
#define rxe_netdev_tc(dev, direction) false
#endif

/**
 * rxe_netdev_has_egress_filter() - true if tc, BPF or nftables filter outgoing packets
 * @dev: device
 *
 * Context: RCU read lock held. A filter may be attached right after the call.
 */
static inline bool rxe_netdev_has_egress_filter(const struct net_device *dev)
{
#ifdef CONFIG_NETFILTER_EGRESS
	if (rcu_access_pointer(dev->nf_hooks_egress))
		return true;
#endif
	return rxe_netdev_tc(dev, egress);
}

/* True if tc, BPF or nftables filter incoming packets. Context: RCU read lock held. */
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
 * rxe_netdev_has_tap() - true if a packet socket captures one protocol
 * @dev: device
 * @protocol: ETH_P_*, network byte order
 *
 * Packet sockets for all devices are in a list of the namespace, which older kernels do not export.
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
 * rxe_netdev_count_sent() - count a transmitted packet in the per-CPU counters of the interface
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

/* True if rxe_netdev_count_sent() has counters. Older kernels do not say which there are. */
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
