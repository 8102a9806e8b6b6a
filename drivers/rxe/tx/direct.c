// SPDX-License-Identifier: GPL-2.0
/*
 * Direct transmit: ndo_start_xmit() of the interface, without the transmit path of the stack.
 *
 * IP output, netfilter, neighbour, tc and qdisc cost a small packet more CPU time than this module
 * and its transport. They are skipped if they would not act on the packet: no filter is installed,
 * and the qdisc is empty and has TCQ_F_CAN_BYPASS. So firewalls, shapers and netem keep working,
 * taps (tcpdump) see the packets, and packets are not reordered with those that wait in the qdisc.
 * Security modules (AppArmor, SELinux) register netfilter hooks on most systems; these hooks are
 * run here for each packet.
 */
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/arp.h>
#include <net/ip.h>
#include <net/ip6_fib.h>
#include <net/ip6_route.h>
#include <net/l3mdev.h>
#include <net/ndisc.h>
#include <net/neighbour.h>
#include <net/route.h>
#include <net/sch_generic.h>

#include "base/counters.h"
#include "base/device.h"
#include "base/params.h"
#include "ip/bypass.h"
#include "ip/bypass_trace.h"
#include "tx/direct.h"
#include "tx/drops.h"
#include "tx/txq.h"
#include "tx/veth.h"

/*
 * A VRF acts on what its interfaces send by its qdisc, taps and netfilter hooks only. With a qdisc,
 * packets pass the l3 master as an interface.
 */
static bool rxe_direct_vrf_is_idle(const struct net_device *ndev)
{
	struct net_device *vrf = l3mdev_master_dev_rcu(ndev);

	return vrf && !dev_nit_active(vrf) && vrf->num_tx_queues == 1 &&
	       !rcu_dereference_bh(netdev_get_tx_queue(vrf, 0)->qdisc)->enqueue;
}

/*
 * The stack sends packets for IPsec, tunnels, local addresses and multicast. Routes with another
 * output function than that of plain IP encrypt packets, hold them until there is an SA, or drop
 * them: as long as there is no SA, the route of an IPsec policy is one that drops
 * (net.core.xfrm_larval_drop=1) or one that holds, and neither has dst->xfrm.
 */
static bool rxe_direct_route_ok(const struct dst_entry *dst, const struct net_device *ndev, bool v6,
				const struct sk_buff *skb)
{
	if (!rxe_dst_is_plain_output(dst, v6) || dst->lwtstate || dst->error ||
	    netif_is_l3_master(ndev) || (netif_is_l3_slave(ndev) && !rxe_direct_vrf_is_idle(ndev)))
		return false;
	if (v6)
		return !(dst_rt6_info(dst)->rt6i_flags & (RTF_LOCAL | RTF_ANYCAST | RTF_REJECT)) &&
		       !ipv6_addr_is_multicast(&ipv6_hdr(skb)->daddr);
	return dst_rtable(dst)->rt_type == RTN_UNICAST && !rxe_rt_has_gateway6(dst_rtable(dst));
}

static struct neighbour *rxe_direct_neigh(const struct dst_entry *dst, struct net_device *ndev,
					  bool v6, const struct sk_buff *skb)
{
	const struct rtable *rt = dst_rtable(dst);

	if (v6)
		return __ipv6_neigh_lookup_noref(ndev, rt6_nexthop(dst_rt6_info(dst),
								   &ipv6_hdr(skb)->daddr));
	return __ipv4_neigh_lookup_noref(
		ndev, (__force u32)(rxe_rt_gateway4(rt) ?: ip_hdr(skb)->daddr));
}

/**
 * struct rxe_ll_hdr - link layer header
 * @len: length, bytes; 0 if the interface builds the header of each packet
 * @bytes: header, in the first @len bytes
 * @daddr: if @len is 0, the hardware address of the neighbour
 */
struct rxe_ll_hdr {
	u32 len;
	union {
		u8 bytes[HH_DATA_MOD];
		u8 daddr[MAX_ADDR_LEN];
	};
};

/*
 * VLAN interfaces have no header cache, because whether a header contains the tag depends on flags
 * of the interface, and the tag on the priority of the packet. So the address is copied.
 *
 * For others, copies the header cache (hh) of the neighbour. Returns false until the stack has
 * filled it, with the first packet that it sends to the neighbour.
 */
static bool rxe_direct_ll_hdr(struct neighbour *neigh, const struct net_device *ndev,
			      struct rxe_ll_hdr *ll)
{
	const struct hh_cache *hh = &neigh->hh;
	unsigned int seq;
	u32 len;

