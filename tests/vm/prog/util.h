/* SPDX-License-Identifier: GPL-2.0 */
/* Helpers shared by all test programs. */
#ifndef TEST_PROGRAM_H
#define TEST_PROGRAM_H

/* Print a message on one line and exit with status 1. */
void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Seconds on the monotonic clock. */
double seconds(void);

#endif
