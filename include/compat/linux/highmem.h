/* SPDX-License-Identifier: GPL-2.0 */
/* kmap_local_page() for kernels that have kmap_atomic(). */
#ifndef COMPAT_LINUX_HIGHMEM_H
#define COMPAT_LINUX_HIGHMEM_H

#include_next <linux/highmem.h>

#ifndef RXE_HAVE_KMAP_LOCAL
#ifdef CONFIG_HIGHMEM
#define kmap_local_page(page) kmap_atomic(page)
#define kunmap_local(addr)    kunmap_atomic(addr)
#else
static inline void *kmap_local_page(struct page *page)
{
	return page_address(page);
}

static inline void kunmap_local(const void *addr)
{
}
#endif
#endif

#endif
