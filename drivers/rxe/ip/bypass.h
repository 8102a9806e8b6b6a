/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bypass eligibility: the conditions on which a packet skips a part of the network stack.
 *
 * Four of the fast paths of docs/architecture.md skip parts of the stack that would do nothing. The
 * files named here test the conditions of each for every batch or packet, in this order, so that a
 * firewall, a capture or a new route applies to the next one. The first condition that fails is the
 * veto; the trace event rxe_bypass reports it.
 *
 * Direct transmit (tx/direct.c), "tx direct", skips IP output, netfilter, neighbour and qdisc. The
 * interface is that of the route: the VLAN interface, not its lower one.
 *   parameter xmit_hard			RXE_VETO_PARAM
 *   interface up, with carrier			RXE_VETO_LINK_DOWN
 *   plain unicast route; a VRF has no qdisc	RXE_VETO_ROUTE
 *   no netfilter hook; LSMs excepted, not in a VRF	RXE_VETO_NF_HOOK
 *   no tc, BPF or nftables egress filter	RXE_VETO_TC
 *   no net_dev_queue, _start_xmit, _xmit event	RXE_VETO_TRACE
 *   empty qdisc with TCQ_F_CAN_BYPASS		RXE_VETO_QDISC
 *   txq not being transmitted on by this CPU	RXE_VETO_RECURSION
 *   interface with link layer headers		RXE_VETO_NO_LL_HDR
 *   resolved neighbour				RXE_VETO_NEIGH
 *   (if the driver or XPS selects the txq, QDISC and RECURSION come after the neighbour)
 *
 * Receive on the veth peer (tx/veth.c), "tx veth", skips backlog and softirq. Also direct transmit;
 * no event for other interfaces, such as a VLAN interface on a veth:
 *   QP of a program, not of the kernel		RXE_VETO_KERNEL_QP
 *   no backlog holds packets of the QP		RXE_VETO_BACKLOG
 *   sent by a thread, not in softirq		RXE_VETO_SOFTIRQ
 *   the peer polls no ring: no GRO, no XDP	RXE_VETO_VETH_RING
 *   statistics can be counted			RXE_VETO_STATS
 *
 * GRO bypass (rx/gro_bypass.c), "rx bypass", skips taps, tc, IP input, netfilter and UDP:
 *   no headers but those of IP and UDP		RXE_VETO_HEADERS
 *   no PREEMPT_RT				RXE_VETO_RT
 *   packets arrive one or two at a time	RXE_VETO_RATE
 *   lengths of the headers are consistent	RXE_VETO_LENGTH
 *   no UDP checksum left to verify		RXE_VETO_CSUM
 *   ordinary buffer: no owner, no frag_list	RXE_VETO_SKB
 *   no device with ICRC offload		RXE_VETO_ICRC_OFFLOAD
 *   QP routed by this interface, not by a VLAN	RXE_VETO_NO_QP
 *   Ethernet, own MAC address, no priority tag	RXE_VETO_LINK_ADDR
 *   no packet socket				RXE_VETO_TAP
 *   no tc, BPF or nftables ingress filter	RXE_VETO_TC
 *   no bridge, bond, VRF or ipvlan above	RXE_VETO_UPPER
 *   no receive packet steering			RXE_VETO_RPS
 *   no netfilter hook but the module's own	RXE_VETO_NF_HOOK
 *   no IPsec					RXE_VETO_XFRM
 *   no policy routing rule			RXE_VETO_RULE
 *   no netif_receive_skb event			RXE_VETO_TRACE
 *
 * GRO (rx/gro.c), "rx gro", joins packets of a flow into one buffer:
 *   no headers but those of IP and UDP		RXE_VETO_HEADERS
 *   nothing behind the ICRC			RXE_VETO_LENGTH
 *   ordinary buffer, not flagged by GRO	RXE_VETO_SKB
 *   no device with ICRC offload		RXE_VETO_ICRC_OFFLOAD
 *   no packet socket				RXE_VETO_TAP
 */
#ifndef RXE_BYPASS_H
#define RXE_BYPASS_H

#include <linux/types.h>

struct net_device;
struct sk_buff;

/**
 * enum rxe_bypass_veto - why a packet does not take a fast path; see the table above
 */
enum rxe_bypass_veto {
	RXE_BYPASS_OK,
	RXE_VETO_PARAM,
	RXE_VETO_LINK_DOWN,
	RXE_VETO_ROUTE,
	RXE_VETO_NF_HOOK,
	RXE_VETO_TC,
	RXE_VETO_NEIGH,
	RXE_VETO_NO_LL_HDR,
	RXE_VETO_QDISC,
	RXE_VETO_RECURSION,
	RXE_VETO_KERNEL_QP,
	RXE_VETO_BACKLOG,
	RXE_VETO_SOFTIRQ,
	RXE_VETO_VETH_RING,
	RXE_VETO_STATS,
	RXE_VETO_HEADERS,
	RXE_VETO_RT,
	RXE_VETO_RATE,
	RXE_VETO_LENGTH,
	RXE_VETO_CSUM,
	RXE_VETO_SKB,
	RXE_VETO_ICRC_OFFLOAD,
	RXE_VETO_NO_QP,
	RXE_VETO_LINK_ADDR,
	RXE_VETO_TAP,
	RXE_VETO_UPPER,
	RXE_VETO_RPS,
	RXE_VETO_XFRM,
	RXE_VETO_RULE,
	RXE_VETO_TRACE,
};

