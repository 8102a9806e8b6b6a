/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Time, for the commands that look again and again.
 */
#ifndef RXECTL_CLOCK_H
#define RXECTL_CLOCK_H

#include <stdbool.h>

struct ctx;

/**
 * struct clock_watch - how often to look
 * @interval: seconds, between 0.1 and 3600
 * @count: how often; 0 for ever
 * @next: when clock_left() ends; 0 before its first use
 */
struct clock_watch {
	double interval;
	unsigned int count;
	double next;
};

/* Is @word one that clock_watch_parse() takes? */
bool clock_watch_word(const char *word);

/* Parses "interval SECONDS" and "count N"; reports errors and returns the exit status. */
int clock_watch_parse(const struct ctx *ctx, int argc, char **argv, struct clock_watch *watch);

/*
 * Seconds to wait until the next time to look. The times are @interval apart, however long looking
 * takes; those that have been missed are left out.
 */
double clock_left(struct clock_watch *watch);

/* Goes on to the time after the one that clock_left() has led to. */
void clock_looked(struct clock_watch *watch);

/* Monotonic. */
double clock_seconds(void);

/* Waits; returns whether a signal ended it. */
bool clock_pause(double seconds);

#endif
