// SPDX-License-Identifier: GPL-2.0
/* GSO buffers of a simulated host, as in tx/skb_build.c. */
#include <linux/minmax.h>

#include "sim.h"

#define MAX_SEGS 64u

/* Packets in the buffer that begins with packet @done of @run: only the last may be shorter. */
static u32 plan(const struct host *h, const struct roce_tx_run *run, u32 done)
{
	const struct roce_tx_run *end = h->batch.run + h->batch.nruns;
	u32 len = roce_run_pkt_len(run), npkts = 0;

	for (; run < end; run++, done = 0) {
		u32 pkt_len = roce_run_pkt_len(run);
		u32 n = min(run->npkts - done, MAX_SEGS - npkts);

		if (pkt_len > len || ((run->new_skb || run->cnp) && npkts))
			break;
		npkts += pkt_len < len ? min(n, 1u) : n;
		if (run->cnp || n < run->npkts - done || pkt_len < len)
			break;
	}
	return npkts;
}

/* Where random losses must not make a host give up GSO. */
static bool is_good(const struct link_config *c)
{
	return !c->fixed_id && !c->burst && c->loss + c->corrupt <= 100000;
}

bool gso_next(struct host *h, const struct roce_tx_run *run, u32 i)
{
	struct gso *g = &h->gso;

	if (g->left) {
		g->left--;
		return false;
	}
	g->left = g->off ? 1 : plan(h, run, i);
	if (!g->off && rxe_gso_watch_buffer(g->watch, run, roce_psn_add(run->psn, i), g->left,
					    h->qp.req.snd.una)) {
		g->off = true;
		g->left = 1;
		h->sim->stats.gso_fallbacks++;
		if (is_good(&h->sim->link.config))
			sim_fail(h->sim, "host %u gave up GSO on a good path", h->id);
	}
	g->left--;
	return true;
}
