/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-demand paging (ODP): regions whose pages are not pinned. Pages are faulted in when they are
 * accessed; an MMU notifier drops them when the process's address space changes.
 */
#ifndef RXE_ODP_H
#define RXE_ODP_H

#include <linux/mm_types.h>
#include <linux/mmu_notifier.h>
#include <linux/spinlock.h>
#include <linux/xarray.h>
#include <rdma/ib_verbs.h>

struct rxe_paging;

#define RXE_ODP IS_ENABLED(CONFIG_INFINIBAND_ON_DEMAND_PAGING)

/**
 * struct rxe_odp - the resident pages of an on-demand region
 * @notifier: MMU interval notifier: called before pages of the range are unmapped or
 *	write-protected
 * @paging: the page-ins of its process
 * @persistent: pages that are not of persistent memory are not taken (pmem.h)
 * @offset: user address of a byte minus its address in the region, modulo 2^64
 * @pages: resident pages, by user address >> PAGE_SHIFT; tag 1: writable
 * @lock: protects @pages. Held for reading during copies, so that the notifier waits for them.
 *	Taken with bottom halves off, inside an endpoint's lock
 */
struct rxe_odp {
	struct mmu_interval_notifier notifier;
	struct rxe_paging *paging;
	bool persistent;
	u64 offset;
	struct xarray pages;
	rwlock_t lock;
};

/**
 * rxe_odp_create() - register memory of the calling process for on-demand paging
 * @start: user address; 0 with a @length of U64_MAX is the whole address space
 * @length: bytes
 * @va: address of the first byte in the region
 * @persistent: all of it has to be persistent memory
 *
 * No page is resident yet.
 *
 * Context: process, may sleep.
 *
 * Return: to be released by rxe_odp_destroy(), or ERR_PTR.
 */
struct rxe_odp *rxe_odp_create(u64 start, u64 length, u64 va, bool persistent);
void rxe_odp_destroy(struct rxe_odp *odp);

/**
 * rxe_odp_read_lock() - lock resident pages for a copy
 * @odp: the region's pages
 * @addr: first byte, in the region
 * @len: bytes, at least 1
 * @write: the pages must be writable
 *
 * Context: bottom halves off.
 *
 * Return: true: @odp->lock is held for reading, until rxe_odp_read_unlock(); false: not all pages
 * are resident, the lock is not held.
 */
bool rxe_odp_read_lock(struct rxe_odp *odp, u64 addr, u64 len, bool write);

void rxe_odp_read_unlock(struct rxe_odp *odp);

/* The page of @addr. Context: between rxe_odp_read_lock() of a range with it, and the unlock. */
struct page *rxe_odp_page(struct rxe_odp *odp, u64 addr);

enum rxe_odp_how {
	RXE_ODP_READ,
	RXE_ODP_WRITE,
	RXE_ODP_NO_FAULT, /* without page faults: only pages that the process has resident */
};

/**
 * rxe_odp_fault_in() - make pages resident
 * @odp: the region's pages
 * @addr: first byte, in the region
 * @len: bytes
 * @how: for reading, for writing, or without page faults
 *
 * The pages may be dropped again before the caller accesses them, and then fault again.
 *
 * Context: process, may sleep as page faults do.
 *
 * Return: 0; -EFAULT: the process has no such memory, it is not persistent as the region has to be,
 * or the process has exited; -EBUSY: the address space has
 * changed for RXE_ODP_RETRY_TIMEOUT; -ENOMEM, or another error of hmm_range_fault().
 */
int rxe_odp_fault_in(struct rxe_odp *odp, u64 addr, u64 len, enum rxe_odp_how how);

#endif
