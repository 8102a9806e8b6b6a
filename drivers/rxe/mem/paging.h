/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many page-ins of a process run at the same time.
 *
 * A page fault may take for ever: the memory may be of a file whose server does not answer. Each
 * page-in that runs takes a kernel thread, of which the workqueue has 512 or 1024. So those of a
 * process are limited, and one process cannot delay the page-ins of others.
 */
#ifndef RXE_PAGING_H
#define RXE_PAGING_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/mm_types.h>
#include <linux/refcount.h>
#include <linux/workqueue.h>

/*
 * Page-ins of a process that run at the same time; more wait. As many reads keep a fast drive busy,
 * and it takes 64 processes to occupy all threads of the workqueue.
 */
#define RXE_MAX_PAGE_INS 16

/* Prefetches of a process in work items; more are executed by the process itself. */
#define RXE_MAX_PREFETCHES 16

/**
 * struct rxe_paging - the page-ins of one address space
 * @mm: the address space, with a reference to the structure alone (mmgrab())
 * @refs: one for each on-demand region, one for each page-in that waits or runs
 * @running: page-ins that run or whose work item is queued, at most RXE_MAX_PAGE_INS
 * @waiting: page-ins that wait, struct rxe_page_in, in order
 * @prefetches: prefetches in work items, at most RXE_MAX_PREFETCHES
 *
 * @running and @waiting are under a lock of paging.c.
 */
struct rxe_paging {
	struct mm_struct *mm;
	refcount_t refs;
	u32 running;
	struct list_head waiting;
	atomic_t prefetches;
};

/**
 * struct rxe_page_in - a page-in, which can be started again when it has ended
 * @work: pages in, and calls rxe_page_in_end() then
 * @waiting: in rxe_paging.waiting, or empty
 * @paging: whose page-in it is, with a reference; not valid while it is idle
 */
struct rxe_page_in {
	struct work_struct work;
	struct list_head waiting;
	struct rxe_paging *paging;
};

/* Once for the module. rxe_paging_stop() waits for all work items. */
int rxe_paging_start(void);
void rxe_paging_stop(void);

/**
 * rxe_paging_get() - the page-ins of an address space, with a reference
 * @mm: the address space
 *
 * Context: process, may sleep.
 *
 * Return: to be released by rxe_paging_put(); NULL: no memory.
 */
struct rxe_paging *rxe_paging_get(struct mm_struct *mm);

/* Context: process, may sleep. */
void rxe_paging_put(struct rxe_paging *paging);

void rxe_page_in_init(struct rxe_page_in *page_in, work_func_t work);

/**
 * rxe_page_in_start() - queue the work item, now or when another page-in of the process has ended
 * @page_in: idle
 * @paging: whose page-in it is; the caller has a reference
 *
 * Context: any.
 */
void rxe_page_in_start(struct rxe_page_in *page_in, struct rxe_paging *paging);

/**
 * rxe_page_in_end() - let the next page-in of the process run
 * @page_in: called by its work item, which has paged in; it is idle then, and may be started again
 *
 * Context: process, may sleep.
 */
void rxe_page_in_end(struct rxe_page_in *page_in);

/**
 * rxe_page_in_cancel() - wait until the work item has ended, or prevent it
 * @page_in: idle, waiting or running; it is not started again
 *
 * Context: process, may sleep.
 */
void rxe_page_in_cancel(struct rxe_page_in *page_in);

/**
 * rxe_paging_start_prefetch() - queue a work item that prefetches
 * @paging: of the process; the caller has a reference until the work item has ended
 * @work: calls rxe_paging_end_prefetch() when it has prefetched
 *
 * Return: false if RXE_MAX_PREFETCHES are queued or run already: the caller has to prefetch itself.
 */
bool rxe_paging_start_prefetch(struct rxe_paging *paging, struct work_struct *work);
void rxe_paging_end_prefetch(struct rxe_paging *paging);

#endif
