/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A lane: one direction of a link. A queue with its discipline, a line of some rate behind it, and
 * the propagation delay, random loss and reordering of that line.
 */
#ifndef SHARED_LANE_H
#define SHARED_LANE_H

#include "delay.h"
#include "queue.h"

/**
 * struct lane_config - what a lane does to packets
 * @rate: bits per second; 0: without limit, and without a queue
 * @delay: propagation, ns
 * @step_at: from this time on @step_delay replaces @delay, ns; 0: never
 * @step_delay: ns
 * @loss: packets lost at random, in a million
 * @reorder: packets that arrive late, in a million
 * @late: by how much, ns
 * @queue: the discipline
 */
struct lane_config {
	u64 rate;
	u64 delay;
	u64 step_at;
	u64 step_delay;
	u32 loss;
	u32 reorder;
	u64 late;
	struct queue_config queue;
};

/**
 * struct lane - see above
 * @evs: the time
 * @next: the lane behind it; NULL: packets arrive at their port
 * @counts: its queue's delay and drops are those that a row is about: packets' tallies count here
 * @idle_event: the line has sent a packet
 * @arrive_event: the first of @flying arrives
 * @sending: the line is not idle
 * @sent_at: when it has sent the packet, ns
 * @flying: packets that propagate, in order
 * @last_arrival: of the last of them
 * @total: packets since the beginning
 * @delay: of the queue
 */
struct lane {
	struct events *evs;
	struct rng *rng;
	struct lane *next;
	bool counts;
	struct lane_config config;
	struct queue queue;
	struct event idle_event;
	struct event arrive_event;
	bool sending;
	u64 sent_at;
	struct fifo flying;
	u64 last_arrival;
	struct tally total;
	struct delay_stats delay;
};

void lane_init(struct lane *lane, struct events *evs, struct rng *rng,
	       const struct lane_config *config, struct lane *next);
void lane_destroy(struct lane *lane);

/* Hand @p to the lane, which passes it on or drops it; false if it was dropped at once. */
bool lane_send(struct lane *lane, struct packet *p);

/* How long what the lane holds keeps its line busy, ns. */
u64 lane_backlog_ns(const struct lane *lane);

#endif
