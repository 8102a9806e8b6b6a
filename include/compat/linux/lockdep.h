/* SPDX-License-Identifier: GPL-2.0 */
/* lockdep_assert_in_softirq() for older kernels. */
#ifndef COMPAT_LINUX_LOCKDEP_H
#define COMPAT_LINUX_LOCKDEP_H

#include_next <linux/lockdep.h>

#ifndef RXE_HAVE_ASSERT_SOFTIRQ
#ifdef CONFIG_PROVE_LOCKING
#define lockdep_assert_in_softirq() WARN_ON_ONCE(debug_locks && (!in_softirq() || in_irq()))
#else
#define lockdep_assert_in_softirq() ((void)0)
#endif
#endif

#endif
