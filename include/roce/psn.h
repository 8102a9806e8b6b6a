/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packet sequence numbers: 24 bits, compared modulo 2^24 (IBTA 9.7.1).
 *
 * Every comparison of PSNs goes through this file, so that wrap-around is
 * thought about once. Two PSNs compare meaningfully when they are less than
 * 2^23 apart, which the transport guarantees for everything in flight.
 */
#ifndef ROCE_PSN_H
#define ROCE_PSN_H

#include <linux/types.h>

#define ROCE_PSN_MASK	0x00ffffffu
#define ROCE_PSN_HALF	0x00800000u
#define ROCE_PSN_NONE	0xffffffffu /* equals no PSN */

/**
 * roce_psn_add() - the PSN @n packets after @psn
 * @psn: 24-bit PSN
 * @n: packets, may exceed 2^24 (the sum wraps)
 */
static inline u32 roce_psn_add(u32 psn, u32 n)
{
	return (psn + n) & ROCE_PSN_MASK;
}

static inline u32 roce_psn_prev(u32 psn)
{
	return (psn - 1) & ROCE_PSN_MASK;
}

/**
 * roce_psn_diff() - signed distance from @b to @a
 * @a: 24-bit PSN
 * @b: 24-bit PSN
 *
 * Return: @a - @b in [-2^23, 2^23), positive when @a is the later one.
 */
static inline s32 roce_psn_diff(u32 a, u32 b)
{
	return (s32)((a - b) << 8) >> 8;
}

static inline bool roce_psn_before(u32 a, u32 b)
{
	return roce_psn_diff(a, b) < 0;
}

static inline bool roce_psn_after(u32 a, u32 b)
{
	return roce_psn_diff(a, b) > 0;
}

/* Is @psn in [first, last], both ends included? */
static inline bool roce_psn_within(u32 psn, u32 first, u32 last)
{
	return !roce_psn_before(psn, first) && !roce_psn_after(psn, last);
}

#endif
