/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event queue: a binary heap of events in virtual time, nanoseconds. Events due at the same time
 * fire in the order in which they were set, so that a run depends on its seed alone.
 */
#ifndef SHARED_EVENTS_H
#define SHARED_EVENTS_H

#include <linux/types.h>

#define US 1000ull
#define MS (1000 * US)
#define SEC (1000 * MS)

#define EVENT_NEVER (~0ull)

/**
 * struct event - something that happens at a time; embedded in its owner, zeroed
 * @fire: called when virtual time has reached the event; it is no longer set then
 * @slot: 1 + index in the heap, 0 if not set
 */
struct event {
	void (*fire)(struct event *ev);
	u32 slot;
};

struct event_slot {
	u64 at;
	u64 order;
	struct event *ev;
};

/**
 * struct events - the queue
 * @now: virtual time
 * @order: events ever set
 * @heap: ordered by time, then by order of setting
 * @n: events set
 * @room: allocated entries of @heap
 */
struct events {
	u64 now;
	u64 order;
	struct event_slot *heap;
	u32 n;
	u32 room;
};

/* Set @ev for time @at, moving it if it is set; EVENT_NEVER takes it out. */
void event_set(struct events *evs, struct event *ev, u64 at);

/* Advance to the first event and fire it; false if there is none before @end. */
bool events_step(struct events *evs, u64 end);

void events_destroy(struct events *evs);

#endif
