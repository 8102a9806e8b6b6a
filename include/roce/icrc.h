/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ICRC, the invariant CRC of RoCEv2 (IBTA 7.8.1 and annex A17): the Ethernet CRC-32 over 8 bytes of
 * ones, the IP and UDP headers with the fields that routers may change set to ones, the transport
 * headers with FECN, BECN and resv8a set to ones, payload and pad.
 */
#ifndef ROCE_ICRC_H
#define ROCE_ICRC_H

#include <linux/types.h>

/* Fill the lookup tables. Call once, before any of the functions below. */
void roce_crc32_init(void);
void roce_icrc_init(void);

/**
 * roce_crc32() - continue a reflected CRC-32 (0xedb88320), without inversion
 * @crc: running value
 * @buf: data
 * @len: bytes
 */
u32 roce_crc32(u32 crc, const void *buf, size_t len);

/* Copy and continue the CRC. Each byte is read once; the buffers must not overlap. */
u32 roce_crc32_copy(u32 crc, void *to, const void *from, size_t len);

/*
 * The same by carry-less multiplication, in 128-bit registers (x86-64 with PCLMULQDQ, arm64 with
 * PMULL) and in 512-bit registers (x86-64 with VPCLMULQDQ and AVX-512). Context: inside
 * kernel_fpu_begin() or kernel_neon_begin().
 */
u32 roce_crc32_pclmul(u32 crc, const void *buf, size_t len);
u32 roce_crc32_vpclmul(u32 crc, const void *buf, size_t len);
u32 roce_crc32_pmull(u32 crc, const void *buf, size_t len);
u32 roce_crc32_copy_pclmul(u32 crc, void *to, const void *from, size_t len);
u32 roce_crc32_copy_vpclmul(u32 crc, void *to, const void *from, size_t len);
u32 roce_crc32_copy_pmull(u32 crc, void *to, const void *from, size_t len);

/* The same by the CRC32 instructions of arm64, which work in general registers. Context: any. */
u32 roce_crc32_insn(u32 crc, const void *buf, size_t len);
u32 roce_crc32_copy_insn(u32 crc, void *to, const void *from, size_t len);

/**
 * roce_icrc_start_ipv4() - start an ICRC: the headers up to and including the BTH
 * @ip: IPv4 header without options, 20 bytes, as on the wire
 * @udp: UDP header, 8 bytes
 * @bth: BTH, 12 bytes
 *
 * Return: running CRC, to be continued from the byte after the BTH.
 */
u32 roce_icrc_start_ipv4(const void *ip, const void *udp, const void *bth);

/* The same for an IPv6 header, 40 bytes, without extension headers. */
u32 roce_icrc_start_ipv6(const void *ip6, const void *udp, const void *bth);

/**
 * struct roce_icrc_cache - headers of the previous packet and their CRC; initially zero
 * @hdrs: headers; the IPv4 identification and checksum and the PSN are 0
 * @crc: CRC of @hdrs
 */
struct roce_icrc_cache {
	u64 hdrs[8];
	u32 crc;
};

/**
 * roce_icrc_next_ipv4() - roce_icrc_start_ipv4() for consecutive packets
 * @memo: headers of the previous packet
 * @ip: IPv4 header without options, 20 bytes, as on the wire
 * @udp: UDP header, 8 bytes
 * @bth: BTH, 12 bytes
 *
 * Packets of a message usually differ in identification and PSN only. The CRC of the difference
 * then comes from a table.
 */
u32 roce_icrc_next_ipv4(struct roce_icrc_cache *memo, const void *ip, const void *udp,
			const void *bth);

/* The same for IPv6. */
u32 roce_icrc_next_ipv6(struct roce_icrc_cache *memo, const void *ip6, const void *udp,
			const void *bth);

/* Store the ICRC, least significant byte first (IBTA 7.8.1). */
static inline void roce_icrc_put(u32 crc, u8 *p)
{
	crc = ~crc;
	p[0] = crc;
	p[1] = crc >> 8;
	p[2] = crc >> 16;
	p[3] = crc >> 24;
}

/* True if the ICRC at @p matches the running value @crc. */
static inline bool roce_icrc_ok(u32 crc, const u8 *p)
{
	u32 wire = p[0] | p[1] << 8 | p[2] << 16 | (u32)p[3] << 24;

	return wire == ~crc;
}

#endif
