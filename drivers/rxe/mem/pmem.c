// SPDX-License-Identifier: GPL-2.0
/* Which pages are of persistent memory, by the resources of the physical address space. */
#include <linux/ioport.h>
#include <linux/mm.h>
#include <linux/sched.h>

#include "mem/pmem.h"

/* Pages of one look-up among the physical memory's resources: 1 GiB with pages of 4 KiB. */
#define RXE_PMEM_RUN 262144

/*
 * IORES_DESC_PERSISTENT_MEMORY_LEGACY: what firmware without an NFIT reports, or the kernel
 * parameter memmap=SIZE!START. The kernel's drivers take it for persistent, too.
 */
static bool rxe_pmem_is_range(phys_addr_t start, size_t size)
{
	return region_intersects(start, size, IORESOURCE_MEM, IORES_DESC_PERSISTENT_MEMORY) ==
		       REGION_INTERSECTS ||
	       region_intersects(start, size, IORESOURCE_MEM,
				 IORES_DESC_PERSISTENT_MEMORY_LEGACY) == REGION_INTERSECTS;
}

bool rxe_pmem_is_page(struct page *page)
{
	return is_zone_device_page(page) && rxe_pmem_is_range(page_to_phys(page), PAGE_SIZE);
}

/*
 * The number of pages of persistent memory at the start of @pages that follow one another in
 * physical memory, RXE_PMEM_RUN at most.
 */
static size_t rxe_pmem_run(struct page *const *pages, size_t n)
{
	unsigned long first = page_to_pfn(pages[0]);
	size_t i;

	for (i = 0; i < min_t(size_t, n, RXE_PMEM_RUN); i++)
		if (page_to_pfn(pages[i]) != first + i || !is_zone_device_page(pages[i]))
			break;
	return i;
}

bool rxe_pmem_are_pages(struct page *const *pages, size_t n)
{
	size_t i, run;

	for (i = 0; i < n; i += run) {
		run = rxe_pmem_run(pages + i, n - i);
		if (!run || !rxe_pmem_is_range(page_to_phys(pages[i]), run * PAGE_SIZE))
			return false;
		cond_resched();
	}
	return true;
}
