// SPDX-License-Identifier: GPL-2.0
/* Simulated link: loss, duplication, corruption, delay, reordering. */
#include <stdlib.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <roce/qp.h>

#include "link.h"

#define SLAB_FRAMES 64

void link_init(struct link *link, u64 seed)
{
	memset(link, 0, sizeof(*link));
	link->rng.state = seed;
	link->config.dead_at = ROCE_NEVER;
}

void link_destroy(struct link *link)
{
	u32 i;

	for (i = 0; i < link->nslabs; i++)
		free(link->slabs[i]);
	free(link->slabs);
	free(link->heap);
}

static void add_slab(struct link *link)
{
	struct frame *f = calloc(SLAB_FRAMES, sizeof(*f));
	u32 i;

	link->slabs = realloc(link->slabs, (link->nslabs + 1) * sizeof(*link->slabs));
	if (!f || !link->slabs)
		abort();
	link->slabs[link->nslabs++] = f;
	for (i = 0; i < SLAB_FRAMES; i++)
		link_frame_free(link, &f[i]);
}

struct frame *link_frame_new(struct link *link)
{
	struct frame *f;

	if (!link->pool)
		add_slab(link);
	f = link->pool;
	link->pool = f->next;
	return f;
}

static bool earlier(const struct frame *a, const struct frame *b)
{
	return a->at != b->at ? a->at < b->at : a->order < b->order;
}

static void push(struct link *link, struct frame *f)
{
	u32 i, parent;

	if (link->count == link->room) {
		link->room = link->room ? 2 * link->room : 256;
		link->heap = realloc(link->heap, link->room * sizeof(*link->heap));
		if (!link->heap)
			abort();
	}
	f->order = link->order++;
	for (i = link->count++; i; i = parent) {
		parent = (i - 1) / 2;
		if (!earlier(f, link->heap[parent]))
			break;
		link->heap[i] = link->heap[parent];
	}
	link->heap[i] = f;
}

struct frame *link_pop(struct link *link)
{
	struct frame *top = link->heap[0], *f = link->heap[--link->count];
	u32 i = 0, child;

	while ((child = 2 * i + 1) < link->count) {
		if (child + 1 < link->count && earlier(link->heap[child + 1], link->heap[child]))
			child++;
		if (!earlier(link->heap[child], f))
			break;
		link->heap[i] = link->heap[child];
		i = child;
	}
	link->heap[i] = f;
	return top;
}

u64 link_next_at(const struct link *link)
{
	return link->count ? link->heap[0]->at : ROCE_NEVER;
}

void link_clear(struct link *link)
{
	while (link->count)
		link_frame_free(link, link->heap[--link->count]);
	memset(link->lane, 0, sizeof(link->lane));
}

/* Flip up to three bits anywhere: errors that a CRC-32 always detects. */
static void flip_bits(struct link *link, struct frame *f)
{
	u32 n = rng_range(&link->rng, 1, 3), bit;

	while (n--) {
		bit = rng_below(&link->rng, f->len * 8);
		f->bytes[bit / 8] ^= 1 << bit % 8;
	}
}

/* Choose a packet's fate, with bursts. */
static bool strikes(struct link *link, u32 ppm, bool *before)
{
	if (!rng_ppm(&link->rng, link->config.burst))
		*before = rng_ppm(&link->rng, ppm);
	return *before;
}

/* The time at which the frame has been sent, or ROCE_NEVER if the queue has no room for it. */
static u64 serialise(struct link *link, struct link_lane *lane, u64 now, u32 len)
{
	const struct link_config *config = &link->config;
	bool slow = config->slow_at && now >= config->slow_at;
	u64 byte_ps = slow ? config->slow_ps : config->byte_ps;

	lane->free_at = max(lane->free_at, now);
	if (config->queue && (lane->free_at - now) * 1000 > config->queue * byte_ps)
		return ROCE_NEVER;
	lane->free_at += len * byte_ps / 1000;
	if (config->stall && rng_ppm(&link->rng, config->stall))
		lane->free_at += config->stall_ns;
	return lane->free_at;
}

static void deliver(struct link *link, struct link_lane *lane, u64 sent, bool reordered,
		    struct frame *f)
{
	const struct link_config *config = &link->config;

	f->at = sent + config->delay;
	if (reordered) {
		f->at -= min(config->reorder_ns, config->delay);
	} else {
		if (config->jitter)
			f->at += rng_u64(&link->rng) % config->jitter;
		f->at = max(f->at, lane->last_at);
		lane->last_at = f->at;
	}
	push(link, f);
}

u32 link_send(struct link *link, u64 now, struct frame *f)
{
	const struct link_config *config = &link->config;
	struct link_lane *lane = &link->lane[f->src];
	u64 sent = serialise(link, lane, now, f->len);
	u32 fate = 0;

	link->stats.sent++;
	link->stats.bytes += f->len;
	if (sent == ROCE_NEVER || now >= config->dead_at ||
	    strikes(link, config->loss, &lane->was_lost)) {
		link->stats.lost++;
		link_frame_free(link, f);
		return LINK_LOST;
	}
	if (strikes(link, config->reorder, &lane->was_reordered))
		fate |= LINK_REORDERED;
	if (rng_ppm(&link->rng, config->dup)) {
		struct frame *twin = link_frame_new(link);

		memcpy(twin, f, offsetof(struct frame, bytes) + f->len);
		deliver(link, lane, sent, rng_percent(&link->rng, 50), twin);
		fate |= LINK_DUPLICATED;
	}
	if (rng_ppm(&link->rng, config->corrupt)) {
		flip_bits(link, f);
		fate |= LINK_CORRUPTED;
	}
	deliver(link, lane, sent, fate & LINK_REORDERED, f);
	link->stats.reordered += !!(fate & LINK_REORDERED);
	link->stats.duplicated += !!(fate & LINK_DUPLICATED);
	link->stats.corrupted += !!(fate & LINK_CORRUPTED);
	return fate;
}

u64 link_ready_at(const struct link *link, u8 host, u64 ns)
{
	u64 free_at = link->lane[host].free_at;

	return free_at > ns ? free_at - ns : 0;
}
