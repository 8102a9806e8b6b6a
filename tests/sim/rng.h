/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random numbers (splitmix64), the same on all machines for a given seed.
 */
#ifndef SIM_RNG_H
#define SIM_RNG_H

#include <linux/types.h>

struct rng {
	u64 state;
};

static inline u64 rng_mix(u64 z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static inline u64 rng_u64(struct rng *rng)
{
	rng->state += 0x9e3779b97f4a7c15ull;
	return rng_mix(rng->state);
}

/* 0 to @n - 1; @n is not 0. */
static inline u32 rng_below(struct rng *rng, u32 n)
{
	return ((rng_u64(rng) >> 32) * n) >> 32;
}

/* @lo to @hi, inclusive. */
static inline u32 rng_range(struct rng *rng, u32 lo, u32 hi)
{
	return lo + rng_below(rng, hi - lo + 1);
}

/* True with a probability of @ppm in a million. */
static inline bool rng_ppm(struct rng *rng, u32 ppm)
{
	return ppm && rng_below(rng, 1000000) < ppm;
}

static inline bool rng_percent(struct rng *rng, u32 percent)
{
	return rng_below(rng, 100) < percent;
}

#endif
