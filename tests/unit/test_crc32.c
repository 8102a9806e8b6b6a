// SPDX-License-Identifier: GPL-2.0
#include "unit.h"
#include <roce/icrc.h>

#define MAX_LEN	  300
#define MAX_ALIGN 8

/* Straight from the definition: one bit at a time. */
static u32 reference(u32 crc, const u8 *p, size_t len)
{
	int bit;

	while (len--)
		for (crc ^= *p++, bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	return crc;
}

static u8 *guard;

/* @len bytes whose content depends on @seed, against the end of memory. */
static u8 *bytes(u32 seed, size_t len)
{
	u8 *p = guard + GUARD_SIZE - len;
	size_t i;

	for (i = 0; i < len; i++) {
		seed = seed * 1664525 + 1013904223;
		p[i] = seed >> 24;
	}
	return p;
}

/* The check value of CRC-32 as everybody lists it, and the empty string. */
static void known_values(void **state)
{
	(void)state;
	assert_int_equal(~roce_crc32(~0u, "123456789", 9), 0xcbf43926);
	assert_int_equal(roce_crc32(0x12345678, "", 0), 0x12345678);
	assert_int_equal(roce_crc32(0, "\0\0\0\0\0\0\0\0\0", 9), 0);
}

/* Lengths also shift the start, so that all alignments occur with each. */
static void every_length(void **state)
{
	size_t len, start;

	(void)state;
	for (len = 0; len <= MAX_LEN; len++)
		for (start = 0; start < MAX_ALIGN; start++) {
			const u8 *p = bytes(len, len + start);

			if (roce_crc32(~0u, p, len) != reference(~0u, p, len))
				fail_msg("%zu bytes at %p", len, (const void *)p);
		}
}

static void continued(void **state)
{
	const u8 *p = bytes(1, MAX_LEN);
	u32 whole = reference(0x1234, p, MAX_LEN);
	size_t cut;

	(void)state;
	for (cut = 0; cut <= MAX_LEN; cut++)
		assert_int_equal(roce_crc32(roce_crc32(0x1234, p, cut), p + cut, MAX_LEN - cut),
				 whole);
}

static void copy_one(size_t len, size_t from, size_t to)
{
	u8 dst[MAX_LEN + 2 * MAX_ALIGN];
	const u8 *src = bytes(len, len + from);

	memset(dst, 0xaa, sizeof(dst));
	if (roce_crc32_copy(7, dst + to, src, len) != reference(7, src, len))
		fail_msg("%zu bytes, alignment %zu to %zu: CRC", len, from, to);
	if (memcmp(dst + to, src, len))
		fail_msg("%zu bytes, alignment %zu to %zu: copy", len, from, to);
	if ((to && dst[to - 1] != 0xaa) || dst[to + len] != 0xaa)
		fail_msg("%zu bytes, alignment %zu to %zu: written beside", len, from, to);
}

static void copy(void **state)
{
	size_t len, from, to;

	(void)state;
	for (len = 0; len <= MAX_LEN; len++)
		for (from = 0; from < MAX_ALIGN; from++)
			for (to = 0; to < MAX_ALIGN; to++)
				copy_one(len, from, to);
}

/* Four buffers of different content and alignment, one at the end of memory. */
static void x4(void **state)
{
	size_t len, k;

	(void)state;
	for (len = 0; len <= MAX_LEN; len++) {
		const u8 *p = bytes(len, 4 * (len + 3));
		const void *buf[4];
		u32 crc[4], want[4];

		for (k = 0; k < 4; k++) {
			buf[k] = p + k * (len + 3) + k;
			crc[k] = 0x11111111 * k;
			want[k] = reference(crc[k], buf[k], len);
		}
		roce_crc32_x4(crc, buf, len);
		for (k = 0; k < 4; k++)
			if (crc[k] != want[k])
				fail_msg("%zu bytes, lane %zu", len, k);
	}
}

static int setup(void **state)
{
	roce_crc32_init();
	guard_setup(state);
	guard = *state;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_values), cmocka_unit_test(every_length),
		cmocka_unit_test(continued),	cmocka_unit_test(copy),
		cmocka_unit_test(x4),
	};

	return cmocka_run_group_tests(tests, setup, guard_teardown);
}