/*
 * Each veto with the text of the trace event and of the device attribute "xmit_veto". Before use,
 * RXE_VETO_TEXT(name, text) is defined, and RXE_VETO_TEXT_END(name, text) for the last row.
 */
/* clang-format off */
#define RXE_VETO_TEXTS                                                                       \
	RXE_VETO_TEXT(PARAM, "parameter xmit_hard")                                          \
	RXE_VETO_TEXT(LINK_DOWN, "link down")                                                \
	RXE_VETO_TEXT(ROUTE, "route")                                                        \
	RXE_VETO_TEXT(NF_HOOK, "netfilter hook")                                             \
	RXE_VETO_TEXT(TC, "tc or BPF filter")                                                \
	RXE_VETO_TEXT(NEIGH, "neighbour not resolved")                                       \
	RXE_VETO_TEXT(NO_LL_HDR, "no link layer header")                                     \
	RXE_VETO_TEXT(QDISC, "qdisc")                                                        \
	RXE_VETO_TEXT(RECURSION, "recursion")                                                \
	RXE_VETO_TEXT(KERNEL_QP, "kernel QP")                                                \
	RXE_VETO_TEXT(BACKLOG, "packets in a backlog")                                       \
	RXE_VETO_TEXT(SOFTIRQ, "softirq")                                                    \
	RXE_VETO_TEXT(VETH_RING, "GRO or XDP on the veth peer")                              \
	RXE_VETO_TEXT(STATS, "interface statistics")                                         \
	RXE_VETO_TEXT(HEADERS, "tunnel, VLAN tag in the data, or IP options")                \
	RXE_VETO_TEXT(RT, "PREEMPT_RT")                                                      \
	RXE_VETO_TEXT(RATE, "packet rate")                                                   \
	RXE_VETO_TEXT(LENGTH, "header lengths")                                              \
	RXE_VETO_TEXT(CSUM, "UDP checksum")                                                  \
	RXE_VETO_TEXT(SKB, "buffer layout")                                                  \
	RXE_VETO_TEXT(ICRC_OFFLOAD, "ICRC offload")                                          \
	RXE_VETO_TEXT(NO_QP, "no QP routed by the interface")                                \
	RXE_VETO_TEXT(LINK_ADDR, "MAC address or VLAN tag")                                  \
	RXE_VETO_TEXT(TAP, "packet socket")                                                  \
	RXE_VETO_TEXT(UPPER, "bridge, bond or VRF")                                          \
	RXE_VETO_TEXT(RPS, "receive packet steering")                                        \
	RXE_VETO_TEXT(XFRM, "IPsec")                                                         \
	RXE_VETO_TEXT(RULE, "policy routing rule")                                           \
	RXE_VETO_TEXT_END(TRACE, "trace event of the stack")
/* clang-format on */

/* The fast paths of the table above, in its order. */
enum rxe_bypass_path {
	RXE_BYPASS_TX_DIRECT,
	RXE_BYPASS_TX_VETH,
	RXE_BYPASS_GRO_BYPASS,
	RXE_BYPASS_GRO_JOIN,
};

/* Return the text of @veto, "none" for RXE_BYPASS_OK. Context: any. */
const char *rxe_bypass_veto_text(enum rxe_bypass_veto veto);

/*
 * nf_hook_ops.priv of this module's own netfilter hooks (nf_hook.c), which do not count as
 * observers. Only the address is used.
 */
extern char rxe_nf_hook_tag;

/**
 * rxe_bypass_nf_hook_is_last() - check that no other hook of LOCAL_IN follows the module's own
 * @net: namespace
 * @v6: hooks of IPv6, else IPv4
 *
 * The order of hooks of one priority depends on the order of their registration, so the module's
 * own need not be the last one. The hook by which connection tracking confirms a flow is ignored.
 *
 * Context: RCU read lock held.
 * Return: true if no other hook follows.
 */
bool rxe_bypass_nf_hook_is_last(const struct net *net, bool v6);

/**
 * rxe_bypass_tx_veto() - look for observers of packets that leave by an interface
 * @ndev: interface
 * @v6: over IPv6, else IPv4
 *
 * Netfilter hooks of security modules do not count, except in a VRF: see
 * rxe_bypass_run_lsm_hooks().
 *
 * Context: RCU read lock held.
 * Return: RXE_BYPASS_OK, RXE_VETO_NF_HOOK, RXE_VETO_TC or RXE_VETO_TRACE.
 */
enum rxe_bypass_veto rxe_bypass_tx_veto(const struct net_device *ndev, bool v6);

/**
 * rxe_bypass_run_lsm_hooks() - run the netfilter hooks of security modules on a packet
 * @skb: packet, data at the IP header; freed if it is refused
 * @ndev: interface that it leaves by
 * @v6: over IPv6, else IPv4
 *
 * Context: RCU read lock held.
 * Return: true if the packet may be sent.
 */
bool rxe_bypass_run_lsm_hooks(struct sk_buff *skb, struct net_device *ndev, bool v6);

/**
 * rxe_bypass_rx_veto() - look for observers of a received packet, and for redirections
 * @skb: packet; skb->dev is the interface that it arrived on
 * @v6: over IPv6, else IPv4
 *
 * A packet socket for one protocol on all interfaces is recognised by newer kernels only: see
 * rxe_netdev_has_tap().
 *
 * Context: RCU read lock held.
 * Return: RXE_BYPASS_OK, or one of RXE_VETO_TAP to RXE_VETO_TRACE in the table above.
 */
enum rxe_bypass_veto rxe_bypass_rx_veto(const struct sk_buff *skb, bool v6);

#endif
