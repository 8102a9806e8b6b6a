/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The invariant CRC of RoCEv2 (IBTA 7.8.1 and annex A17): the Ethernet CRC-32
 * over 8 bytes of ones, the IP and UDP headers with the fields that routers may
 * change masked to ones, the transport headers with FECN, BECN and resv8a
 * masked, payload and pad.
 */
#ifndef ROCE_ICRC_H
#define ROCE_ICRC_H

#include <linux/types.h>

/* Fill the lookup tables; once, before any of the functions below. */
void roce_crc32_init(void);
void roce_icrc_init(void);

/**
 * roce_crc32() - reflected CRC-32 (0xedb88320), no inversion at either end
 * @crc: the running value
 * @buf: bytes
 * @len: how many
 */
u32 roce_crc32(u32 crc, const void *buf, size_t len);

/* The same, of what is copied meanwhile, each byte being read once only; not to overlap. */
u32 roce_crc32_copy(u32 crc, void *to, const void *from, size_t len);

/*
 * The same by carry-less multiplication, in registers of 128 and of 512 bits: for
 * x86-64 with PCLMULQDQ, and with VPCLMULQDQ and AVX-512 besides. Only where the
 * caller may use vector registers.
 */
u32 roce_crc32_pclmul(u32 crc, const void *buf, size_t len);
u32 roce_crc32_vpclmul(u32 crc, const void *buf, size_t len);
u32 roce_crc32_copy_pclmul(u32 crc, void *to, const void *from, size_t len);
u32 roce_crc32_copy_vpclmul(u32 crc, void *to, const void *from, size_t len);

/**
 * roce_icrc_start_ipv4() - CRC up to and including the BTH
 * @ip: IPv4 header without options, 20 bytes, as on the wire
 * @udp: UDP header, 8 bytes
 * @bth: BTH, 12 bytes
 *
 * Return: running CRC to be continued with the bytes behind the BTH.
 */
u32 roce_icrc_start_ipv4(const void *ip, const void *udp, const void *bth);

/* The same for an IPv6 header without extension headers, 40 bytes. */
u32 roce_icrc_start_ipv6(const void *ip6, const void *udp, const void *bth);

/**
 * struct roce_icrc_cache - the headers of the packet before, and their CRC; zeroed at first
 * @hdrs: headers without IPv4's identification and checksum, and the PSN; no version is 0
 * @crc: their CRC, as if those were 0
 */
struct roce_icrc_cache {
	u64 hdrs[8];
	u32 crc;
};

/**
 * roce_icrc_next_ipv4() - roce_icrc_start_ipv4() for one packet after the other
 * @memo: what is known of the packet before
 * @ip: IPv4 header, @udp and @bth: as above
 *
 * Packets of a message mostly differ in identification and PSN alone. The CRC of the difference is
 * looked up then, which takes a fraction of the time.
 */
u32 roce_icrc_next_ipv4(struct roce_icrc_cache *memo, const void *ip, const void *udp,
			const void *bth);

/* The same for IPv6. */
u32 roce_icrc_next_ipv6(struct roce_icrc_cache *memo, const void *ip6, const void *udp,
			const void *bth);

/* The four bytes that go on the wire, least significant first (IBTA 7.8.1). */
static inline void roce_icrc_put(u32 crc, u8 *p)
{
	crc = ~crc;
	p[0] = crc;
	p[1] = crc >> 8;
	p[2] = crc >> 16;
	p[3] = crc >> 24;
}

/* Does the ICRC at @p belong to the running value @crc? */
static inline bool roce_icrc_ok(u32 crc, const u8 *p)
{
	u32 wire = p[0] | p[1] << 8 | p[2] << 16 | (u32)p[3] << 24;

	return wire == ~crc;
}

#endif
