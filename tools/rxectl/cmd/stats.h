/* SPDX-License-Identifier: GPL-2.0 */
/* Meanings of the driver's counters. */
#ifndef RXECTL_STATS_H
#define RXECTL_STATS_H

struct meaning {
	const char *counter;
	const char *text;
};

/* Ends with an entry without a counter. */
extern const struct meaning stats_meanings[];

#endif
