/* SPDX-License-Identifier: GPL-2.0 */
/*
 * GRO (generic receive offload) of RoCEv2: consecutive packets of a flow are merged and pass the
 * network stack as one buffer, each packet in its own skb. rxe_rx_gso() receives the buffer.
 * Packets that are not merged may bypass the stack: see gro_bypass.h.
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
 * struct rxe_gro_pkt - a received packet in GRO
 * @skb: socket buffer
 * @bth: offset of the BTH from skb->data, bytes
 * @ip_len: length of the IP header, bytes: 20 (IPv4) or 40 (IPv6)
 * @len: length from the BTH to the end of the packet, bytes
 * @headers: IP header, UDP header and BTH, contiguous; network byte order
 */
struct rxe_gro_pkt {
	struct sk_buff *skb;
	u32 bth;
	u32 ip_len;
	u32 len;
	const u8 *headers;
};

/* Return the UDP header of @pkt. */
static inline const struct udphdr *rxe_gro_udp(const struct rxe_gro_pkt *pkt)
{
	return (const void *)(pkt->headers + pkt->ip_len);
}

/* Return the destination QPN of @pkt, 24 bits, CPU byte order. */
static inline u32 rxe_gro_qpn(const struct rxe_gro_pkt *pkt)
{
	const struct roce_bth *bth = (const void *)(rxe_gro_udp(pkt) + 1);

	return be32_to_cpu(bth->qpn) & ROCE_BTH_QPN;
}

/**
 * rxe_gro_receive() - gro_receive handler of the UDP sockets
 * @sk: socket
 * @held: buffers that GRO holds for merging
 * @skb: one packet, the GRO offset at the BTH
 *
 * Context: softirq (NAPI poll), RCU read lock held.
 * Return: the buffer of @held to flush to the stack now; NULL if there is none;
 * ERR_PTR(-EINPROGRESS) if the GRO bypass has consumed @skb.
 */
struct sk_buff *rxe_gro_receive(struct sock *sk, struct list_head *held, struct sk_buff *skb);

/**
 * rxe_gro_complete() - gro_complete handler of the UDP sockets
 * @sk: socket
 * @skb: buffer of merged packets
 * @bth: offset of the BTH from skb->data, bytes
 *
 * Context: softirq, RCU read lock held.
 * Return: 0.
 */
int rxe_gro_complete(struct sock *sk, struct sk_buff *skb, int bth);

#endif
