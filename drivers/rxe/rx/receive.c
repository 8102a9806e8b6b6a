// SPDX-License-Identifier: GPL-2.0
/*
 * Receive path: parses the packets of a socket buffer, checks their ICRC and passes them to the
 * endpoint. Packets are parsed and checked in place, in the linear part or in page fragments, one
 * or many per buffer: payload is neither copied nor linearised before the endpoint writes it to
 * memory. The exception is a buffer with a frag_list from IP reassembly.
 */
#include <linux/highmem.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/sock.h>
#include <roce/icrc.h>

#include "base/crc.h"
#include "base/device.h"
#include "qp/ep.h"
#include "ip/icrc_offload.h"
#include "rx/mcast.h"
#include "ip/net_hdr.h"
#include "ip/pernet.h"
#include "ip/pkt.h"
#include "ip/vrf.h"
#include "rx/demux.h"
#include "rx/receive.h"

#define RXE_PKEY_BASE 0x7fff /* the default P_Key without its membership bit */

/* Destination QPN of multicast packets: all QPs attached to the group (IBTA 10.5.2). */
#define RXE_MCAST_QPN 0xffffffu

/* Maximum of packets passed to an endpoint in one call: UDP_MAX_SEGMENTS of older kernels. */
#define MAX_PKTS 64u

/* Packets up to which their descriptors are on the stack; more are allocated. */
#define ONSTACK_PKTS 4u

/* Value of rxe_rx.demux_key that no packet has: bits 28..24 of a key are zero. */
#define NO_DEMUX_KEY U32_MAX

/**
 * struct rxe_rx - a socket buffer being received
 * @net: namespace
 * @skb: the buffer
 * @dev: device that counts packets without an endpoint: the ingress interface's, or the first of
 *	the namespace if that has none; NULL if the namespace has no device
 * @hdr: IP and UDP header of the current packet
 * @off: offset of the first BTH from skb->data, bytes
 * @len: length from the first BTH to the end of the last ICRC, bytes
 * @ep: endpoint of the packets in @pkts; NULL if none was found
 * @hw_icrc: whether the adapter has checked or stripped the ICRC
 * @demux_key: service (bits 31..29) and QP number (bits 23..0) that @ep is the result for, or
 *	NO_DEMUX_KEY
 * @ce: the buffer, or its current packet, was marked CE on its way
 * @any_valid: at least one packet of the buffer was valid
 * @pkts: packets to be passed to @ep
 * @npkts: number of packets in @pkts
 * @max_pkts: size of @pkts
 * @crc: CRC context of the ICRC checks; closed before the packets are passed to @ep
 */
struct rxe_rx {
	struct net *net;
	struct sk_buff *skb;
	struct rxe_dev *dev;
	struct rxe_net_hdr hdr;
	u32 off;
	u32 len;
	struct rxe_ep *ep;
	enum rxe_hw_icrc hw_icrc;
	u32 demux_key;
	bool ce;
	bool any_valid;
	struct roce_pkt *pkts;
	u32 npkts;
	u32 max_pkts;
	struct rxe_crc crc;
};

static DEFINE_PER_CPU(struct rxe_icrc_memos, rxe_rx_memos);

static void rxe_rx_count(struct rxe_rx *rx, enum rxe_counter what)
{
	if (rx->dev)
		rxe_count(rx->dev, what, 1);
}

/* Counts a packet of @len bytes, from BTH to ICRC, that reaches no endpoint. */
static void rxe_rx_drop(struct rxe_rx *rx, enum rxe_counter why, u32 len)
{
	if (!rx->dev)
		return;
	rxe_count(rx->dev, why, 1);
	rxe_count(rx->dev, RXE_CNT_DROP_BYTES, len);
}

bool rxe_rx_has_segments(const struct sk_buff *skb)
{
	return skb_shinfo(skb)->gso_type & SKB_GSO_UDP_L4 &&
	       skb_shinfo(skb)->gso_size >= sizeof(struct roce_bth) + ROCE_ICRC_LEN;
}

