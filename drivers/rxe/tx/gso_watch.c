// SPDX-License-Identifier: GPL-2.0
/* GSO watch: buffers of paths with losses. */
#include <linux/minmax.h>
#include <linux/string.h>

#include "tx/gso_watch.h"

static bool rxe_gso_watch_is_later(const struct rxe_gso_watch *w, u32 psn)
{
	return roce_psn_diff(psn, w->una) < RXE_GSO_WATCH_PSNS &&
	       w->later[psn % RXE_GSO_WATCH_PSNS / 8] & 1 << psn % 8;
}

static void rxe_gso_watch_set_first(struct rxe_gso_watch *w, u32 psn)
{
	if (roce_psn_diff(psn, w->una) < RXE_GSO_WATCH_PSNS)
		w->later[psn % RXE_GSO_WATCH_PSNS / 8] &= ~(1 << psn % 8);
}

/* @n PSNs from @psn on are those of later packets. PSNs too far from SND.UNA are left out. */
static void rxe_gso_watch_set_later(struct rxe_gso_watch *w, u32 psn, u32 n)
{
	s32 room = RXE_GSO_WATCH_PSNS - roce_psn_diff(psn, w->una);

	for (n = min_t(s32, n, max(room, 0)); n; n--) {
		w->later[psn % RXE_GSO_WATCH_PSNS / 8] |= 1 << psn % 8;
		psn = roce_psn_add(psn, 1);
	}
}

/* @psn has arrived, perhaps not for the first time. */
static void rxe_gso_watch_arrived(struct rxe_gso_watch *w, u32 psn)
{
	if (rxe_gso_watch_is_later(w, psn))
		w->score = 0;
	rxe_gso_watch_set_first(w, psn);
}

/* The packets from @psn up to @end have arrived, those before perhaps not. */
static void rxe_gso_watch_pass(struct rxe_gso_watch *w, u32 psn, u32 end)
{
	s32 n = min(roce_psn_diff(end, psn), RXE_GSO_WATCH_PSNS);

	for (; n > 0; n--) {
		rxe_gso_watch_arrived(w, psn);
		psn = roce_psn_add(psn, 1);
	}
}

/* The packets before @una have arrived. */
static void rxe_gso_watch_advance(struct rxe_gso_watch *w, u32 una)
{
	rxe_gso_watch_pass(w, w->una, una);
	w->una = una;
}

/*
 * Where the buffers in flight began is unknown. They are taken for one that began at @una: a bad
 * path may then be found some buffers later, but a good one is not taken for a bad one.
 */
static void rxe_gso_watch_begin(struct rxe_gso_watch *w, u32 una)
{
	memset(w->later, 0, sizeof(w->later));
	w->una = una;
	w->nxt = w->end;
	w->score = 0;
	rxe_gso_watch_set_later(w, roce_psn_add(una, 1), roce_psn_diff(w->end, una) - 1);
}

/* @psn is missing: the oldest packet that is, or the first READ response behind some others. */
static void rxe_gso_watch_judge(struct rxe_gso_watch *w, u32 psn)
{
	if (w->rnr)
		w->rnr = false;
	else if (rxe_gso_watch_is_later(w, psn))
		w->score++;
}

static void rxe_gso_watch_note(struct rxe_gso_watch *w, u32 psn, u32 npkts)
{
	u32 end = roce_psn_add(psn, npkts);
	bool fresh = !roce_psn_before(psn, w->end);

	w->left = fresh ? w->left - 1 : RXE_GSO_WATCH_BUFFERS;
	rxe_gso_watch_set_first(w, psn);
	if (fresh)
		rxe_gso_watch_set_later(w, roce_psn_add(psn, 1), npkts - 1);
	w->nxt = end;
	if (roce_psn_after(end, w->end))
		w->end = end;
}

/*
 * READ responses are not acknowledged, but the requester asks for those that are missing, in the
 * order of their PSNs. If it begins again, at @psn, those before have arrived.
 */
static u32 rxe_gso_watch_response_una(const struct rxe_gso_watch *w, u32 psn)
{
	return roce_psn_before(psn, w->nxt) ? psn : w->una;
}

/* If it goes on behind the latest buffer, those between have arrived. */
static bool rxe_gso_watch_skips(const struct rxe_gso_watch *w, u32 psn)
{
	return roce_psn_after(psn, w->nxt) && roce_psn_before(psn, w->end);
}

bool rxe_gso_watch_lossy(struct rxe_gso_watch *w, const struct roce_tx_run *run, u32 psn,
			 u32 npkts, u32 una)
{
	bool response = !run->payload.wqe, missing;

	if (!w->left)
		rxe_gso_watch_begin(w, response ? psn : una);
	if (response)
		una = rxe_gso_watch_response_una(w, psn);
	rxe_gso_watch_advance(w, una);
	if (run->new_skb) {
		/* A tail duplicate. */
		rxe_gso_watch_set_first(w, psn);
		return false;
	}
	missing = psn == una && roce_psn_before(psn, w->nxt);
	if (response && rxe_gso_watch_skips(w, psn)) {
		rxe_gso_watch_pass(w, w->nxt, psn);
		missing = true;
	}
	if (missing)
		rxe_gso_watch_judge(w, psn);
	rxe_gso_watch_note(w, psn, npkts);
	return w->score >= RXE_GSO_WATCH_SCORE;
}
