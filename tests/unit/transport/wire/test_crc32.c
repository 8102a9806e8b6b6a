// SPDX-License-Identifier: GPL-2.0
/* Each implementation of the CRC, against the definition. */
#include "unit.h"
#include <stdio.h>
#ifdef __aarch64__
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif
#include <roce/icrc.h>

#define MAX_LEN	  4200
#define MAX_ALIGN 64

/**
 * struct implementation - roce_crc32() or an equivalent
 * @name: shown in messages
 * @crc32: the function
 * @copy: its variant that also copies
 * @feature: required processor feature, or NULL
 */
struct implementation {
	const char *name;
	u32 (*crc32)(u32 crc, const void *buf, size_t len);
	u32 (*copy)(u32 crc, void *to, const void *from, size_t len);
	bool (*feature)(void);
};

#ifdef __aarch64__
static bool has_pmull(void)
{
	return getauxval(AT_HWCAP) & HWCAP_PMULL;
}

static bool has_crc32(void)
{
	return getauxval(AT_HWCAP) & HWCAP_CRC32;
}
#endif

#ifdef __x86_64__
static bool has_pclmul(void)
{
	return __builtin_cpu_supports("pclmul");
}

static bool has_vpclmul(void)
{
	return __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx512f");
}
#endif

static const struct implementation implementations[] = {
	{ "plain", roce_crc32, roce_crc32_copy, NULL },
#ifdef __x86_64__
	{ "pclmul", roce_crc32_pclmul, roce_crc32_copy_pclmul, has_pclmul },
	{ "vpclmul", roce_crc32_vpclmul, roce_crc32_copy_vpclmul, has_vpclmul },
#endif
#ifdef __aarch64__
	{ "pmull", roce_crc32_pmull, roce_crc32_copy_pmull, has_pmull },
	{ "crc32", roce_crc32_insn, roce_crc32_copy_insn, has_crc32 },
#endif
};

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

/* The published check value of CRC-32, and that of the empty string. */
static void known_values(void **state)
{
	(void)state;
	assert_int_equal(~roce_crc32(~0u, "123456789", 9), 0xcbf43926);
	assert_int_equal(roce_crc32(0x12345678, "", 0), 0x12345678);
	assert_int_equal(roce_crc32(0, "\0\0\0\0\0\0\0\0\0", 9), 0);
}

/* What the processor cannot do is left out, and said to be. */
static bool can_run(const struct implementation *imp)
{
	if (!imp->feature || imp->feature())
		return true;
	printf("%s is not tried on this processor\n", imp->name);
	return false;
}

/* The reference of every prefix: one bit at a time is slow. */
static const u32 *prefixes(const u8 *p)
{
	static u32 crc[MAX_LEN + 1];
	size_t len;

	crc[0] = 0x1234;
	for (len = 0; len < MAX_LEN; len++)
		crc[len + 1] = reference(crc[len], p + len, 1);
	return crc;
}

/* Every length from one place, @start bytes before where the longest would end. */
static void every_length_at(const struct implementation *imp, size_t start)
{
	const u8 *p = bytes(start, MAX_LEN + start);
	const u32 *want = prefixes(p);
	size_t len;

	for (len = 0; len <= MAX_LEN; len++)
		if (imp->crc32(0x1234, p, len) != want[len])
			fail_msg("%s: %zu bytes at %p", imp->name, len, (const void *)p);
}

/* Every length with the end of memory behind it. */
static void every_length_to_end(const struct implementation *imp)
{
	size_t len;

	for (len = 0; len <= MAX_LEN; len++) {
		const u8 *p = bytes(len, len);

		if (imp->crc32(~0u, p, len) != reference(~0u, p, len))
			fail_msg("%s: the last %zu bytes", imp->name, len);
	}
}

static void every_length(void **state)
{
	const struct implementation *imp;
	size_t start;

	(void)state;
	for (imp = implementations; imp < implementations + ARRAY_SIZE(implementations); imp++) {
		if (!can_run(imp))
			continue;
		every_length_to_end(imp);
		for (start = 0; start < MAX_ALIGN; start++)
			every_length_at(imp, start);
	}
}

static void continued_after(const struct implementation *imp, size_t cut, u32 whole)
{
	const u8 *p = guard + GUARD_SIZE - MAX_LEN;
	u32 crc = imp->crc32(0x1234, p, cut);

	if (imp->crc32(crc, p + cut, MAX_LEN - cut) != whole)
		fail_msg("%s: continued after %zu bytes", imp->name, cut);
}

static void continued(void **state)
{
	u32 whole = reference(0x1234, bytes(1, MAX_LEN), MAX_LEN);
	const struct implementation *imp;
	size_t cut;

	(void)state;
	for (imp = implementations; imp < implementations + ARRAY_SIZE(implementations); imp++) {
		if (!can_run(imp))
			continue;
		for (cut = 0; cut <= MAX_LEN; cut++)
			continued_after(imp, cut, whole);
	}
}

/* @len bytes against the end of memory, to a place with a byte before and behind it. */
static void copied(const struct implementation *imp, size_t len)
{
	static u8 room[MAX_ALIGN + MAX_LEN + 1];
	u8 *to = room + 1 + len % (MAX_ALIGN - 1);
	const u8 *p = bytes(len, len);

	to[-1] = 0x5a;
	memset(to, ~0, len);
	to[len] = 0xa5;
	if (imp->copy(0x4321, to, p, len) != imp->crc32(0x4321, p, len))
		fail_msg("%s: the copy of %zu bytes has another CRC", imp->name, len);
	if (memcmp(to, p, len) || to[-1] != 0x5a || to[len] != 0xa5)
		fail_msg("%s: %zu bytes are not copied as they are", imp->name, len);
}

static void copies(void **state)
{
	const struct implementation *imp;
	size_t len;

	(void)state;
	for (imp = implementations; imp < implementations + ARRAY_SIZE(implementations); imp++) {
		if (!can_run(imp))
			continue;
		for (len = 0; len <= MAX_LEN; len++)
			copied(imp, len);
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
		cmocka_unit_test(known_values),
		cmocka_unit_test(every_length),
		cmocka_unit_test(continued),
		cmocka_unit_test(copies),
	};

	return cmocka_run_group_tests(tests, setup, guard_teardown);
}
