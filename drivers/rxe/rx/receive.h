/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From received socket buffers to packets for endpoints.
 */
#ifndef RXE_RCV_H
#define RXE_RCV_H

#include <linux/types.h>

struct net;
struct sk_buff;
struct sock;

/**
 * rxe_rcv_udp() - encap_rcv handler of the UDP sockets
 * @sk: socket
 * @skb: one packet, data at the UDP header; consumed
 *
 * Return: 0, always: the buffer has been taken.
 */
int rxe_rcv_udp(struct sock *sk, struct sk_buff *skb);

/**
 * rxe_rcv_gso() - take the packets of a segmented buffer, without splitting it
 * @skb: UDP segmentation offload buffer for ROCE_UDP_PORT, data at the IP header,
 *	UDP header in the linear part; consumed
 *
 * Context: softirq, RCU read lock held.
 */
void rxe_rcv_gso(struct sk_buff *skb);

/**
 * rxe_rcv_list() - take buffers that have left out the network stack
 * @skbs: UDP buffers for ROCE_UDP_PORT, of one packet or segmented, data at the network header,
 *	UDP header in the linear part, transport header set, in the order in which one interface has
 *	received them, linked by @next; consumed. The caller holds the interface, which says what
 *	namespace it is in.
 * @n: packets in them
 *
 * Context: softirq.
 */
void rxe_rcv_list(struct sk_buff *skbs, u32 n);

/**
 * rxe_demux_match() - is a packet for an endpoint that knows where its packets come from?
 * @net: namespace
 * @ip: its IP header
 * @qpn: its destination QP
 *
 * Context: RCU read lock held.
 */
bool rxe_demux_match(struct net *net, const void *ip, u32 qpn);

/**
 * rxe_demux_match_iif() - does it know besides that they come by this interface?
 * @skb: the packet, which says what interface it came by
 * @ip: its IP header
 * @qpn: its destination QP
 *
 * As far as the endpoint's device is that of the interface. See rxe_path_egress_is().
 *
 * Context: RCU read lock held.
 */
bool rxe_demux_match_iif(const struct sk_buff *skb, const void *ip, u32 qpn);

/**
 * rxe_rcv_has_segments() - do the lengths of a buffer's segments suffice for packets?
 * @skb: segmented buffer
 */
bool rxe_rcv_has_segments(const struct sk_buff *skb);

#endif
