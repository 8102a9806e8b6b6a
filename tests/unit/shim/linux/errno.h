/* SPDX-License-Identifier: GPL-2.0 */
/* <linux/errno.h> in user space: error numbers. */
#ifndef SHIM_LINUX_ERRNO_H
#define SHIM_LINUX_ERRNO_H

#include_next <linux/errno.h>

#ifndef ENOTSUPP
#define ENOTSUPP 524
#endif

#endif
