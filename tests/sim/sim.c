// SPDX-License-Identifier: GPL-2.0
/* Simulation: the next event of any host, failures, statistics. */
#include <stdarg.h>
#include <stdio.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "sim.h"

/* The transport's clock does not start near zero. */
#define START (1 * SEC)

void sim_init(struct sim *sim, u64 seed, bool verbose)
{
	memset(sim, 0, sizeof(*sim));
	sim->seed = seed;
	sim->verbose = verbose;
	sim->now = START;
	sim->rng.state = seed;
	link_init(&sim->link, rng_u64(&sim->rng));
}

void sim_destroy(struct sim *sim)
{
	u32 i;

	for (i = 0; i < sim->nhosts; i++)
		host_destroy(&sim->host[i]);
	link_destroy(&sim->link);
}

static struct host *next_host(struct sim *sim, u64 *at)
{
	struct host *next = NULL;
	u32 i;

	*at = ROCE_NEVER;
	for (i = 0; i < sim->nhosts; i++) {
		u64 host_at = host_next_at(&sim->host[i]);

		if (host_at < *at) {
			*at = host_at;
			next = &sim->host[i];
		}
	}
	return next;
}

struct host *sim_step(struct sim *sim)
{
	u64 at, arrival = link_next_at(&sim->link);
	struct host *h = next_host(sim, &at);
	struct frame *f;

	if (arrival <= at && arrival != ROCE_NEVER) {
		f = link_pop(&sim->link);
		sim->now = max(sim->now, arrival);
		h = &sim->host[f->dst];
		host_arrive(h, f);
	} else if (h) {
		sim->now = max(sim->now, at);
		host_run(h);
	}
	return h;
}

void sim_fail(struct sim *sim, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(sim->why, sizeof(sim->why), fmt, args);
	va_end(args);
	longjmp(sim->failed, 1);
}
