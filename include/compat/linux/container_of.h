/* SPDX-License-Identifier: GPL-2.0 */
/* container_of_const(); container_of() itself was in <linux/kernel.h> before. */
#ifndef COMPAT_LINUX_CONTAINER_OF_H
#define COMPAT_LINUX_CONTAINER_OF_H

#ifdef RXE_HAVE_CONTAINER_OF_H
#include_next <linux/container_of.h>
#else
#include <linux/kernel.h>
#endif

/* Does not keep the const of the pointer; newer kernels do, and find what writes to it. */
#ifndef container_of_const
#define container_of_const(ptr, type, member) container_of(ptr, type, member)
#endif

#endif
