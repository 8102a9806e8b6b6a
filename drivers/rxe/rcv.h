/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From received socket buffers to packets for endpoints.
 */
#ifndef RXE_RCV_H
#define RXE_RCV_H

#include <rdma/ib_verbs.h>
#include <roce/packet.h>

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
 * @net: namespace
 * @skb: UDP segmentation offload buffer for ROCE_UDP_PORT, data at the IP header,
 *	UDP header in the linear part; consumed
 *
 * Context: softirq, RCU read lock held.
 */
void rxe_rcv_gso(struct net *net, struct sk_buff *skb);

/**
 * rxe_rcv_expects() - is a packet for an endpoint that knows where its packets come from?
 * @net: namespace
 * @ip: its IP header
 * @qpn: its destination QP
 *
 * Context: RCU read lock held.
 */
bool rxe_rcv_expects(struct net *net, const void *ip, u32 qpn);

/*
 * What a packet handed to rxe_ep_rx() refers to: pkt->cookie is its skb, which
 * may hold other packets as well, and pkt->payload_off counts from skb->data
 * (roce_parse() counts from the BTH).
 */
static inline struct sk_buff *rxe_pkt_skb(const struct roce_pkt *pkt)
{
	return pkt->cookie;
}

/* Bytes in front of a datagram's payload that hold its IP header. */
#define RXE_GRH_LEN 40

/* The IP header of a packet: IPv4's behind 20 zeros (IBTA A17.4.5.2). */
void rxe_pkt_grh(const struct roce_pkt *pkt, u8 grh[RXE_GRH_LEN]);

/* The address that a packet came to, as a GID. Returns whether it is IPv6. */
bool rxe_pkt_dgid(const struct roce_pkt *pkt, union ib_gid *dgid);

#endif
