/* SPDX-License-Identifier: GPL-2.0 */
/* WQ_PERCPU, implied by older kernels without WQ_UNBOUND, and names of system workqueues. */
#ifndef COMPAT_LINUX_WORKQUEUE_H
#define COMPAT_LINUX_WORKQUEUE_H

#include_next <linux/workqueue.h>

#ifndef RXE_HAVE_WQ_PERCPU
#define WQ_PERCPU 0
#endif

#ifndef RXE_HAVE_SYSTEM_DFL_WQ
#define system_percpu_wq system_wq
#define system_dfl_wq	 system_unbound_wq
#endif

#endif
