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
 * @burst: packets with the fate of the one before, in a million
 * @dup: packets delivered twice, in a million
 * @corrupt: packets with bits flipped, in a million
 * @reorder: packets delivered before earlier ones, in a million
 * @delay: one-way delay, ns
 * @jitter: maximum random addition to @delay, ns; keeps the order of packets
 * @reorder_ns: how much earlier a reordered packet arrives, ns, at most @delay
 * @byte_ps: picoseconds per byte; 0: no limit
 * @slow_at: when @slow_ps replaces @byte_ps, ns; 0: never
 * @slow_ps: picoseconds per byte
 * @queue: bytes that the queue holds, later packets are dropped; 0: no limit
 * @stall: packets at which transmission stops for @stall_ns, in a million
 * @fixed_id: segmentation does not count up the IPv4 identification: all packets of a GSO buffer
 *	but the first have a wrong ICRC
 * @dead_at: from this time on all packets are lost, ns
 */
struct link_config {
	u32 loss;
	u32 burst;
	u32 dup;
	u32 corrupt;
	u32 reorder;
	u64 delay;
	u64 jitter;
	u64 reorder_ns;
	u64 byte_ps;
	u64 slow_at;
	u64 slow_ps;
	u64 queue;
	u32 stall;
	u64 stall_ns;
	bool fixed_id;
	u64 dead_at;
};

struct link_stats {
	u64 sent;
	u64 bytes;
	u64 lost;
	u64 duplicated;
	u64 corrupted;
	u64 reordered;
};

/* The transmit direction of one host. */
struct link_lane {
	u64 free_at;
	u64 last_at;
	bool was_lost;
	bool was_reordered;
};

/**
 * struct link - packets in flight, a heap by time of arrival
 * @pool: frames not in use
 * @slabs: allocations that the frames are part of
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

struct frame *link_frame_new(struct link *link);

/* Drop a reference to @f, and return it to the pool with the last one. */
static inline void link_frame_free(struct link *link, struct frame *f)
{
	if (f->refs) {
		f->refs--;
		return;
	}
	f->next = link->pool;
	link->pool = f;
}

/* What the link did to a packet; bits. */
enum link_fate {
	LINK_LOST = 1u << 0,
	LINK_DUPLICATED = 1u << 1,
	LINK_CORRUPTED = 1u << 2,
	LINK_REORDERED = 1u << 3,
};

/* Send a frame; the link takes the reference. Returns enum link_fate bits. */
u32 link_send(struct link *link, u64 now, struct frame *f);

/* When @host can send without a queueing delay of more than @ns. */
u64 link_ready_at(const struct link *link, u8 host, u64 ns);

/* The arrival time of the next packet, or ROCE_NEVER; and that packet. */
u64 link_next_at(const struct link *link);
struct frame *link_pop(struct link *link);

/* Drop all packets in flight. */
void link_clear(struct link *link);

#endif
