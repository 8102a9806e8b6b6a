/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Simulation of two hosts with UC or UD QPs: each delivered message must be complete and intact;
 * losses are no failure.
 */
#ifndef SIM_UNRELIABLE_H
#define SIM_UNRELIABLE_H

#include "sim.h"

/*
 * Run the simulation of @sim->seed for about @packets packets. A failure ends in sim_fail().
 */
void unreliable_run(struct sim *sim, u32 packets);

/* Free the memory of a run, also after sim_fail(). */
void unreliable_destroy(struct sim *sim);

#endif
