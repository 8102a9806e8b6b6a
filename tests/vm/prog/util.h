/* SPDX-License-Identifier: GPL-2.0 */
/* What every program needs that cases run. */
#ifndef TEST_PROGRAM_H
#define TEST_PROGRAM_H

/* Prints what failed, a line, and exits with status 1. */
void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Seconds since some moment, to measure with: nothing sets this clock. */
double seconds(void);

#endif
