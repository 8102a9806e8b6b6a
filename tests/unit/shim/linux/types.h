/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's short integer names on top of the exported uAPI types, so that
 * u64 is "unsigned long long" and __be32 is a __bitwise type here as well.
 */
#ifndef SHIM_LINUX_TYPES_H
#define SHIM_LINUX_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include_next <linux/types.h>
#include <linux/compiler.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s8 s8;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;

typedef u64 dma_addr_t;
typedef u64 phys_addr_t;

#endif
