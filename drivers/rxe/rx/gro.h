/* SPDX-License-Identifier: GPL-2.0 */
/*
 * GRO: packets of one flow that an interface has received in a row go up the network stack as
 * one buffer, each in its own memory. rxe_rcv_gso() takes them from there. What is not to be joined
 * may leave GRO there: see gro_bypass.h.
 */
#ifndef RXE_GRO_H
#define RXE_GRO_H

#include <linux/types.h>
#include <linux/udp.h>
#include <roce/wire.h>

struct list_head;
struct sk_buff;
struct sock;

/**
 * struct rxe_gro_pkt - a packet that the interface has received
 * @skb: it
 * @bth: bytes from skb->data to its BTH
 * @ip_len: bytes of its IP header
 * @len: bytes from its BTH on
 * @headers: IP header, UDP header and BTH, contiguous
 */
struct rxe_gro_pkt {
	struct sk_buff *skb;
	u32 bth;
	u32 ip_len;
	u32 len;
	const u8 *headers;
};

static inline const struct udphdr *rxe_gro_udp(const struct rxe_gro_pkt *pkt)
{
	return (const void *)(pkt->headers + pkt->ip_len);
}

static inline u32 rxe_gro_qpn(const struct rxe_gro_pkt *pkt)
{
	const struct roce_bth *bth = (const void *)(rxe_gro_udp(pkt) + 1);

	return be32_to_cpu(bth->qpn) & ROCE_BTH_QPN;
}

/**
 * rxe_gro_receive() - gro_receive handler of the UDP sockets
 * @sk: socket
 * @held: buffers of the interface that packets may be joined to
 * @skb: one packet, the GRO offset at the BTH
 *
 * Context: softirq, RCU read lock held.
 * Return: the buffer of @held that is to go up now, or NULL.
 */
struct sk_buff *rxe_gro_receive(struct sock *sk, struct list_head *held, struct sk_buff *skb);

/**
 * rxe_gro_complete() - gro_complete handler of the UDP sockets
 * @sk: socket
 * @skb: buffer that packets have been joined to
 * @bth: bytes from skb->data to its BTH
 *
 * Context: softirq, RCU read lock held.
 * Return: 0.
 */
int rxe_gro_complete(struct sock *sk, struct sk_buff *skb, int bth);

#endif
