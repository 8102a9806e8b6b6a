// SPDX-License-Identifier: GPL-2.0
/* Statistics of a queue's delay. */
#include <linux/minmax.h>
#include <linux/string.h>

#include "delay.h"
#include "events.h"

#define WINDOW (100 * MS)

static u32 bucket_of(u64 delay)
{
	u32 shift = 0;

	while (delay >> shift >= 2 * DELAY_STEPS)
		shift++;
	return min_t(u32, shift * DELAY_STEPS + (delay >> shift), DELAY_BUCKETS - 1);
}

/* Longest delay of a bucket. */
static u64 bucket_end(u32 i)
{
	u32 shift = i < 2 * DELAY_STEPS ? 0 : i / DELAY_STEPS - 1;

	return ((i - shift * DELAY_STEPS + 1ull) << shift) - 1;
}

void delay_reset(struct delay_stats *d)
{
	memset(d, 0, sizeof(*d));
}

static void next_window(struct delay_stats *d, u64 now)
{
	if (d->window_end) {
		d->minima += d->window_min;
		d->windows++;
	}
	d->window_end = now + WINDOW;
	d->window_min = ~0ull;
}

void delay_add(struct delay_stats *d, u64 now, u64 delay)
{
	if (now >= d->window_end)
		next_window(d, now);
	d->window_min = min(d->window_min, delay);
	d->count++;
	d->sum += delay;
	d->max = max(d->max, delay);
	d->bucket[bucket_of(delay)]++;
}

double delay_mean(const struct delay_stats *d)
{
	return d->count ? (double)d->sum / d->count / MS : 0;
}

double delay_p99(const struct delay_stats *d)
{
	u64 left = d->count - d->count / 100;
	u32 i;

	for (i = 0; i < DELAY_BUCKETS - 1 && d->bucket[i] < left; i++)
		left -= d->bucket[i];
	return d->count ? (double)min(bucket_end(i), d->max) / MS : 0;
}

double delay_standing(const struct delay_stats *d)
{
	return d->windows ? (double)d->minima / d->windows / MS : 0;
}
