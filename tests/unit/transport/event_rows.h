/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables whose rows are lists of events: each event is logged, and the log compared with the row's.
 */
#ifndef TESTS_EVENT_ROWS_H
#define TESTS_EVENT_ROWS_H

#include <stdio.h>
#include "unit.h"

#define US    1000ull
#define START (5000000 * US) /* when each row begins */

struct event_log {
	char text[2048];
	size_t len;
};

static inline void __printf(2, 3) log_say(struct event_log *log, const char *fmt, ...)
{
	va_list args;

	if (log->len)
		log->text[log->len++] = ' ';
	va_start(args, fmt);
	log->len += vsnprintf(log->text + log->len, sizeof(log->text) - log->len, fmt, args);
	va_end(args);
	assert_true(log->len < sizeof(log->text) - 1);
}

/* Return true if the log of the row @name is @want; else print both. */
static inline bool log_equal(const struct event_log *log, const char *name, const char *want)
{
	if (!strcmp(log->text, want))
		return true;
	print_error("row \"%s\":\n   got: %s\n  want: %s\n", name, log->text, want);
	return false;
}

/* Run all rows by the caller's run_row(), and fail if any has failed. */
#define run_all(rows)                                        \
	do {                                                 \
		size_t i_, failed_ = 0;                      \
		for (i_ = 0; i_ < ARRAY_SIZE(rows); i_++)    \
			failed_ += !run_row(&(rows)[i_]);    \
		assert_int_equal(failed_, 0);                \
	} while (0)

#endif
