/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fault injection by fail-nth: verbs as rows of a table, and operations, each with one call
 * failing. The kernel's settings choose which calls may fail: allocations, copies from and to the
 * program.
 */
#ifndef TEST_FAULT_ROWS_H
#define TEST_FAULT_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "pair.h"

/**
 * struct fault_row - a call, and the call that undoes it
 * @name: for the output
 * @make: returns 0, or the error
 * @unmake: undoes @make; returns 0, or the error
 * @works: true if the result of @make is usable; NULL: not checked
 * @retry: @make consists of several calls: call @unmake before the next attempt
 */
struct fault_row {
	const char *name;
	int (*make)(void);
	int (*unmake)(void);
	bool (*works)(void);
	bool retry;
};

/* Two devices that are open, each with a buffer and a CQ. */
extern struct side fault_a, fault_b;

extern const struct fault_row fault_rows[];
extern const size_t fault_rows_len;

/*
 * A row for failures in the module alone: if netlink fails to send the reply, the counter exists,
 * and the caller does not know its number.
 */
extern const struct fault_row fault_counter_row;

/* Create what the rows use. Exits on failure. */
void fault_rows_begin(void);
void fault_rows_end(void);

/* Make the @nth call of this thread that may fail do so; 0: none. */
void fault_arm(int nth);

/* Return: true if a call has failed since fault_arm(). */
bool fault_disarm(void);

/* Count a failed call. */
void fault_count(void);

/* Name the calls from here on, for the output and in the kernel's log. */
void fault_begin(const char *name);

/* Print how many calls have failed since fault_begin(). */
void fault_end(void);

/* Post operations of each kind, with one call after the other failing while they are posted. */
void fault_traffic(void);

#endif
