/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two hosts with an unreliable connection or unreliable datagrams between them: what
 * arrives must be whole, unmixed and what was sent; what does not is no fault.
 */
#ifndef SIM_UNRELIABLE_H
#define SIM_UNRELIABLE_H

#include "sim.h"

/*
 * Run the simulation of @sim->seed, about @packets packets long. Returns if all
 * went well; otherwise ends in sim_fail().
 */
void unreliable_run(struct sim *sim, u32 packets);

/* Free what a run has left behind, however it ended. */
void unreliable_destroy(struct sim *sim);

#endif
