/* SPDX-License-Identifier: GPL-2.0 */
/* Random numbers that a seed reproduces (xorshift64*). */
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* Not 0. */
static uint64_t random_state;

static inline uint64_t rnd(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * 0x2545f4914f6cdd1dull;
}

static inline uint32_t below(uint32_t n)
{
	return (rnd() >> 16) % n;
}

static inline bool one_in(uint32_t n)
{
	return !below(n);
}

#endif
