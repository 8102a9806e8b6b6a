/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A packet on the wire: IP and UDP headers, transport headers, payload, pad and ICRC.
 */
#ifndef SIM_FRAME_H
#define SIM_FRAME_H

#include <linux/types.h>
#include <roce/packet.h>

#define FRAME_MAX (40 + 8 + ROCE_MAX_HDR + ROCE_MAX_MTU + ROCE_ICRC_LEN)

/**
 * struct frame - a packet on the link
 * @at: time of arrival, ns
 * @order: transmission order, breaks ties of @at
 * @next: next frame in the queue of received or free frames
 * @bth: bytes before the BTH
 * @len: total length, bytes
 * @src: sending host
 * @dst: receiving host
 * @refs: additional references
 * @ipv6: it begins with an IPv6 header
 * @bytes: from the IP header to the ICRC
 */
struct frame {
	u64 at;
	u64 order;
	struct frame *next;
	u16 bth;
	u16 len;
	u8 src;
	u8 dst;
	u8 refs;
	bool ipv6;
	u8 bytes[FRAME_MAX];
};

/*
 * Write the IP and UDP headers of a packet with @len bytes behind them, pad and ICRC included.
 * The caller has set @f->src, @f->dst and @f->ipv6.
 *
 * Return: the position of the BTH.
 */
u8 *frame_start(struct frame *f, u32 len);

/* Write the ICRC of an otherwise complete frame. */
void frame_seal(struct frame *f);

/*
 * Check the ICRC and parse; the payload is at frame_payload().
 *
 * Return: true if the packet is valid.
 */
bool frame_open(struct frame *f, struct roce_pkt *pkt);

/* The GRH in front of a received datagram's payload (IBTA A17.4.5). */
#define FRAME_GRH 40
void frame_grh(const struct frame *f, u8 *grh);

static inline const u8 *frame_payload(const struct roce_pkt *pkt)
{
	const struct frame *f = pkt->cookie;

	return f->bytes + f->bth + pkt->payload_off;
}

#endif
