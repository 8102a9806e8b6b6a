// SPDX-License-Identifier: GPL-2.0
/* The page-ins of each process: which run, which wait. */
#include <linux/mutex.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/xarray.h>

#include "mem/paging.h"

/* struct rxe_paging by the address of its mm, without the low bits, which are the same in all. */
static DEFINE_XARRAY(rxe_pagings);
#define RXE_PAGING_SHIFT ilog2(__alignof__(struct mm_struct))

/* Serialises the creation and removal of entries of rxe_pagings. */
static DEFINE_MUTEX(rxe_pagings_lock);

/* rxe_paging.running and .waiting of all. Taken inside an endpoint's lock. */
static DEFINE_SPINLOCK(rxe_page_in_lock);

/*
 * Without WQ_MEM_RECLAIM: page-in allocates memory, so that a rescuer thread would not help. Two of
 * them, so that prefetching, which may take long, does not delay page faults.
 */
static struct workqueue_struct *rxe_fault_wq, *rxe_prefetch_wq;

int rxe_paging_start(void)
{
	rxe_fault_wq = alloc_workqueue("rdma_rxe_fault", WQ_UNBOUND, 0);
	rxe_prefetch_wq = alloc_workqueue("rdma_rxe_prefetch", WQ_UNBOUND, 0);
	if (rxe_fault_wq && rxe_prefetch_wq)
		return 0;
	if (rxe_fault_wq)
		destroy_workqueue(rxe_fault_wq);
	if (rxe_prefetch_wq)
		destroy_workqueue(rxe_prefetch_wq);
	return -ENOMEM;
}

void rxe_paging_stop(void)
{
	destroy_workqueue(rxe_fault_wq);
	destroy_workqueue(rxe_prefetch_wq);
}

static unsigned long rxe_paging_index(const struct mm_struct *mm)
{
	return (unsigned long)mm >> RXE_PAGING_SHIFT;
}

static struct rxe_paging *rxe_paging_create(struct mm_struct *mm)
{
	struct rxe_paging *paging = kzalloc(sizeof(*paging), GFP_KERNEL_ACCOUNT);

	if (!paging)
		return NULL;
	if (xa_err(xa_store(&rxe_pagings, rxe_paging_index(mm), paging, GFP_KERNEL_ACCOUNT))) {
		kfree(paging);
		return NULL;
	}
	mmgrab(mm);
	paging->mm = mm;
	refcount_set(&paging->refs, 1);
	INIT_LIST_HEAD(&paging->waiting);
	return paging;
}

struct rxe_paging *rxe_paging_get(struct mm_struct *mm)
{
	struct rxe_paging *paging;

	mutex_lock(&rxe_pagings_lock);
	paging = xa_load(&rxe_pagings, rxe_paging_index(mm));
	if (paging)
		refcount_inc(&paging->refs);
	else
		paging = rxe_paging_create(mm);
	mutex_unlock(&rxe_pagings_lock);
	return paging;
}

void rxe_paging_put(struct rxe_paging *paging)
{
	if (!refcount_dec_and_mutex_lock(&paging->refs, &rxe_pagings_lock))
		return;
	xa_erase(&rxe_pagings, rxe_paging_index(paging->mm));
	mutex_unlock(&rxe_pagings_lock);
	mmdrop(paging->mm);
	kfree(paging);
}

void rxe_page_in_init(struct rxe_page_in *page_in, work_func_t work)
{
	INIT_WORK(&page_in->work, work);
	INIT_LIST_HEAD(&page_in->waiting);
}

void rxe_page_in_start(struct rxe_page_in *page_in, struct rxe_paging *paging)
{
	refcount_inc(&paging->refs);
	page_in->paging = paging;
	spin_lock_bh(&rxe_page_in_lock);
	if (paging->running < RXE_MAX_PAGE_INS) {
		paging->running++;
		queue_work(rxe_fault_wq, &page_in->work);
	} else {
		list_add_tail(&page_in->waiting, &paging->waiting);
	}
	spin_unlock_bh(&rxe_page_in_lock);
}

void rxe_page_in_end(struct rxe_page_in *page_in)
{
	struct rxe_paging *paging = page_in->paging;
	struct rxe_page_in *next;

	spin_lock_bh(&rxe_page_in_lock);
	next = list_first_entry_or_null(&paging->waiting, struct rxe_page_in, waiting);
	if (next) {
		list_del_init(&next->waiting);
		queue_work(rxe_fault_wq, &next->work);
	} else {
		paging->running--;
	}
	spin_unlock_bh(&rxe_page_in_lock);
	rxe_paging_put(paging);
}

void rxe_page_in_cancel(struct rxe_page_in *page_in)
{
	bool waiting;

	spin_lock_bh(&rxe_page_in_lock);
	waiting = !list_empty(&page_in->waiting);
	list_del_init(&page_in->waiting);
	spin_unlock_bh(&rxe_page_in_lock);
	if (waiting)
		rxe_paging_put(page_in->paging);
	else if (cancel_work_sync(&page_in->work))
		rxe_page_in_end(page_in);
}

bool rxe_paging_start_prefetch(struct rxe_paging *paging, struct work_struct *work)
{
	if (!atomic_add_unless(&paging->prefetches, 1, RXE_MAX_PREFETCHES))
		return false;
	queue_work(rxe_prefetch_wq, work);
	return true;
}

void rxe_paging_end_prefetch(struct rxe_paging *paging)
{
	atomic_dec(&paging->prefetches);
}
