/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The IP and UDP header of a packet, as its ICRC sees them.
 */
#ifndef RXE_NET_HDR_H
#define RXE_NET_HDR_H

#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <roce/icrc.h>

/**
 * struct rxe_net_hdr - IP and UDP header
 * @v6: which of the two
 * @ip4: IPv4, without options
 * @ip6: IPv6, without extension headers
 * @udp: UDP
 * @memo: CRC of the headers of the packet before
 */
struct rxe_net_hdr {
	bool v6;
	union {
		struct iphdr ip4;
		struct ipv6hdr ip6;
	};
	struct udphdr udp;
	struct roce_icrc_memo memo;
};

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
	return h->v6 ? roce_icrc_next_ipv6(&h->memo, &h->ip6, &h->udp, bth) :
		       roce_icrc_next_ipv4(&h->memo, &h->ip4, &h->udp, bth);
}

#endif
