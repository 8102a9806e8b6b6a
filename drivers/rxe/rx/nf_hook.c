// SPDX-License-Identifier: GPL-2.0
/*
 * Netfilter hook at the end of LOCAL_IN for GSO and GRO buffers. The UDP layer segments each buffer
 * before it calls encap_rcv, so this is the last place where the buffer is whole. Its packets are
 * for this host and have passed all firewall rules. The hook accepts buffers that it cannot
 * receive, that are not for an endpoint of this namespace, or that another hook has yet to see, and
 * the UDP layer segments them.
 */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/netfilter.h>
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>
#include <linux/skbuff.h>
#include <linux/udp.h>
#include <net/xfrm.h>
#include <roce/wire.h>

#include "ip/bypass.h"
#include "rx/nf_hook.h"
#include "rx/receive.h"

#if IS_ENABLED(CONFIG_NF_CONNTRACK)
#include <net/netfilter/nf_conntrack.h>

/*
 * Connection tracking confirms a new flow in a hook of the same priority, which may run after this
 * one. So the packets of an unconfirmed flow have to continue through the stack.
 */
static bool rxe_nf_hook_ct_confirmed(const struct sk_buff *skb)
{
	enum ip_conntrack_info info;
	const struct nf_conn *ct = nf_ct_get(skb, &info);

	return !ct || nf_ct_is_template(ct) || nf_ct_is_confirmed(ct);
}
#else
static bool rxe_nf_hook_ct_confirmed(const struct sk_buff *skb)
{
	return true;
}
#endif

static bool rxe_nf_hook_wanted(struct sk_buff *skb, u8 protocol, u32 ip_len)
{
	if (!rxe_rx_has_segments(skb) || protocol != IPPROTO_UDP ||
	    skb_network_header_len(skb) != ip_len ||
	    (skb_has_frag_list(skb) && !(skb_shinfo(skb)->gso_type & SKB_GSO_FRAGLIST)))
		return false;
	if (!pskb_may_pull(skb, ip_len + sizeof(struct udphdr)))
		return false;
	return udp_hdr(skb)->dest == htons(ROCE_UDP_PORT) &&
	       ntohs(udp_hdr(skb)->len) == skb->len - ip_len && skb_csum_unnecessary(skb) &&
	       rxe_nf_hook_ct_confirmed(skb) && rxe_rx_is_for_us(skb, ip_len);
}

/* nfnetlink_queue reinjects packets in process context, where softirqs are enabled. */
static unsigned int rxe_nf_hook_rx(struct sk_buff *skb)
{
	local_bh_disable();
	rxe_rx_gso(skb);
	local_bh_enable();
	return NF_STOLEN;
}

static unsigned int rxe_nf_hook_v4(void *priv, struct sk_buff *skb,
				   const struct nf_hook_state *state)
{
	if (!skb_is_gso(skb) || !rxe_bypass_nf_hook_is_last(state->net, false) ||
	    !rxe_nf_hook_wanted(skb, ip_hdr(skb)->protocol, sizeof(struct iphdr)) ||
	    !xfrm4_policy_check(NULL, XFRM_POLICY_IN, skb))
		return NF_ACCEPT;
	return rxe_nf_hook_rx(skb);
}

static unsigned int rxe_nf_hook_v6(void *priv, struct sk_buff *skb,
				   const struct nf_hook_state *state)
{
	if (!skb_is_gso(skb) || !rxe_bypass_nf_hook_is_last(state->net, true) ||
	    !rxe_nf_hook_wanted(skb, ipv6_hdr(skb)->nexthdr, sizeof(struct ipv6hdr)) ||
	    !xfrm6_policy_check(NULL, XFRM_POLICY_IN, skb))
		return NF_ACCEPT;
	return rxe_nf_hook_rx(skb);
}

static const struct nf_hook_ops rxe_nf_hooks[] = {
	{
		.hook = rxe_nf_hook_v4,
		.priv = &rxe_nf_hook_tag,
		.pf = NFPROTO_IPV4,
		.hooknum = NF_INET_LOCAL_IN,
		.priority = INT_MAX,
	},
	{
		.hook = rxe_nf_hook_v6,
		.priv = &rxe_nf_hook_tag,
		.pf = NFPROTO_IPV6,
		.hooknum = NF_INET_LOCAL_IN,
		.priority = INT_MAX,
	},
};

int rxe_nf_hook_register(struct net *net)
{
	return nf_register_net_hooks(net, rxe_nf_hooks, ARRAY_SIZE(rxe_nf_hooks));
}

void rxe_nf_hook_unregister(struct net *net)
{
	nf_unregister_net_hooks(net, rxe_nf_hooks, ARRAY_SIZE(rxe_nf_hooks));
}
