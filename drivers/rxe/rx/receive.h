/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Receive path: from received socket buffers to packets of the transport.
 */
#ifndef RXE_RECEIVE_H
#define RXE_RECEIVE_H

#include <linux/types.h>

struct sk_buff;
struct sock;

/**
 * rxe_rx_udp() - encap_rcv handler of the UDP sockets
 * @sk: socket
 * @skb: one packet, data at the UDP header; consumed
 *
 * Context: softirq.
 * Return: 0: @skb has been consumed.
 */
int rxe_rx_udp(struct sock *sk, struct sk_buff *skb);

/**
 * rxe_rx_gso() - receive the packets of a GSO or GRO buffer without segmentation
 * @skb: UDP GSO buffer for ROCE_UDP_PORT, skb->data at the IP header, UDP header in the linear
 *	part; consumed
 *
 * Context: softirq, RCU read lock held.
 */
void rxe_rx_gso(struct sk_buff *skb);

/**
 * rxe_rx_is_for_us() - check that a buffer is for an endpoint of the namespace it arrived in
 * @skb: UDP buffer for ROCE_UDP_PORT, skb->data at the IP header
 * @ip_len: length of the IP header, bytes
 *
 * Looks at the first packet of the buffer only: the others have the same addresses.
 *
 * Context: RCU read lock held.
 * Return: true if the namespace of skb->dev has the QP or the multicast group of the packet.
 */
bool rxe_rx_is_for_us(struct sk_buff *skb, u32 ip_len);

/**
 * rxe_rx_list() - receive buffers that have bypassed the network stack
 * @skbs: UDP buffers for ROCE_UDP_PORT, GSO or of one packet each, linked by skb->next in order of
 *	arrival, all of one interface; skb->data at the IP header, UDP header in the linear part,
 *	transport header set; consumed. The caller holds a reference on the interface, in whose
 *	namespace the packets are received.
 * @n: number of packets in @skbs, segments counted
 *
 * Context: softirq.
 */
void rxe_rx_list(struct sk_buff *skbs, u32 n);

/**
 * rxe_rx_has_segments() - check that the segments of a GSO buffer can be RoCEv2 packets
 * @skb: GSO buffer
 *
 * Context: any.
 * Return: true if it is a UDP GSO buffer and a segment has room for at least BTH and ICRC.
 */
bool rxe_rx_has_segments(const struct sk_buff *skb);

#endif
