// SPDX-License-Identifier: GPL-2.0
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

char rxe_nf_hook_tag;

#if IS_ENABLED(CONFIG_NETFILTER)
static const struct nf_hook_entries *rxe_filters_hooks(const struct net *net, bool v6, u32 hook)
{
	return v6 ? rcu_dereference(net->nf.hooks_ipv6[hook]) :
		    rcu_dereference(net->nf.hooks_ipv4[hook]);
}

/*
 * These places are kept for security modules, of which one answers yes or no to a packet.
 * The numbers are the same for IPv6.
 */
static bool rxe_filters_is_security(const struct nf_hook_ops *ops)
{
	return ops->hook_ops_type == NF_HOOK_OP_UNDEFINED &&
	       (ops->priority == NF_IP_PRI_SELINUX_FIRST ||
		ops->priority == NF_IP_PRI_SELINUX_LAST);
}

/* Is there a hook that @exempt does not know? */
static bool rxe_filters_hooked(const struct net *net, bool v6, u32 hook,
			       bool (*exempt)(const struct nf_hook_ops *ops))
{
	const struct nf_hook_entries *hooks = rxe_filters_hooks(net, v6, hook);
	u32 i;

	for (i = 0; hooks && i < hooks->num_hook_entries; i++)
		if (!exempt(nf_hook_entries_get_hook_ops(hooks)[i]))
			return true;
	return false;
}

bool rxe_filters_on_output(const struct net_device *ndev, bool v6)
{
	const struct net *net = dev_net(ndev);

	return rxe_filters_hooked(net, v6, NF_INET_LOCAL_OUT, rxe_filters_is_security) ||
	       rxe_filters_hooked(net, v6, NF_INET_POST_ROUTING, rxe_filters_is_security) ||
	       rxe_netdev_has_egress_filter(ndev);
}

static int rxe_bypass_okfn(struct net *net, struct sock *sk, struct sk_buff *skb)
{
	return dst_output(net, sk, skb);
}

static bool rxe_filters_asked(struct sk_buff *skb, struct net_device *ndev, bool v6, u32 hook)
{
	const struct nf_hook_entries *hooks = rxe_filters_hooks(dev_net(ndev), v6, hook);
	struct nf_hook_state state;

	if (likely(!hooks))
		return true;
	nf_hook_state_init(&state, hook, v6 ? NFPROTO_IPV6 : NFPROTO_IPV4, NULL, ndev, NULL,
			   dev_net(ndev), rxe_bypass_okfn);
	return nf_hook_slow(skb, &state, hooks, 0) == 1;
}

bool rxe_bypass_run_lsm_hooks(struct sk_buff *skb, struct net_device *ndev, bool v6)
{
	return rxe_filters_asked(skb, ndev, v6, NF_INET_LOCAL_OUT) &&
	       rxe_filters_asked(skb, ndev, v6, NF_INET_POST_ROUTING);
}

static bool rxe_bypass_is_own_hook(const struct nf_hook_ops *ops)
{
	return ops->priv == &rxe_nf_hook_tag;
}

static bool rxe_filters_hooked_on_input(const struct net *net, bool v6)
{
	return rxe_filters_hooked(net, v6, NF_INET_PRE_ROUTING, rxe_bypass_is_own_hook) ||
	       rxe_filters_hooked(net, v6, NF_INET_LOCAL_IN, rxe_bypass_is_own_hook);
}
#else
bool rxe_filters_on_output(const struct net_device *ndev, bool v6)
{
	return rxe_netdev_has_egress_filter(ndev);
}

bool rxe_bypass_run_lsm_hooks(struct sk_buff *skb, struct net_device *ndev, bool v6)
{
	return true;
}

static bool rxe_filters_hooked_on_input(const struct net *net, bool v6)
{
	return false;
}
#endif

#ifdef CONFIG_XFRM
/* Also policies that would have it come encrypted. */
static bool rxe_filters_by_policy(const struct net *net, const struct sk_buff *skb)
{
	return READ_ONCE(net->xfrm.policy_count[XFRM_POLICY_IN]) || secpath_exists(skb) ||
	       READ_ONCE(net->xfrm.policy_default[XFRM_POLICY_IN]) != XFRM_USERPOLICY_ACCEPT;
}
#else
static bool rxe_filters_by_policy(const struct net *net, const struct sk_buff *skb)
{
	return false;
}
#endif

static bool rxe_filters_by_rule(const struct net *net, bool v6)
{
	return v6 ? fib6_has_custom_rules(net) : fib4_has_custom_rules(net);
}

/* Receive packet steering gives each flow a processor on its way up. */
static bool rxe_filters_steered(void)
{
#ifdef CONFIG_RPS
	return static_branch_unlikely(&rps_needed);
#else
	return false;
#endif
}

/* A bridge, a bond or their like has the interface's packets, or a VRF has its addresses. */
static bool rxe_filters_by_upper(const struct net_device *ndev)
{
	return rcu_access_pointer(ndev->rx_handler) || netif_is_l3_master(ndev) ||
	       netif_is_l3_slave(ndev);
}

bool rxe_filters_on_input(const struct sk_buff *skb, bool v6)
{
	struct net_device *ndev = skb->dev;
	const struct net *net = dev_net(ndev);

	return dev_nit_active(ndev) || rxe_netdev_has_ingress_filter(ndev) ||
	       rxe_netdev_has_tap(ndev, v6 ? htons(ETH_P_IPV6) : htons(ETH_P_IP)) ||
	       rxe_filters_by_upper(ndev) || rxe_filters_steered() ||
	       rxe_filters_hooked_on_input(net, v6) || rxe_filters_by_policy(net, skb) ||
	       rxe_filters_by_rule(net, v6);
}
