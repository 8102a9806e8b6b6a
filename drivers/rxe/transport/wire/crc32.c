// SPDX-License-Identifier: GPL-2.0
/*
 * CRC-32 without vector registers.
 *
 * Short data: slicing by eight. table[n][b] is the CRC of byte b followed by n zero bytes, so the
 * eight lookups of a step are independent.
 *
 * Long data: the sparse multiple x^300 + x^155 + x^117 + x^89 + 1 of the polynomial, found by Sam
 * Russell ("Chorba: A novel CRC32 implementation", arXiv 2412.16398). A bit of a message can be
 * cleared without changing the CRC if the bits 145, 183, 211 and 300 behind it are inverted. Words
 * are cleared from the start of the message until MIN_SPARSE bytes or fewer are left for the
 * tables. It needs no lookups: an emulated processor takes a third of the time.
 */
#include <linux/string.h>
#include <linux/types.h>
#include <linux/unaligned.h>
#include <roce/icrc.h>

#define CRC32_POLY 0xedb88320u

/* Bytes up to which the tables are as fast. */
#define MIN_SPARSE 128

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

static u32 crc32_by_table(u32 crc, const u8 *p, size_t len)
{
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

/*
 * The value to add to a word for clearing the words two to five before it: each is shifted up by 17
 * and 55 (two before), 19 (three) and 44 (four), and down by the complement for the next word.
 * Nested, so that several words share a shift.
 */
static __always_inline u64 added(u64 two, u64 three, u64 four, u64 five)
{
	u64 up = (two << 38 ^ two ^ (four << 25 ^ three) << 2) << 17;
	u64 down = (((three >> 2 ^ four) >> 25 ^ five) >> 11 ^ three) >> 9;

	return up ^ down;
}

/* Load the word at byte @i, and store it in @to if @copy. */
static __always_inline u64 take_word(const u8 *p, u8 *to, size_t i, bool copy)
{
	u64 word = get_unaligned_le64(p + i);

	if (copy)
		put_unaligned_le64(word, to + i);
	return word;
}

/* Clear all but the last words of a message. @len: at least MIN_SPARSE; copies to @to if @copy. */
static __always_inline u32 crc32_by_sparse_multiple(u32 crc, const u8 *p, u8 *to, size_t len,
						    bool copy)
{
	/* The last five cleared words, with their values when cleared, then the remaining words. */
	u64 a = 0, b = 0, c = 0, d = 0, e = take_word(p, to, 0, copy) ^ crc;
	u8 left[5 * sizeof(u64)];
	size_t i;

	for (i = 8; len - i >= 2 * sizeof(left); i += sizeof(left)) {
		a = take_word(p, to, i, copy) ^ added(d, c, b, a);
		b = take_word(p, to, i + 8, copy) ^ added(e, d, c, b);
		c = take_word(p, to, i + 16, copy) ^ added(a, e, d, c);
		d = take_word(p, to, i + 24, copy) ^ added(b, a, e, d);
		e = take_word(p, to, i + 32, copy) ^ added(c, b, a, e);
	}
	if (copy)
		p = memcpy(to + i, p + i, len - i);
	else
		p += i;
	put_unaligned_le64(get_unaligned_le64(p) ^ added(d, c, b, a), left);
	put_unaligned_le64(get_unaligned_le64(p + 8) ^ added(e, d, c, b), left + 8);
	put_unaligned_le64(get_unaligned_le64(p + 16) ^ added(0, e, d, c), left + 16);
	put_unaligned_le64(get_unaligned_le64(p + 24) ^ added(0, 0, e, d), left + 24);
	put_unaligned_le64(get_unaligned_le64(p + 32) ^ added(0, 0, 0, e), left + 32);
	crc = crc32_by_table(0, left, sizeof(left));
	return crc32_by_table(crc, p + sizeof(left), len - i - sizeof(left));
}

u32 roce_crc32(u32 crc, const void *buf, size_t len)
{
	return len < MIN_SPARSE ? crc32_by_table(crc, buf, len) :
				  crc32_by_sparse_multiple(crc, buf, NULL, len, false);
}

u32 roce_crc32_copy(u32 crc, void *to, const void *from, size_t len)
{
	return len < MIN_SPARSE ? crc32_by_table(crc, memcpy(to, from, len), len) :
				  crc32_by_sparse_multiple(crc, from, to, len, true);
}
