/* SPDX-License-Identifier: GPL-2.0 */
/* Random numbers of 16 bits and below a ceiling. */
#ifndef COMPAT_LINUX_RANDOM_H
#define COMPAT_LINUX_RANDOM_H

#include_next <linux/random.h>

#ifndef RXE_HAVE_RANDOM_BELOW
/* The numbers differ in probability by less than @ceil / 2^32. */
static inline u32 get_random_u32_below(u32 ceil)
{
	return (u64)get_random_u32() * ceil >> 32;
}
#endif

#ifndef RXE_HAVE_RANDOM_U16
static inline u16 get_random_u16(void)
{
	return get_random_u32();
}
#endif

#endif
