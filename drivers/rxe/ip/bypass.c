// SPDX-License-Identifier: GPL-2.0
/*
 * Bypass eligibility: observers of packets (netfilter, tc, taps, IPsec) that veto a fast path.
 */
#include <linux/ip.h>
#include <linux/netdevice.h>
#include <linux/netfilter.h>
#include <linux/netfilter_ipv4.h>
#include <linux/skbuff.h>
#include <net/dst.h>
#include <net/ip6_fib.h>
#include <net/ip_fib.h>
#include <net/l3mdev.h>
#include <net/rps.h>
#include <net/xfrm.h>

#include "ip/bypass.h"
#include "ip/stack_events.h"

char rxe_nf_hook_tag;

#define RXE_VETO_TEXT(name, text)     [RXE_VETO_##name] = (text),
#define RXE_VETO_TEXT_END(name, text) [RXE_VETO_##name] = (text),

static const char *const rxe_bypass_veto_texts[] = {
	[RXE_BYPASS_OK] = "none",
	RXE_VETO_TEXTS
};

const char *rxe_bypass_veto_text(enum rxe_bypass_veto veto)
{
	return rxe_bypass_veto_texts[veto];
}

#if IS_ENABLED(CONFIG_NETFILTER)
static const struct nf_hook_entries *rxe_bypass_hooks(const struct net *net, bool v6, u32 hook)
{
	return v6 ? rcu_dereference(net->nf.hooks_ipv6[hook]) :
		    rcu_dereference(net->nf.hooks_ipv4[hook]);
}

/*
 * Security modules register at these priorities, which other hooks do not use. NF_IP_PRI_* and
 * NF_IP6_PRI_* have the same values.
 */
static bool rxe_bypass_is_lsm_hook(const struct nf_hook_ops *ops)
{
	return rxe_nf_hook_is_plain(ops) &&
	       (ops->priority == NF_IP_PRI_SELINUX_FIRST ||
		ops->priority == NF_IP_PRI_SELINUX_LAST);
}

/* Returns true if there is a hook for which @exempt returns false. */
static bool rxe_bypass_hooked(const struct net *net, bool v6, u32 hook,
			       bool (*exempt)(const struct nf_hook_ops *ops))
{
	const struct nf_hook_entries *hooks = rxe_bypass_hooks(net, v6, hook);
	u32 i;

	for (i = 0; hooks && i < hooks->num_hook_entries; i++)
		if (!exempt(nf_hook_entries_get_hook_ops(hooks)[i]))
			return true;
	return false;
}

static bool rxe_bypass_exempts_none(const struct nf_hook_ops *ops)
{
	return false;
}

/* In a VRF, hooks see each packet a second time, with the l3 master as its interface. */
static bool rxe_bypass_hooked_tx(const struct net_device *ndev, bool v6)
{
	bool (*exempt)(const struct nf_hook_ops *ops) =
		netif_is_l3_slave(ndev) ? rxe_bypass_exempts_none : rxe_bypass_is_lsm_hook;
	const struct net *net = dev_net(ndev);

	return rxe_bypass_hooked(net, v6, NF_INET_LOCAL_OUT, exempt) ||
	       rxe_bypass_hooked(net, v6, NF_INET_POST_ROUTING, exempt);
}

/* Called by nfnetlink_queue for a packet that user space has accepted. */
static int rxe_bypass_okfn(struct net *net, struct sock *sk, struct sk_buff *skb)
{
	return dst_output(net, sk, skb);
}

static bool rxe_bypass_run_hooks(struct sk_buff *skb, struct net_device *ndev, bool v6, u32 hook)
{
	const struct nf_hook_entries *hooks = rxe_bypass_hooks(dev_net(ndev), v6, hook);
	struct nf_hook_state state;

	if (likely(!hooks))
		return true;
	nf_hook_state_init(&state, hook, v6 ? NFPROTO_IPV6 : NFPROTO_IPV4, NULL, ndev, NULL,
			   dev_net(ndev), rxe_bypass_okfn);
	return nf_hook_slow(skb, &state, hooks, 0) == 1;
}

bool rxe_bypass_run_lsm_hooks(struct sk_buff *skb, struct net_device *ndev, bool v6)
{
	return rxe_bypass_run_hooks(skb, ndev, v6, NF_INET_LOCAL_OUT) &&
	       rxe_bypass_run_hooks(skb, ndev, v6, NF_INET_POST_ROUTING);
}

static bool rxe_bypass_is_own_hook(const struct nf_hook_ops *ops)
{
	return ops->priv == &rxe_nf_hook_tag;
}

/*
 * Returns true for the hook of connection tracking that confirms a flow. It is the only one whose
 * function is registered with the last priority both at LOCAL_IN and at POST_ROUTING.
 */
