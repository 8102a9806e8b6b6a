// SPDX-License-Identifier: GPL-2.0
/*
 * The way down the stack (IP output, netfilter, neighbour, traffic control, queueing
 * discipline) costs a small packet more than all that is done for it here. It is left
 * out where it would do nothing: no filter is there to look at the packets, and the
 * queueing discipline is one that an empty queue lets packets bypass anyhow. So
 * firewalls, shapers and netem keep what they have, taps (tcpdump) are served, and
 * packets do not overtake those that wait in the queue. Security modules have hooks of
 * netfilter on most systems (AppArmor, SELinux), for labels that hardly any use: they
 * are asked here, packet by packet.
 */
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/arp.h>
#include <net/ip.h>
#include <net/ip6_fib.h>
#include <net/ip6_route.h>
#include <net/ndisc.h>
#include <net/neighbour.h>
#include <net/route.h>
#include <net/sch_generic.h>

#include "base/counters.h"
#include "base/params.h"
#include "tx/direct.h"
#include "ip/bypass.h"
#include "tx/txq.h"
#include "tx/veth.h"

/* No transformation, tunnel, VRF, own or multicast address: all of these are the stack's. */
static bool rxe_direct_route_ok(const struct dst_entry *dst, const struct net_device *ndev, bool v6,
			     const struct sk_buff *skb)
{
	if (dst_xfrm(dst) || dst->lwtstate || dst->error || netif_is_l3_master(ndev) ||
	    netif_is_l3_slave(ndev))
		return false;
	if (v6)
		return !(dst_rt6_info(dst)->rt6i_flags & (RTF_LOCAL | RTF_ANYCAST | RTF_REJECT)) &&
		       !ipv6_addr_is_multicast(&ipv6_hdr(skb)->daddr);
	return dst_rtable(dst)->rt_type == RTN_UNICAST && dst_rtable(dst)->rt_gw_family != AF_INET6;
}

static struct neighbour *rxe_direct_neigh(const struct dst_entry *dst, struct net_device *ndev,
					  bool v6, const struct sk_buff *skb)
{
	const struct rtable *rt = dst_rtable(dst);

	if (v6)
		return __ipv6_neigh_lookup_noref(ndev, rt6_nexthop(dst_rt6_info(dst),
								   &ipv6_hdr(skb)->daddr));
	return __ipv4_neigh_lookup_noref(
		ndev, (__force u32)(rt->rt_gw_family == AF_INET ? rt->rt_gw4 : ip_hdr(skb)->daddr));
}

/**
 * struct rxe_ll_hdr - the link layer's header
 * @len: bytes of it; 0: none is known
 * @bytes: the header
 */
struct rxe_ll_hdr {
	u32 len;
	u8 bytes[HH_DATA_MOD];
};

/*
 * The header that the neighbour keeps for everybody, as it is now. There is none until
 * the stack has sent it a first packet, and none longer than this on Ethernet.
 */
static bool rxe_direct_ll_hdr(struct neighbour *neigh, struct rxe_ll_hdr *ll)
{
	const struct hh_cache *hh = &neigh->hh;
	unsigned int seq;

	/* Also starts to verify what has not been confirmed for long. */
	if (neigh_event_send(neigh, NULL))
		return false;
	do {
		seq = read_seqbegin(&hh->hh_lock);
		ll->len = READ_ONCE(hh->hh_len);
		if (!ll->len || ll->len > sizeof(ll->bytes))
			return false;
		memcpy(ll->bytes, (const u8 *)hh->hh_data + HH_DATA_OFF(ll->len), ll->len);
	} while (read_seqretry(&hh->hh_lock, seq));
	return true;
}

/**
 * struct rxe_direct_target - where the first buffers of a list go
 * @ndev: interface
 * @v6: over IPv6
 * @chooses: the interface, or the stack for it, chooses the queue with a look at the buffer
 * @queue: the queue
 * @ll: the link layer's header
 */
struct rxe_direct_target {
	struct net_device *ndev;
	bool v6;
	bool chooses;
	u16 queue;
	struct rxe_ll_hdr ll;
};

static void rxe_direct_complete(struct sk_buff *skb, const struct rxe_direct_target *way)
{
	if (!way->v6)
		ip_send_check(ip_hdr(skb));
	skb->protocol = htons(way->v6 ? ETH_P_IPV6 : ETH_P_IP);
	skb->dev = way->ndev;
}

static void rxe_direct_push_ll(struct sk_buff *skb, const struct rxe_ll_hdr *ll)
{
	memcpy(skb_push(skb, ll->len), ll->bytes, ll->len);
	skb_reset_mac_header(skb);
}

/*
 * The interface gets to see what it would see below the stack. The header is off again until the
 * packet is finished: it may yet go through the stack.
 */
