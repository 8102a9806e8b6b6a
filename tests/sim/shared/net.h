/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The network: a link with a lane each way, which all flows share. Data goes forward, requests and
 * acknowledgements come back.
 */
#ifndef SHARED_NET_H
#define SHARED_NET_H

#include "lane.h"

/**
 * struct net - see above
 * @evs: virtual time
 * @rng: all randomness
 * @forward: the bottleneck
 * @back: the other direction
 * @flows: flows so far: the next one's id at an fq_codel
 */
struct net {
	struct events evs;
	struct rng rng;
	struct lane forward;
	struct lane back;
	u32 flows;
};

void net_init(struct net *net, u64 seed, const struct lane_config *forward,
	      const struct lane_config *back);
void net_destroy(struct net *net);

/* Restart the statistics of the queue's delay. */
void net_reset_delay(struct net *net);

/* Run until @end, or until @done() returns true. */
void net_run(struct net *net, u64 end, bool (*done)(void *arg), void *arg);

#endif
