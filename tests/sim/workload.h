/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the hosts of a simulation do: everything random about it, from the path
 * MTU to the fault that ends a connection, is chosen here.
 */
#ifndef SIM_WORKLOAD_H
#define SIM_WORKLOAD_H

#include "sim.h"

/*
 * Run the simulation of @sim->seed, about @packets packets long. Returns if all
 * went well; otherwise ends in sim_fail().
 */
void workload_run(struct sim *sim, u32 packets);

/* Free what a run has left behind, however it ended. */
void workload_destroy(struct sim *sim);

#endif