static u16 rxe_direct_select_txq(struct sk_buff *skb, const struct rxe_direct_target *way)
{
	const struct net_device_ops *ops = way->ndev->netdev_ops;
	u16 queue;

	rxe_direct_complete(skb, way);
#ifdef CONFIG_XPS
	if (!skb->sender_cpu)
		skb->sender_cpu = raw_smp_processor_id() + 1;
#endif
	rxe_direct_push_ll(skb, &way->ll);
	queue = ops->ndo_select_queue ? ops->ndo_select_queue(way->ndev, skb, NULL) :
					netdev_pick_tx(way->ndev, skb, NULL);
	__skb_pull(skb, way->ll.len);
	skb_unset_mac_header(skb);
	return queue;
}

/*
 * Each buffer's queue is asked for once, since the interface may have left itself a note in the
 * buffer: one that did not go with those before it has had its interface since then.
 */
static u16 rxe_direct_chosen(struct sk_buff *skb, const struct rxe_direct_target *way)
{
	if (skb->dev != way->ndev)
		skb_set_queue_mapping(skb, rxe_direct_select_txq(skb, way));
	return netdev_cap_txqueue(way->ndev, skb_get_queue_mapping(skb));
}

/* IP takes the control block for its own, and the stack a queue for that of a received packet. */
static void rxe_direct_forget_choice(struct sk_buff *skb)
{
	memset(skb->cb, 0, sizeof(skb->cb));
	skb_set_queue_mapping(skb, 0);
	skb->dev = NULL;
}

/* A discipline that packets bypass when it holds none, and this one holds none. */
static bool rxe_direct_bypasses(const struct Qdisc *q)
{
	return !q->enqueue || (q->flags & TCQ_F_CAN_BYPASS && qdisc_is_empty(q));
}

/* Who sends from within this queue's own transmission would wait for itself. */
static bool rxe_direct_would_recurse(const struct netdev_queue *txq)
{
	return READ_ONCE(txq->xmit_lock_owner) == smp_processor_id();
}

static bool rxe_direct_queue_takes(const struct rxe_direct_target *way)
{
	const struct netdev_queue *txq = netdev_get_tx_queue(way->ndev, way->queue);

	return rxe_direct_bypasses(rcu_dereference_bh(txq->qdisc)) &&
	       !rxe_direct_would_recurse(txq);
}

/* False: nothing is there that could be left out, or the neighbour is not known yet. */
static bool rxe_direct_resolve(struct rxe_dev *dev, struct sk_buff *skb,
			       struct rxe_direct_target *way)
{
	struct dst_entry *dst = skb_dst(skb);
	/* Read once: a route whose interface goes away is given another one. */
	struct net_device *ndev = dst_dev(dst);
	u32 n = READ_ONCE(ndev->real_num_tx_queues);
	struct neighbour *neigh;

	way->ndev = ndev;
	way->v6 = ip_hdr(skb)->version == 6;
	way->chooses = !rxe_txq_is_hashed(ndev, n);
	if (!rxe_params_xmit_hard() || !netif_running(ndev) || !netif_carrier_ok(ndev) ||
	    !rxe_direct_route_ok(dst, ndev, way->v6, skb) ||
	    rxe_filters_on_output(ndev, way->v6))
		return false;
	if (!way->chooses) {
		way->queue = reciprocal_scale(skb_get_hash(skb), n);
		if (!rxe_direct_queue_takes(way))
			return false;
	}
	neigh = rxe_direct_neigh(dst, ndev, way->v6, skb);
	if (!neigh || !rxe_direct_ll_hdr(neigh, &way->ll)) {
		rxe_count(dev, RXE_CNT_XMIT_HARD_FAIL, 1);
		return false;
	}
	if (!way->chooses)
		return true;
	way->queue = rxe_direct_chosen(skb, way);
	return rxe_direct_queue_takes(way);
}

/* False: the packet is gone, since a security module has refused it. */
static bool rxe_direct_finish(struct sk_buff *skb, const struct rxe_direct_target *way)
{
	rxe_direct_complete(skb, way);
	if (!rxe_bypass_run_lsm_hooks(skb, way->ndev, way->v6))
		return false;
	rxe_direct_push_ll(skb, &way->ll);
	skb_set_queue_mapping(skb, way->queue);
	/* The route may go with the packet. */
	if (way->ndev->priv_flags & IFF_XMIT_DST_RELEASE)
		skb_dst_drop(skb);
	return true;
}

/*
 * A route may serve all addresses of a subnet, each of which has a neighbour of its own. What
 * the stack chooses follows from the priority besides, and what the interface does, from anything.
 */
