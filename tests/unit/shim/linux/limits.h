/* SPDX-License-Identifier: GPL-2.0 */
/* <linux/limits.h> in user space: limits of types. */
#ifndef SHIM_LINUX_LIMITS_H
#define SHIM_LINUX_LIMITS_H

#include_next <linux/limits.h>

#define U8_MAX	((__UINT8_TYPE__)~0)
#define S8_MAX	((__INT8_TYPE__)(U8_MAX >> 1))
#define U16_MAX ((__UINT16_TYPE__)~0)
#define S16_MAX ((__INT16_TYPE__)(U16_MAX >> 1))
#define U32_MAX (~0U)
#define S32_MAX ((int)(U32_MAX >> 1))
#define U64_MAX (~0ULL)
#define S64_MAX ((long long)(U64_MAX >> 1))

#endif
