/* SPDX-License-Identifier: GPL-2.0 */
/* DECLARE_FLEX_ARRAY(): a flexible array as a member of a union, or alone in a structure. */
#ifndef COMPAT_LINUX_STDDEF_H
#define COMPAT_LINUX_STDDEF_H

#include_next <linux/stddef.h>

#ifndef DECLARE_FLEX_ARRAY
/* C allows a flexible array only behind another member, if only an empty one. */
#define DECLARE_FLEX_ARRAY(type, name) \
	struct {                       \
		struct {               \
		} __before_##name;     \
		type name[];           \
	}
#endif

#endif