static bool rxe_bypass_is_ct_confirm(const struct net *net, bool v6, const struct nf_hook_ops *ops)
{
	const struct nf_hook_entries *post = rxe_bypass_hooks(net, v6, NF_INET_POST_ROUTING);
	u32 i;

	if (!rxe_nf_hook_is_plain(ops) || ops->priority != NF_IP_PRI_CONNTRACK_CONFIRM)
		return false;
	for (i = 0; post && i < post->num_hook_entries; i++)
		if (post->hooks[i].hook == ops->hook &&
		    nf_hook_entries_get_hook_ops(post)[i]->priority == NF_IP_PRI_CONNTRACK_CONFIRM)
			return true;
	return false;
}

bool rxe_bypass_nf_hook_is_last(const struct net *net, bool v6)
{
	const struct nf_hook_entries *hooks = rxe_bypass_hooks(net, v6, NF_INET_LOCAL_IN);
	const struct nf_hook_ops *ops;
	u32 i;

	for (i = hooks ? hooks->num_hook_entries : 0; i--;) {
		ops = nf_hook_entries_get_hook_ops(hooks)[i];
		if (rxe_bypass_is_own_hook(ops))
			return true;
		if (!rxe_bypass_is_ct_confirm(net, v6, ops))
			return false;
	}
	return false;
}

static bool rxe_bypass_hooked_rx(const struct net *net, bool v6)
{
	return rxe_bypass_hooked(net, v6, NF_INET_PRE_ROUTING, rxe_bypass_is_own_hook) ||
	       rxe_bypass_hooked(net, v6, NF_INET_LOCAL_IN, rxe_bypass_is_own_hook);
}
#else
static bool rxe_bypass_hooked_tx(const struct net_device *ndev, bool v6)
{
	return false;
}

bool rxe_bypass_run_lsm_hooks(struct sk_buff *skb, struct net_device *ndev, bool v6)
{
	return true;
}

static bool rxe_bypass_hooked_rx(const struct net *net, bool v6)
{
	return false;
}
#endif

enum rxe_bypass_veto rxe_bypass_tx_veto(const struct net_device *ndev, bool v6)
{
	if (rxe_bypass_hooked_tx(ndev, v6))
		return RXE_VETO_NF_HOOK;
	if (rxe_netdev_has_egress_filter(ndev))
		return RXE_VETO_TC;
	return rxe_stack_events_tx() ? RXE_VETO_TRACE : RXE_BYPASS_OK;
}

#ifdef CONFIG_XFRM
/* A policy may require that the packet arrives encrypted. */
static bool rxe_bypass_xfrm(const struct net *net, const struct sk_buff *skb)
{
	return READ_ONCE(net->xfrm.policy_count[XFRM_POLICY_IN]) || secpath_exists(skb) ||
	       !rxe_xfrm_accepts_unmatched(net);
}
#else
static bool rxe_bypass_xfrm(const struct net *net, const struct sk_buff *skb)
{
	return false;
}
#endif

static bool rxe_bypass_has_rules(const struct net *net, bool v6)
{
	return v6 ? fib6_has_custom_rules(net) : fib4_has_custom_rules(net);
}

static bool rxe_bypass_rps(void)
{
#ifdef CONFIG_RPS
	return static_branch_unlikely(&rps_needed);
#else
	return false;
#endif
}

/*
 * rx_handler: a bridge, bond or similar takes the packets. L3 master: the addresses are a VRF's. L3
 * rx handler: ipvlan of mode l3s takes those for containers.
 */
static bool rxe_bypass_has_upper(const struct net_device *ndev)
{
	return rcu_access_pointer(ndev->rx_handler) || netif_is_l3_master(ndev) ||
	       netif_is_l3_slave(ndev) || netif_has_l3_rx_handler(ndev);
}

static bool rxe_bypass_tapped(struct net_device *ndev, bool v6)
{
	return dev_nit_active(ndev) ||
	       rxe_netdev_has_tap(ndev, v6 ? htons(ETH_P_IPV6) : htons(ETH_P_IP));
}

enum rxe_bypass_veto rxe_bypass_rx_veto(const struct sk_buff *skb, bool v6)
{
	struct net_device *ndev = skb->dev;
	const struct net *net = dev_net(ndev);

	if (rxe_bypass_tapped(ndev, v6))
		return RXE_VETO_TAP;
	if (rxe_netdev_has_ingress_filter(ndev))
		return RXE_VETO_TC;
	if (rxe_bypass_has_upper(ndev))
		return RXE_VETO_UPPER;
	if (rxe_bypass_rps())
		return RXE_VETO_RPS;
	if (rxe_bypass_hooked_rx(net, v6))
		return RXE_VETO_NF_HOOK;
	if (rxe_bypass_xfrm(net, skb))
		return RXE_VETO_XFRM;
	if (rxe_bypass_has_rules(net, v6))
		return RXE_VETO_RULE;
	return rxe_stack_events_rx() ? RXE_VETO_TRACE : RXE_BYPASS_OK;
}
