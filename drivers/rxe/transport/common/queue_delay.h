/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Queueing delay: which RTT shows that the path has a queue.
 */
#ifndef ROCE_QUEUE_DELAY_H
#define ROCE_QUEUE_DELAY_H

#include <linux/minmax.h>
#include <linux/types.h>

/*
 * A queue: the RTT is this much above its minimum, at least. 300 us is more than the RTT of 64 KiB
 * varies on User-Mode Linux (50 to 250 us), and less than 38 KB at 1 Gb/s. A share of the minimum
 * RTT covers the jitter of long paths.
 */
#define ROCE_QUEUE_MIN_NS	(300 * 1000ull)
#define ROCE_QUEUE_MIN_RTT_SHIFT	3	/* 1/8 of the minimum RTT */

/* Return the RTT, ns, above which a path with a minimum RTT of @min_rtt ns has a queue. */
static inline u64 roce_queue_threshold(u64 min_rtt)
{
	return min_rtt + max(ROCE_QUEUE_MIN_NS, min_rtt >> ROCE_QUEUE_MIN_RTT_SHIFT);
}

#endif
