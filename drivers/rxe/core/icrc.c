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