static bool rxe_direct_same_way(struct sk_buff *skb, const struct sk_buff *first,
				const struct rxe_direct_target *way)
{
	if (skb == first)
		return true;
	if (skb_dst(skb) != skb_dst(first) || skb->priority != first->priority ||
	    !(way->v6 ? ipv6_addr_equal(&ipv6_hdr(skb)->daddr, &ipv6_hdr(first)->daddr) :
			ip_hdr(skb)->daddr == ip_hdr(first)->daddr))
		return false;
	return !way->chooses || !way->ndev->netdev_ops->ndo_select_queue ||
	       rxe_direct_chosen(skb, way) == way->queue;
}

/* Takes those off the list that go where the first does. Returns them, linked by @next. */
static struct sk_buff *rxe_direct_take(struct sk_buff_head *skbs,
				       const struct rxe_direct_target *way)
{
	struct sk_buff *first = skb_peek(skbs), **link = &first, *skb;

	while ((skb = skb_peek(skbs)) && rxe_direct_same_way(skb, first, way)) {
		__skb_unlink(skb, skbs);
		*link = skb;
		link = &skb->next;
	}
	return first;
}

/* Returns those that may be sent, with all their headers; counts the others. */
static struct sk_buff *rxe_direct_finish_list(struct rxe_dev *dev, struct sk_buff *skb,
					      const struct rxe_direct_target *way)
{
	struct sk_buff *first = NULL, **link = &first, *next;
	u32 n;

	for (; skb; skb = next) {
		next = skb->next;
		skb_mark_not_on_list(skb);
		n = skb_shinfo(skb)->gso_segs ?: 1;
		if (!rxe_direct_finish(skb, way)) {
			rxe_count(dev, RXE_CNT_SEND_ERR, n);
			continue;
		}
		*link = skb;
		link = &skb->next;
	}
	return first;
}

/* To @peer, if there is one, else to the queue. Returns what that had no room for. */
static struct sk_buff *rxe_direct_start(struct sk_buff *skb, struct net_device *ndev,
					struct netdev_queue *txq, struct net_device *peer)
{
	struct sk_buff *next;

	for (; skb && !netif_xmit_frozen_or_stopped(txq); skb = next) {
		next = skb->next;
		skb_mark_not_on_list(skb);
		if (dev_nit_active(ndev))
			dev_queue_xmit_nit(skb, ndev);
		if (peer && rxe_veth_rx_inline(ndev, peer, skb))
			continue;
		if (!dev_xmit_complete(netdev_start_xmit(skb, ndev, txq, next))) {
			skb->next = next;
			break;
		}
	}
	return skb;
}

/*
 * The queue has stopped: the discipline keeps them until it goes on. The stack finds the queue by
 * itself: it would take one that is set for a received packet's, which counts from 1.
 */
static void rxe_direct_enqueue(struct rxe_dev *dev, struct sk_buff *skb)
{
	struct sk_buff *next;
	u32 n = 0;

	for (; skb; skb = next, n++) {
		next = skb->next;
		skb_mark_not_on_list(skb);
		skb_set_queue_mapping(skb, 0);
		dev_queue_xmit(skb);
	}
	rxe_count(dev, RXE_CNT_XMIT_HARD_STALL, n);
}

/* Is nothing left of any of them that an interface may be unable to do? */
static bool rxe_direct_is_plain_list(const struct sk_buff *skb)
{
	for (; skb; skb = skb->next)
		if (skb_is_gso(skb) || skb_is_nonlinear(skb) ||
		    skb->ip_summed == CHECKSUM_PARTIAL)
			return false;
	return true;
}

static void rxe_direct_xmit(struct rxe_dev *dev, const struct rxe_direct_target *way,
			    struct sk_buff *skb, bool at_once)
{
	struct netdev_queue *txq = netdev_get_tx_queue(way->ndev, way->queue);
	struct net_device *peer = at_once ? rxe_peer_find(way->ndev) : NULL;
	bool again = false;

	/* What the interface cannot do is done here: segmentation, gathering, checksums. */
	if (!rxe_direct_is_plain_list(skb))
		skb = validate_xmit_skb_list(skb, way->ndev, &again);
	HARD_TX_LOCK(way->ndev, txq, smp_processor_id());
	skb = rxe_direct_start(skb, way->ndev, txq, peer);
	HARD_TX_UNLOCK(way->ndev, txq);
	if (unlikely(skb))
		rxe_direct_enqueue(dev, skb);
}

bool rxe_direct_send(struct rxe_dev *dev, struct sk_buff_head *skbs, bool at_once)
{
	struct sk_buff *skb = skb_peek(skbs);
	struct rxe_direct_target way;

	if (!rxe_direct_resolve(dev, skb, &way)) {
		if (skb->dev)
			rxe_direct_forget_choice(skb);
		return false;
	}
	skb = rxe_direct_finish_list(dev, rxe_direct_take(skbs, &way), &way);
	rxe_direct_xmit(dev, &way, skb, at_once);
	return true;
}
