// SPDX-License-Identifier: GPL-2.0
/*
 * Received packets that endpoints retain beyond their buffer, and the GRH of datagrams.
 */
#include <linux/mm.h>
#include <linux/skbuff.h>
#include <net/ip.h>
#include <net/ipv6.h>

#include "base/device.h"
#include "ip/net_hdr.h"
#include "ip/pkt.h"

/* Divisor: the packets retained for a device take at most this fraction (1/64) of the memory. */
#define RXE_RETAINED_RAM_DIV 64

/* The IP header of a packet of a GSO buffer, as segmentation would write it. */
static void rxe_pkt_net_hdr(const struct roce_pkt *pkt, struct rxe_net_hdr *h)
{
	const struct sk_buff *skb = rxe_pkt_skb(pkt);
	u32 first = skb_transport_offset(skb) + sizeof(h->udp);
	u32 off = pkt->payload_off - pkt->op->hdr_len, seg_len = skb_shinfo(skb)->gso_size;

	h->v6 = ip_hdr(skb)->version == 6;
	if (h->v6)
		h->ip6 = *ipv6_hdr(skb);
	else
		h->ip4 = *ip_hdr(skb);
	rxe_net_hdr_set(h, pkt->op->hdr_len + pkt->payload_len + pkt->pad + ROCE_ICRC_LEN,
			ntohs(h->ip4.id) + (seg_len ? (off - first) / seg_len : 0));
	if (!h->v6)
		ip_send_check(&h->ip4);
}

void rxe_pkt_grh(const struct roce_pkt *pkt, u8 grh[RXE_GRH_LEN])
{
	struct rxe_net_hdr h;

	static_assert(sizeof(h.ip6) == RXE_GRH_LEN);
	rxe_pkt_net_hdr(pkt, &h);
	if (h.v6) {
		memcpy(grh, &h.ip6, sizeof(h.ip6));
	} else {
		memset(grh, 0, RXE_GRH_LEN - sizeof(h.ip4));
		memcpy(grh + RXE_GRH_LEN - sizeof(h.ip4), &h.ip4, sizeof(h.ip4));
	}
}

bool rxe_pkt_dgid(const struct roce_pkt *pkt, union ib_gid *dgid)
{
	const struct sk_buff *skb = rxe_pkt_skb(pkt);

	if (ip_hdr(skb)->version == 6) {
		memcpy(dgid->raw, &ipv6_hdr(skb)->daddr, sizeof(dgid->raw));
		return true;
	}
	ipv6_addr_set_v4mapped(ip_hdr(skb)->daddr, (struct in6_addr *)dgid->raw);
	return false;
}

static u32 rxe_net_hdr_ip_len(const struct rxe_net_hdr *h)
{
	return h->v6 ? sizeof(h->ip6) : sizeof(h->ip4);
}

/* Copies the IP header, for rxe_pkt_grh() and rxe_pkt_dgid(), and the payload behind it. */
static struct sk_buff *rxe_pkt_copy(const struct roce_pkt *pkt, const struct rxe_net_hdr *h)
{
	u32 len = rxe_net_hdr_ip_len(h);
	struct sk_buff *skb;

	skb = alloc_skb(len + pkt->payload_len, GFP_ATOMIC | __GFP_NOWARN);
	if (!skb)
		return NULL;
	skb_reset_network_header(skb);
	skb_put_data(skb, &h->ip6, len);
	skb_set_transport_header(skb, len);
	if (!skb_copy_bits(rxe_pkt_skb(pkt), pkt->payload_off, skb_put(skb, pkt->payload_len),
			   pkt->payload_len))
		return skb;
	kfree_skb(skb);
	return NULL;
}

/* Bytes charged for a retained packet. A retained skb may take up to twice as many. */
static long rxe_pkt_kept_size(const struct roce_pkt *pkt)
{
	return SKB_TRUESIZE(RXE_GRH_LEN + pkt->payload_len);
}

static bool rxe_pkt_charge(struct rxe_dev *dev, long size)
{
	long most = totalram_pages() / RXE_RETAINED_RAM_DIV * PAGE_SIZE;

	if (atomic_long_add_return(size, &dev->retained_bytes) <= most)
		return true;
	atomic_long_sub(size, &dev->retained_bytes);
	return false;
}

static bool rxe_pkt_get_or_copy(struct roce_pkt *pkt, const struct roce_pkt *from)
{
	struct sk_buff *skb = rxe_pkt_skb(from);
	struct rxe_net_hdr h;

	rxe_pkt_net_hdr(from, &h);
	/* A page fragment, or a head allocated as one, may pin a page larger than truesize says. */
	if (!skb_is_nonlinear(skb) && !skb->head_frag &&
	    skb->truesize <= 2 * rxe_pkt_kept_size(from)) {
		skb_get(skb);
		return true;
	}
	pkt->cookie = rxe_pkt_copy(from, &h);
	pkt->payload_off = rxe_net_hdr_ip_len(&h);
	return pkt->cookie;
}

bool rxe_pkt_retain(struct rxe_dev *dev, struct roce_pkt *pkt, const struct roce_pkt *from)
{
	long size = rxe_pkt_kept_size(from);

	if (!rxe_pkt_charge(dev, size))
		return false;
	*pkt = *from;
	if (rxe_pkt_get_or_copy(pkt, from))
		return true;
	atomic_long_sub(size, &dev->retained_bytes);
	return false;
}

void rxe_pkt_release(struct rxe_dev *dev, const struct roce_pkt *pkt)
{
	consume_skb(rxe_pkt_skb(pkt));
	atomic_long_sub(rxe_pkt_kept_size(pkt), &dev->retained_bytes);
}
