/* SPDX-License-Identifier: GPL-2.0 */
/* Monotonic time, time stamps, and interruptible sleep. */
#ifndef RXECTL_CLOCK_H
#define RXECTL_CLOCK_H

#include <stdbool.h>

/* Return: seconds of CLOCK_MONOTONIC. */
double clock_seconds(void);

/* Bytes of a time stamp. */
#define CLOCK_STAMP 32

/* Write the present time in UTC with milliseconds, as ISO 8601: "2026-01-02T03:04:05.678Z". */
void clock_stamp(char text[CLOCK_STAMP]);

/* Sleep for @seconds. Return: true if a signal interrupted the sleep. */
bool clock_pause(double seconds);

#endif
