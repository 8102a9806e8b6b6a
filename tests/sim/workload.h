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

/* How the link and a host behave, and where PSNs start, often close to their end. */
void workload_choose_link(struct sim *sim);
void workload_choose_host(struct host *h);
u32 workload_choose_psn(struct rng *r);

/* Free what a run has left behind, however it ended. */
void workload_destroy(struct sim *sim);

#endif
