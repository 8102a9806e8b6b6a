/* SPDX-License-Identifier: GPL-2.0 */
/* __vmalloc(): older kernels take the protection of the pages, too. */
#ifndef COMPAT_LINUX_VMALLOC_H
#define COMPAT_LINUX_VMALLOC_H

#include_next <linux/vmalloc.h>

#ifdef RXE_HAVE_VMALLOC_PGPROT
#define __vmalloc(size, gfp_mask) __vmalloc(size, gfp_mask, PAGE_KERNEL)
#endif

#endif
