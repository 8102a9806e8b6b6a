/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets as endpoints get them, and what they refer to.
 */
#ifndef RXE_PKT_H
#define RXE_PKT_H

#include <rdma/ib_verbs.h>
#include <roce/packet.h>

struct rxe_dev;
struct sk_buff;

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

/**
 * rxe_pkt_retain() - have a packet stay when its buffer goes
 * @dev: whose endpoint is to have it
 * @pkt: where the one that stays is to be
 * @from: a packet
 *
 * A buffer may be much larger than the packet, and so would be what a peer has us keep for the sake
 * of a packet each: then the packet is copied into one of its own. What all endpoints of a device
 * keep is a small part of the machine's memory at most, however many QPs peers have made.
 *
 * Return: whether there was memory; if so, rxe_pkt_release() ends it.
 */
bool rxe_pkt_retain(struct rxe_dev *dev, struct roce_pkt *pkt, const struct roce_pkt *from);
void rxe_pkt_release(struct rxe_dev *dev, const struct roce_pkt *pkt);

#endif
