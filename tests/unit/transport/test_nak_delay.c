// SPDX-License-Identifier: GPL-2.0
/*
 * Delay of sequence NAKs: how the window follows the reordering of the path.
 */
#include "unit.h"
#include <roce/psn.h>
#include <roce/qp.h>
#include "transport/responder/nak_delay.h"

#define US  1000ull
#define NOW (5000000 * US)

/* A gap that is filled @late after it was seen; the NAK has been sent if @nak. */
static void gap(struct roce_resp *resp, u64 late, bool nak)
{
	roce_nak_delay_on_gap(resp, NOW, !nak);
	roce_nak_delay_on_filled(resp, NOW + late, nak);
}

static void windows(void **state)
{
	struct roce_resp resp = { .epsn = 7 };

	(void)state;
	roce_nak_delay_reset(&resp);
	/* Without reordering, a NAK is sent at once. */
	assert_true(roce_nak_delay_on_gap(&resp, NOW, true));
	roce_nak_delay_on_filled(&resp, NOW + 800 * US, true);
	assert_int_equal(resp.nak_delay.window, 0);
	/* The packet came twice: it was reordered, by 5/4 of that at most. */
	roce_nak_delay_on_duplicate(&resp, 8);
	assert_int_equal(resp.nak_delay.window, 0);
	roce_nak_delay_on_duplicate(&resp, 7);
	assert_int_equal(resp.nak_delay.window, 1000 * US);
	/* Once. */
	resp.nak_delay.window = 0;
	roce_nak_delay_on_duplicate(&resp, 7);
	assert_int_equal(resp.nak_delay.window, 0);
	/* It came in time: the window becomes as long, and does not shrink by a shorter delay. */
	gap(&resp, 80 * US, false);
	assert_int_equal(resp.nak_delay.window, 100 * US);
	gap(&resp, 40 * US, false);
	assert_int_equal(resp.nak_delay.window, 100 * US);
	/* Packets that were lost shrink it by 1/8, from the second in a row on. */
	gap(&resp, 500 * US, true);
	assert_int_equal(resp.nak_delay.window, 100 * US);
	gap(&resp, 500 * US, true);
	assert_int_equal(resp.nak_delay.window, 87500);
	/* 1 ms at most. */
	gap(&resp, 5000 * US, false);
	assert_int_equal(resp.nak_delay.window, 1000 * US);
}

static void timers(void **state)
{
	struct roce_resp resp = { .epsn = 7 };

	(void)state;
	roce_nak_delay_reset(&resp);
	resp.nak_delay.window = 100 * US;
	assert_true(roce_nak_delay_expires(&resp) == ROCE_NEVER);
	assert_false(roce_nak_delay_on_gap(&resp, NOW, true));
	assert_int_equal(roce_nak_delay_expires(&resp), NOW + 100 * US);
	/* Later packets do not postpone the NAK. */
	assert_false(roce_nak_delay_on_gap(&resp, NOW + 99 * US, true));
	assert_int_equal(roce_nak_delay_expires(&resp), NOW + 100 * US);
	assert_true(roce_nak_delay_on_gap(&resp, NOW + 100 * US, true));
	assert_true(roce_nak_delay_expires(&resp) == ROCE_NEVER);
	roce_nak_delay_on_filled(&resp, NOW + 200 * US, true);
	/* A packet that cannot be buffered is NAKed at once. */
	assert_true(roce_nak_delay_on_gap(&resp, NOW, false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows),
		cmocka_unit_test(timers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
