/* SPDX-License-Identifier: GPL-2.0 */
/* Tasklets whose function takes the tasklet: older kernels pass it a number. */
#ifndef COMPAT_LINUX_INTERRUPT_H
#define COMPAT_LINUX_INTERRUPT_H

#include_next <linux/interrupt.h>

#ifndef RXE_HAVE_TASKLET_SETUP
#define from_tasklet(var, callback_tasklet, tasklet_fieldname) \
	container_of(callback_tasklet, typeof(*(var)), tasklet_fieldname)

/* A number of the size of a pointer is passed as the pointer is. */
static inline void tasklet_setup(struct tasklet_struct *t,
				 void (*callback)(struct tasklet_struct *t))
{
	tasklet_init(t, (void (*)(unsigned long))(void *)callback, (unsigned long)t);
}
#endif

#endif
