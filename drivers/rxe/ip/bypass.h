/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who looks at packets in the network stack. Where nobody does, it is left out: direct.h on the
 * way down, intake.h on the way up.
 */
#ifndef RXE_FILTERS_H
#define RXE_FILTERS_H

#include <linux/types.h>

struct net_device;
struct sk_buff;

/*
 * nf_hook_ops.priv of this module's own netfilter hooks (nf_hook.c), which do not count as
 * observers. Only the address is used.
 */
extern char rxe_nf_hook_tag;

/**
 * rxe_filters_on_output() - is anybody there who would look at packets that are sent?
 * @ndev: interface that they leave by
 * @v6: over IPv6, else IPv4
 *
 * Hooks of security modules are not counted: they are to be asked about each packet.
 *
 * Context: RCU read lock held.
 */
bool rxe_filters_on_output(const struct net_device *ndev, bool v6);

/**
 * rxe_bypass_run_lsm_hooks() - ask the security modules about a packet
 * @skb: packet with its headers from IP on
 * @ndev: interface that it leaves by
 * @v6: over IPv6, else IPv4
 *
 * Context: RCU read lock held.
 * Return: may it be sent? If not it has been freed.
 */
bool rxe_bypass_run_lsm_hooks(struct sk_buff *skb, struct net_device *ndev, bool v6);

/**
 * rxe_filters_on_input() - is anybody there who would look at a packet received, or direct it?
 * @skb: the packet, which says what interface it came by
 * @v6: over IPv6, else IPv4
 *
 * Captures, traffic control, BPF, netfilter, bridges and their like, packet steering, IPsec
 * policies and rules of policy routing. Of a packet socket that has one protocol and all interfaces
 * only newer kernels can tell.
 *
 * Context: RCU read lock held.
 */
bool rxe_filters_on_input(const struct sk_buff *skb, bool v6);

#endif
