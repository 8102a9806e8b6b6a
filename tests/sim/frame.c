// SPDX-License-Identifier: GPL-2.0
/* Frames of the simulated wire: ICRC, checks, GRH. */
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <roce/icrc.h>
#include <roce/wire.h>

#include "frame.h"

#define IPV4_LEN  20
#define IPV6_LEN  40
#define UDP_LEN	  8
#define PROTO_UDP 17

static void put_ipv4(const struct frame *f, u8 *ip, u32 len)
{
	memset(ip, 0, IPV4_LEN);
	ip[0] = 0x45;
	put_unaligned_be16(IPV4_LEN + len, ip + 2);
	put_unaligned_be16(0x4000, ip + 6); /* do not fragment */
	ip[8] = 64;
	ip[9] = PROTO_UDP;
	put_unaligned_be32(0x0a000001 + f->src, ip + 12);
	put_unaligned_be32(0x0a000001 + f->dst, ip + 16);
}

static void put_ipv6(const struct frame *f, u8 *ip, u32 len)
{
	memset(ip, 0, IPV6_LEN);
	ip[0] = 0x60;
	put_unaligned_be16(len, ip + 4);
	ip[6] = PROTO_UDP;
	ip[7] = 64;
	put_unaligned_be16(0xfd00, ip + 8);
	put_unaligned_be16(0xfd00, ip + 24);
	ip[23] = 1 + f->src;
	ip[39] = 1 + f->dst;
}

static void put_udp(const struct frame *f, u8 *udp, u32 len)
{
	put_unaligned_be16(0xc000 + f->src, udp);
	put_unaligned_be16(ROCE_UDP_PORT, udp + 2);
	put_unaligned_be16(len, udp + 4);
	put_unaligned_be16(0, udp + 6);
}

u8 *frame_start(struct frame *f, u32 len)
{
	u32 ip_len = f->ipv6 ? IPV6_LEN : IPV4_LEN;

	if (f->ipv6)
		put_ipv6(f, f->bytes, UDP_LEN + len);
	else
		put_ipv4(f, f->bytes, UDP_LEN + len);
	put_udp(f, f->bytes + ip_len, UDP_LEN + len);
	f->bth = ip_len + UDP_LEN;
	f->len = f->bth + len;
	return f->bytes + f->bth;
}

static u32 icrc(const struct frame *f)
{
	const u8 *bth = f->bytes + f->bth;
	const u8 *udp = bth - UDP_LEN;
	const u8 *rest = bth + sizeof(struct roce_bth);
	u32 crc = f->ipv6 ? roce_icrc_start_ipv6(f->bytes, udp, bth) :
			    roce_icrc_start_ipv4(f->bytes, udp, bth);

	return roce_crc32(crc, rest, f->bytes + f->len - ROCE_ICRC_LEN - rest);
}

void frame_seal(struct frame *f)
{
	roce_icrc_put(icrc(f), f->bytes + f->len - ROCE_ICRC_LEN);
}

bool frame_open(struct frame *f, struct roce_pkt *pkt)
{
	u32 len = f->len - f->bth;
	u32 linear = min_t(u32, len, ROCE_MAX_HDR);

	if (!roce_icrc_ok(icrc(f), f->bytes + f->len - ROCE_ICRC_LEN))
		return false;
	pkt->cookie = f;
	return roce_parse(f->bytes + f->bth, linear, len, ROCE_ICRC_LEN, pkt) == ROCE_DROP_NONE;
}

/* An IPv4 header lies in the last 20 bytes. */
void frame_grh(const struct frame *f, u8 *grh)
{
	u32 len = f->ipv6 ? IPV6_LEN : IPV4_LEN;

	memset(grh, 0, FRAME_GRH - len);
	memcpy(grh + FRAME_GRH - len, f->bytes, len);
}
