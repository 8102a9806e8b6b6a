// SPDX-License-Identifier: GPL-2.0
/* Monotonic time, time stamps, interruptible sleep. */
#include <stdio.h>
#include <time.h>

#include "util/clock.h"

double clock_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void clock_stamp(char text[CLOCK_STAMP])
{
	struct timespec now;
	struct tm parts;
	size_t n;

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &parts);
	n = strftime(text, CLOCK_STAMP, "%Y-%m-%dT%H:%M:%S", &parts);
	snprintf(text + n, CLOCK_STAMP - n, ".%03ldZ", now.tv_nsec / 1000000);
}

bool clock_pause(double seconds)
{
	struct timespec pause = { .tv_sec = (time_t)seconds };

	pause.tv_nsec = (long)((seconds - (double)pause.tv_sec) * 1e9);
	return nanosleep(&pause, NULL);
}
