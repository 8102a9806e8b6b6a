/* SPDX-License-Identifier: GPL-2.0 */
/* <linux/log2.h> in user space: powers of two. */
#ifndef SHIM_LINUX_LOG2_H
#define SHIM_LINUX_LOG2_H

#include <linux/types.h>

/* Undefined for 0, as in the kernel; a constant expression for a constant. */
#define ilog2(n) (63 - __builtin_clzll(n))

static inline bool is_power_of_2(unsigned long n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

static inline unsigned long roundup_pow_of_two(unsigned long n)
{
	return n <= 1 ? 1 : 1UL << (ilog2(n - 1) + 1);
}

static inline unsigned long rounddown_pow_of_two(unsigned long n)
{
	return 1UL << ilog2(n);
}

#endif
