/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Periodic sampling for commands that repeat their output: "[interval SECONDS] [count N]".
 */
#ifndef RXECTL_WATCH_H
#define RXECTL_WATCH_H

#include <stdbool.h>

struct ctx;

/**
 * struct watch - schedule of samples
 * @interval: seconds between samples, 0.1 to 3600
 * @count: number of samples; 0 for no limit
 * @next: time of the next sample on the clock of clock_seconds(); 0 before the first
 *	watch_left()
 */
struct watch {
	double interval;
	unsigned int count;
	double next;
};

/* Return: true if @word is a keyword that watch_parse() accepts. */
bool watch_is_keyword(const char *word);

/*
 * Parse "[interval SECONDS] [count N]" and report errors with the @usage of the command. Return: 0,
 * or the exit status.
 */
int watch_parse(const struct ctx *ctx, int argc, char **argv, const char *usage,
		struct watch *watch);

/* Return: seconds until the next sample is due; 0 if it is due now. */
double watch_left(struct watch *watch);

/*
 * Schedule the next sample. Samples stay on multiples of the interval, however long taking one
 * lasts; multiples that have passed are skipped.
 */
void watch_advance(struct watch *watch);

#endif
