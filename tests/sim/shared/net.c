// SPDX-License-Identifier: GPL-2.0
/* The network that all flows share, and its event loop. */
#include <linux/minmax.h>
#include <linux/string.h>

#include "net.h"

/* The transport takes a time near zero for none. */
#define START (1 * SEC)

void net_init(struct net *net, u64 seed, const struct lane_config *forward,
	      const struct lane_config *back)
{
	memset(net, 0, sizeof(*net));
	net->evs.now = START;
	net->rng.state = rng_mix(seed + 1);
	lane_init(&net->forward, &net->evs, &net->rng, forward, NULL);
	lane_init(&net->back, &net->evs, &net->rng, back, NULL);
	net->forward.counts = true;
}

void net_destroy(struct net *net)
{
	lane_destroy(&net->forward);
	lane_destroy(&net->back);
	events_destroy(&net->evs);
}

void net_reset_delay(struct net *net)
{
	delay_reset(&net->forward.delay);
}

void net_run(struct net *net, u64 end, bool (*done)(void *arg), void *arg)
{
	while (!(done && done(arg)))
		if (!events_step(&net->evs, end))
			break;
	if (!done || !done(arg))
		net->evs.now = max(net->evs.now, end);
}
