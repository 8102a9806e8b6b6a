/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Received packets (struct roce_pkt) as the receive path passes them to endpoints: the skb behind
 * a packet, its GRH, and its lifetime.
 */
#ifndef RXE_PKT_H
#define RXE_PKT_H

#include <rdma/ib_verbs.h>
#include <roce/packet.h>

struct rxe_dev;
struct sk_buff;

/*
 * Return the skb of a packet that is passed to rxe_ep_rx(), in pkt->cookie. The skb may hold other
 * packets, too. pkt->payload_off counts from skb->data (roce_parse() counts from the BTH).
 */
static inline struct sk_buff *rxe_pkt_skb(const struct roce_pkt *pkt)
{
	return pkt->cookie;
}

/* Bytes before the payload of a received datagram that hold its IP header (GRH). */
#define RXE_GRH_LEN 40

/* Write the IP header of a packet; that of IPv4 follows 20 zero bytes (IBTA A17.4.5.2). */
void rxe_pkt_grh(const struct roce_pkt *pkt, u8 grh[RXE_GRH_LEN]);

/* Write the destination address of a packet as a GID. Return: true for IPv6, false for IPv4. */
bool rxe_pkt_dgid(const struct roce_pkt *pkt, union ib_gid *dgid);

/**
 * rxe_pkt_retain() - retain a packet beyond the receive path's use of its skb
 * @dev: device of the endpoint that retains it
 * @pkt: written: the retained packet
 * @from: packet
 *
 * Takes a reference on the skb, or copies the packet to a new one if its skb is much larger: else a
 * peer could make one packet pin a large buffer. All endpoints of a device together retain at most
 * 1/RXE_RETAINED_RAM_DIV of the memory, however many QPs there are.
 *
 * Context: softirqs off.
 * Return: true; the caller calls rxe_pkt_release() later. False if the limit is reached or there is
 * no memory.
 */
bool rxe_pkt_retain(struct rxe_dev *dev, struct roce_pkt *pkt, const struct roce_pkt *from);

/* Release a packet of rxe_pkt_retain(). Context: any but hard interrupt. */
void rxe_pkt_release(struct rxe_dev *dev, const struct roce_pkt *pkt);

#endif
