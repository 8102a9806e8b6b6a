/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A netfilter hook that takes buffers of many packets before the UDP layer splits them.
 */
#ifndef RXE_NF_HOOK_H
#define RXE_NF_HOOK_H

#include <linux/kconfig.h>
#include <linux/types.h>

struct net;

#if IS_ENABLED(CONFIG_NETFILTER)

/**
 * rxe_nf_hook_register() - take buffers of many packets in a namespace
 * @net: namespace
 *
 * Context: process.
 * Return: 0 or -errno. Without the hook, packets arrive one by one at rxe_rcv_udp().
 */
int rxe_nf_hook_register(struct net *net);

/* Undo. The hook may still be running until an RCU grace period later. */
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
