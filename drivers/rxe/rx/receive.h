/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From received socket buffers to packets for endpoints.
 */
#ifndef RXE_RECEIVE_H
#define RXE_RECEIVE_H

#include <linux/types.h>

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
 * rxe_rcv_has_segments() - do the lengths of a buffer's segments suffice for packets?
 * @skb: segmented buffer
 */
bool rxe_rcv_has_segments(const struct sk_buff *skb);

#endif
