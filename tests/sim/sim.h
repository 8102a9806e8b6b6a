/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A simulation: hosts in pairs on one link, in virtual time, from one seed.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include <setjmp.h>

#include "host.h"
#include "link.h"
#include "rng.h"
#include "trace.h"

#define US  1000ull
#define MS  (1000 * US)
#define SEC (1000 * MS)

/**
 * struct stats - sums over simulations, and over processes
 * @seeds: simulations
 * @ns: virtual time
 * @link: the links'
 * @bad_icrc: packets dropped for their ICRC
 * @wrs: work requests completed well
 * @bytes: of these
 * @flushed: work requests flushed
 * @failed: work requests that ended a connection, by status
 * @drains: SQ drained events
 * @lives: connections
 * @counts: the cores'
 */
struct stats {
	u64 seeds;
	u64 ns;
	struct link_stats link;
	u64 bad_icrc;
	u64 wrs;
	u64 bytes;
	u64 flushed;
	u64 failed[ROCE_RNR_RETRY_EXC_ERR + 1];
	u64 drains;
	u64 lives;
	u64 counts[ROCE_COUNTS];
};

/**
 * struct sim - see above
 * @seed: where all of it comes from
 * @now: virtual time, ns
 * @failed: where sim_fail() goes
 * @why: what it said
 */
struct sim {
	u64 seed;
	u64 now;
	bool verbose;
	struct rng rng;
	struct link link;
	struct host host[SIM_HOSTS];
	u32 nhosts;
	struct stats stats;
	jmp_buf failed;
	char why[512];
};

void sim_init(struct sim *sim, u64 seed, bool verbose);
void sim_destroy(struct sim *sim);

/*
 * Let the next thing happen. Returns the host that it happened to, or NULL if
 * nothing will ever happen.
 */
struct host *sim_step(struct sim *sim);

/* The simulation has shown a defect: says which, and does not return. */
void __attribute__((noreturn, format(printf, 2, 3)))
sim_fail(struct sim *sim, const char *fmt, ...);

#endif
