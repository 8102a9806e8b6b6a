/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the counters mean.
 */
#ifndef RXECTL_STATS_H
#define RXECTL_STATS_H

struct meaning {
	const char *counter;
	const char *text;
};

/* Ended by an entry without a counter. */
extern const struct meaning stats_meanings[];

#endif
