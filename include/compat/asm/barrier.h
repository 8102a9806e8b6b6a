/* SPDX-License-Identifier: GPL-2.0 */
/* pmem_wmb(): waits until caches have been written back to persistent memory. */
#ifndef COMPAT_ASM_BARRIER_H
#define COMPAT_ASM_BARRIER_H

#include_next <asm/barrier.h>

/* Before Linux 5.8 the persistent memory drivers use wmb(). */
#ifndef pmem_wmb
#define pmem_wmb() wmb()
#endif

#endif
