/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The IP and UDP header of a packet, as its ICRC sees them.
 */
#ifndef RXE_NET_HDR_H
#define RXE_NET_HDR_H

#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/percpu.h>
#include <linux/udp.h>
#include <roce/icrc.h>
#include <roce/wire.h>

/*
 * A processor keeps the headers of as many packets and their CRCs, by opcode: a message and its
 * acknowledgement mostly look like those before. On a real-time kernel who has softirqs off may
 * lose the processor to another who has, so that there each batch begins with none.
 */
#define RXE_ICRC_MEMOS (IS_ENABLED(CONFIG_PREEMPT_RT) ? 1 : 8)

struct rxe_icrc_memos {
	struct roce_icrc_cache memo[RXE_ICRC_MEMOS];
};

/**
 * struct rxe_net_hdr - IP and UDP header
 * @v6: which of the two
 * @ip4: IPv4, without options
 * @ip6: IPv6, without extension headers
 * @udp: UDP
 * @memos: what is known of packets before, see rxe_net_hdr_use()
 * @own: of this batch alone
 */
struct rxe_net_hdr {
	bool v6;
	union {
		struct iphdr ip4;
		struct ipv6hdr ip6;
	};
	struct udphdr udp;
	struct rxe_icrc_memos *memos;
#ifdef CONFIG_PREEMPT_RT
	struct rxe_icrc_memos own;
#endif
};

/**
 * rxe_net_hdr_use() - take what is known of packets before
 * @h: headers, zeroed
 * @memos: of each processor
 *
 * Context: softirqs off, until the last rxe_net_hdr_icrc() with @h.
 */
static inline void rxe_net_hdr_use(struct rxe_net_hdr *h, struct rxe_icrc_memos __percpu *memos)
{
#ifdef CONFIG_PREEMPT_RT
	h->memos = &h->own;
#else
	h->memos = this_cpu_ptr(memos);
#endif
}

/**
 * rxe_net_hdr_set() - set what each packet of a segmented buffer has in its own
 * @h: headers
 * @len: bytes of the packet from the BTH to the ICRC
 * @id: IPv4 identification
 */
static inline void rxe_net_hdr_set(struct rxe_net_hdr *h, u32 len, u16 id)
{
	h->udp.len = htons(sizeof(h->udp) + len);
	if (h->v6) {
		h->ip6.payload_len = h->udp.len;
	} else {
		h->ip4.tot_len = htons(sizeof(h->ip4) + sizeof(h->udp) + len);
		h->ip4.id = htons(id);
	}
}

/* The running ICRC up to and including the 12 bytes at @bth. */
static inline u32 rxe_net_hdr_icrc(struct rxe_net_hdr *h, const void *bth)
{
	u8 opcode = ((const struct roce_bth *)bth)->opcode;
	struct roce_icrc_cache *memo = &h->memos->memo[opcode % RXE_ICRC_MEMOS];

	return h->v6 ? roce_icrc_next_ipv6(memo, &h->ip6, &h->udp, bth) :
		       roce_icrc_next_ipv4(memo, &h->ip4, &h->udp, bth);
}

#endif
