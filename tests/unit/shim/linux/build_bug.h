/* SPDX-License-Identifier: GPL-2.0 */
/* <linux/build_bug.h> in user space: static assertions. */
#ifndef SHIM_LINUX_BUILD_BUG_H
#define SHIM_LINUX_BUILD_BUG_H

#include <assert.h> /* defines static_assert, too: include it first */

#undef static_assert
#define static_assert(expr, ...) __static_assert(expr, ##__VA_ARGS__, #expr)
#define __static_assert(expr, msg, ...) _Static_assert(expr, msg)

#define BUILD_BUG_ON(cond)	       ((void)sizeof(char[1 - 2 * !!(cond)]))
#define BUILD_BUG_ON_ZERO(cond)	       ((int)(sizeof(char[1 - 2 * !!(cond)]) - 1))
#define BUILD_BUG_ON_NOT_POWER_OF_2(n) BUILD_BUG_ON((n) == 0 || ((n) & ((n)-1)) != 0)

#endif
