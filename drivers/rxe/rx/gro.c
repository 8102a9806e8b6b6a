// SPDX-License-Identifier: GPL-2.0
/*
 * GRO of RoCEv2 packets. UDP GRO of the kernel requires UDP checksums, which RoCEv2 over IPv4 does
 * not use, so the packets are merged here, in the format of the kernel's fraglist GRO
 * (SKB_GSO_FRAGLIST): the stack can segment such a buffer wherever it has to. Segmentation copies
 * the headers of the first packet to all others and increments the IPv4 identification. Therefore a
 * packet is merged only if segmentation restores its headers exactly, as the ICRC requires.
 */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/udp.h>
#include <net/gro.h>
#include <net/sock.h>
#include <roce/wire.h>

#include "ip/bypass.h"
#include "ip/bypass_trace.h"
#include "rx/demux.h"
#include "rx/gro.h"
#include "ip/icrc_offload.h"
#include "rx/gro_bypass.h"

/* Packets in a buffer: the smallest UDP_MAX_SEGMENTS of the kernels supported. */
#define MAX_JOINED 64

/* Bytes in a buffer: the UDP length field has 16 bits. */
#define MAX_BYTES 0xffffu

/*
 * Returns true if only an IPv6 (without extension headers) or IPv4 header and a UDP header precede
 * the BTH, and no bytes, such as Ethernet padding, follow the ICRC.
 */
static bool rxe_gro_exact(const struct rxe_gro_pkt *pkt)
{
	const struct ipv6hdr *ip6 = (const void *)pkt->headers;
	__be16 len = rxe_gro_udp(pkt)->len;

	if (pkt->ip_len == sizeof(*ip6) && (ip6->nexthdr != IPPROTO_UDP || ip6->payload_len != len))
		return false;
	return ntohs(len) == sizeof(struct udphdr) + pkt->len;
}

/* Returns false if other headers, such as IPv4 options, lie between the IP header and the BTH. */
static bool rxe_gro_read(struct sock *sk, struct rxe_gro_pkt *pkt)
{
	struct sk_buff *skb = pkt->skb;
	u32 before;

	pkt->bth = skb_gro_offset(skb);
	pkt->ip_len = sk->sk_family == AF_INET6 ? sizeof(struct ipv6hdr) : sizeof(struct iphdr);
	pkt->len = skb_gro_len(skb);
	before = pkt->ip_len + sizeof(struct udphdr);
	pkt->headers = skb_gro_header(skb, pkt->bth + sizeof(struct roce_bth), pkt->bth - before);
	return pkt->headers && skb_network_offset(skb) == pkt->bth - before;
}

static enum rxe_bypass_veto rxe_gro_veto(const struct rxe_gro_pkt *pkt)
{
	const struct sk_buff *skb = pkt->skb;

	if (!rxe_gro_exact(pkt))
		return RXE_VETO_LENGTH;
	if (NAPI_GRO_CB(skb)->flush || skb->destructor)
		return RXE_VETO_SKB;
	if (static_branch_unlikely(&rxe_hw_icrc_key))
		return RXE_VETO_ICRC_OFFLOAD;
	return dev_nit_active(skb->dev) ? RXE_VETO_TAP : RXE_BYPASS_OK;
}

static bool rxe_gro_may_join(const struct rxe_gro_pkt *pkt, bool plain)
{
	enum rxe_bypass_veto veto = plain ? rxe_gro_veto(pkt) : RXE_VETO_HEADERS;

	trace_rxe_bypass(veto, pkt->skb->dev, RXE_BYPASS_GRO_JOIN);
	return !veto;
}

/* Returns the held buffer with the same addresses and UDP ports, or NULL. */
static struct sk_buff *rxe_gro_same_flow(struct list_head *held)
{
	struct sk_buff *p;

	list_for_each_entry(p, held, list)
		if (NAPI_GRO_CB(p)->same_flow)
			return p;
	return NULL;
}

/* Returns true if segmentation of a buffer with header @a gives its packet number @n header @b. */
static bool rxe_gro_ipid_follows(const struct iphdr *a, const struct iphdr *b, u32 n)
{
	return a->tos == b->tos && a->ttl == b->ttl && a->frag_off == b->frag_off &&
	       (u16)(ntohs(a->id) + n) == ntohs(b->id);
}

