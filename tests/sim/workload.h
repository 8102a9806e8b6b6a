/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Workload of a simulation's hosts: makes all random choices, from the path MTU to the fault that
 * ends a connection.
 */
#ifndef SIM_WORKLOAD_H
#define SIM_WORKLOAD_H

#include "sim.h"

/*
 * Run the simulation of @sim->seed for about @packets packets. A failure ends in sim_fail().
 */
void workload_run(struct sim *sim, u32 packets);

/* Choose the behaviour of the link and of a host, and the first PSN, often close to the wrap. */
void workload_choose_link(struct sim *sim);
void workload_choose_host(struct host *h);
u32 workload_choose_psn(struct rng *r);

/* Free the memory of a run, also after sim_fail(). */
void workload_destroy(struct sim *sim);

#endif
