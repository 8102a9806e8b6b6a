// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's own GRO of UDP wants checksums, which RoCEv2 does not have. What is made here is
 * what it makes where it chains packets (SKB_GSO_FRAGLIST), so that the stack can take a buffer
 * apart again wherever it must. It then gives all packets the headers of the first, with IPv4
 * identifications counted up: only packets that this would leave as they were are joined.
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

/* As many as a segmented buffer may have. */
#define MAX_JOINED 64

/* A buffer's length is in its UDP header. */
#define MAX_BYTES 0xffffu

/* Are there just the headers expected before the BTH, and nothing, such as padding, at the end? */
static bool rxe_gro_exact(const struct rxe_gro_pkt *pkt)
{
	const struct ipv6hdr *ip6 = (const void *)pkt->headers;
	__be16 len = rxe_gro_udp(pkt)->len;

	if (pkt->ip_len == sizeof(*ip6) && (ip6->nexthdr != IPPROTO_UDP || ip6->payload_len != len))
		return false;
	return ntohs(len) == sizeof(struct udphdr) + pkt->len;
}

/* False: it has other headers than those. */
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

/* May the packet share a buffer with others? */
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

static bool rxe_gro_may_join(const struct rxe_gro_pkt *pkt)
{
	enum rxe_bypass_veto veto = rxe_gro_veto(pkt);

	trace_rxe_bypass(veto, pkt->skb->dev, RXE_BYPASS_RX_GRO);
	return !veto;
}

/* The buffer that has come from the same port of the same host to the same address, if any. */
static struct sk_buff *rxe_gro_same_flow(struct list_head *held)
{
	struct sk_buff *p;

	list_for_each_entry(p, held, list)
		if (NAPI_GRO_CB(p)->same_flow)
			return p;
	return NULL;
}

/* Would @b be the header of the @n-th packet after that with the header @a? */
static bool rxe_gro_ipid_follows(const struct iphdr *a, const struct iphdr *b, u32 n)
{
	return a->tos == b->tos && a->ttl == b->ttl && a->frag_off == b->frag_off &&
	       (u16)(ntohs(a->id) + n) == ntohs(b->id);
}

/* As it is with the traffic class and the flow label, which are in the first word. */
static bool rxe_gro_alike(const struct ipv6hdr *a, const struct ipv6hdr *b)
{
	return !memcmp(a, b, sizeof(__be32)) && a->hop_limit == b->hop_limit;
}

/* Is it one more packet of the buffer? */
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

/* Chains a packet, which keeps its headers and whatever memory it has. */
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
 * What the stack would only carry leaves it here, unless others of its flow are on their way.
 * The buffer @p of the flow, if any, goes up as soon as anything else comes, so that nothing is
 * overtaken. Of a flow that is not for an endpoint here nothing is held: it may be forwarded.
 */
struct sk_buff *rxe_gro_receive(struct sock *sk, struct list_head *held, struct sk_buff *skb)
{
	struct rxe_gro_pkt pkt = { .skb = skb };
	struct sk_buff *p = rxe_gro_same_flow(held);
	bool ours, joins, plain = rxe_gro_read(sk, &pkt);

	if (plain && !p && !skb_network_offset(skb) && rxe_gro_bypass(&pkt))
		return ERR_PTR(-EINPROGRESS);
	joins = plain && rxe_gro_may_join(&pkt);
	if (joins && p && rxe_gro_can_merge(p, &pkt) && rxe_gro_merge(p, &pkt))
		return pkt.len < skb_shinfo(p)->gso_size || NAPI_GRO_CB(p)->count == MAX_JOINED ?
			       p :
			       NULL;
	ours = joins && ((p && NAPI_GRO_CB(p)->is_flist) ||
			 rxe_demux_match(sock_net(sk), pkt.headers, rxe_gro_qpn(&pkt)));
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
	/* Where there is a checksum, each packet's has been checked. */
	skb->ip_summed = CHECKSUM_UNNECESSARY;
	return 0;
}
