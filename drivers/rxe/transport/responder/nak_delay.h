/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Delay of sequence NAKs: how long the responder waits for a request that was reordered
 * (cf. the reordering window of RACK, RFC 8985). Without reordering it does not wait.
 */
#ifndef ROCE_NAK_DELAY_H
#define ROCE_NAK_DELAY_H

#include <roce/qp.h>

/* Forget the reordering seen, and the gap. */
void roce_nak_delay_reset(struct roce_resp *resp);

/*
 * There is a gap for which no NAK has been raised; @wait: it may be delayed. Return: true if the
 * NAK is due now; else it is at roce_nak_delay_expires().
 */
bool roce_nak_delay_on_gap(struct roce_resp *resp, u64 now, bool wait);

/* The gap is filled: the request at resp.epsn has arrived; @nak_sent: after the NAK for it. */
void roce_nak_delay_on_filled(struct roce_resp *resp, u64 now, bool nak_sent);

/* A duplicate of the request at @psn has arrived. */
void roce_nak_delay_on_duplicate(struct roce_resp *resp, u32 psn);

/* When the delayed NAK is due, ROCE_NEVER if there is none. */
static inline u64 roce_nak_delay_expires(const struct roce_resp *resp)
{
	return resp->nak_delay.expires;
}

#endif
