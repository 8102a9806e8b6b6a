/* SPDX-License-Identifier: GPL-2.0 */
/* Monotonic time and interruptible sleep. */
#ifndef RXECTL_CLOCK_H
#define RXECTL_CLOCK_H

#include <stdbool.h>

/* Return: seconds of CLOCK_MONOTONIC. */
double clock_seconds(void);

/* Sleep for @seconds. Return: true if a signal interrupted the sleep. */
bool clock_pause(double seconds);

#endif