	/* Also starts to probe a stale neighbour. */
	if (neigh_event_send(neigh, NULL))
		return false;
	if (!ndev->header_ops->cache) {
		ll->len = 0;
		neigh_ha_snapshot((char *)ll->daddr, neigh, ndev);
		return true;
	}
	do {
		seq = read_seqbegin(&hh->hh_lock);
		len = READ_ONCE(hh->hh_len);
		/* An Ethernet header fits. */
		if (!len || len > sizeof(ll->bytes))
			return false;
		memcpy(ll->bytes, (const u8 *)hh->hh_data + HH_DATA_OFF(len), len);
	} while (read_seqretry(&hh->hh_lock, seq));
	ll->len = len;
	return true;
}

/**
 * struct rxe_direct_target - where the first buffers of a list are sent
 * @ndev: interface
 * @v6: over IPv6, else IPv4
 * @txq_by_skb: ndo_select_queue() or XPS selects the txq from the buffer, else the flow hash does
 * @queue: index of the txq
 * @ll: link layer header
 */
struct rxe_direct_target {
	struct net_device *ndev;
	bool v6;
	bool txq_by_skb;
	u16 queue;
	struct rxe_ll_hdr ll;
};

static void rxe_direct_complete(struct sk_buff *skb, const struct rxe_direct_target *target)
{
	if (!target->v6)
		ip_send_check(ip_hdr(skb));
	skb->protocol = htons(target->v6 ? ETH_P_IPV6 : ETH_P_IP);
	skb->dev = target->ndev;
}

/* Called after rxe_direct_complete(). Returns false if the interface has refused the packet. */
static bool rxe_direct_push_ll(struct sk_buff *skb, const struct rxe_ll_hdr *ll)
{
	if (likely(ll->len))
		memcpy(skb_push(skb, ll->len), ll->bytes, ll->len);
	else if (dev_hard_header(skb, skb->dev, ntohs(skb->protocol), ll->daddr, NULL,
				 skb->len) < 0)
		return false;
	skb_reset_mac_header(skb);
	return true;
}

/*
 * ndo_select_queue() needs the complete packet, as the stack passes it. The link layer header is
 * removed again, because the packet may still go through the stack.
 */
static u16 rxe_direct_select_txq(struct sk_buff *skb, const struct rxe_direct_target *target)
{
	u16 queue;

	rxe_direct_complete(skb, target);
#ifdef CONFIG_XPS
	if (!skb->sender_cpu)
		skb->sender_cpu = raw_smp_processor_id() + 1;
#endif
	rxe_direct_push_ll(skb, &target->ll);
	queue = target->ndev->netdev_ops->ndo_select_queue ?
			rxe_netdev_select_queue(target->ndev, skb) :
			netdev_pick_tx(target->ndev, skb, NULL);
	__skb_pull(skb, skb_network_offset(skb));
	skb_unset_mac_header(skb);
	return queue;
}

/*
 * Select the txq once per skb: ndo_select_queue() may store state in the skb. skb->dev is set if
 * the queue has been selected already, for an skb that did not fit into an earlier batch.
 */
static u16 rxe_direct_txq(struct sk_buff *skb, const struct rxe_direct_target *target)
{
	if (skb->dev != target->ndev)
		skb_set_queue_mapping(skb, rxe_direct_select_txq(skb, target));
	return netdev_cap_txqueue(target->ndev, skb_get_queue_mapping(skb));
}

/*
 * Clears state for the stack, which uses skb->cb, and would interpret the queue mapping as the
 * recorded receive queue of a forwarded packet.
 */
static void rxe_direct_clear_txq(struct sk_buff *skb)
{
	memset(skb->cb, 0, sizeof(skb->cb));
	skb_set_queue_mapping(skb, 0);
	skb->dev = NULL;
}

/* Returns true for noqueue, and for an empty qdisc that packets may bypass. */
static bool rxe_direct_bypasses(const struct Qdisc *q)
{
	return !q->enqueue || (q->flags & TCQ_F_CAN_BYPASS && qdisc_is_empty(q));
}

/* Returns true if this CPU holds the lock of the txq: a virtual device nested in its transmit. */
static bool rxe_direct_would_recurse(const struct netdev_queue *txq)
{
	return READ_ONCE(txq->xmit_lock_owner) == smp_processor_id();
}

static enum rxe_bypass_veto rxe_direct_txq_veto(const struct rxe_direct_target *target)
{
	const struct netdev_queue *txq = netdev_get_tx_queue(target->ndev, target->queue);

	if (!rxe_direct_bypasses(rcu_dereference_bh(txq->qdisc)))
		return RXE_VETO_QDISC;
	return rxe_direct_would_recurse(txq) ? RXE_VETO_RECURSION : RXE_BYPASS_OK;
}

