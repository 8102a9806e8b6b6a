/* SPDX-License-Identifier: GPL-2.0 */
/* timer_container_of() for kernels that have from_timer(). */
#ifndef COMPAT_LINUX_TIMER_H
#define COMPAT_LINUX_TIMER_H

#include_next <linux/timer.h>

#ifndef timer_container_of
#define timer_container_of(var, callback_timer, timer_fieldname) \
	from_timer(var, callback_timer, timer_fieldname)
#endif

#endif
