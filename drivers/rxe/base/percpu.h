/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RXE_PERCPU_H
#define RXE_PERCPU_H

#include <linux/percpu.h>

/*
 * Add @n to the per-CPU variable @pcp. Context: bottom halves off, wherever it is changed, so that
 * nothing else does on this CPU; that saves the architectures without an instruction for it two
 * changes of the interrupt flag. Where bottom halves are threads it does not keep the others out.
 */
#define rxe_percpu_add_bh(pcp, n)                        \
	do {                                             \
		if (IS_ENABLED(CONFIG_PREEMPT_RT))       \
			this_cpu_add(pcp, n);            \
		else                                     \
			__this_cpu_add(pcp, n);          \
	} while (0)

#endif
