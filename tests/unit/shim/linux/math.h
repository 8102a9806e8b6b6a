/* SPDX-License-Identifier: GPL-2.0 */
/* <linux/math.h> in user space: rounding. */
#ifndef SHIM_LINUX_MATH_H
#define SHIM_LINUX_MATH_H

/* @y must be a power of two. */
#define round_up(x, y)	 ((((x)-1) | ((__typeof__(x))((y)-1))) + 1)
#define round_down(x, y) ((x) & ~((__typeof__(x))((y)-1)))

#define DIV_ROUND_UP(n, d)     (((n) + (d)-1) / (d))
#define DIV_ROUND_UP_ULL(n, d) ((unsigned long long)DIV_ROUND_UP((unsigned long long)(n), (d)))
#define roundup(x, y)	       ((((x) + ((y)-1)) / (y)) * (y))
#define rounddown(x, y)	       ((x) - ((x) % (y)))

#endif
