/* SPDX-License-Identifier: GPL-2.0 */
/* <linux/container_of.h> in user space: container_of(). */
#ifndef SHIM_LINUX_CONTAINER_OF_H
#define SHIM_LINUX_CONTAINER_OF_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/stddef.h>

#define container_of(ptr, type, member)                                   \
	({                                                                \
		void *mptr_ = (void *)(ptr);                              \
		static_assert(__same_type(*(ptr), ((type *)0)->member) || \
				      __same_type(*(ptr), void),          \
			      "pointer type mismatch in container_of()"); \
		(type *)((char *)mptr_ - offsetof(type, member));         \
	})

#endif
