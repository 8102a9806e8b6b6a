// SPDX-License-Identifier: GPL-2.0
/*
 * CRC-32 with VPCLMULQDQ (512-bit registers of AVX-512): four blocks a register, four registers at
 * a time.
 */
#include <roce/icrc.h>

#include "transport/wire/crc32_fold.h"

#define WIDE   (4 * BLOCK)
#define STRIPE (4 * WIDE)

typedef u64 wide __attribute__((vector_size(WIDE), may_alias));
typedef u64 wide_unaligned __attribute__((vector_size(WIDE), may_alias, aligned(1)));

static const u64 by_128[] = { BY_128 };
static const u64 by_512[] = { BY_512, BY_512, BY_512, BY_512 };
static const u64 by_2048[] = { BY_2048, BY_2048, BY_2048, BY_2048 };

/* Factors that move each block of a register to the position of the last. */
static const u64 together[] = { BY_384, BY_256, BY_128, 0, 0 };

static __always_inline wide load_wide(const void *p)
{
	return *(const wide_unaligned *)p;
}

/* A running CRC in the first four bytes, zeros in the rest. */
static __always_inline wide wide_of_crc(u32 crc)
{
	wide a;

	asm("vmovd %1, %x0" : "=v"(a) : "r"(crc));
	return a;
}

static __always_inline wide move_wide(wide a, wide by)
{
	wide first, last;

	asm("vpclmulqdq $0x00, %1, %2, %0" : "=v"(first) : "v"(by), "v"(a));
	asm("vpclmulqdq $0x11, %1, %2, %0" : "=v"(last) : "v"(by), "v"(a));
	return first ^ last;
}

/* Fold the four blocks of a register into one, at the position of the last. */
static __always_inline block fold_wide(wide a)
{
	block moved[4], last[4];

	*(wide_unaligned *)moved = move_wide(a, load_wide(together));
	*(wide_unaligned *)last = a;
	return moved[0] ^ moved[1] ^ moved[2] ^ last[3];
}

/* Load 64 bytes at byte @i, and store them in @to if @copy. */
static __always_inline wide take_wide(const u8 *p, u8 *to, size_t i, bool copy)
{
	wide a = load_wide(p + i);

	if (copy)
		*(wide_unaligned *)(to + i) = a;
	return a;
}

/* @len: at least STRIPE; copies to @to if @copy. */
static __always_inline u32 fold(u32 crc, const u8 *p, u8 *to, size_t len, bool copy)
{
	const wide by_wide = load_wide(by_512), by_stripe = load_wide(by_2048);
	const block by_block = load_block(by_128);
	wide a0, a1, a2, a3;
	size_t i;
	block a;

	a0 = take_wide(p, to, 0, copy) ^ wide_of_crc(crc);
	a1 = take_wide(p, to, WIDE, copy);
	a2 = take_wide(p, to, 2 * WIDE, copy);
	a3 = take_wide(p, to, 3 * WIDE, copy);
	for (i = STRIPE; len - i >= STRIPE; i += STRIPE) {
		a0 = move_wide(a0, by_stripe) ^ take_wide(p, to, i, copy);
		a1 = move_wide(a1, by_stripe) ^ take_wide(p, to, i + WIDE, copy);
		a2 = move_wide(a2, by_stripe) ^
		     take_wide(p, to, i + 2 * WIDE, copy);
		a3 = move_wide(a3, by_stripe) ^
		     take_wide(p, to, i + 3 * WIDE, copy);
	}
	a1 ^= move_wide(a0, by_wide);
	a2 ^= move_wide(a1, by_wide);
	a3 ^= move_wide(a2, by_wide);
	for (; len - i >= WIDE; i += WIDE)
		a3 = move_wide(a3, by_wide) ^ take_wide(p, to, i, copy);
	a = fold_wide(a3);
	for (; len - i >= BLOCK; i += BLOCK)
		a = move_block(a, by_block) ^ take_block(p, to, i, copy);
	return crc_of_rest(a, p + i, copy ? to + i : NULL, len - i);
}

u32 roce_crc32_vpclmul(u32 crc, const void *buf, size_t len)
{
	return len < STRIPE ? roce_crc32_pclmul(crc, buf, len) : fold(crc, buf, NULL, len, false);
}

u32 roce_crc32_copy_vpclmul(u32 crc, void *to, const void *from, size_t len)
{
	return len < STRIPE ? roce_crc32_copy_pclmul(crc, to, from, len) :
			      fold(crc, from, to, len, true);
}
