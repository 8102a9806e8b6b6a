/* SPDX-License-Identifier: GPL-2.0 */
/* <linux/compiler.h> in user space: compiler attributes. */
#ifndef SHIM_LINUX_COMPILER_H
#define SHIM_LINUX_COMPILER_H

#include <sys/cdefs.h> /* __always_inline */

#ifdef __CHECKER__
#define __force	       __attribute__((force))
#define __must_hold(x) __attribute__((context(x, 1, 1)))
#else
#define __force
#define __must_hold(x)
#endif

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define barrier() __asm__ __volatile__("" ::: "memory")

#define READ_ONCE(x)	   (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, val) (*(volatile __typeof__(x) *)&(x) = (val))

#define __packed	    __attribute__((__packed__))
#define __aligned(x)	    __attribute__((__aligned__(x)))
#define __must_check	    __attribute__((__warn_unused_result__))
#define __maybe_unused	    __attribute__((__unused__))
#define __always_unused	    __attribute__((__unused__))
#define __pure		    __attribute__((__pure__))
#define __cold		    __attribute__((__cold__))
#define noinline	    __attribute__((__noinline__))
#define __printf(fmt, args) __attribute__((__format__(printf, fmt, args)))
#ifndef __counted_by
#define __counted_by(member)
#endif
#define __uninitialized

/* A pseudo keyword, as in the kernel: every case ends in break or this. */
#define fallthrough __attribute__((__fallthrough__))

#define __same_type(a, b) __builtin_types_compatible_p(__typeof__(a), __typeof__(b))

#endif
