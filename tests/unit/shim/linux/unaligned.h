/* SPDX-License-Identifier: GPL-2.0 */
/* <linux/unaligned.h> in user space: unaligned access. */
#ifndef SHIM_LINUX_UNALIGNED_H
#define SHIM_LINUX_UNALIGNED_H

#include <string.h>
#include <asm/byteorder.h>
#include <linux/types.h>

#define get_unaligned(ptr)                                  \
	({                                                  \
		__typeof__(*(ptr)) val_;                    \
		memcpy((void *)&val_, (ptr), sizeof(val_)); \
		val_;                                       \
	})

#define put_unaligned(val, ptr)                     \
	do {                                        \
		__typeof__(*(ptr)) val_ = (val);    \
		memcpy((ptr), &val_, sizeof(val_)); \
	} while (0)

/* Define get_unaligned_be32(), put_unaligned_be32() and so on. */
#define SHIM_UNALIGNED(e, bits)                                          \
	static inline u##bits get_unaligned_##e##bits(const void *p)     \
	{                                                                \
		__##e##bits v;                                           \
		memcpy(&v, p, sizeof(v));                                \
		return e##bits##_to_cpu(v);                              \
	}                                                                \
	static inline void put_unaligned_##e##bits(u##bits val, void *p) \
	{                                                                \
		__##e##bits v = cpu_to_##e##bits(val);                   \
		memcpy(p, &v, sizeof(v));                                \
	}

SHIM_UNALIGNED(be, 16)
SHIM_UNALIGNED(be, 32)
SHIM_UNALIGNED(be, 64)
SHIM_UNALIGNED(le, 16)
SHIM_UNALIGNED(le, 32)
SHIM_UNALIGNED(le, 64)

static inline u32 get_unaligned_be24(const void *ptr)
{
	const u8 *p = ptr;

	return p[0] << 16 | p[1] << 8 | p[2];
}

static inline void put_unaligned_be24(u32 val, void *ptr)
{
	u8 *p = ptr;

	p[0] = val >> 16;
	p[1] = val >> 8;
	p[2] = val;
}

#endif
