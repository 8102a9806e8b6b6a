/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Time, for the commands that look again and again.
 */
#ifndef RXECTL_CLOCK_H
#define RXECTL_CLOCK_H

#include <stdbool.h>

/* Monotonic. */
double clock_seconds(void);

/* Waits; returns whether a signal ended it. */
bool clock_pause(double seconds);

#endif
