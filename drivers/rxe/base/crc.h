/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CRC-32 of the ICRC by the fastest implementation for this CPU: carry-less multiplication
 * (PCLMULQDQ, VPCLMULQDQ, PMULL), the CRC32 instructions of arm64, or tables.
 *
 * The kernel allows vector instructions only in a SIMD section (base/simd.h). Entering one costs as
 * much as the CRC of a few hundred bytes, so that all packets of an skb are computed in one
 * section.
 */
#ifndef RXE_CRC_H
#define RXE_CRC_H

#include <linux/types.h>

#include "base/simd.h"

/**
 * struct rxe_crc - SIMD section of one caller; on its stack, initialised to zero
 * @simd: a section has begun: CRCs are computed with vector instructions
 * @state: memory of the section
 */
struct rxe_crc {
	bool simd;
	struct rxe_simd_state state;
};

/*
 * Select the implementation: the one that the module parameter simd requests, or else the fastest.
 * Context: module init, before any other function of this file.
 */
void rxe_crc_init(void);

/**
 * rxe_crc_begin() - begin a SIMD section if it is worth its cost
 * @c: state of the caller; zero on the first call
 * @bytes: approximate number of bytes to compute before rxe_crc_end()
 *
 * No section begins if @bytes is less than MIN_SIMD_BYTES, if the context does not allow vector
 * instructions, or if @c is in a section. Until rxe_crc_end() the caller must not sleep, nor begin
 * a section with another struct rxe_crc.
 *
 * Context: any.
 */
void rxe_crc_begin(struct rxe_crc *c, u32 bytes);

/* End the SIMD section of @c, if it is in one. Context: as rxe_crc_begin(). */
void rxe_crc_end(struct rxe_crc *c);

/*
 * roce_crc32() and roce_crc32_copy() (roce/icrc.h), with vector instructions if @c is in a SIMD
 * section. @crc is the CRC so far, @len is in bytes. Context: any. Return: the CRC.
 */
u32 rxe_crc32(const struct rxe_crc *c, u32 crc, const void *buf, u32 len);
u32 rxe_crc32_copy(const struct rxe_crc *c, u32 crc, void *to, const void *from, u32 len);

#endif
