/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-demand paging: regions whose pages are not pinned. They are brought in when they are
 * needed, and given back when the process's address space changes.
 */
#ifndef RXE_ODP_H
#define RXE_ODP_H

#include <linux/mm_types.h>
#include <linux/mmu_notifier.h>
#include <linux/spinlock.h>
#include <linux/xarray.h>
#include <rdma/ib_verbs.h>

#define RXE_ODP IS_ENABLED(CONFIG_INFINIBAND_ON_DEMAND_PAGING)

/**
 * struct rxe_odp - the pages that a region has at present
 * @notifier: says when they are taken away
 * @offset: user's address of a byte less its address in the region, modulo 2^64
 * @pages: those present, by user's address >> PAGE_SHIFT; tagged with 1 if they may be written
 * @lock: held for reading while bytes are copied, which is what makes who takes pages away wait
 *	for that long; taken with bottom halves off, inside an endpoint's lock
 */
struct rxe_odp {
	struct mmu_interval_notifier notifier;
	u64 offset;
	struct xarray pages;
	rwlock_t lock;
};

/**
 * rxe_odp_create() - for a region of the calling process
 * @start: user's address; 0 with a @length of U64_MAX is the whole address space
 * @length: bytes
 * @va: address of the first byte in the region
 *
 * No page is present yet. Return: to be released by rxe_odp_destroy(), or ERR_PTR.
 */
struct rxe_odp *rxe_odp_create(u64 start, u64 length, u64 va);
void rxe_odp_destroy(struct rxe_odp *odp);

/**
 * rxe_odp_read_lock() - keep the pages of [addr, addr + len) where they are
 * @odp: the region's pages
 * @addr: address in the region, in its bounds
 * @len: bytes
 * @write: they are to be written
 *
 * Context: bottom halves off. Return: true, with rxe_odp_release() owed; false if not all of
 * them are present.
 */
bool rxe_odp_read_lock(struct rxe_odp *odp, u64 addr, u64 len, bool write);

void rxe_odp_release(struct rxe_odp *odp);

/* The page of @addr, which is held. */
struct page *rxe_odp_page(struct rxe_odp *odp, u64 addr);

/* How to bring pages in. */
enum rxe_odp_how {
	RXE_ODP_READ,
	RXE_ODP_WRITE,
	RXE_ODP_PRESENT, /* only those that the process has already */
};

/**
 * rxe_odp_fault_in() - bring in the pages of [addr, addr + len)
 *
 * Nothing keeps them from being taken away again. Context: process, sleeps as page faults do.
 * Return: 0, -EFAULT: there is no such memory, or -errno.
 */
int rxe_odp_fault_in(struct rxe_odp *odp, u64 addr, u64 len, enum rxe_odp_how how);

#endif
