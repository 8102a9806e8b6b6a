/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A packet as it is on the wire: IP and UDP headers, transport headers, payload,
 * pad and ICRC.
 */
#ifndef SIM_FRAME_H
#define SIM_FRAME_H

#include <linux/types.h>
#include <roce/packet.h>

#define FRAME_MAX (40 + 8 + ROCE_MAX_HDR + ROCE_MAX_MTU + ROCE_ICRC_LEN)

/**
 * struct frame - a packet on the link
 * @at: when it arrives, ns
 * @order: breaks ties of @at: the order of sending
 * @next: in a queue of received or free frames
 * @bth: bytes before the BTH
 * @len: bytes in all
 * @src: host it comes from
 * @dst: host it goes to
 * @refs: who needs it, besides the one who frees it
 * @ipv6: begins with an IPv6 header
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
 * Write the IP and UDP headers of a packet with @len bytes behind them, pad and
 * ICRC included; @f->src, @f->dst and @f->ipv6 are set.
 *
 * Return: where the BTH goes.
 */
u8 *frame_start(struct frame *f, u32 len);

/* Everything but the ICRC is in place: write that. */
void frame_seal(struct frame *f);

/*
 * Check the ICRC and parse; the payload is at frame_payload().
 *
 * Return: whether the packet is one.
 */
bool frame_open(struct frame *f, struct roce_pkt *pkt);

/* What a datagram's receiver finds in front of the payload (IBTA A17.4.5). */
#define FRAME_GRH 40
void frame_grh(const struct frame *f, u8 *grh);

static inline const u8 *frame_payload(const struct roce_pkt *pkt)
{
	const struct frame *f = pkt->cookie;

	return f->bytes + f->bth + pkt->payload_off;
}

#endif
