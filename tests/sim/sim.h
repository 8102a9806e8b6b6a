/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A simulation: pairs of hosts on one link, in virtual time, determined by a seed.
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
 * @link: sums of the links
 * @bad_icrc: packets dropped for their ICRC
 * @gso_fallbacks: hosts that sent one packet a GSO buffer from some time on
 * @wrs: work requests completed successfully
 * @bytes: payload bytes of these
 * @flushed: work requests flushed
 * @failed: work requests that ended a connection, by status
 * @drains: SQ drained events
 * @lives: connections
 * @counts: counters of the transport
 */
struct stats {
	u64 seeds;
	u64 ns;
	struct link_stats link;
	u64 bad_icrc;
	u64 gso_fallbacks;
	u64 wrs;
	u64 bytes;
	u64 flushed;
	u64 failed[ROCE_RNR_RETRY_EXC_ERR + 1];
	u64 drains;
	u64 lives;
	u64 counts[ROCE_COUNTS];
};

/**
 * struct sim - a simulation
 * @seed: determines all random choices
 * @now: virtual time, ns
 * @failed: target of sim_fail()'s longjmp()
 * @why: its message
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
 * Process the next event. Returns the host concerned, or NULL if there is no event left.
 */
struct host *sim_step(struct sim *sim);

/* Report a defect and end the simulation; does not return. */
void __attribute__((noreturn, format(printf, 2, 3)))
sim_fail(struct sim *sim, const char *fmt, ...);

#endif
