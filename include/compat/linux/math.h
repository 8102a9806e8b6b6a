/* SPDX-License-Identifier: GPL-2.0 */
/* Rounding and division, which were declared in <linux/kernel.h> before <linux/math.h> existed. */
#ifndef COMPAT_LINUX_MATH_H
#define COMPAT_LINUX_MATH_H

#ifdef RXE_HAVE_MATH_H
#include_next <linux/math.h>
#else
#include <linux/kernel.h>
#endif

#endif
