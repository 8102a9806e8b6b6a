// SPDX-License-Identifier: GPL-2.0
/*
 * Four blocks at a time: the processor needs as long for one multiplication as it
 * needs to begin the eight of a stripe.
 */
#include <roce/icrc.h>

#include "crc32_fold.h"

#define STRIPE (4 * BLOCK)

static const u64 by_128[] = { BY_128 };
static const u64 by_512[] = { BY_512 };

u32 roce_crc32_pclmul(u32 crc, const void *buf, size_t len)
{
	const block by_block = load_block(by_128), by_stripe = load_block(by_512);
	block a0, a1, a2, a3;
	const u8 *p = buf;

	if (len < STRIPE)
		return roce_crc32(crc, buf, len);
	a0 = load_block(p) ^ block_of_crc(crc);
	a1 = load_block(p + BLOCK);
	a2 = load_block(p + 2 * BLOCK);
	a3 = load_block(p + 3 * BLOCK);
	for (p += STRIPE, len -= STRIPE; len >= STRIPE; p += STRIPE, len -= STRIPE) {
		a0 = move_block(a0, by_stripe) ^ load_block(p);
		a1 = move_block(a1, by_stripe) ^ load_block(p + BLOCK);
		a2 = move_block(a2, by_stripe) ^ load_block(p + 2 * BLOCK);
		a3 = move_block(a3, by_stripe) ^ load_block(p + 3 * BLOCK);
	}
	a1 ^= move_block(a0, by_block);
	a2 ^= move_block(a1, by_block);
	a3 ^= move_block(a2, by_block);
	for (; len >= BLOCK; p += BLOCK, len -= BLOCK)
		a3 = move_block(a3, by_block) ^ load_block(p);
	return crc_of_rest(a3, p, len);
}
