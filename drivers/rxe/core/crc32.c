// SPDX-License-Identifier: GPL-2.0
/*
 * CRC-32 by table, eight bytes a step. table[n][b] is the CRC of byte b followed
 * by n zero bytes, so that the eight look-ups of a step do not depend on each
 * other. The steps of one CRC do: roce_crc32_lanes() fills that wait with the
 * steps of three others.
 */
#include <linux/minmax.h>
#include <linux/types.h>
#include <linux/unaligned.h>
#include <roce/icrc.h>

#define CRC32_POLY 0xedb88320u

static u32 table[8][256];

static u32 crc_of_byte(u32 crc)
{
	int bit;

	for (bit = 0; bit < 8; bit++)
		crc = crc & 1 ? crc >> 1 ^ CRC32_POLY : crc >> 1;
	return crc;
}

static __always_inline u32 step1(u32 crc, u8 byte)
{
	return crc >> 8 ^ table[0][(u8)crc ^ byte];
}

/* clang-format off */
static __always_inline u32 step4(u32 crc, u32 word)
{
	word ^= crc;
	return table[3][(u8)word] ^ table[2][(u8)(word >> 8)] ^
	       table[1][(u8)(word >> 16)] ^ table[0][word >> 24];
}

static __always_inline u32 step8(u32 crc, u64 word)
{
	u32 lo = (u32)word ^ crc;
	u32 hi = word >> 32;

	return table[7][(u8)lo] ^ table[6][(u8)(lo >> 8)] ^
	       table[5][(u8)(lo >> 16)] ^ table[4][lo >> 24] ^
	       table[3][(u8)hi] ^ table[2][(u8)(hi >> 8)] ^
	       table[1][(u8)(hi >> 16)] ^ table[0][hi >> 24];
}
/* clang-format on */

void roce_crc32_init(void)
{
	u32 b, n;

	for (b = 0; b < 256; b++)
		table[0][b] = crc_of_byte(b);
	for (n = 1; n < 8; n++)
		for (b = 0; b < 256; b++)
			table[n][b] = step1(table[n - 1][b], 0);
}

u32 roce_crc32(u32 crc, const void *buf, size_t len)
{
	const u8 *p = buf;

	for (; len >= 8; len -= 8, p += 8)
		crc = step8(crc, get_unaligned_le64(p));
	if (len >= 4) {
		crc = step4(crc, get_unaligned_le32(p));
		len -= 4;
		p += 4;
	}
	while (len--)
		crc = step1(crc, *p++);
	return crc;
}

/* Goes on in four buffers with @len bytes each, a multiple of eight. */
static void interleave(u32 crc[4], const u8 *const buf[4], size_t len)
{
	const u8 *p0 = buf[0], *p1 = buf[1], *p2 = buf[2], *p3 = buf[3];
	u32 c0 = crc[0], c1 = crc[1], c2 = crc[2], c3 = crc[3];
	size_t i;

	for (i = 0; i < len; i += 8) {
		c0 = step8(c0, get_unaligned_le64(p0 + i));
		c1 = step8(c1, get_unaligned_le64(p1 + i));
		c2 = step8(c2, get_unaligned_le64(p2 + i));
		c3 = step8(c3, get_unaligned_le64(p3 + i));
	}
	crc[0] = c0;
	crc[1] = c1;
	crc[2] = c2;
	crc[3] = c3;
}

/* Bytes that all lanes have, in whole steps. */
static size_t common_len(const struct roce_crc_lane *lane, u32 n)
{
	size_t len = lane[0].len;
	u32 i;

	for (i = 1; i < n; i++)
		len = min(len, lane[i].len);
	return len & ~(size_t)7;
}

/* Where lanes are missing the first fills in: four take no longer than two in turn. */
void roce_crc32_lanes(struct roce_crc_lane *lane, u32 n)
{
	size_t done = n > 1 ? common_len(lane, n) : 0;
	const u8 *buf[ROCE_CRC_LANES];
	u32 i, crc[ROCE_CRC_LANES];

	for (i = 0; i < ROCE_CRC_LANES; i++) {
		buf[i] = lane[i < n ? i : 0].buf;
		crc[i] = lane[i < n ? i : 0].crc;
	}
	interleave(crc, buf, done);
	for (i = 0; i < n; i++)
		lane[i].crc = roce_crc32(crc[i], buf[i] + done, lane[i].len - done);
}
