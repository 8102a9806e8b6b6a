/* SPDX-License-Identifier: GPL-2.0 */
/* <linux/bits.h> in user space: bits. */
#ifndef SHIM_LINUX_BITS_H
#define SHIM_LINUX_BITS_H

#define BITS_PER_BYTE	   8
#define BITS_PER_LONG	   (__SIZEOF_LONG__ * BITS_PER_BYTE)
#define BITS_PER_LONG_LONG 64

#define BIT(n)	   (1UL << (n))
#define BIT_ULL(n) (1ULL << (n))

/* Mask of bits @l to @h, inclusive. */
#define GENMASK_ULL(h, l) ((~0ULL << (l)) & (~0ULL >> (63 - (h))))
#define GENMASK(h, l)	  ((unsigned long)GENMASK_ULL(h, l))

#endif
