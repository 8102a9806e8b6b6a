// SPDX-License-Identifier: GPL-2.0
/*
 * What one end of a veth pair sends waits in the processor's backlog, for a softirq that receives
 * it at the other end as soon as the sender lets it. So the sender may as well have it received
 * itself, as bpf_redirect_peer() has: backlog and softirq are spared, and the packets are still in
 * the cache. Who looks at packets at the other end (taps, traffic control, netfilter) sees these.
 *
 * That is for what is posted. Packets that a softirq sends, because a timer has fired or packets
 * have come, take the backlog, which gives way to programs when there is too much of it: they may
 * have to post what the sender waits for.
 *
 * And it is for programs' endpoints only: kernel consumers may post with interrupts off, or with a
 * lock held that their completion handlers take.
 */
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <net/rtnetlink.h>

#include "tx/veth.h"
#include "base/counters.h"

/* A request, and its acknowledgement or response. */
#define MAX_NESTED 2

static DEFINE_PER_CPU(unsigned int, rxe_peer_nested);

static bool rxe_peer_is_veth(const struct net_device *ndev)
{
	return ndev->netdev_ops->ndo_get_peer_dev && ndev->rtnl_link_ops &&
	       !strcmp(ndev->rtnl_link_ops->kind, "veth");
}

struct net_device *rxe_peer_find(struct net_device *ndev)
{
	struct net_device *peer = NULL;

	if (!in_serving_softirq() && rxe_peer_is_veth(ndev))
		peer = ndev->netdev_ops->ndo_get_peer_dev(ndev);
	/* Either has it take packets from a ring of its own. */
	if (!peer || peer->features & NETIF_F_GRO || dev_xdp_prog_count(peer) ||
	    !rxe_netdev_can_count_sent(ndev))
		return NULL;
	return peer;
}

bool rxe_veth_rx_inline(struct net_device *ndev, struct net_device *peer, struct sk_buff *skb)
{
	unsigned int len = skb->len;

	if (__this_cpu_read(rxe_peer_nested) >= MAX_NESTED)
		return false;
	rxe_percpu_add_bh(rxe_peer_nested, 1);
	if (!__dev_forward_skb(peer, skb)) {
		rxe_netdev_count_sent(ndev, len);
		netif_receive_skb(skb);
	}
	rxe_percpu_add_bh(rxe_peer_nested, -1);
	return true;
}
