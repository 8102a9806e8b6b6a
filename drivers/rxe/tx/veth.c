// SPDX-License-Identifier: GPL-2.0
/*
 * Inline receive on the veth peer. A packet sent on one end of a veth pair normally waits in the
 * backlog of the CPU, until the sender enables softirqs and the softirq receives it on the other
 * end. Here the sender receives it inline, as with bpf_redirect_peer(): without backlog or softirq,
 * with the packet still in the CPU cache. Taps, tc and netfilter of the other end see the packet.
 *
 * Packets sent in softirq, by a timer or as a response to a packet received there, use the backlog,
 * because ksoftirqd yields to programs under load: the program at the other end may have to post a
 * WQE that this end needs. Responses to a packet received inline may be received inline, too.
 *
 * Kernel QPs use the backlog, too: a kernel consumer may post with interrupts off, or with a lock
 * held that its completion handler takes.
 */
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <net/rtnetlink.h>

#include "base/counters.h"
#include "ip/bypass.h"
#include "ip/bypass_trace.h"
#include "tx/veth.h"

/* Maximum depth of inline receives per CPU: a request, and the ACK or response to it. */
#define MAX_NESTED 2

static DEFINE_PER_CPU(unsigned int, rxe_veth_nested);

static bool rxe_veth_is_veth(const struct net_device *ndev)
{
	return ndev->netdev_ops->ndo_get_peer_dev && ndev->rtnl_link_ops &&
	       !strcmp(ndev->rtnl_link_ops->kind, "veth");
}

/* With GRO or XDP, the veth driver receives from a ring of the peer, by NAPI. */
static enum rxe_bypass_veto rxe_veth_veto(const struct net_device *ndev,
					  const struct net_device *peer)
{
	if (peer->features & NETIF_F_GRO || dev_xdp_prog_count((struct net_device *)peer))
		return RXE_VETO_VETH_RING;
	return rxe_netdev_can_count_sent(ndev) ? RXE_BYPASS_OK : RXE_VETO_STATS;
}

static struct net_device *rxe_veth_trace_veto(struct net_device *ndev, enum rxe_bypass_veto veto)
{
	if (trace_rxe_bypass_enabled() && rxe_veth_is_veth(ndev))
		trace_rxe_bypass(veto, ndev, RXE_BYPASS_TX_VETH);
	return NULL;
}

struct net_device *rxe_veth_peer(struct net_device *ndev, enum rxe_bypass_veto veto)
{
	struct net_device *peer;

	if (veto)
		return rxe_veth_trace_veto(ndev, veto);
	if (in_serving_softirq())
		return rxe_veth_trace_veto(ndev, RXE_VETO_SOFTIRQ);
	if (!rxe_veth_is_veth(ndev))
		return NULL;
	peer = ndev->netdev_ops->ndo_get_peer_dev(ndev);
	if (!peer)
		return NULL;
	veto = rxe_veth_veto(ndev, peer);
	return veto ? rxe_veth_trace_veto(ndev, veto) : peer;
}

bool rxe_veth_rx_inline(struct net_device *ndev, struct net_device *peer, struct sk_buff *skb)
{
	unsigned int len = skb->len;

	if (__this_cpu_read(rxe_veth_nested) >= MAX_NESTED)
		return false;
	rxe_percpu_add_bh(rxe_veth_nested, 1);
	if (!__dev_forward_skb(peer, skb)) {
		rxe_netdev_count_sent(ndev, len);
		netif_receive_skb(skb);
	}
	rxe_percpu_add_bh(rxe_veth_nested, -1);
	return true;
}
