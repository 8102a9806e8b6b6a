/* SPDX-License-Identifier: GPL-2.0 */
/* hrtimer_setup() for kernels that have hrtimer_init(). */
#ifndef COMPAT_LINUX_HRTIMER_H
#define COMPAT_LINUX_HRTIMER_H

#include_next <linux/hrtimer.h>

#ifndef RXE_HAVE_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock_id, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock_id, mode);
	timer->function = function;
}
#endif

#endif
