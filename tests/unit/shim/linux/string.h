/* SPDX-License-Identifier: GPL-2.0 */
/* <linux/string.h> in user space: memory and strings. */
#ifndef SHIM_LINUX_STRING_H
#define SHIM_LINUX_STRING_H

#include <string.h>
#include <linux/types.h>

#endif
