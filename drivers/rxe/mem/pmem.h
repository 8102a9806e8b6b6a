/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Persistent memory: regions with IB_ACCESS_FLUSH_PERSISTENT.
 *
 * Data copied to such a region is written back from the CPU's caches at once: the time that this
 * takes is bounded by the packet's length. A FLUSH with the placement type "persistence" writes
 * nothing back: the peer chooses its length.
 */
#ifndef RXE_PMEM_H
#define RXE_PMEM_H

#include <asm/barrier.h>
#include <linux/libnvdimm.h>
#include <linux/mm_types.h>
#include <rdma/ib_verbs.h>

/* The processor can write back its caches, and the RDMA core knows the access flag. */
#define RXE_PMEM (RXE_CORE_FLUSH && IS_ENABLED(CONFIG_ARCH_HAS_PMEM_API))

/**
 * rxe_pmem_is_page() - true if a page is of persistent memory
 * @page: a page; if it can be freed, so that the result may be of the next user of the page
 *
 * False for pages of persistent memory that the kernel uses as system RAM (dax/kmem).
 *
 * Context: process, bottom halves on.
 */
bool rxe_pmem_is_page(struct page *page);

/**
 * rxe_pmem_are_pages() - true if rxe_pmem_is_page() is true for each page
 * @pages: pages
 * @n: number of @pages
 *
 * Context: process, may sleep.
 */
bool rxe_pmem_are_pages(struct page *const *pages, size_t n);

/*
 * Write back @len bytes at @va from the CPU's caches, and wait until they are written: another CPU
 * may execute the FLUSH, and its barriers wait for its own write-backs only.
 */
static inline void rxe_pmem_write_back(void *va, size_t len)
{
	if (!RXE_PMEM)
		return;
	arch_wb_cache_pmem(va, len);
	pmem_wmb();
}

#endif
