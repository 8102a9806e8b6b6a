/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CRC-32 by carry-less multiplication. A block of sixteen bytes can be moved D
 * bits towards the end of a message, without a change of the message's CRC, by
 * multiplying it by x^D and adding the product to what is there. So a message is
 * folded into one block, and the CRC of that block and of the bytes that do not
 * fill one goes by table.
 *
 * Bits are reflected: bit 0 of a block is the coefficient of x^127. The product
 * of two reflected 64-bit factors comes out as if multiplied by x: hence D - 1
 * below. The first eight bytes of a block have 64 bits further to go than the
 * last eight.
 *
 * For files compiled with vector instructions: nothing in them may run where the
 * kernel does not allow those.
 */
#ifndef ROCE_CORE_CRC32_FOLD_H
#define ROCE_CORE_CRC32_FOLD_H

#include <linux/types.h>

#define BLOCK 16

typedef u64 block __attribute__((vector_size(BLOCK), may_alias));
typedef u64 block_unaligned __attribute__((vector_size(BLOCK), may_alias, aligned(1)));

/* x^(D+63) and x^(D-1) modulo the polynomial, as 64 bits: what moves a block by D bits */
#define BY_128	0x65673b46ull << 32, 0x9ba54c6full << 32
#define BY_256	0x9570d495ull << 32, 0x01b5fd1dull << 32
#define BY_384	0x69ccfc0dull << 32, 0x2a283862ull << 32
#define BY_512	0x653d9822ull << 32, 0xcad38e8full << 32
#define BY_2048 0x7cc8e1e7ull << 32, 0x03f9f863ull << 32

static __always_inline block load_block(const void *p)
{
	return *(const block_unaligned *)p;
}

/* A running CRC in front of as many zeros as fit. */
static __always_inline block block_of_crc(u32 crc)
{
	block a;

#ifdef __AVX__
	asm("vmovd %1, %0" : "=x"(a) : "r"(crc));
#else
	asm("movd %1, %0" : "=x"(a) : "r"(crc));
#endif
	return a;
}

/* The products of the first and of the last eight bytes, added up. */
static __always_inline block move_block(block a, block by)
{
#ifdef __AVX__
	block first, last;

	asm("vpclmulqdq $0x00, %1, %2, %0" : "=x"(first) : "x"(by), "x"(a));
	asm("vpclmulqdq $0x11, %1, %2, %0" : "=x"(last) : "x"(by), "x"(a));
#else
	block first = a, last = a;

	asm("pclmulqdq $0x00, %1, %0" : "+x"(first) : "x"(by));
	asm("pclmulqdq $0x11, %1, %0" : "+x"(last) : "x"(by));
#endif
	return first ^ last;
}

#endif
