/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Statistics of a queue's delay: mean, percentiles from a histogram, and the standing queue.
 */
#ifndef SHARED_DELAY_H
#define SHARED_DELAY_H

#include <linux/types.h>

/* 32 steps for each power of two: a percentile is at most 3 % off. */
#define DELAY_STEPS   32
#define DELAY_BUCKETS (40 * DELAY_STEPS)

/**
 * struct delay_stats - see above; times in ns
 * @count: packets
 * @sum: of their delays
 * @max: longest delay
 * @bucket: histogram
 * @window_end: end of the window that the minimum is taken of
 * @window_min: minimum in it
 * @minima: sum of the minima of all windows before
 * @windows: how many those are
 */
struct delay_stats {
	u64 count;
	u64 sum;
	u64 max;
	u32 bucket[DELAY_BUCKETS];
	u64 window_end;
	u64 window_min;
	u64 minima;
	u64 windows;
};

void delay_reset(struct delay_stats *d);
void delay_add(struct delay_stats *d, u64 now, u64 delay);

/* In ms. */
double delay_mean(const struct delay_stats *d);
double delay_p99(const struct delay_stats *d);

/* Mean of the shortest delays in windows of 100 ms: the part of the queue that never drains, ms. */
double delay_standing(const struct delay_stats *d);

#endif