/* Returns the address of @len bytes at offset @off from skb->data; NULL if not contiguous. */
static u8 *rxe_rx_contiguous(const struct sk_buff *skb, u32 off, u32 len)
{
	u32 i, start = skb_headlen(skb);

	if (off + len <= start)
		return skb->data + off;
	for (i = 0; i < skb_shinfo(skb)->nr_frags && off >= start; i++) {
		const skb_frag_t *frag = &skb_shinfo(skb)->frags[i];
		u32 end = start + skb_frag_size(frag);

		if (off < end)
			return off + len <= end && !PageHighMem(skb_frag_page(frag)) ?
				       skb_frag_address(frag) + (off - start) :
				       NULL;
		start = end;
	}
	return NULL;
}

static u32 rxe_rx_crc_frag(const struct rxe_crc *c, u32 crc, const skb_frag_t *frag, u32 off,
			    u32 len)
{
	u32 page_off, n, copied;
	struct page *page;

	skb_frag_foreach_page(frag, skb_frag_off(frag) + off, len, page, page_off, n, copied)
	{
		void *p = kmap_local_page(page);

		crc = rxe_crc32(c, crc, p + page_off, n);
		kunmap_local(p);
	}
	return crc;
}

/* Continues @crc over @len bytes at offset @off from skb->data, linear or in page fragments. */
static u32 rxe_rx_crc_skb(const struct rxe_crc *c, u32 crc, const struct sk_buff *skb, u32 off,
			   u32 len)
{
	u32 i, n, start = skb_headlen(skb);

	if (off < start) {
		n = min(len, start - off);
		crc = rxe_crc32(c, crc, skb->data + off, n);
		off += n;
		len -= n;
	}
	for (i = 0; len && i < skb_shinfo(skb)->nr_frags; i++) {
		const skb_frag_t *frag = &skb_shinfo(skb)->frags[i];
		u32 size = skb_frag_size(frag);

		if (off < start + size) {
			n = min(len, start + size - off);
			crc = rxe_rx_crc_frag(c, crc, frag, off - start, n);
			off += n;
			len -= n;
		}
		start += size;
	}
	return crc;
}

/*
 * Returns true if the ICRC is correct of the packet of @len bytes at offset @off from skb->data.
 * @p is the address of these bytes, or NULL if they are not contiguous.
 */
static bool rxe_rx_icrc_ok(struct rxe_rx *rx, const u8 *hdr, const u8 *p, u32 off, u32 len)
{
	u32 crc, body = sizeof(struct roce_bth), end = len - ROCE_ICRC_LEN;
	u8 icrc[ROCE_ICRC_LEN];

	crc = rxe_net_hdr_icrc(&rx->hdr, hdr);
	rxe_crc_begin(&rx->crc, rx->len);
	if (p)
		return roce_icrc_ok(rxe_crc32(&rx->crc, crc, p + body, end - body), p + end);
	crc = rxe_rx_crc_skb(&rx->crc, crc, rx->skb, off + body, end - body);
	return !skb_copy_bits(rx->skb, off + end, icrc, sizeof(icrc)) && roce_icrc_ok(crc, icrc);
}

static void rxe_rx_deliver(struct rxe_rx *rx)
{
	u32 i, n = rx->npkts;
	u64 bytes = 0;

	rxe_crc_end(&rx->crc);
	rx->npkts = 0;
	if (!n)
		return;
	for (i = 0; i < n; i++)
		bytes += rx->pkts[i].op->hdr_len + rx->pkts[i].payload_len + rx->pkts[i].pad +
			 ROCE_ICRC_LEN;
	rxe_ep_count(rx->ep, RXE_CNT_RCVD_PKTS, n);
	rxe_ep_count(rx->ep, RXE_CNT_RCVD_BYTES, bytes);
	rxe_ep_rx(rx->ep, rx->pkts, n);
}

/* Caches the endpoint, because the packets of one buffer are nearly always for one QP. */
static void rxe_rx_note_misaddressed(const struct rxe_rx *rx, u32 qpn)
{
	struct rxe_misaddressed *m;

	if (!rx->dev)
		return;
	m = &rx->dev->misaddressed;
	/* Such packets may be a flood: CPUs do not wait for each other to note the last one. */
	if (!spin_trylock(&m->lock))
		return;
	if (rx->hdr.v6)
		m->saddr = rx->hdr.ip6.saddr;
	else
		ipv6_addr_set_v4mapped(rx->hdr.ip4.saddr, &m->saddr);
	m->qpn = qpn;
	m->seconds = ktime_get_seconds();
	spin_unlock(&m->lock);
}

