/* SPDX-License-Identifier: GPL-2.0 */
/* Input of the fuzzer, read from the front; zeros after its end. */
#ifndef TESTS_FUZZ_INPUT_H
#define TESTS_FUZZ_INPUT_H

#include <stdio.h>
#include <stdlib.h>
#include <linux/types.h>

struct input {
	const u8 *p;
	size_t left;
};

static inline u8 take8(struct input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->p++;
}

static inline u32 take16(struct input *in)
{
	u32 hi = take8(in);

	return hi << 8 | take8(in);
}

static inline u32 take32(struct input *in)
{
	u32 hi = take16(in);

	return hi << 16 | take16(in);
}

/* Like assert(), but never compiled out, and with a one-line report. */
#define require(cond)                                                                      \
	do {                                                                               \
		if (!(cond)) {                                                             \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #cond); \
			abort();                                                           \
		}                                                                          \
	} while (0)

#endif
