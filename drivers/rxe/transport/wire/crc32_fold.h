/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CRC-32 by carry-less multiplication (folding). A block of sixteen bytes can be moved D bits
 * towards the end of a message, without changing the CRC of the message, by multiplying it by x^D
 * and adding the product to the bits at that position. The message is folded into one block, which
 * four more multiplications reduce to the CRC; roce_crc32() handles the bytes after the last full
 * block.
 *
 * Bits are reflected: bit 0 of a block is the coefficient of x^127. The product of two reflected
 * 64-bit factors is multiplied by x, hence D - 1 below. The first eight bytes of a block move 64
 * bits further than the last eight.
 *
 * Included by files that are compiled with vector instructions: no function in them may run outside
 * of kernel_fpu_begin() (x86-64) or kernel_neon_begin() (arm64).
 */
#ifndef ROCE_CRC32_FOLD_H
#define ROCE_CRC32_FOLD_H

#include <linux/types.h>
#include <roce/icrc.h>

#define BLOCK 16

typedef u64 block __attribute__((vector_size(BLOCK), may_alias));
typedef u64 block_unaligned __attribute__((vector_size(BLOCK), may_alias, aligned(1)));

/* x^(D+63) and x^(D-1) modulo the polynomial, 64 bits each: factors that move a block by D bits */
#define BY_128	0x65673b46ull << 32, 0x9ba54c6full << 32
#define BY_256	0x9570d495ull << 32, 0x01b5fd1dull << 32
#define BY_384	0x69ccfc0dull << 32, 0x2a283862ull << 32
#define BY_512	0x653d9822ull << 32, 0xcad38e8full << 32
#define BY_2048 0x7cc8e1e7ull << 32, 0x03f9f863ull << 32

/* x^95 and x^31 reduce a block followed by 32 zeros to 96 bits; x^63 reduces these to 64 */
#define BY_32_TO_96 0xccaa009eull << 32, 0x00000001ull << 32
#define TO_64	    0xb8bc6765ull << 32, 0

/* x^64 divided by the polynomial, and the polynomial: Barrett reduction from 64 to 32 bits */
#define QUOTIENT   0x1f7011641ull
#define POLYNOMIAL 0x1db710641ull

static __always_inline block load_block(const void *p)
{
	return *(const block_unaligned *)p;
}

/* Load the block at byte @i, and store it in @to if @copy. */
static __always_inline block take_block(const u8 *p, u8 *to, size_t i, bool copy)
{
	block a = load_block(p + i);

	if (copy)
		*(block_unaligned *)(to + i) = a;
	return a;
}

/* A running CRC in the first four bytes, zeros in the rest. */
static __always_inline block block_of_crc(u32 crc)
{
	block a;

#if defined(__aarch64__)
	a = (block){ crc, 0 };
#elif defined(__AVX__)
	asm("vmovd %1, %0" : "=x"(a) : "r"(crc));
#else
	asm("movd %1, %0" : "=x"(a) : "r"(crc));
#endif
	return a;
}

/* Product of one half of @a (the last if bit 0 of @halves is set) and one of @by (bit 4). */
#if defined(__aarch64__)
static __always_inline block multiply(int halves, block a, block by)
{
	block product;

	if (halves == 0x11) {
		asm("pmull2 %0.1q, %1.2d, %2.2d" : "=w"(product) : "w"(a), "w"(by));
		return product;
	}
	if (halves & 0x01)
		a = (block){ a[1], 0 };
	if (halves & 0x10)
		by = (block){ by[1], 0 };
	asm("pmull %0.1q, %1.1d, %2.1d" : "=w"(product) : "w"(a), "w"(by));
	return product;
}
#elif defined(__AVX__)
#define multiply(halves, a, by)                                                                \
	({                                                                                     \
		block product;                                                                 \
		asm("vpclmulqdq %3, %1, %2, %0" : "=x"(product) : "x"(by), "x"(a), "i"(halves)); \
		product;                                                                       \
	})
#else
#define multiply(halves, a, by)                                                    \
	({                                                                         \
		block product = a;                                                 \
		asm("pclmulqdq %2, %1, %0" : "+x"(product) : "x"(by), "i"(halves)); \
		product;                                                           \
	})
#endif

/* Sum of the products of the first and the last eight bytes. */
static __always_inline block move_block(block a, block by)
{
	return multiply(0x00, a, by) ^ multiply(0x11, a, by);
}

static __always_inline u64 first_half(block a)
{
	u64 halves[2];

	*(block_unaligned *)halves = a;
	return halves[0];
}

static __always_inline u64 last_half(block a)
{
	u64 halves[2];

	*(block_unaligned *)halves = a;
	return halves[1];
}

static __always_inline u32 crc_of_block(block a)
{
	static const u64 to_96[] = { BY_32_TO_96 }, to_64[] = { TO_64 };
	static const u64 quotient_polynomial[] = { QUOTIENT, POLYNOMIAL };
	const block divide = load_block(quotient_polynomial);
	block times;
	u64 left;

	a = move_block(a, load_block(to_96));
	a ^= multiply(0x00, a, load_block(to_64));
	left = last_half(a);
	times = multiply(0x00, block_of_crc(left), divide);
	times = multiply(0x10, block_of_crc(first_half(times)), divide);
	return (first_half(times) ^ left) >> 32;
}

/*
 * Finish the CRC of a message: the last @len bytes, less than a block, have not been folded into
 * @a, nor copied to @to (NULL if no copy is made).
 */
static __always_inline u32 crc_of_rest(block a, const void *p, void *to, size_t len)
{
	u32 crc = crc_of_block(a);

	if (!len)
		return crc;
	return to ? roce_crc32_copy(crc, to, p, len) : roce_crc32(crc, p, len);
}

#endif
