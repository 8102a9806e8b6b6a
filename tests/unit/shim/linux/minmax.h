/* SPDX-License-Identifier: GPL-2.0 */
/*
 * min() and max() reject operands of different types (with a warning about the comparison of
 * distinct pointer types), as the strictest kernels do.
 */
#ifndef SHIM_LINUX_MINMAX_H
#define SHIM_LINUX_MINMAX_H

#define shim_pick(op, x, y)             \
	({                              \
		__typeof__(x) x_ = (x); \
		__typeof__(y) y_ = (y); \
		(void)(&x_ == &y_);     \
		x_ op y_ ? x_ : y_;     \
	})

#define shim_pick_t(op, type, x, y) \
	({                          \
		type x_ = (x);      \
		type y_ = (y);      \
		x_ op y_ ? x_ : y_; \
	})

#define min(x, y)		   shim_pick(<, x, y)
#define max(x, y)		   shim_pick(>, x, y)
#define min_t(type, x, y)	   shim_pick_t(<, type, x, y)
#define max_t(type, x, y)	   shim_pick_t(>, type, x, y)
#define min3(x, y, z)		   min((__typeof__(x))min(x, y), z)
#define max3(x, y, z)		   max((__typeof__(x))max(x, y), z)
#define clamp(val, lo, hi)	   min((__typeof__(val))max(val, lo), hi)
#define clamp_t(type, val, lo, hi) min_t(type, max_t(type, val, lo), hi)

#define swap(a, b)                        \
	do {                              \
		__typeof__(a) tmp_ = (a); \
		(a) = (b);                \
		(b) = tmp_;               \
	} while (0)

#endif
