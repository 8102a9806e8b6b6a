// SPDX-License-Identifier: GPL-2.0
/* The stand-ins behave as the kernel headers they stand in for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <asm/byteorder.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/types.h>
#include <linux/unaligned.h>

static_assert(sizeof(u64) == 8 && sizeof(__be32) == 4 && sizeof(u8) == 1);
static_assert(GENMASK(23, 0) == 0xffffff, "a PSN is 24 bits");
static_assert(ilog2(4096) == 12);

static void byte_order(void **state)
{
	u8 buf[9] = { 0xff };

	(void)state;
	put_unaligned_be64(0x0102030405060708ULL, buf + 1);
	assert_int_equal(buf[0], 0xff);
	assert_int_equal(buf[1], 1);
	assert_int_equal(buf[8], 8);
	assert_true(get_unaligned_be64(buf + 1) == 0x0102030405060708ULL);
	assert_int_equal(get_unaligned_be32(buf + 3), 0x03040506);
	assert_int_equal(get_unaligned_be24(buf + 3), 0x030405);
	assert_int_equal(get_unaligned_be16(buf + 3), 0x0304);
	assert_int_equal(get_unaligned_le32(buf + 3), 0x06050403);
	put_unaligned_be24(0xabcdef, buf + 2);
	assert_int_equal(get_unaligned_be32(buf + 1), 0x01abcdef);
	assert_int_equal(be32_to_cpu(cpu_to_be32(0x12345678)), 0x12345678);
	assert_int_equal(((u8 *)&(__be16){ cpu_to_be16(0x1234) })[0], 0x12);
}

static void arithmetic(void **state)
{
	(void)state;
	assert_int_equal(min(3, 4), 3);
	assert_int_equal(max_t(u32, 3, 4), 4);
	assert_int_equal(clamp(9, 1, 5), 5);
	assert_int_equal(clamp_t(int, -9, 1, 5), 1);
	assert_int_equal(round_up(5U, 4), 8);
	assert_int_equal(round_down(7U, 4), 4);
	assert_int_equal(DIV_ROUND_UP(4097, 4096), 2);
	assert_int_equal(roundup_pow_of_two(33), 64);
	assert_int_equal(roundup_pow_of_two(64), 64);
	assert_true(is_power_of_2(64) && !is_power_of_2(0) && !is_power_of_2(65));
	assert_true(mul_u64_u64_div_u64(U64_MAX, 10, 100) == U64_MAX / 10);
	assert_true(GENMASK_ULL(63, 0) == U64_MAX);
	assert_int_equal(upper_32_bits(0x100000002ULL), 1);
}

struct outer {
	u8 pad;
	struct_group(pair, u16 a; u16 b;);
};

static void structures(void **state)
{
	struct outer o = { .a = 7, .b = 9 };
	u16 *b = &o.b;

	(void)state;
	assert_ptr_equal(container_of(b, struct outer, b), &o);
	assert_int_equal(sizeof(o.pair), 4);
	assert_int_equal(o.pair.b, 9);
	assert_int_equal(offsetofend(struct outer, pad), 1);
	assert_int_equal(ARRAY_SIZE(((int[]){ 1, 2, 3 })), 3);
	WRITE_ONCE(o.a, 8);
	assert_int_equal(READ_ONCE(o.a), 8);
	BUILD_BUG_ON(sizeof(o.pair) != 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(byte_order),
		cmocka_unit_test(arithmetic),
		cmocka_unit_test(structures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