static bool rxe_rx_select_ep(struct rxe_rx *rx, u8 opcode, u32 qpn, u32 len)
{
	enum rxe_counter drop = RXE_CNT_DROP_NO_QP;
	u8 service = opcode & ROCE_OP_SERVICE;
	u32 key = service << 24 | qpn;

	if (rx->demux_key != key) {
		rxe_rx_deliver(rx);
		rx->ep = service == ROCE_OP_UD ?
				 rxe_demux_find_ud(rx->skb, &rx->hdr, qpn, &drop) :
				 rxe_demux_find(rx->skb, rx->dev, qpn, &drop);
		rx->demux_key = key;
		if (unlikely(!rx->ep && drop == RXE_CNT_DROP_ADDR))
			rxe_rx_note_misaddressed(rx, qpn);
	}
	if (!rx->ep)
		rxe_rx_drop(rx, drop, len);
	return rx->ep;
}

static void rxe_rx_to_group(struct rxe_dev *dev, const struct rxe_group *group,
			     const struct roce_pkt *pkt)
{
	struct roce_pkt copy;
	struct rxe_ep *ep;
	u32 i;

	rxe_count(dev, RXE_CNT_RCVD_PKTS, 1);
	rxe_count(dev, RXE_CNT_RCVD_BYTES,
		  pkt->op->hdr_len + pkt->payload_len + pkt->pad + ROCE_ICRC_LEN);
	for (i = 0; i < RXE_MAX_MCAST_QPS; i++) {
		ep = rcu_dereference(group->eps[i]);
		if (!ep)
			continue;
		copy = *pkt;
		rxe_ep_rx(ep, &copy, 1);
	}
}

/*
 * A device joins groups on its own interface. So it takes their packets in the namespace of that
 * interface only: otherwise it would get two copies where a pod has joined the group, too.
 */
static struct rxe_group *rxe_rx_group_of(struct rxe_dev *dev, const struct net_device *ndev,
					  const union ib_gid *gid)
{
	if (READ_ONCE(dev->net) != dev_net(ndev) || !rxe_demux_dev_serves(dev, ndev))
		return NULL;
	return rxe_mcast_find(dev, gid);
}

static bool rxe_rx_has_group(struct sk_buff *skb)
{
	struct roce_pkt pkt = { .cookie = skb };
	const struct net_device *ndev = rxe_vrf_ingress(skb);
	struct rxe_net_member *member;
	union ib_gid gid;

	rxe_pkt_dgid(&pkt, &gid);
	list_for_each_entry_rcu(member, rxe_net_members(dev_net(ndev)), net_node)
		if (rxe_rx_group_of(member->dev, ndev, &gid))
			return true;
	return false;
}

/* Several devices may serve the interface, each with a group of this address. */
static bool rxe_rx_to_groups(struct rxe_rx *rx, const struct roce_pkt *pkt)
{
	const struct net_device *ndev = rxe_vrf_ingress(rx->skb);
	struct rxe_net_member *member;
	struct rxe_group *group;
	union ib_gid gid;
	bool found = false;

	rxe_pkt_dgid(pkt, &gid);
	list_for_each_entry_rcu(member, rxe_net_members(rx->net), net_node) {
		group = rxe_rx_group_of(member->dev, ndev, &gid);
		if (group) {
			rxe_rx_to_group(member->dev, group, pkt);
			found = true;
		}
	}
	return found;
}

/*
 * Delivers a multicast packet of @len bytes at offset @off from skb->data. @pkt is a copy, because
 * its slot in @rx->pkts is free for the next packet once rxe_rx_deliver() has run.
 */
