// SPDX-License-Identifier: GPL-2.0
/*
 * ICRC over the headers. Fields that routers may change count as ones (IBTA A17.3.3): the
 * pseudo-LRH before the IP header; type of service, time to live and checksum of IPv4; traffic
 * class, flow label and hop limit of IPv6; the UDP checksum; the fifth byte of the BTH with FECN
 * and BECN.
 */
#include <linux/string.h>
#include <linux/unaligned.h>
#include <roce/icrc.h>
#include <roce/wire.h>

/* CRC of the pseudo-LRH, eight bytes of ones, from the initial value of all ones */
#define CRC_PSEUDO_LRH 0xdebb20e3u

#define IPV4_LEN   20
#define IPV4_TOS   1
#define IPV4_TTL   8
#define IPV4_CHECK 10
#define IPV4_SADDR 12

#define IPV6_LEN       40
#define IPV6_HOP_LIMIT 7

#define UDP_LEN	  8
#define UDP_CHECK 6

#define BTH_LEN	   sizeof(struct roce_bth)
#define BTH_RESV8A 4

#define IPV4_ID	4
#define BTH_PSN 9
#define PSN_LEN 3

/* CRC of each byte of the IPv4 identification and of the PSN, followed by zeros to the BTH's end */
static u32 id_table[2][256];
static u32 psn_table[PSN_LEN][256];

static void fill_table(u32 table[256], size_t zeros)
{
	u8 buf[IPV4_LEN + UDP_LEN + BTH_LEN] = { 0 };
	u32 b;

	for (b = 0; b < 256; b++) {
		buf[0] = b;
		table[b] = roce_crc32(0, buf, 1 + zeros);
	}
}

void roce_icrc_init(void)
{
	u32 i;

	for (i = 0; i < 2; i++)
		fill_table(id_table[i], IPV4_LEN - IPV4_ID - 1 - i + UDP_LEN + BTH_LEN);
	for (i = 0; i < PSN_LEN; i++)
		fill_table(psn_table[i], PSN_LEN - 1 - i);
}

static u32 crc_udp_bth(u32 crc, const void *udp, const void *bth)
{
	u8 buf[UDP_LEN + BTH_LEN];

	memcpy(buf, udp, UDP_LEN);
	memcpy(buf + UDP_LEN, bth, BTH_LEN);
	memset(buf + UDP_CHECK, 0xff, 2);
	buf[UDP_LEN + BTH_RESV8A] = 0xff;
	return roce_crc32(crc, buf, sizeof(buf));
}

u32 roce_icrc_start_ipv4(const void *ip, const void *udp, const void *bth)
{
	u8 buf[IPV4_LEN];

	memcpy(buf, ip, sizeof(buf));
	buf[IPV4_TOS] = 0xff;
	buf[IPV4_TTL] = 0xff;
	memset(buf + IPV4_CHECK, 0xff, 2);
	return crc_udp_bth(roce_crc32(CRC_PSEUDO_LRH, buf, sizeof(buf)), udp, bth);
}

u32 roce_icrc_start_ipv6(const void *ip6, const void *udp, const void *bth)
{
	u8 buf[IPV6_LEN];

	memcpy(buf, ip6, sizeof(buf));
	buf[0] |= 0x0f;
	memset(buf + 1, 0xff, 3);
	buf[IPV6_HOP_LIMIT] = 0xff;
	return crc_udp_bth(roce_crc32(CRC_PSEUDO_LRH, buf, sizeof(buf)), udp, bth);
}

static u32 crc_of_psn(const u8 *bth)
{
	const u8 *psn = bth + BTH_PSN;

	return psn_table[0][psn[0]] ^ psn_table[1][psn[1]] ^ psn_table[2][psn[2]];
}

static u32 crc_of_id(const u8 *ip)
{
	const u8 *id = ip + IPV4_ID;

	return id_table[0][id[0]] ^ id_table[1][id[1]];
}

static u64 word_at(const u8 *p)
{
	return get_unaligned_le64(p);
}

static u64 half_at(const u8 *p)
{
	return get_unaligned_le32(p);
}

/* All bytes except the identification, the PSN and the checksum, which the ICRC masks. */
u32 roce_icrc_next_ipv4(struct roce_icrc_cache *memo, const void *ip, const void *udp,
			const void *bth)
{
	u32 crc = crc_of_psn(bth) ^ crc_of_id(ip);
	u64 *before = memo->hdrs;
	const u64 now[] = {
		half_at(ip) | half_at(ip + 6) << 32,
		word_at(ip + IPV4_SADDR),
		word_at(udp),
		word_at(bth),
		*(const u8 *)(bth + BTH_PSN - 1),
	};

	if ((before[0] ^ now[0]) | (before[1] ^ now[1]) | (before[2] ^ now[2]) |
	    (before[3] ^ now[3]) | (before[4] ^ now[4])) {
		memcpy(before, now, sizeof(now));
		memo->crc = roce_icrc_start_ipv4(ip, udp, bth) ^ crc;
	}
	return memo->crc ^ crc;
}

u32 roce_icrc_next_ipv6(struct roce_icrc_cache *memo, const void *ip6, const void *udp,
			const void *bth)
{
	u32 crc = crc_of_psn(bth);
	u64 *before = memo->hdrs;
	const u64 now[] = {
		word_at(ip6),
		word_at(ip6 + 8),
		word_at(ip6 + 16),
		word_at(ip6 + 24),
		word_at(ip6 + 32),
		word_at(udp),
		word_at(bth),
		*(const u8 *)(bth + BTH_PSN - 1),
	};

	if ((before[0] ^ now[0]) | (before[1] ^ now[1]) | (before[2] ^ now[2]) |
	    (before[3] ^ now[3]) | (before[4] ^ now[4]) | (before[5] ^ now[5]) |
	    (before[6] ^ now[6]) | (before[7] ^ now[7])) {
		memcpy(before, now, sizeof(now));
		memo->crc = roce_icrc_start_ipv6(ip6, udp, bth) ^ crc;
	}
	return memo->crc ^ crc;
}
