/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How fast losses are repaired: a ping-pong over links of all sorts, in virtual
 * time.
 */
#ifndef SIM_BENCH_H
#define SIM_BENCH_H

#include <linux/types.h>

/* Print the table. Returns the exit status. */
int bench_run(void);

/* So many iterations over a perfect link. Returns the packets sent, 0 if it fails. */
u64 bench_perfect(u32 iterations);

#endif
