// SPDX-License-Identifier: GPL-2.0
/*
 * Resident pages are in an XArray, which takes memory for resident pages only, also if the region
 * is the whole address space. The process's page table is authoritative: the MMU notifier drops
 * pages here before the page table changes.
 */
#include <linux/hmm.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "mem/odp.h"
#include "mem/paging.h"
#include "mem/pmem.h"

/* XArray pointer tag. */
#define PAGE_WRITABLE 1ul

/* Pages faulted in per hmm_range_fault(), and pages dropped while the lock is held once. */
#define RXE_ODP_BATCH	   128
#define RXE_ODP_DROP_BATCH 32

/* Jiffies until page-in gives up because the address space changes each time. */
#define RXE_ODP_RETRY_TIMEOUT (5 * HZ)

static unsigned long rxe_odp_index(const struct rxe_odp *odp, u64 addr)
{
	return (addr + odp->offset) >> PAGE_SHIFT;
}

static bool rxe_odp_resident(struct rxe_odp *odp, u64 addr, u64 len, bool write)
{
	unsigned long i = rxe_odp_index(odp, addr), last = rxe_odp_index(odp, addr + len - 1);

	for (; i <= last; i++) {
		void *entry = xa_load(&odp->pages, i);

		if (!entry || (write && !xa_pointer_tag(entry)))
			return false;
	}
	return true;
}

bool rxe_odp_read_lock(struct rxe_odp *odp, u64 addr, u64 len, bool write)
{
	read_lock(&odp->lock);
	if (rxe_odp_resident(odp, addr, len, write)) {
		__release(&odp->lock); /* for sparse, which knows no conditional locks */
		return true;
	}
	read_unlock(&odp->lock);
	return false;
}

void rxe_odp_read_unlock(struct rxe_odp *odp)
{
	__acquire(&odp->lock);
	read_unlock(&odp->lock);
}

struct page *rxe_odp_page(struct rxe_odp *odp, u64 addr)
{
	return xa_untag_pointer(xa_load(&odp->pages, rxe_odp_index(odp, addr)));
}

#if RXE_ODP

/*
 * Remove up to RXE_ODP_DROP_BATCH pages between *@first and @last, with a reference to each, and
 * move *@first behind them. Context: @odp->lock held for writing.
 */
static u32 rxe_odp_collect(struct rxe_odp *odp, unsigned long *first, unsigned long last,
			   void *entries[RXE_ODP_DROP_BATCH])
{
	unsigned long i;
	void *entry;
	u32 n = 0;

	xa_for_each_range(&odp->pages, i, entry, *first, last) {
		get_page(xa_untag_pointer(entry));
		entries[n++] = entry;
		xa_erase(&odp->pages, i);
		*first = i + 1;
		if (n == RXE_ODP_DROP_BATCH)
			break;
	}
	return n;
}

/*
 * Without @odp->lock: set_page_dirty() takes locks that are taken with softirqs enabled elsewhere,
 * and a softirq may wait for @odp->lock.
 */
static void rxe_odp_put_entry(void *entry)
{
	struct page *page = xa_untag_pointer(entry);

	if (xa_pointer_tag(entry))
		set_page_dirty(page);
	put_page(page);
}

/*
 * Drop the pages from @first to @last. When it returns, no copy uses them, and writable ones are
 * marked dirty, which reclaim checks after the notifier has returned. Ends: *@first only grows.
 */
static void rxe_odp_drop(struct rxe_odp *odp, unsigned long first, unsigned long last)
{
	void *entries[RXE_ODP_DROP_BATCH];
	u32 i, n;

	do {
		write_lock_bh(&odp->lock);
		n = rxe_odp_collect(odp, &first, last, entries);
		write_unlock_bh(&odp->lock);
		for (i = 0; i < n; i++)
			rxe_odp_put_entry(entries[i]);
	} while (n);
}

/*
 * Waits for copies, and neither allocates memory nor waits for a task that does. Ranges that must
 * not block (mmu_notifier_range_blockable()) are therefore invalidated as others are, also with
 * PREEMPT_RT, where @odp->lock sleeps.
 */
