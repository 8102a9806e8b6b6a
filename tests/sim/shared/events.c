// SPDX-License-Identifier: GPL-2.0
/* Event queue in virtual time: a binary heap. */
#include <stdlib.h>
#include <linux/minmax.h>

#include "events.h"

static bool before(const struct event_slot *a, const struct event_slot *b)
{
	return a->at < b->at || (a->at == b->at && a->order < b->order);
}

static void place(struct events *evs, u32 i, struct event_slot s)
{
	evs->heap[i] = s;
	s.ev->slot = i + 1;
}

static void sift_up(struct events *evs, u32 i, struct event_slot s)
{
	while (i && before(&s, &evs->heap[(i - 1) / 2])) {
		place(evs, i, evs->heap[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	place(evs, i, s);
}

static void sift_down(struct events *evs, u32 i, struct event_slot s)
{
	u32 child;

	while ((child = 2 * i + 1) < evs->n) {
		if (child + 1 < evs->n && before(&evs->heap[child + 1], &evs->heap[child]))
			child++;
		if (!before(&evs->heap[child], &s))
			break;
		place(evs, i, evs->heap[child]);
		i = child;
	}
	place(evs, i, s);
}

/* Put @s where entry @i has become free. */
static void settle(struct events *evs, u32 i, struct event_slot s)
{
	if (i && before(&s, &evs->heap[(i - 1) / 2]))
		sift_up(evs, i, s);
	else
		sift_down(evs, i, s);
}

static void take_out(struct events *evs, struct event *ev)
{
	u32 i = ev->slot - 1;
	struct event_slot last = evs->heap[--evs->n];

	ev->slot = 0;
	if (i != evs->n)
		settle(evs, i, last);
}

static void grow(struct events *evs)
{
	evs->room = max(2 * evs->room, 256u);
	evs->heap = realloc(evs->heap, evs->room * sizeof(*evs->heap));
	if (!evs->heap)
		abort();
}

void event_set(struct events *evs, struct event *ev, u64 at)
{
	struct event_slot s = { .at = at, .ev = ev };

	if (at == EVENT_NEVER) {
		if (ev->slot)
			take_out(evs, ev);
		return;
	}
	s.order = ++evs->order;
	if (ev->slot) {
		settle(evs, ev->slot - 1, s);
		return;
	}
	if (evs->n == evs->room)
		grow(evs);
	sift_up(evs, evs->n++, s);
}

bool events_step(struct events *evs, u64 end)
{
	struct event_slot first;

	if (!evs->n || evs->heap[0].at >= end)
		return false;
	first = evs->heap[0];
	take_out(evs, first.ev);
	evs->now = max(evs->now, first.at);
	first.ev->fire(first.ev);
	return true;
}

void events_destroy(struct events *evs)
{
	free(evs->heap);
	*evs = (struct events){ 0 };
}
