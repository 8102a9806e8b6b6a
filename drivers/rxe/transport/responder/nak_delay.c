// SPDX-License-Identifier: GPL-2.0
/*
 * Delay of sequence NAKs of the responder.
 *
 * Input: for each gap that is filled, the time since a later request arrived.
 * Decision: a request that arrives before its NAK is sent, or twice because the NAK was sent too
 *	early, was reordered: the window becomes 5/4 of its delay if that is more. A request that
 *	arrives once after its NAK was lost: the window shrinks by 1/8.
 * Bounds: 0 and ROCE_NAK_DELAY_MAX_NS.
 */
#include <linux/minmax.h>

#include <roce/psn.h>
#include "transport/responder/nak_delay.h"

/* 1 ms: half the requester's minimum RTO, so that the NAK comes before the timeout. */
#define ROCE_NAK_DELAY_MAX_NS (1000 * 1000ull)

void roce_nak_delay_reset(struct roce_resp *resp)
{
	resp->nak_delay = (struct roce_nak_delay){
		.expires = ROCE_NEVER,
		.filled_psn = ROCE_PSN_NONE,
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
	return true;
}

void roce_nak_delay_on_filled(struct roce_resp *resp, u64 now, bool nak_sent)
{
	struct roce_nak_delay *delay = &resp->nak_delay;
	u64 late = now - delay->gap_time;

	delay->gap_time = 0;
	delay->expires = ROCE_NEVER;
	if (!nak_sent) {
		widen(delay, late);
		return;
	}
	if (delay->filled_psn != ROCE_PSN_NONE)
		delay->window -= delay->window / 8;
	delay->filled_psn = resp->epsn;
	delay->filled_delay = late;
}

void roce_nak_delay_on_duplicate(struct roce_resp *resp, u32 psn)
{
	struct roce_nak_delay *delay = &resp->nak_delay;

	if (psn != delay->filled_psn)
		return;
	delay->filled_psn = ROCE_PSN_NONE;
	widen(delay, delay->filled_delay);
}