static enum rxe_bypass_veto rxe_direct_route_veto(const struct dst_entry *dst,
						  const struct rxe_direct_target *target,
						  const struct sk_buff *skb)
{
	if (!rxe_params_xmit_hard())
		return RXE_VETO_PARAM;
	if (!netif_running(target->ndev) || !netif_carrier_ok(target->ndev))
		return RXE_VETO_LINK_DOWN;
	if (!rxe_direct_route_ok(dst, target->ndev, target->v6, skb))
		return RXE_VETO_ROUTE;
	return rxe_bypass_tx_veto(target->ndev, target->v6);
}

/* Fills in the link layer header of @target. */
static enum rxe_bypass_veto rxe_direct_neigh_veto(struct rxe_dev *dev, const struct dst_entry *dst,
						  const struct sk_buff *skb,
						  struct rxe_direct_target *target)
{
	struct neighbour *neigh;

	if (!target->ndev->header_ops || !target->ndev->header_ops->create)
		return RXE_VETO_NO_LL_HDR;
	neigh = rxe_direct_neigh(dst, target->ndev, target->v6, skb);
	if (neigh && rxe_direct_ll_hdr(neigh, target->ndev, &target->ll))
		return RXE_BYPASS_OK;
	rxe_count(dev, RXE_CNT_XMIT_HARD_FAIL, 1);
	return RXE_VETO_NEIGH;
}

/* Fills in @target for the first buffer of a list. */
static enum rxe_bypass_veto rxe_direct_resolve(struct rxe_dev *dev, struct sk_buff *skb,
					       struct rxe_direct_target *target)
{
	struct dst_entry *dst = skb_dst(skb);
	/* Read once: unregistering the interface replaces that of its routes. */
	struct net_device *ndev = dst_dev(dst);
	u32 n = READ_ONCE(ndev->real_num_tx_queues);
	enum rxe_bypass_veto veto;

	target->ndev = ndev;
	target->v6 = ip_hdr(skb)->version == 6;
	target->txq_by_skb = !rxe_txq_is_hashed(ndev, n);
	veto = rxe_direct_route_veto(dst, target, skb);
	if (veto)
		return veto;
	if (!target->txq_by_skb) {
		target->queue = reciprocal_scale(skb_get_hash(skb), n);
		veto = rxe_direct_txq_veto(target);
		if (veto)
			return veto;
	}
	veto = rxe_direct_neigh_veto(dev, dst, skb, target);
	if (veto || !target->txq_by_skb)
		return veto;
	target->queue = rxe_direct_txq(skb, target);
	return rxe_direct_txq_veto(target);
}

/* Returns false if a security module or the interface has refused the packet, which is freed. */
static bool rxe_direct_finish(struct sk_buff *skb, const struct rxe_direct_target *target)
{
	rxe_direct_complete(skb, target);
	if (!rxe_bypass_run_lsm_hooks(skb, target->ndev, target->v6))
		return false;
	if (!rxe_direct_push_ll(skb, &target->ll)) {
		kfree_skb(skb);
		return false;
	}
	skb_set_queue_mapping(skb, target->queue);
	if (target->ndev->priv_flags & IFF_XMIT_DST_RELEASE)
		skb_dst_drop(skb);
	return true;
}

/*
 * Equal routes may lead to different neighbours of a subnet, so the addresses are compared, too.
 * The stack selects the txq also by priority, and ndo_select_queue() by any field.
 */
static bool rxe_direct_same_target(struct sk_buff *skb, const struct sk_buff *first,
				   const struct rxe_direct_target *target)
{
	if (skb == first)
		return true;
	if (skb_dst(skb) != skb_dst(first) || skb->priority != first->priority ||
	    !(target->v6 ? ipv6_addr_equal(&ipv6_hdr(skb)->daddr, &ipv6_hdr(first)->daddr) :
			ip_hdr(skb)->daddr == ip_hdr(first)->daddr))
		return false;
	return !target->txq_by_skb || !target->ndev->netdev_ops->ndo_select_queue ||
	       rxe_direct_txq(skb, target) == target->queue;
}

/* Pops the buffers with the target of the first one. Returns them, linked by @next. */
static struct sk_buff *rxe_direct_pop(struct sk_buff_head *skbs,
				      const struct rxe_direct_target *target)
{
	struct sk_buff *first = skb_peek(skbs), **link = &first, *skb;

	while ((skb = skb_peek(skbs)) && rxe_direct_same_target(skb, first, target)) {
		__skb_unlink(skb, skbs);
		*link = skb;
		link = &skb->next;
	}
	return first;
}

