/* SPDX-License-Identifier: GPL-2.0 */
/* <linux/stddef.h> in user space: sizes of struct members. */
#ifndef SHIM_LINUX_STDDEF_H
#define SHIM_LINUX_STDDEF_H

#include <stddef.h>
#include_next <linux/stddef.h>

#define sizeof_field(type, member) sizeof(((type *)0)->member)
#define offsetofend(type, member)  (offsetof(type, member) + sizeof_field(type, member))

/* Flexible array member of a union. */
#define DECLARE_FLEX_ARRAY(type, name) __DECLARE_FLEX_ARRAY(type, name)

/* Members that can be accessed one by one and, as @name, as a group. */
#define struct_group(name, ...)     \
	union {                     \
		struct {            \
			__VA_ARGS__ \
		};                  \
		struct {            \
			__VA_ARGS__ \
		} name;             \
	}

#endif
