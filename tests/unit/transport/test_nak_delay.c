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

/* A gap whose packet arrives @after_nak after a NAK that was too early, and again. */
static void twice(struct roce_resp *resp, u64 after_nak)
{
	gap(resp, after_nak, true);
	roce_nak_delay_on_duplicate(resp, resp->epsn);
}

static void reordering(void **state)
{
	struct roce_resp resp = { .epsn = 7 };

	(void)state;
	roce_nak_delay_reset(&resp);
	/* Without reordering, a NAK is sent at once. */
	assert_true(roce_nak_delay_on_gap(&resp, NOW, true));
	roce_nak_delay_on_filled(&resp, NOW + 80 * US, true);
	assert_int_equal(resp.nak_delay.window, 0);
	/* The third packet that came twice was reordered, by 5/4 of that at most. */
	roce_nak_delay_on_duplicate(&resp, 8);
	roce_nak_delay_on_duplicate(&resp, 7);
	twice(&resp, 80 * US);
	assert_int_equal(resp.nak_delay.window, 0);
	twice(&resp, 80 * US);
	assert_int_equal(resp.nak_delay.window, 100 * US);
	/* The third copy counts no more. */
	resp.nak_delay.window = 0;
	roce_nak_delay_on_duplicate(&resp, 7);
	assert_int_equal(resp.nak_delay.window, 0);
	/* 1 ms at most. */
	twice(&resp, 5000 * US);
	assert_int_equal(resp.nak_delay.window, 1000 * US);
	/* A packet that came in time leaves the window, and so does a shorter delay. */
	gap(&resp, 2000 * US, false);
	twice(&resp, 40 * US);
	assert_int_equal(resp.nak_delay.window, 1000 * US);
}

static void losses(void **state)
{
	struct roce_resp resp = { .epsn = 7 };

	(void)state;
	roce_nak_delay_reset(&resp);
	resp.nak_delay.window = 400 * US;
	/* Packets that were lost shrink it by 1/8, from the second in a row on. */
	gap(&resp, 300 * US, true);
	assert_int_equal(resp.nak_delay.window, 400 * US);
	gap(&resp, 200 * US, true);
	gap(&resp, 900 * US, true);
	assert_int_equal(resp.nak_delay.window, 306250);
	assert_int_equal(resp.nak_delay.rexmit_min, 200 * US);
	/* One that comes twice, but late enough for a retransmission, was retransmitted twice. */
	resp.nak_delay.window = 0;
	twice(&resp, 100 * US);
	assert_int_equal(resp.nak_delay.window, 0);
	twice(&resp, 99 * US);
	assert_int_equal(resp.nak_delay.window, 123750);
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
		cmocka_unit_test(reordering),
		cmocka_unit_test(losses),
		cmocka_unit_test(timers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