static void rxe_rx_mcast(struct rxe_rx *rx, struct roce_pkt pkt, const u8 *hdr, const u8 *p,
			       u32 off, u32 len)
{
	bool icrc_ok = rx->hw_icrc != RXE_HW_ICRC_NONE || rxe_rx_icrc_ok(rx, hdr, p, off, len);

	rxe_rx_deliver(rx);
	pkt.cookie = rx->skb;
	pkt.payload_off += off;
	if ((pkt.opcode & ROCE_OP_SERVICE) != ROCE_OP_UD)
		rxe_rx_drop(rx, RXE_CNT_DROP_MALFORMED, len);
	else if (!icrc_ok)
		rxe_rx_drop(rx, RXE_CNT_DROP_ICRC, len);
	else if (rxe_rx_to_groups(rx, &pkt))
		rx->any_valid = true;
	else
		rxe_rx_drop(rx, RXE_CNT_DROP_NO_QP, len);
}

/* Appends the packet of @len bytes at offset @off from skb->data to @rx->pkts, if it is valid. */
static void rxe_rx_packet(struct rxe_rx *rx, u32 off, u32 len)
{
	u32 hdr_len = min_t(u32, len, ROCE_MAX_HDR);
	u32 icrc_len = rx->hw_icrc == RXE_HW_ICRC_STRIPPED ? 0 : ROCE_ICRC_LEN;
	u8 hdr_buf[ROCE_MAX_HDR];
	struct roce_pkt *pkt, *slot;
	const u8 *hdr, *p;

	if (rx->npkts == rx->max_pkts)
		rxe_rx_deliver(rx);
	pkt = &rx->pkts[rx->npkts];
	p = rxe_rx_contiguous(rx->skb, off, len);
	hdr = p ?: skb_header_pointer(rx->skb, off, hdr_len, hdr_buf);
	if (!hdr || roce_parse(hdr, hdr_len, len, icrc_len, pkt) != ROCE_DROP_NONE) {
		rxe_rx_drop(rx, RXE_CNT_DROP_MALFORMED, len);
		return;
	}
	if ((pkt->pkey & RXE_PKEY_BASE) != RXE_PKEY_BASE) {
		rxe_rx_drop(rx, RXE_CNT_DROP_PKEY, len);
		return;
	}
	if (unlikely(pkt->qpn == RXE_MCAST_QPN)) {
		rxe_rx_mcast(rx, *pkt, hdr, p, off, len);
		return;
	}
	if (!rxe_rx_select_ep(rx, pkt->opcode, pkt->qpn, len))
		return;
	if (rx->hw_icrc == RXE_HW_ICRC_NONE && !rxe_rx_icrc_ok(rx, hdr, p, off, len)) {
		rxe_rx_drop(rx, RXE_CNT_DROP_ICRC, len);
		return;
	}
	slot = &rx->pkts[rx->npkts++];
	if (slot != pkt)
		*slot = *pkt;
	slot->cookie = rx->skb;
	slot->payload_off += off;
	slot->ce = rx->ce;
	rx->any_valid = true;
}

/*
 * Copies the IP and UDP header, which are in the linear part. Returns false if their lengths are
 * inconsistent, or if there are IP options or extension headers, which RoCEv2 packets do not have
 * (IBTA A17.3.1).
 */
static bool rxe_rx_read_headers(struct rxe_rx *rx)
{
	const struct sk_buff *skb = rx->skb;
	u32 ip_len = skb_network_header_len(skb), udp_off = skb_transport_offset(skb), len;
	const struct iphdr *ip = ip_hdr(skb);

	rx->hdr.v6 = ip->version == 6;
	if (rx->hdr.v6) {
		rx->hdr.ip6 = *ipv6_hdr(skb);
		if (ip_len != sizeof(rx->hdr.ip6) || rx->hdr.ip6.nexthdr != IPPROTO_UDP)
			return false;
	} else {
		rx->hdr.ip4 = *ip;
		if (ip_len != sizeof(rx->hdr.ip4))
			return false;
	}
	/* Buffers of several packets have one traffic class: GRO does not merge others. */
	rx->ce = INET_ECN_is_ce(rx->hdr.v6 ? ipv6_get_dsfield(&rx->hdr.ip6) : rx->hdr.ip4.tos);
	rx->hdr.udp = *udp_hdr(skb);
	len = ntohs(rx->hdr.udp.len);
	if (len < sizeof(rx->hdr.udp) || len > skb->len - udp_off)
		return false;
	rx->off = udp_off + sizeof(rx->hdr.udp);
	rx->len = len - sizeof(rx->hdr.udp);
	return skb_frags_readable(skb);
}

