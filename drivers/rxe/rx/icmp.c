// SPDX-License-Identifier: GPL-2.0
/*
 * ICMP errors for packets of a device: "fragmentation needed" and "packet too big".
 *
 * Queue pairs do not react: the path MTU of a connection cannot change, and ICMP errors may be
 * forged. The errors are counted and logged.
 */
#include <linux/errno.h>
#include <linux/icmp.h>
#include <linux/icmpv6.h>
#include <linux/skbuff.h>
#include <linux/udp.h>
#include <net/ipv6.h>
#include <roce/wire.h>

#include "ip/net_hdr.h"
#include "ip/pmtu.h"
#include "rx/demux.h"
#include "rx/icmp.h"

/**
 * struct rxe_icmp - a report of a packet that is too big
 * @own: @own.ip4.daddr or @own.ip6.daddr is the source address of the packet
 * @daddr: destination of the packet, or an IPv4-mapped address
 * @len: bytes of the IP packet
 * @mtu: MTU of the link that it did not fit into, bytes; 0: unknown
 */
struct rxe_icmp {
	struct rxe_net_hdr own;
	struct in6_addr daddr;
	u32 len;
	u32 mtu;
};

/* The stack has validated the header, which precedes the packet, and pulled it. */
static bool rxe_icmp_parse_v4(const struct sk_buff *skb, struct rxe_icmp *report)
{
	const struct iphdr *ip = ip_hdr(skb);
	const struct icmphdr *icmp = (const struct icmphdr *)ip - 1;

	if (skb_headroom(skb) < sizeof(*icmp) || icmp->type != ICMP_DEST_UNREACH ||
	    icmp->code != ICMP_FRAG_NEEDED)
		return false;
	report->own.ip4.daddr = ip->saddr;
	ipv6_addr_set_v4mapped(ip->daddr, &report->daddr);
	report->len = ntohs(ip->tot_len);
	report->mtu = ntohs(icmp->un.frag.mtu);
	return true;
}

static bool rxe_icmp_parse_v6(const struct sk_buff *skb, struct rxe_icmp *report)
{
	const struct ipv6hdr *ip = ipv6_hdr(skb);
	const struct icmp6hdr *icmp = (const struct icmp6hdr *)ip - 1;

	if (skb_headroom(skb) < sizeof(*icmp) || icmp->icmp6_type != ICMPV6_PKT_TOOBIG)
		return false;
	report->own.v6 = true;
	report->own.ip6.daddr = ip->saddr;
	report->daddr = ip->daddr;
	report->len = sizeof(*ip) + ntohs(ip->payload_len);
	report->mtu = ntohl(icmp->icmp6_mtu);
	return true;
}

int rxe_icmp_err(struct sock *sk, struct sk_buff *skb)
{
	struct rxe_icmp report = {};
	struct rxe_dev *dev;

	if (udp_hdr(skb)->dest != htons(ROCE_UDP_PORT) ||
	    !(ip_hdr(skb)->version == 4 ? rxe_icmp_parse_v4(skb, &report) :
					  rxe_icmp_parse_v6(skb, &report)) ||
	    report.mtu >= report.len)
		return -ENOENT;
	dev = rxe_demux_find_owner(skb, &report.own);
	if (dev)
		rxe_pmtu_reported(dev, &report.daddr, report.len, report.mtu);
	return -ENOENT;
}
