/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The explored world: two hosts of the simulator, each with an oracle, and two requests of the
 * first host.
 */
#ifndef EXPLORE_WORLD_H
#define EXPLORE_WORLD_H

#include "oracle.h"
#include "sim.h"

/**
 * struct kind - a request, with what stands in its way
 * @name: for the command line and reports
 * @opcode: enum roce_wr_opcode
 * @length: bytes
 * @wrong_key: the responder does not know its rkey
 * @no_recv: the responder posts its receives 1 ms late
 */
struct kind {
	const char *name;
	u8 opcode;
	u32 length;
	bool wrong_key;
	bool no_recv;
};

extern const struct kind kinds[];
extern const u32 nkinds;

/* PSNs at the start are such that they wrap in the middle of the two requests. */
#define WORLD_MTU 256u

/* Allocate the world, once. */
struct sim *world_create(void);

/* Connect the hosts again, and post the two requests. */
void world_begin(struct sim *sim, const struct kind *first, const struct kind *second);

/* Check that all requests have completed, and both memories. */
void world_end(struct sim *sim);

/* Check one host's oracle after it has run. */
void world_check(struct host *h);

/* A hash of all that the future depends on; times count relative to now. */
u64 world_hash(const struct sim *sim, u64 seed);

#endif
