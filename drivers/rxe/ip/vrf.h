/* SPDX-License-Identifier: GPL-2.0 */
/*
 * VRFs (l3 master devices): the interface that a received packet arrived on.
 */
#ifndef RXE_VRF_H
#define RXE_VRF_H

#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/ip.h>

/**
 * rxe_vrf_ingress() - find the interface that a packet arrived on
 * @skb: packet, network header set
 *
 * In a VRF, IP input replaces the ingress interface in skb->dev by the l3 master.
 *
 * Context: RCU read lock held.
 * Return: skb->dev, or, if that is an l3 master, the interface in the VRF; the l3 master itself for
 * packets of this host.
 */
static inline struct net_device *rxe_vrf_ingress(struct sk_buff *skb)
{
	int ifindex;

	if (!netif_is_l3_master(skb->dev))
		return skb->dev;
	ifindex = ip_hdr(skb)->version == 6 ? inet6_sdif(skb) : inet_sdif(skb);
	return dev_get_by_index_rcu(dev_net(skb->dev), ifindex) ?: skb->dev;
}

#endif
