// SPDX-License-Identifier: GPL-2.0
/*
 * The fields that a router may rewrite are taken as ones (IBTA A17.3.3): the
 * pseudo-LRH in front, IPv4's type of service, time to live and checksum, IPv6's
 * traffic class, flow label and hop limit, UDP's checksum and the BTH's fifth
 * byte with FECN and BECN.
 */
#include <linux/string.h>
#include <roce/icrc.h>
#include <roce/wire.h>

/* CRC of the pseudo-LRH, eight bytes of ones, from the initial value of all ones */
#define CRC_PSEUDO_LRH 0xdebb20e3u

#define IPV4_LEN   20
#define IPV4_TOS   1
#define IPV4_TTL   8
#define IPV4_CHECK 10

#define IPV6_LEN       40
#define IPV6_HOP_LIMIT 7

#define UDP_LEN	  8
#define UDP_CHECK 6

#define BTH_LEN	   sizeof(struct roce_bth)
#define BTH_RESV8A 4

#define IPV4_ID 4
#define BTH_PSN 9
#define PSN_LEN 3

#define ICRC_HDRS_LEN (IPV6_LEN + UDP_LEN + BTH_LEN)

static_assert(ICRC_HDRS_LEN <= sizeof(((struct roce_icrc_memo *)0)->hdrs));

/* CRC of each byte of IPv4's identification, and of the PSN, with zeros up to the end of the BTH */
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

/* Takes the PSN out, whose CRC is returned. */
static u32 put_udp_bth(u8 *p, const void *udp, const void *bth)
{
	const u8 *psn = (const u8 *)bth + BTH_PSN;
	u8 *b = p + UDP_LEN;

	memcpy(p, udp, UDP_LEN);
	memcpy(b, bth, BTH_LEN);
	memset(p + UDP_CHECK, 0xff, 2);
	b[BTH_RESV8A] = 0xff;
	memset(b + BTH_PSN, 0, PSN_LEN);
	return psn_table[0][psn[0]] ^ psn_table[1][psn[1]] ^ psn_table[2][psn[2]];
}

static bool same_hdrs(const u64 *a, const u64 *b)
{
	u64 diff = 0;
	u32 i;

	for (i = 0; i < 8; i++)
		diff |= a[i] ^ b[i];
	return !diff;
}

/* The CRC of @len bytes of @hdrs, which zeros follow. */
static u32 crc_of_hdrs(struct roce_icrc_memo *memo, const u64 hdrs[8], size_t len)
{
	if (!memo->known || !same_hdrs(hdrs, memo->hdrs)) {
		memcpy(memo->hdrs, hdrs, sizeof(memo->hdrs));
		memo->crc = roce_crc32(CRC_PSEUDO_LRH, hdrs, len);
		memo->known = true;
	}
	return memo->crc;
}

u32 roce_icrc_next_ipv4(struct roce_icrc_memo *memo, const void *ip, const void *udp,
			const void *bth)
{
	const u8 *id = (const u8 *)ip + IPV4_ID;
	u64 hdrs[8] = { 0 };
	u8 *p = (u8 *)hdrs;
	u32 crc;

	memcpy(p, ip, IPV4_LEN);
	p[IPV4_TOS] = 0xff;
	memset(p + IPV4_ID, 0, 2);
	p[IPV4_TTL] = 0xff;
	memset(p + IPV4_CHECK, 0xff, 2);
	crc = put_udp_bth(p + IPV4_LEN, udp, bth) ^ id_table[0][id[0]] ^ id_table[1][id[1]];
	return crc ^ crc_of_hdrs(memo, hdrs, IPV4_LEN + UDP_LEN + BTH_LEN);
}

u32 roce_icrc_next_ipv6(struct roce_icrc_memo *memo, const void *ip6, const void *udp,
			const void *bth)
{
	u64 hdrs[8] = { 0 };
	u8 *p = (u8 *)hdrs;
	u32 crc;

	memcpy(p, ip6, IPV6_LEN);
	p[0] |= 0x0f;
	memset(p + 1, 0xff, 3);
	p[IPV6_HOP_LIMIT] = 0xff;
	crc = put_udp_bth(p + IPV6_LEN, udp, bth);
	return crc ^ crc_of_hdrs(memo, hdrs, ICRC_HDRS_LEN);
}