/* The same for IPv6. The first word holds the version, the traffic class and the flow label. */
static bool rxe_gro_alike(const struct ipv6hdr *a, const struct ipv6hdr *b)
{
	return !memcmp(a, b, sizeof(__be32)) && a->hop_limit == b->hop_limit;
}

static bool rxe_gro_can_merge(const struct sk_buff *p, const struct rxe_gro_pkt *pkt)
{
	const void *ip = p->data + pkt->bth - sizeof(struct udphdr) - pkt->ip_len;

	if (!NAPI_GRO_CB(p)->is_flist || pkt->len > skb_shinfo(p)->gso_size ||
	    p->len + pkt->len > MAX_BYTES)
		return false;
	return pkt->ip_len == sizeof(struct ipv6hdr) ?
		       rxe_gro_alike(ip, (const void *)pkt->headers) :
		       rxe_gro_ipid_follows(ip, (const void *)pkt->headers, NAPI_GRO_CB(p)->count);
}

/* Appends the skb to the frag_list of @p. The packet keeps its headers and its memory. */
static bool rxe_gro_merge(struct sk_buff *p, const struct rxe_gro_pkt *pkt)
{
	struct sk_buff *skb = pkt->skb;

	if (!pskb_may_pull(skb, pkt->bth))
		return false;
	__skb_pull(skb, pkt->bth);
	skb_set_transport_header(skb, -(int)sizeof(struct udphdr));
	skb_set_network_header(skb, -(int)(sizeof(struct udphdr) + pkt->ip_len));
	if (NAPI_GRO_CB(p)->last == p)
		skb_shinfo(p)->frag_list = skb;
	else
		NAPI_GRO_CB(p)->last->next = skb;
	NAPI_GRO_CB(p)->last = skb;
	NAPI_GRO_CB(p)->count++;
	p->len += skb->len;
	p->data_len += skb->len;
	p->truesize += skb->truesize;
	NAPI_GRO_CB(skb)->same_flow = 1;
	rxe_gro_bypass_note_merge();
	return true;
}

/*
 * A packet takes the GRO bypass only if no buffer @p of its flow is held, and @p is flushed to the
 * stack as soon as a packet of the flow cannot be merged: both keep the packets of a flow in order.
 * Packets that are not for an endpoint of this namespace are not held, because they may have to be
 * forwarded.
 */
struct sk_buff *rxe_gro_receive(struct sock *sk, struct list_head *held, struct sk_buff *skb)
{
	struct rxe_gro_pkt pkt = { .skb = skb };
	struct sk_buff *p = rxe_gro_same_flow(held);
	bool ours, joins, plain = rxe_gro_read(sk, &pkt);

	if (!p && rxe_gro_bypass(&pkt, plain))
		return ERR_PTR(-EINPROGRESS);
	joins = rxe_gro_may_join(&pkt, plain);
	if (joins && p && rxe_gro_can_merge(p, &pkt) && rxe_gro_merge(p, &pkt))
		return pkt.len < skb_shinfo(p)->gso_size || NAPI_GRO_CB(p)->count == MAX_JOINED ?
			       p :
			       NULL;
	ours = joins && ((p && NAPI_GRO_CB(p)->is_flist) ||
			 rxe_demux_match(skb, pkt.headers, rxe_gro_qpn(&pkt)));
	NAPI_GRO_CB(skb)->is_flist = ours;
	if (!ours)
		NAPI_GRO_CB(skb)->flush = 1;
	return p;
}

int rxe_gro_complete(struct sock *sk, struct sk_buff *skb, int bth)
{
	skb_shinfo(skb)->gso_type = SKB_GSO_UDP_L4 | SKB_GSO_FRAGLIST;
	skb_shinfo(skb)->gso_segs = NAPI_GRO_CB(skb)->count;
	skb->encapsulation = 0;
	/* GRO has verified the UDP checksum of each packet that has one. */
	skb->ip_summed = CHECKSUM_UNNECESSARY;
	return 0;
}
