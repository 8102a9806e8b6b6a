/* SPDX-License-Identifier: GPL-2.0 */
/* MODULE_IMPORT_NS(): kernels without it have no namespaces of symbols. */
#ifndef COMPAT_LINUX_MODULE_H
#define COMPAT_LINUX_MODULE_H

#include_next <linux/module.h>

#ifndef MODULE_IMPORT_NS
#define MODULE_IMPORT_NS(ns) MODULE_INFO(import_ns, #ns)
#endif

#endif
