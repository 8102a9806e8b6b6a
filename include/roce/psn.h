/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PSN arithmetic: 24-bit packet sequence numbers, modulo 2^24 (IBTA 9.7.1).
 *
 * All comparisons of PSNs use these functions. The order of two PSNs is defined if they are less
 * than 2^23 apart, as all PSNs in flight are (ROCE_MAX_INFLIGHT).
 */
#ifndef ROCE_PSN_H
#define ROCE_PSN_H

#include <linux/types.h>

#define ROCE_PSN_MASK	0x00ffffffu
#define ROCE_PSN_HALF	0x00800000u
#define ROCE_PSN_NONE	0xffffffffu /* not a PSN */

/**
 * roce_psn_add() - advance a PSN by @n packets
 * @psn: 24-bit PSN
 * @n: packets, any value
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
 * Return: @a - @b in [-2^23, 2^23), positive if @a is later.
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

/* True if @psn is in [first, last], inclusive. */
static inline bool roce_psn_within(u32 psn, u32 first, u32 last)
{
	return !roce_psn_before(psn, first) && !roce_psn_after(psn, last);
}

#endif