/* Returns the buffers to send, with link layer headers; adds those that were refused to @drops. */
static struct sk_buff *rxe_direct_finish_list(struct sk_buff *skb,
					      const struct rxe_direct_target *target,
					      struct rxe_tx_drops *drops)
{
	struct sk_buff *first = NULL, **link = &first, *next;
	u32 n;

	for (; skb; skb = next) {
		next = skb->next;
		skb_mark_not_on_list(skb);
		n = skb_shinfo(skb)->gso_segs ?: 1;
		if (!rxe_direct_finish(skb, target)) {
			drops->pkts += n;
			continue;
		}
		*link = skb;
		link = &skb->next;
	}
	return first;
}

/* Sends to @peer, if it is not NULL, else to @txq. Returns the buffers that did not fit. */
static struct sk_buff *rxe_direct_start(struct sk_buff *skb, struct net_device *ndev,
					struct netdev_queue *txq, struct net_device *peer,
					struct rxe_tx_drops *drops)
{
	struct sk_buff *next;
	int err;
	u32 n;

	for (; skb && !netif_xmit_frozen_or_stopped(txq); skb = next) {
		next = skb->next;
		skb_mark_not_on_list(skb);
		if (dev_nit_active(ndev))
			dev_queue_xmit_nit(skb, ndev);
		if (peer && rxe_veth_rx_inline(ndev, peer, skb))
			continue;
		n = skb_shinfo(skb)->gso_segs ?: 1;
		err = netdev_start_xmit(skb, ndev, txq, next);
		if (!dev_xmit_complete(err)) {
			skb->next = next;
			break;
		}
		rxe_tx_drops_add(drops, err, n);
	}
	return skb;
}

/*
 * The txq is stopped: the qdisc queues the buffers. The stack selects the txq again. The queue
 * mapping is cleared, because the stack would interpret it as a recorded receive queue plus 1.
 */
static void rxe_direct_enqueue(struct rxe_dev *dev, struct sk_buff *skb,
			       struct rxe_tx_drops *drops)
{
	struct sk_buff *next;
	u32 n, stalls = 0;

	for (; skb; skb = next, stalls++) {
		next = skb->next;
		n = skb_shinfo(skb)->gso_segs ?: 1;
		skb_mark_not_on_list(skb);
		skb_set_queue_mapping(skb, 0);
		rxe_tx_drops_add(drops, dev_queue_xmit(skb), n);
	}
	rxe_count(dev, RXE_CNT_XMIT_HARD_STALL, stalls);
}

/* Returns true if no buffer needs a feature that an interface may lack. */
static bool rxe_direct_is_plain_list(const struct sk_buff *skb)
{
	for (; skb; skb = skb->next)
		if (skb_is_gso(skb) || skb_is_nonlinear(skb) ||
		    skb->ip_summed == CHECKSUM_PARTIAL)
			return false;
	return true;
}

static void rxe_direct_xmit(struct rxe_dev *dev, const struct rxe_direct_target *target,
			    struct sk_buff *skb, enum rxe_bypass_veto inline_veto,
			    struct rxe_tx_drops *drops)
{
	struct netdev_queue *txq = netdev_get_tx_queue(target->ndev, target->queue);
	struct net_device *peer = rxe_veth_peer(target->ndev, inline_veto);
	bool again = false;

	/* Segments, linearises and checksums in software if the interface lacks the feature. */
	if (!rxe_direct_is_plain_list(skb))
		skb = validate_xmit_skb_list(skb, target->ndev, &again);
	/* No lock for veth (LLTX): receivers that rxe_veth_rx_inline() calls may send to it. */
	HARD_TX_LOCK(target->ndev, txq, smp_processor_id());
	skb = rxe_direct_start(skb, target->ndev, txq, peer, drops);
	HARD_TX_UNLOCK(target->ndev, txq);
	if (unlikely(skb))
		rxe_direct_enqueue(dev, skb, drops);
}

bool rxe_direct_send(struct rxe_dev *dev, struct sk_buff_head *skbs,
		     enum rxe_bypass_veto inline_veto, struct rxe_tx_drops *drops)
{
	struct sk_buff *skb = skb_peek(skbs);
	struct rxe_direct_target target;
	enum rxe_bypass_veto veto;

	veto = rxe_direct_resolve(dev, skb, &target);
	trace_rxe_bypass(veto, target.ndev, RXE_BYPASS_TX_DIRECT);
	if (veto) {
		if (READ_ONCE(dev->xmit_veto) != veto)
			WRITE_ONCE(dev->xmit_veto, veto);
		if (skb->dev)
			rxe_direct_clear_txq(skb);
		return false;
	}
	skb = rxe_direct_finish_list(rxe_direct_pop(skbs, &target), &target, drops);
	rxe_direct_xmit(dev, &target, skb, inline_veto, drops);
	return true;
}
