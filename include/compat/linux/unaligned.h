/* SPDX-License-Identifier: GPL-2.0 */
/* Older kernels keep the unaligned accessors with the architecture. */
#ifndef COMPAT_LINUX_UNALIGNED_H
#define COMPAT_LINUX_UNALIGNED_H

#ifdef RXE_HAVE_UNALIGNED_H
#include_next <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

#endif
