/* SPDX-License-Identifier: GPL-2.0 */
/*
 * IP and UDP headers of a packet as the ICRC covers them, and a per-CPU cache of ICRC states.
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
 * Entries of the ICRC cache, indexed by opcode. Each holds the headers of a packet and their CRC:
 * the next packet of the opcode mostly differs in a few fields only. On PREEMPT_RT a section with
 * softirqs off can be preempted by another one on the same CPU, so the cache is not per CPU there,
 * but part of struct rxe_net_hdr: one entry, empty at the start of each batch.
 */
#define RXE_ICRC_MEMOS (IS_ENABLED(CONFIG_PREEMPT_RT) ? 1 : 8)

/* ICRC cache. Accessed without a lock, by its CPU with softirqs off. */
struct rxe_icrc_memos {
	struct roce_icrc_cache memo[RXE_ICRC_MEMOS];
};

/**
 * struct rxe_net_hdr - IP and UDP header
 * @v6: IPv6 header, else IPv4
 * @ip4: IPv4, without options
 * @ip6: IPv6, without extension headers
 * @udp: UDP
 * @memos: ICRC cache, set by rxe_net_hdr_use()
 * @own: ICRC cache of this batch (PREEMPT_RT)
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
 * rxe_net_hdr_use() - select the ICRC cache
 * @h: headers, zeroed
 * @memos: per-CPU caches
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
 * rxe_net_hdr_set() - set the fields that differ between the packets of a GSO buffer
 * @h: headers
 * @len: length of the packet from the BTH to the end of the ICRC, bytes
 * @id: IPv4 identification, CPU byte order; ignored for IPv6
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

/*
 * Return the running ICRC over the headers @h and the 12 bytes of the BTH at @bth. Context: as
 * rxe_net_hdr_use().
 */
static inline u32 rxe_net_hdr_icrc(struct rxe_net_hdr *h, const void *bth)
{
	u8 opcode = ((const struct roce_bth *)bth)->opcode;
	struct roce_icrc_cache *memo = &h->memos->memo[opcode % RXE_ICRC_MEMOS];

	return h->v6 ? roce_icrc_next_ipv6(memo, &h->ip6, &h->udp, bth) :
		       roce_icrc_next_ipv4(memo, &h->ip4, &h->udp, bth);
}

#endif
