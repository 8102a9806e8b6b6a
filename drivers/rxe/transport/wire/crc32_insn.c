// SPDX-License-Identifier: GPL-2.0
/*
 * CRC-32 with the CRC32 instructions of arm64, in general registers: outside of a SIMD section, and
 * so also on PREEMPT_RT. They have the polynomial and the bit order of the Ethernet CRC.
 */
#include <linux/types.h>
#include <linux/unaligned.h>
#include <roce/icrc.h>

#define CRC32_INSN(name, type, registers)                                              \
	static __always_inline u32 name(u32 crc, type data)                            \
	{                                                                              \
		asm(".arch_extension crc\n\t" registers : "+r"(crc) : "r"(data));      \
		return crc;                                                            \
	}

CRC32_INSN(step8, u64, "crc32x %w0, %w0, %x1")
CRC32_INSN(step4, u32, "crc32w %w0, %w0, %w1")
CRC32_INSN(step1, u32, "crc32b %w0, %w0, %w1")

static __always_inline u64 take_word(const u8 *p, u8 *to, bool copy)
{
	u64 word = get_unaligned_le64(p);

	if (copy)
		put_unaligned_le64(word, to);
	return word;
}

/* Copies to @to if @copy. */
static __always_inline u32 crc32_by_insn(u32 crc, const u8 *p, u8 *to, size_t len, bool copy)
{
	u32 word;

	for (; len >= 8; len -= 8, p += 8, to += copy ? 8 : 0)
		crc = step8(crc, take_word(p, to, copy));
	if (len >= 4) {
		word = get_unaligned_le32(p);
		if (copy)
			put_unaligned_le32(word, to);
		crc = step4(crc, word);
		len -= 4;
		p += 4;
		to += copy ? 4 : 0;
	}
	for (; len; len--, p++) {
		word = *p;
		if (copy)
			*to++ = word;
		crc = step1(crc, word);
	}
	return crc;
}

u32 roce_crc32_insn(u32 crc, const void *buf, size_t len)
{
	return crc32_by_insn(crc, buf, NULL, len, false);
}

u32 roce_crc32_copy_insn(u32 crc, void *to, const void *from, size_t len)
{
	return crc32_by_insn(crc, from, to, len, true);
}
