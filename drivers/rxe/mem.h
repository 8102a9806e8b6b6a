/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registered memory as the data path sees it. A struct rxe_mem is found by key
 * under RCU and pinned by a reference for as long as bytes are being copied;
 * deregistration takes it out of the table, waits for the last reference and
 * frees it after a grace period, so that nothing is written to the user's pages
 * once ibv_dereg_mr() has returned.
 */
#ifndef RXE_MEM_H
#define RXE_MEM_H

#include <linux/completion.h>
#include <linux/refcount.h>
#include <linux/skbuff.h>
#include <rdma/ib_verbs.h>

struct rxe_dev;

/* A key is the index of its region above this many random bits. */
#define RXE_KEY_BITS 8

/**
 * struct rxe_mem - a memory region
 * @key: lkey and rkey
 * @access: IB_ACCESS_*
 * @pd: protection domain
 * @iova: address of byte 0 in the keys' address space
 * @length: bytes
 * @page_offset: of byte 0 in the first page
 * @pages: PAGE_SIZE pages (NULL for the DMA region: addresses are kernel virtual)
 * @umem: what keeps @pages, NULL for the DMA region
 * @refs: data-path users, and one for the registration
 * @idle: completed by the last reference
 * @rcu: frees the region when no lookup can hold it any more
 */
struct rxe_mem {
	u32 key;
	u32 access;
	struct ib_pd *pd;
	u64 iova;
	u64 length;
	u32 page_offset;
	struct page **pages;
	struct ib_umem *umem;
	refcount_t refs;
	struct completion idle;
	struct rcu_head rcu;
};

/**
 * rxe_mem_get() - find and pin the region of a key
 * @dev: device
 * @key: lkey or rkey
 * @pd: protection domain that must own it
 * @addr: first byte
 * @len: bytes; with 0 only the key is checked
 * @access: IB_ACCESS_* bits that it must grant
 *
 * Context: any; takes no lock.
 * Return: the region, to be released by rxe_mem_put(), or NULL.
 */
struct rxe_mem *rxe_mem_get(struct rxe_dev *dev, u32 key, struct ib_pd *pd, u64 addr, u64 len,
			    u32 access);
void rxe_mem_put(struct rxe_mem *mem);

/* Copies; [addr, addr + len) has been checked by rxe_mem_get(). */
void rxe_mem_write(struct rxe_mem *mem, u64 addr, const void *src, u32 len);
void rxe_mem_write_skb(struct rxe_mem *mem, u64 addr, const struct sk_buff *skb, u32 off, u32 len);
void rxe_mem_read(struct rxe_mem *mem, u64 addr, void *dst, u32 len);

/**
 * rxe_mem_atomic() - 8-byte compare-and-swap or fetch-and-add
 * @mem: region; @addr, 8-byte aligned, has been checked
 * @cas: compare-and-swap if true
 *
 * Atomic against every CPU. Return: the old value.
 */
u64 rxe_mem_atomic(struct rxe_mem *mem, u64 addr, bool cas, u64 compare, u64 swap_add);

#endif
