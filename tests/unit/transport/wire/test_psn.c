// SPDX-License-Identifier: GPL-2.0
/* Arithmetic of PSNs. */
#include "unit.h"
#include <roce/psn.h>

static void add(void **state)
{
	static const struct {
		const char *name;
		u32 psn, n, sum;
	} rows[] = {
		{ "nothing", 5, 0, 5 },
		{ "one", 5, 1, 6 },
		{ "to the last PSN", 0xfffffe, 1, 0xffffff },
		{ "wrap by one", 0xffffff, 1, 0 },
		{ "wrap in the middle", 0xfffff0, 0x20, 0x10 },
		{ "a whole turn", 0x123456, 0x1000000, 0x123456 },
		{ "the largest count", 7, 0xffffffff, 6 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		row_equal(rows[i].name, roce_psn_add(rows[i].psn, rows[i].n), rows[i].sum);
}

static void prev(void **state)
{
	(void)state;
	assert_int_equal(roce_psn_prev(1), 0);
	assert_int_equal(roce_psn_prev(0), 0xffffff);
	assert_int_equal(roce_psn_prev(0x800000), 0x7fffff);
}

static void diff(void **state)
{
	static const struct {
		const char *name;
		u32 a, b;
		s32 diff;
	} rows[] = {
		{ "equal", 9, 9, 0 },
		{ "equal at the last PSN", 0xffffff, 0xffffff, 0 },
		{ "later", 10, 7, 3 },
		{ "earlier", 7, 10, -3 },
		{ "later over the wrap", 2, 0xfffffe, 4 },
		{ "earlier over the wrap", 0xfffffe, 2, -4 },
		{ "furthest later", 0x7fffff, 0, 0x7fffff },
		{ "furthest earlier", 0x800000, 0, -0x800000 },
		{ "furthest later over the wrap", 0x7ffffe, 0xffffff, 0x7fffff },
		{ "half of the PSN space in either direction", 0, 0x800000, -0x800000 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		row_check(rows[i].name, roce_psn_diff(rows[i].a, rows[i].b) == rows[i].diff);
		row_check(rows[i].name,
			  roce_psn_before(rows[i].a, rows[i].b) == (rows[i].diff < 0));
		row_check(rows[i].name, roce_psn_after(rows[i].a, rows[i].b) == (rows[i].diff > 0));
	}
}

static void within(void **state)
{
	static const struct {
		const char *name;
		u32 psn, first, last;
		bool in;
	} rows[] = {
		{ "first", 5, 5, 9, true },
		{ "last", 9, 5, 9, true },
		{ "inside", 7, 5, 9, true },
		{ "before", 4, 5, 9, false },
		{ "behind", 10, 5, 9, false },
		{ "the only one", 5, 5, 5, true },
		{ "beside the only one", 6, 5, 5, false },
		{ "wrap, on the near side", 0xffffff, 0xfffffe, 1, true },
		{ "wrap, on the far side", 0, 0xfffffe, 1, true },
		{ "wrap, last", 1, 0xfffffe, 1, true },
		{ "wrap, before", 0xfffffd, 0xfffffe, 1, false },
		{ "wrap, behind", 2, 0xfffffe, 1, false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		row_check(rows[i].name,
			  roce_psn_within(rows[i].psn, rows[i].first, rows[i].last) == rows[i].in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(add),
		cmocka_unit_test(prev),
		cmocka_unit_test(diff),
		cmocka_unit_test(within),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
