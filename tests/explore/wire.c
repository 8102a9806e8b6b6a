// SPDX-License-Identifier: GPL-2.0
/*
 * Wire whose packets wait for a decision, and the functions of the simulator's link on top of it.
 */
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <roce/qp.h>

#include "wire.h"

#define FRAMES 1024u

const char *const fate_names[FATES] = { "delivered", "lost", "doubled", "reordered" };

/* Packets without a fate; those in flight, by arrival; the one that waits in each lane. */
static struct frame *undecided[FRAMES], *flying[FRAMES], *waiting[SIM_HOSTS];
static u32 nundecided, nflying;

void link_init(struct link *link, u64 seed)
{
	memset(link, 0, sizeof(*link));
	link->config.dead_at = ROCE_NEVER;
}

void link_destroy(struct link *link)
{
	struct frame *f;

	link_clear(link);
	while ((f = link->pool)) {
		link->pool = f->next;
		free(f);
	}
}

struct frame *link_frame_new(struct link *link)
{
	struct frame *f = link->pool;

	if (f)
		link->pool = f->next;
	else
		f = malloc(sizeof(*f));
	if (!f)
		abort();
	f->refs = 0;
	return f;
}

void link_clear(struct link *link)
{
	while (nundecided)
		link_frame_free(link, undecided[--nundecided]);
	while (nflying)
		link_frame_free(link, flying[--nflying]);
	memset(waiting, 0, sizeof(waiting));
}

u32 link_send(struct link *link, u64 now, struct frame *f)
{
	if (nundecided == FRAMES)
		abort();
	f->at = 0;
	undecided[nundecided++] = f;
	link->stats.sent++;
	return 0;
}

u64 link_ready_at(const struct link *link, u8 host, u64 ns)
{
	return 0;
}

u64 link_next_at(const struct link *link)
{
	return nflying ? flying[0]->at : ROCE_NEVER;
}

static void take_out(u32 i)
{
	nflying--;
	memmove(&flying[i], &flying[i + 1], (nflying - i) * sizeof(flying[0]));
}

struct frame *link_pop(struct link *link)
{
	struct frame *f = flying[0];

	take_out(0);
	if (waiting[f->src] == f)
		waiting[f->src] = NULL;
	return f;
}

/* Behind those that arrive at the same time. */
static void put_in(struct frame *f, u64 at)
{
	u32 i = nflying++;

	if (nflying > FRAMES)
		abort();
	f->at = at;
	for (; i && flying[i - 1]->at > at; i--)
		flying[i] = flying[i - 1];
	flying[i] = f;
}

/* The packet that waits in this lane goes behind the one just put in at @at. */
static void release_waiting(u8 lane, u64 at)
{
	struct frame *f = waiting[lane];
	u32 i = 0;

	waiting[lane] = NULL;
	if (!f || f->at < at)
		return;
	while (flying[i] != f)
		i++;
	take_out(i);
	put_in(f, at);
}

const struct frame *wire_undecided(void)
{
	return nundecided ? undecided[0] : NULL;
}

void wire_decide(struct link *link, u64 now, enum fate fate)
{
	struct frame *f = undecided[0], *twin;
	u64 at = now + WIRE_DELAY;

	nundecided--;
	memmove(&undecided[0], &undecided[1], nundecided * sizeof(undecided[0]));
	if (fate == FATE_LOST) {
		link_frame_free(link, f);
		return;
	}
	if (fate == FATE_REORDERED) {
		release_waiting(f->src, at);
		put_in(f, at + WIRE_DELAY / 2);
		waiting[f->src] = f;
		return;
	}
	put_in(f, at);
	release_waiting(f->src, at);
	if (fate == FATE_DOUBLED) {
		twin = link_frame_new(link);
		memcpy(twin, f, offsetof(struct frame, bytes) + f->len);
		twin->refs = 0;
		put_in(twin, at + 2 * WIRE_DELAY);
	}
}

void wire_each(const struct link *link, void (*see)(const struct frame *f, void *to), void *to)
{
	u32 i;

	for (i = 0; i < nflying; i++)
		see(flying[i], to);
	for (i = 0; i < nundecided; i++)
		see(undecided[i], to);
}
