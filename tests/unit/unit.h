/* SPDX-License-Identifier: GPL-2.0 */
/* What every unit test needs: cmocka with its prerequisites, and named rows. */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

#include <linux/kernel.h>
#include <linux/types.h>

/* Fail with the name of the row of the table that @cond does not hold for. */
#define row_check(name, cond)                                      \
	do {                                                       \
		if (!(cond))                                       \
			fail_msg("row \"%s\": %s", (name), #cond); \
	} while (0)

/* As row_check(), showing both integers. */
#define row_equal(name, got, want)                                                                 \
	do {                                                                                       \
		unsigned long long got_ = (got), want_ = (want);                                   \
		if (got_ != want_)                                                                 \
			fail_msg("row \"%s\": %s is %#llx, not %#llx", (name), #got, got_, want_); \
	} while (0)

#define GUARD_SIZE 65536u

/*
 * A buffer whose last byte lies before memory that faults when touched, so that
 * the end of a packet can be put right there.
 */
static inline u8 *guard_new(void)
{
	u8 *p = mmap(NULL, 2 * GUARD_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0);

	assert_ptr_not_equal(p, MAP_FAILED);
	assert_int_equal(mprotect(p + GUARD_SIZE, GUARD_SIZE, PROT_NONE), 0);
	return p;
}

static inline void guard_free(u8 *p)
{
	munmap(p, 2 * GUARD_SIZE);
}

/* Put @len bytes against the end of the buffer. */
static inline u8 *guard_put(u8 *guard, const void *bytes, size_t len)
{
	return memcpy(guard + GUARD_SIZE - len, bytes, len);
}

/* For a group whose tests share one: its fixtures, with the buffer as their state. */
static inline int guard_setup(void **state)
{
	*state = guard_new();
	return 0;
}

static inline int guard_teardown(void **state)
{
	guard_free(*state);
	return 0;
}

#endif
