/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How fast losses are repaired: a ping-pong over links of all sorts, in virtual
 * time.
 */
#ifndef SIM_BENCH_H
#define SIM_BENCH_H

/* Print the table. Returns the exit status. */
int bench_run(void);

#endif