static struct rxe_dev *rxe_rx_first_dev(struct net *net)
{
	struct rxe_net_member *member;

	member = list_first_or_null_rcu(rxe_net_members(net), struct rxe_net_member, net_node);
	return member ? member->dev : NULL;
}

static void rxe_rx_init(struct rxe_rx *rx, struct sk_buff *skb)
{
	memset(rx, 0, sizeof(*rx));
	rxe_net_hdr_use(&rx->hdr, &rxe_rx_memos);
	rx->net = dev_net(skb->dev);
	rx->skb = skb;
	rx->demux_key = NO_DEMUX_KEY;
	rx->dev = rxe_demux_dev(skb) ?: rxe_rx_first_dev(rx->net);
}

static void rxe_rx_free(const struct rxe_rx *rx)
{
	if (rx->any_valid)
		consume_skb(rx->skb);
	else
		kfree_skb(rx->skb);
}

int rxe_rx_udp(struct sock *sk, struct sk_buff *skb)
{
	struct roce_pkt pkt;
	struct rxe_rx rx;

	rcu_read_lock();
	rxe_rx_init(&rx, skb);
	rx.pkts = &pkt;
	rx.max_pkts = 1;
	rx.hw_icrc = rxe_icrc_rx_status(rx.net, skb);
	/* A frag_list comes from IP reassembly, which is rare enough to copy the buffer. */
	if (skb_has_frag_list(skb) && skb_linearize(skb)) {
		rxe_rx_count(&rx, RXE_CNT_DROP_NO_MEM);
	} else if (!pskb_may_pull(skb, sizeof(struct udphdr)) || !rxe_rx_read_headers(&rx)) {
		rxe_rx_count(&rx, RXE_CNT_DROP_MALFORMED);
	} else {
		rxe_rx_packet(&rx, rx.off, rx.len);
		rxe_rx_deliver(&rx);
	}
	rxe_rx_free(&rx);
	rcu_read_unlock();
	return 0;
}

/* Segmentation gives the packets consecutive IPv4 identifications, from the buffer's own on. */
static void rxe_rx_segments(struct rxe_rx *rx)
{
	u32 left, len, off = rx->off, seg_len = skb_shinfo(rx->skb)->gso_size;
	u16 id = ntohs(rx->hdr.ip4.id);

	for (left = rx->len; left; left -= len) {
		len = min(left, seg_len);
		rxe_net_hdr_set(&rx->hdr, len, id++);
		rxe_rx_packet(rx, off, len);
		off += len;
	}
}

/* A buffer of rxe_gro_receive(): each packet after the first has its own skb and headers. */
static void rxe_rx_frag_list(struct rxe_rx *rx)
{
	struct sk_buff *first = rx->skb, *skb;
	u32 len = skb_pagelen(first) - rx->off;

	rxe_net_hdr_set(&rx->hdr, len, ntohs(rx->hdr.ip4.id));
	rxe_rx_packet(rx, rx->off, len);
	skb_walk_frags(first, skb) {
		rx->skb = skb;
		rxe_net_hdr_set(&rx->hdr, skb->len, ntohs(ip_hdr(skb)->id));
		rxe_rx_packet(rx, 0, skb->len);
	}
	rx->skb = first;
}

/* Without memory, @few is used: more packets than that are passed in several calls. */
static void rxe_rx_alloc_pkts(struct rxe_rx *rx, u32 n, struct roce_pkt few[ONSTACK_PKTS])
{
	struct roce_pkt *pkts = NULL;

	n = min(n, MAX_PKTS);
	if (n > ONSTACK_PKTS)
		pkts = kmalloc_array(n, sizeof(*pkts), GFP_ATOMIC | __GFP_NOWARN);
	rx->pkts = pkts ?: few;
	rx->max_pkts = pkts ? n : ONSTACK_PKTS;
}

static void rxe_rx_free_pkts(const struct rxe_rx *rx, const struct roce_pkt few[ONSTACK_PKTS])
{
	if (rx->pkts != few)
		kfree(rx->pkts);
}

