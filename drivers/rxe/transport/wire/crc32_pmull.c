// SPDX-License-Identifier: GPL-2.0
/*
 * CRC-32 with PMULL of arm64.
 */
#include <roce/icrc.h>

#include "transport/wire/crc32_fold128.h"

u32 roce_crc32_pmull(u32 crc, const void *buf, size_t len)
{
	return len < STRIPE ? roce_crc32(crc, buf, len) : fold(crc, buf, NULL, len, false);
}

u32 roce_crc32_copy_pmull(u32 crc, void *to, const void *from, size_t len)
{
	return len < STRIPE ? roce_crc32_copy(crc, to, from, len) : fold(crc, from, to, len, true);
}
