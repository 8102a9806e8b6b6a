/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CRC-32 folding in 128-bit registers, four blocks at a time: the latency of a multiplication is
 * the time in which the processor can issue the eight of a stripe.
 */
#ifndef ROCE_CRC32_FOLD128_H
#define ROCE_CRC32_FOLD128_H

#include "transport/wire/crc32_fold.h"

#define STRIPE (4 * BLOCK)

static const u64 by_128[] = { BY_128 };
static const u64 by_512[] = { BY_512 };

/* @len: at least STRIPE; copies to @to if @copy. */
static __always_inline u32 fold(u32 crc, const u8 *p, u8 *to, size_t len, bool copy)
{
	const block by_block = load_block(by_128), by_stripe = load_block(by_512);
	block a0, a1, a2, a3;
	size_t i;

	a0 = take_block(p, to, 0, copy) ^ block_of_crc(crc);
	a1 = take_block(p, to, BLOCK, copy);
	a2 = take_block(p, to, 2 * BLOCK, copy);
	a3 = take_block(p, to, 3 * BLOCK, copy);
	for (i = STRIPE; len - i >= STRIPE; i += STRIPE) {
		a0 = move_block(a0, by_stripe) ^ take_block(p, to, i, copy);
		a1 = move_block(a1, by_stripe) ^
		     take_block(p, to, i + BLOCK, copy);
		a2 = move_block(a2, by_stripe) ^
		     take_block(p, to, i + 2 * BLOCK, copy);
		a3 = move_block(a3, by_stripe) ^
		     take_block(p, to, i + 3 * BLOCK, copy);
	}
	a1 ^= move_block(a0, by_block);
	a2 ^= move_block(a1, by_block);
	a3 ^= move_block(a2, by_block);
	for (; len - i >= BLOCK; i += BLOCK)
		a3 = move_block(a3, by_block) ^ take_block(p, to, i, copy);
	return crc_of_rest(a3, p + i, copy ? to + i : NULL, len - i);
}

#endif
