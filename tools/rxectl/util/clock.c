// SPDX-License-Identifier: GPL-2.0
#include <time.h>

#include "util/clock.h"

double clock_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

bool clock_pause(double seconds)
{
	struct timespec pause = { .tv_sec = (time_t)seconds };

	pause.tv_nsec = (long)((seconds - (double)pause.tv_sec) * 1e9);
	return nanosleep(&pause, NULL);
}