static bool rxe_odp_invalidate(struct mmu_interval_notifier *notifier,
			       const struct mmu_notifier_range *range, unsigned long seq)
{
	struct rxe_odp *odp = container_of(notifier, struct rxe_odp, notifier);

	/* rxe_odp_insert() rejects pages that were looked up before this. */
	write_lock_bh(&odp->lock);
	mmu_interval_set_seq(notifier, seq);
	write_unlock_bh(&odp->lock);
	rxe_odp_drop(odp, range->start >> PAGE_SHIFT, (range->end - 1) >> PAGE_SHIFT);
	return true;
}

static const struct mmu_interval_notifier_ops rxe_odp_notifier_ops = {
	.invalidate = rxe_odp_invalidate,
};

/* True for memory of memfd_secret(2), which the kernel has not mapped. */
static bool rxe_odp_is_secret(struct page *page)
{
	u8 byte;

	return !PageHighMem(page) && copy_from_kernel_nofault(&byte, page_address(page), 1);
}

/*
 * Pages that hmm_range_fault() has found. They are not referenced: if one has been freed since,
 * rxe_odp_insert() rejects them all.
 */
static bool rxe_odp_are_persistent(const struct hmm_range *range)
{
	unsigned long i, n = (range->end - range->start) >> PAGE_SHIFT;

	for (i = 0; i < n; i++)
		if (range->hmm_pfns[i] & HMM_PFN_VALID &&
		    !rxe_pmem_is_page(hmm_pfn_to_page(range->hmm_pfns[i])))
			return false;
	return true;
}

/* Context: @odp->lock held for writing, the XArray entry reserved. */
static int rxe_odp_insert_page(struct rxe_odp *odp, unsigned long index, unsigned long pfn)
{
	unsigned long tag = pfn & HMM_PFN_WRITE ? PAGE_WRITABLE : 0;
	struct page *page = pfn & HMM_PFN_VALID ? hmm_pfn_to_page(pfn) : NULL;
	bool secret = page && rxe_odp_is_secret(page);

	if (page && !secret)
		xa_store(&odp->pages, index, xa_tag_pointer(page, tag), GFP_NOWAIT | __GFP_NOWARN);
	else
		xa_release(&odp->pages, index);
	return secret ? -EFAULT : 0;
}

/* Insert pages that hmm_range_fault() has found; -EBUSY if the address space has changed since. */
static int rxe_odp_insert(struct rxe_odp *odp, const struct hmm_range *range)
{
	unsigned long i, first = range->start >> PAGE_SHIFT;
	unsigned long n = (range->end - range->start) >> PAGE_SHIFT;
	int err = 0;

	/* The XArray cannot allocate under the lock. */
	for (i = 0; i < n && !err; i++)
		err = xa_reserve_bh(&odp->pages, first + i, GFP_KERNEL);
	if (err)
		return err;
	write_lock_bh(&odp->lock);
	if (mmu_interval_read_retry(&odp->notifier, range->notifier_seq))
		err = -EBUSY;
	for (i = 0; i < n && !err; i++)
		err = rxe_odp_insert_page(odp, first + i, range->hmm_pfns[i]);
	write_unlock_bh(&odp->lock);
	return err;
}

/* Context: a reference to the mm is held. */
static int rxe_odp_fault_in_batch(struct rxe_odp *odp, struct hmm_range *range)
{
	struct mm_struct *mm = odp->notifier.mm;
	unsigned long limit = jiffies + RXE_ODP_RETRY_TIMEOUT;
	int err;

	do {
		range->notifier_seq = mmu_interval_read_begin(&odp->notifier);
		mmap_read_lock(mm);
		err = hmm_range_fault(range);
		mmap_read_unlock(mm);
		if (!err && odp->persistent && !rxe_odp_are_persistent(range))
			err = -EFAULT;
		if (!err)
			err = rxe_odp_insert(odp, range);
	} while (err == -EBUSY && time_before(jiffies, limit));
	return err;
}

static int rxe_odp_fault_in_all(struct rxe_odp *odp, struct hmm_range *range, unsigned long end)
{
	int err;

	do {
		range->end = min(end, range->start + RXE_ODP_BATCH * PAGE_SIZE);
		err = rxe_odp_fault_in_batch(odp, range);
		range->start = range->end;
		cond_resched();
	} while (!err && range->start < end);
	return err;
}

#ifdef CONFIG_MEMCG
/*
 * Work items charge allocations to no control group, but the index of resident pages belongs to the
 * process. As set_active_memcg(), whose variable for interrupts older kernels do not export.
 */
static struct mem_cgroup *rxe_odp_charge_to(struct mem_cgroup *memcg)
{
	struct mem_cgroup *old = current->active_memcg;

