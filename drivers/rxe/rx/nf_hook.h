/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Netfilter hook that receives GSO and GRO buffers before the UDP layer segments them.
 */
#ifndef RXE_NF_HOOK_H
#define RXE_NF_HOOK_H

#include <linux/kconfig.h>
#include <linux/types.h>

struct net;

#if IS_ENABLED(CONFIG_NETFILTER)

/**
 * rxe_nf_hook_register() - register the hook for IPv4 and IPv6 in a namespace
 * @net: namespace
 *
 * Without the hook (CONFIG_NETFILTER=n) rxe_rx_udp() receives the packets one by one.
 *
 * Context: process.
 * Return: 0, or -errno of nf_register_net_hooks().
 */
int rxe_nf_hook_register(struct net *net);

/*
 * Unregister the hook. It may still run until an RCU grace period has passed. Context: process.
 */
void rxe_nf_hook_unregister(struct net *net);
#else
static inline int rxe_nf_hook_register(struct net *net)
{
	return 0;
}

static inline void rxe_nf_hook_unregister(struct net *net)
{
}
#endif

#endif
