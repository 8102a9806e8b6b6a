// SPDX-License-Identifier: GPL-2.0
/*
 * Delay of sequence NAKs of the responder.
 *
 * Input: requests that arrive after the NAK for them, once or twice.
 * Decision: one that arrives twice was reordered, and the NAK was sent too early: the window
 *	becomes 5/4 of its delay if that is more. One that arrives once was lost: the window shrinks
 *	by 1/8.
 *	Lost requests may be retransmitted twice, too. One that arrives later than half of the
 *	shortest time from a NAK to a retransmission counts as retransmitted, and before the first
 *	loss it takes three to make a window. Without this, a loss of 10 % on a path of 10 us costs
 *	2.3 times as much time (sim --bench).
 * Bounds: 0 and ROCE_NAK_DELAY_MAX_NS.
 */
#include <linux/minmax.h>

#include <roce/psn.h>
#include "transport/responder/nak_delay.h"

/* 1 ms: half the requester's minimum RTO, so that the NAK comes before the timeout. */
#define ROCE_NAK_DELAY_MAX_NS (1000 * 1000ull)

/* Requests that must arrive twice before the first loss: each may have been retransmitted twice. */
#define TWICE_MIN 3

void roce_nak_delay_reset(struct roce_resp *resp)
{
	resp->nak_delay = (struct roce_nak_delay){
		.expires = ROCE_NEVER,
		.filled_psn = ROCE_PSN_NONE,
		.rexmit_min = ROCE_NEVER,
	};
}

static void widen(struct roce_nak_delay *delay, u64 late)
{
	delay->window = max(delay->window, min(late + late / 4, ROCE_NAK_DELAY_MAX_NS));
}

bool roce_nak_delay_on_gap(struct roce_resp *resp, u64 now, bool wait)
{
	struct roce_nak_delay *delay = &resp->nak_delay;

	if (!delay->gap_time) {
		delay->gap_time = now;
		delay->expires = now + delay->window;
	}
	if (wait && now < delay->expires)
		return false;
	delay->expires = ROCE_NEVER;
	delay->nak_time = now;
	return true;
}

void roce_nak_delay_on_filled(struct roce_resp *resp, u64 now, bool nak_sent)
{
	struct roce_nak_delay *delay = &resp->nak_delay;
	u64 late = now - delay->gap_time;

	delay->gap_time = 0;
	delay->expires = ROCE_NEVER;
	/* It was in time: the window is long enough. */
	if (!nak_sent)
		return;
	if (delay->filled_psn != ROCE_PSN_NONE) {
		delay->window -= delay->window / 8;
		delay->rexmit_min = min(delay->rexmit_min, delay->filled_after_nak);
	}
	delay->filled_psn = resp->epsn;
	delay->filled_delay = late;
	delay->filled_after_nak = now - delay->nak_time;
}

void roce_nak_delay_on_duplicate(struct roce_resp *resp, u32 psn)
{
	struct roce_nak_delay *delay = &resp->nak_delay;

	if (psn != delay->filled_psn)
		return;
	delay->filled_psn = ROCE_PSN_NONE;
	if (delay->rexmit_min == ROCE_NEVER && ++delay->twice < TWICE_MIN)
		return;
	if (delay->filled_after_nak < delay->rexmit_min / 2)
		widen(delay, delay->filled_delay);
}
