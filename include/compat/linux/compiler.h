/* SPDX-License-Identifier: GPL-2.0 */
/* __uninitialized: a variable that CONFIG_INIT_STACK_ALL_ZERO need not clear. */
#ifndef COMPAT_LINUX_COMPILER_H
#define COMPAT_LINUX_COMPILER_H

#include_next <linux/compiler.h>

#ifndef __uninitialized
#if __has_attribute(__uninitialized__)
#define __uninitialized __attribute__((__uninitialized__))
#else
#define __uninitialized
#endif
#endif

#endif