bool rxe_rx_is_for_us(struct sk_buff *skb, u32 ip_len)
{
	struct rxe_net_hdr h = { .v6 = ip_len == sizeof(h.ip6) };
	enum rxe_counter drop;
	struct roce_bth buf;
	const struct roce_bth *bth =
		skb_header_pointer(skb, ip_len + sizeof(h.udp), sizeof(buf), &buf);
	u32 qpn;

	if (!bth)
		return false;
	qpn = be32_to_cpu(bth->qpn) & ROCE_BTH_QPN;
	if ((bth->opcode & ROCE_OP_SERVICE) != ROCE_OP_UD)
		return rxe_demux_find(skb, rxe_demux_dev(skb), qpn, &drop);
	if (qpn == RXE_MCAST_QPN)
		return rxe_rx_has_group(skb);
	if (h.v6)
		h.ip6 = *ipv6_hdr(skb);
	else
		h.ip4 = *ip_hdr(skb);
	return rxe_demux_find_ud(skb, &h, qpn, &drop);
}

void rxe_rx_gso(struct sk_buff *skb)
{
	struct roce_pkt few[ONSTACK_PKTS];
	struct rxe_rx rx;

	rxe_rx_init(&rx, skb);
	rxe_rx_alloc_pkts(&rx, DIV_ROUND_UP(skb->len, skb_shinfo(skb)->gso_size), few);
	if (!rxe_rx_read_headers(&rx))
		rxe_rx_count(&rx, RXE_CNT_DROP_MALFORMED);
	else if (skb_has_frag_list(skb))
		rxe_rx_frag_list(&rx);
	else
		rxe_rx_segments(&rx);
	rxe_rx_deliver(&rx);
	rxe_rx_free(&rx);
	rxe_rx_free_pkts(&rx, few);
}

/* Returns true if the addresses of @ip are those of @h, the header of the previous packet. */
static bool rxe_rx_same_addresses(const struct rxe_net_hdr *h, const void *ip)
{
	const struct ipv6hdr *ip6 = ip;
	const struct iphdr *ip4 = ip;

	if (ip4->version != h->ip4.version)
		return false;
	if (!h->v6)
		return ip4->saddr == h->ip4.saddr && ip4->daddr == h->ip4.daddr;
	return ipv6_addr_equal(&ip6->saddr, &h->ip6.saddr) &&
	       ipv6_addr_equal(&ip6->daddr, &h->ip6.daddr);
}

/* Keeps the cached endpoint if @skb has the addresses of the previous buffer. */
static void rxe_rx_next_skb(struct rxe_rx *rx, struct sk_buff *skb)
{
	rx->skb = skb;
	rx->any_valid = false;
	if (!rxe_rx_same_addresses(&rx->hdr, skb_network_header(skb)))
		rx->demux_key = NO_DEMUX_KEY;
}

/* Returns true if at least one packet of @skb is valid. */
static bool rxe_rx_append_skb(struct rxe_rx *rx, struct sk_buff *skb)
{
	rxe_rx_next_skb(rx, skb);
	if (!rxe_rx_read_headers(rx))
		rxe_rx_count(rx, RXE_CNT_DROP_MALFORMED);
	else if (skb_is_gso(skb))
		rxe_rx_segments(rx);
	else
		rxe_rx_packet(rx, rx->off, rx->len);
	return rx->any_valid;
}

void rxe_rx_list(struct sk_buff *skbs, u32 n)
{
	struct sk_buff *skb, *next, **list, *good = NULL, *bad = NULL;
	struct roce_pkt few[ONSTACK_PKTS];
	struct rxe_rx rx;

	rcu_read_lock();
	rxe_rx_init(&rx, skbs);
	rxe_rx_alloc_pkts(&rx, n, few);
	for (skb = skbs; skb; skb = next) {
		next = skb->next;
		list = rxe_rx_append_skb(&rx, skb) ? &good : &bad;
		skb->next = *list;
		*list = skb;
	}
	rxe_rx_deliver(&rx);
	rcu_read_unlock();
	kfree_skb_list(bad);
	for (skb = good; skb; skb = next) {
		next = skb->next;
		skb_mark_not_on_list(skb);
		napi_consume_skb(skb, 1);
	}
	rxe_rx_free_pkts(&rx, few);
}
