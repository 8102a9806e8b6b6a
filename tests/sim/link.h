/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The link between the hosts: loses, duplicates, corrupts, delays and reorders.
 */
#ifndef SIM_LINK_H
#define SIM_LINK_H

#include "frame.h"
#include "rng.h"

#define SIM_HOSTS 6

/**
 * struct link_config - what the link does to a packet
 * @loss: packets lost, in a million
 * @burst: how often the fate of a packet is that of the one before, in a million
 * @dup: packets delivered twice, in a million
 * @corrupt: packets with bits flipped, in a million
 * @reorder: packets that overtake, in a million
 * @delay: one way, ns
 * @jitter: added to @delay at random, ns; keeps the order of packets
 * @overtake: what a reordered packet gains on the others, ns, at most @delay
 * @byte_ps: picoseconds a byte takes; 0 is no limit
 * @slow_at: from this time on a byte takes @slow_ps, ns; 0: never
 * @slow_ps: picoseconds
 * @queue: bytes that may wait for those before them, what comes then is lost; 0 is no limit
 * @stall: packets at which the way out stands still for @stall_ns, in a million
 * @dead_at: everything is lost from this time on, ns
 */
struct link_config {
	u32 loss;
	u32 burst;
	u32 dup;
	u32 corrupt;
	u32 reorder;
	u64 delay;
	u64 jitter;
	u64 overtake;
	u64 byte_ps;
	u64 slow_at;
	u64 slow_ps;
	u64 queue;
	u32 stall;
	u64 stall_ns;
	u64 dead_at;
};

struct link_stats {
	u64 sent;
	u64 bytes;
	u64 lost;
	u64 duplicated;
	u64 corrupted;
	u64 overtaking;
};

/* One host's way out. */
struct link_lane {
	u64 free_at;
	u64 last_at;
	bool was_lost;
	bool was_reordered;
};

/**
 * struct link - packets in flight, a heap by time of arrival
 * @pool: frames not in use
 * @slabs: what the frames are cut from
 */
struct link {
	struct link_config config;
	struct link_stats stats;
	struct rng rng;
	struct link_lane lane[SIM_HOSTS];
	u64 order;
	struct frame **heap;
	u32 count;
	u32 room;
	struct frame *pool;
	void **slabs;
	u32 nslabs;
};

void link_init(struct link *link, u64 seed);
void link_destroy(struct link *link);

/* A frame to fill in; and the end of it, or of one of its references. */
struct frame *link_frame_new(struct link *link);
void link_frame_free(struct link *link, struct frame *f);

/* What became of a packet; bits. */
enum link_fate {
	LINK_LOST = 1u << 0,
	LINK_DUPLICATED = 1u << 1,
	LINK_CORRUPTED = 1u << 2,
	LINK_OVERTAKES = 1u << 3,
};

/* Send a frame, which belongs to the link from then on. Returns enum link_fate. */
u32 link_send(struct link *link, u64 now, struct frame *f);

/* When @host may hand over more without queueing for longer than @ns. */
u64 link_ready_at(const struct link *link, u8 host, u64 ns);

/* When the next packet arrives, or ROCE_NEVER; and that packet. */
u64 link_next_at(const struct link *link);
struct frame *link_pop(struct link *link);

/* Lose everything in flight. */
void link_clear(struct link *link);

#endif