	current->active_memcg = memcg;
	return old;
}
#else
static struct mem_cgroup *rxe_odp_charge_to(struct mem_cgroup *memcg)
{
	return NULL;
}
#endif

/* Context: a reference to the mm is held. */
static int rxe_odp_fault_in_charged(struct rxe_odp *odp, struct hmm_range *range, unsigned long end)
{
	struct mem_cgroup *memcg = get_mem_cgroup_from_mm(odp->notifier.mm), *old;
	int err;

	old = rxe_odp_charge_to(memcg);
	err = rxe_odp_fault_in_all(odp, range, end);
	rxe_odp_charge_to(old);
	mem_cgroup_put(memcg);
	return err;
}

int rxe_odp_fault_in(struct rxe_odp *odp, u64 addr, u64 len, enum rxe_odp_how how)
{
	static const unsigned long flags[] = {
		[RXE_ODP_READ] = HMM_PFN_REQ_FAULT,
		[RXE_ODP_WRITE] = HMM_PFN_REQ_FAULT | HMM_PFN_REQ_WRITE,
		[RXE_ODP_NO_FAULT] = 0,
	};
	u64 start = addr + odp->offset, end = PAGE_ALIGN(start + len);
	struct mm_struct *mm = odp->notifier.mm;
	struct hmm_range range = {
		.notifier = &odp->notifier,
		.start = start & PAGE_MASK,
		.default_flags = flags[how],
	};
	int err = -EFAULT;

	if (end <= start)
		return len ? -EFAULT : 0;
	range.hmm_pfns = kcalloc(RXE_ODP_BATCH, sizeof(*range.hmm_pfns), GFP_KERNEL);
	if (!range.hmm_pfns)
		return -ENOMEM;
	/* Fails if the process has exited. */
	if (mmget_not_zero(mm)) {
		err = rxe_odp_fault_in_charged(odp, &range, end);
		mmput(mm);
	}
	kfree(range.hmm_pfns);
	return err;
}

/*
 * The page-aligned range. The interval tree has inclusive ends, so that ULONG_MAX cannot be the
 * end.
 */
static unsigned long rxe_odp_interval(u64 start, u64 length, u64 *end)
{
	if (!start && length == U64_MAX)
		*end = ULONG_MAX & PAGE_MASK;
	else
		*end = PAGE_ALIGN(start + length);
	return start & PAGE_MASK;
}

struct rxe_odp *rxe_odp_create(u64 start, u64 length, u64 va, bool persistent)
{
	struct rxe_odp *odp;
	unsigned long first;
	u64 end;
	int err;

	first = rxe_odp_interval(start, length, &end);
	if (end <= first)
		return ERR_PTR(-EINVAL);
	odp = kzalloc(sizeof(*odp), GFP_KERNEL_ACCOUNT);
	if (!odp)
		return ERR_PTR(-ENOMEM);
	odp->paging = rxe_paging_get(current->mm);
	if (!odp->paging) {
		kfree(odp);
		return ERR_PTR(-ENOMEM);
	}
	odp->persistent = persistent;
	odp->offset = start - va;
	rwlock_init(&odp->lock);
	xa_init_flags(&odp->pages, XA_FLAGS_LOCK_BH | XA_FLAGS_ACCOUNT);
	err = mmu_interval_notifier_insert(&odp->notifier, current->mm, first, end - first,
					   &rxe_odp_notifier_ops);
	if (err) {
		rxe_paging_put(odp->paging);
		kfree(odp);
		return ERR_PTR(err);
	}
	return odp;
}

void rxe_odp_destroy(struct rxe_odp *odp)
{
	if (!odp)
		return;
	rxe_odp_drop(odp, 0, ULONG_MAX);
	mmu_interval_notifier_remove(&odp->notifier);
	xa_destroy(&odp->pages);
	rxe_paging_put(odp->paging);
	kfree(odp);
}

#else

int rxe_odp_fault_in(struct rxe_odp *odp, u64 addr, u64 len, enum rxe_odp_how how)
{
	return -EOPNOTSUPP;
}

struct rxe_odp *rxe_odp_create(u64 start, u64 length, u64 va, bool persistent)
{
	return ERR_PTR(-EOPNOTSUPP);
}

void rxe_odp_destroy(struct rxe_odp *odp)
{
}

#endif
