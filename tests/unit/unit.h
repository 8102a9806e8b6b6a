/* SPDX-License-Identifier: GPL-2.0 */
/* Common header of the unit tests: cmocka with its prerequisites, and checks of table rows. */
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

/* Fail with the table row's name unless @cond is true. */
#define row_check(name, cond)                                      \
	do {                                                       \
		if (!(cond))                                       \
			fail_msg("row \"%s\": %s", (name), #cond); \
	} while (0)

/* Fail with the row's name and both integers unless they are equal. */
#define row_equal(name, got, want)                                                                 \
	do {                                                                                       \
		unsigned long long got_ = (got), want_ = (want);                                   \
		if (got_ != want_)                                                                 \
			fail_msg("row \"%s\": %s is %#llx, not %#llx", (name), #got, got_, want_); \
	} while (0)

#define GUARD_SIZE 65536u

/*
 * Allocate a buffer followed by a guard page, so that an access past the end of a packet
 * faults.
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

/* Copy @len bytes to the end of the buffer, next to the guard page. */
static inline u8 *guard_put(u8 *guard, const void *bytes, size_t len)
{
	return memcpy(guard + GUARD_SIZE - len, bytes, len);
}

/* Group fixtures: the tests share one guarded buffer as their state. */
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
