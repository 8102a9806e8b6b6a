// SPDX-License-Identifier: GPL-2.0
/* ICRC, against vectors of an independent implementation. */
#include "unit.h"
#include <stdio.h>
#include <roce/icrc.h>
#include <roce/wire.h>
#include "icrc_vectors.h"

/* A packet from its IP header on; @len is without the ICRC behind it. */
struct packet {
	bool v4;
	size_t len;
	u8 bytes[512];
};

static struct packet packet_of(const struct icrc_vector *v)
{
	struct packet p = { 0 };
	unsigned int byte;
	const char *hex;

	for (hex = v->hex; sscanf(hex, "%2x", &byte) == 1; hex += 2)
		p.bytes[p.len++] = byte;
	p.len -= ROCE_ICRC_LEN;
	p.v4 = p.bytes[0] >> 4 == 4;
	return p;
}

/* Whatever the packet before was, it makes no difference. */
static void check_next(const struct packet *p, const u8 *udp, u32 want)
{
	static struct roce_icrc_cache memo;
	const u8 *bth = udp + 8;

	assert_int_equal(p->v4 ? roce_icrc_next_ipv4(&memo, p->bytes, udp, bth) :
				 roce_icrc_next_ipv6(&memo, p->bytes, udp, bth),
			 want);
}

static u32 icrc(const struct packet *p)
{
	const u8 *udp = p->bytes + (p->v4 ? 20 : 40);
	const u8 *bth = udp + 8;
	const u8 *rest = bth + sizeof(struct roce_bth);
	u32 crc = p->v4 ? roce_icrc_start_ipv4(p->bytes, udp, bth) :
			  roce_icrc_start_ipv6(p->bytes, udp, bth);

	check_next(p, udp, crc);
	return roce_crc32(crc, rest, p->bytes + p->len - rest);
}

static void vectors(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(icrc_vectors); i++) {
		struct packet p = packet_of(&icrc_vectors[i]);
		u8 wire[ROCE_ICRC_LEN];

		row_check(icrc_vectors[i].name, roce_icrc_ok(icrc(&p), p.bytes + p.len));
		roce_icrc_put(icrc(&p), wire);
		row_check(icrc_vectors[i].name, !memcmp(wire, p.bytes + p.len, sizeof(wire)));
	}
}

/* May a router change bit @bit of byte @byte (IBTA A17.3.3)? */
static bool is_variant(bool v4, size_t byte, size_t bit)
{
	static const u8 ipv4[] = { 1, 8, 10, 11, 20 + 6, 20 + 7, 28 + 4 };
	static const u8 ipv6[] = { 1, 2, 3, 7, 40 + 6, 40 + 7, 48 + 4 };

	if (!v4 && byte == 0)
		return bit < 4; /* the version shares its byte with the traffic class */
	return memchr(v4 ? ipv4 : ipv6, byte, sizeof(ipv4));
}

static void every_bit(void **state)
{
	size_t i, byte, bit;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(icrc_vectors); i++) {
		struct packet p = packet_of(&icrc_vectors[i]);

		for (byte = 0; byte < p.len + ROCE_ICRC_LEN; byte++)
			for (bit = 0; bit < 8; bit++) {
				p.bytes[byte] ^= 1 << bit;
				if (roce_icrc_ok(icrc(&p), p.bytes + p.len) !=
				    is_variant(p.v4, byte, bit))
					fail_msg("row \"%s\": byte %zu bit %zu",
						 icrc_vectors[i].name, byte, bit);
				p.bytes[byte] ^= 1 << bit;
			}
	}
}

static int setup(void **state)
{
	(void)state;
	roce_crc32_init();
	roce_icrc_init();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vectors),
		cmocka_unit_test(every_bit),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
