/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Benchmark of loss recovery: a ping-pong over lossy, slow and reordering links, in virtual time.
 */
#ifndef SIM_BENCH_H
#define SIM_BENCH_H

#include <linux/types.h>

/* Print the table. Returns the exit status. */
int bench_run(void);

/* Run @iterations over a lossless link. Returns the number of packets sent, 0 on failure. */
u64 bench_perfect(u32 iterations);

#endif
