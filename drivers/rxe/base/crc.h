/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CRCs by what is fastest here. Vector instructions need a section in which the kernel allows
 * them; entering one costs as much as the CRC of a few hundred bytes, so that a buffer's packets
 * share it.
 */
#ifndef RXE_CRC_H
#define RXE_CRC_H

#include <linux/types.h>

/**
 * struct rxe_crc - a section in which CRCs are computed
 * @simd: by vector instructions
 */
struct rxe_crc {
	bool simd;
};

/* Choose what is fastest here, or what the module parameter "simd" asks for. */
void rxe_crc_init(void);

/**
 * rxe_crc_begin() - begin a section
 * @c: of the caller; false in all its fields
 * @bytes: how many are to come, about
 *
 * Up to rxe_crc_end() the caller neither sleeps nor begins another, nor calls what may.
 * Nothing happens if one has been begun.
 */
void rxe_crc_begin(struct rxe_crc *c, u32 bytes);

/* End it, if it has been begun. */
void rxe_crc_end(struct rxe_crc *c);

/* roce_crc32() and roce_crc32_copy(). */
u32 rxe_crc32(const struct rxe_crc *c, u32 crc, const void *buf, u32 len);
u32 rxe_crc32_copy(const struct rxe_crc *c, u32 crc, void *to, const void *from, u32 len);

#endif
