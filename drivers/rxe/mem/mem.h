/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that keys name, as the data path sees it: regions and windows. A struct
 * rxe_mem is found by key under RCU and pinned by a reference for as long as bytes
 * are being copied, with bottom halves off: for microseconds. Who takes a key away
 * waits for those references, so that nothing is written to the pages once
 * ibv_dereg_mr() has returned, or the invalidation has completed.
 */
#ifndef RXE_MEM_H
#define RXE_MEM_H

#include <linux/completion.h>
#include <linux/refcount.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include <rdma/ib_verbs.h>

struct rxe_crc;
struct rxe_dev;
struct rxe_odp;

/* A key is the index of what it names above these bits. */
#define RXE_KEY_BITS 8

/* Beside IB_ACCESS_*: QPs may use the key as an L_Key; and such a use is a receive's. */
#define RXE_ACCESS_LOCAL BIT(31)
#define RXE_ACCESS_RECV	 BIT(30)

/* What a key may name. */
enum rxe_mem_kind {
	RXE_MEM_REGION,	  /* of a user, or all of the kernel's memory: valid until deregistered */
	RXE_MEM_FAST,	  /* fast registration */
	RXE_MEM_WINDOW_1, /* memory windows by type */
	RXE_MEM_WINDOW_2,
};

/**
 * struct rxe_mem - memory that a key names
 * @key: what it answers to; 0 when free, unbound or gone. The data path looks at
 *	the fields up to @page_shift, which change only while @key is 0.
 * @access: IB_ACCESS_* and RXE_ACCESS_LOCAL
 * @owner: the protection domain; of a type 2 window, its QP's struct rxe_mem_ctx
 * @iova: address of byte 0 in the key's address space
 * @length: bytes
 * @page_offset: of byte 0 in the first page
 * @page_shift: log2 of the size of @vas; @pages are of PAGE_SIZE
 * @pages: pages, or NULL
 * @vas: kernel addresses of pages, or NULL
 * @base: kernel address of byte 0, with neither @pages nor @vas nor @odp
 * @odp: pages that come and go, or NULL
 * @last_key: the key given to it last, valid or not
 * @failed_bind_key: type 1 window: the key of a bind that did not come about, which its library
 *	takes for the window's
 * @kind: enum rxe_mem_kind
 * @pd: protection domain of a window
 * @dying: being destroyed; the consumer's pages are not to be used
 * @lock: protects changes of all this after publication; taken with bottom halves
 *	off, inside an endpoint's lock
 * @windows: windows bound to a region; negative: none can be bound
 * @region: what a window is bound to
 * @refs: data-path users, and one for the object
 * @idle: completed by the last reference
 * @rcu: frees it when no lookup can hold it any more
 */
struct rxe_mem {
	u32 key;
	u32 access;
	const void *owner;
	u64 iova;
	u64 length;
	u32 page_offset;
	u8 page_shift;
	refcount_t refs;
	struct page **pages;
	void **vas;
	void *base;
	struct rxe_odp *odp;

	u32 last_key;
	u32 failed_bind_key;
	u8 kind;
	bool dying;
	const struct ib_pd *pd;
	spinlock_t lock;
	atomic_t windows;
	struct rxe_mem *region;
	struct completion idle;
	struct rcu_head rcu;
};

/**
 * struct rxe_mem_range - memory to be paged in
 * @key: key of an on-demand region
 * @write: the pages are to be writable
 * @addr: first byte, in the key's address space
 * @len: bytes
 */
struct rxe_mem_range {
	u32 key;
	bool write;
	u64 addr;
	u64 len;
};

/**
 * struct rxe_mem_ctx - on whose behalf keys are used: one for each QP
 * @dev: device whose keys are looked up
 * @pd: protection domain of the QP
 * @recv_pd: protection domain of L_Keys in receive WQEs: the SRQ's if the QP has one, else @pd
 * @has_type2_mw: type 2 windows have been bound, and are owned by this context
 * @fault: called when pages of an on-demand region are not resident. Returns -EAGAIN: page-in has
 *	been started, and the request is to be retried when it has ended; or the error with which
 *	page-in of that range has failed
 *
 * All fields but @has_type2_mw are set when the QP is created and never change. @has_type2_mw is
 * set under the endpoint's lock, and read when the QP is destroyed.
 */
struct rxe_mem_ctx {
	struct rxe_dev *dev;
	const struct ib_pd *pd;
	const struct ib_pd *recv_pd;
	bool has_type2_mw;
	int (*fault)(const struct rxe_mem_ctx *ctx, const struct rxe_mem_range *range);
};

void rxe_mem_init(struct rxe_mem *mem, enum rxe_mem_kind kind);

/**
 * rxe_mem_publish() - give it a name, and let packets find it
 * @dev: device
 * @mem: memory, all but its keys filled in
 * @valid: it answers to its name at once
 *
 * Return: 0, -ENOMEM, or -ENOSPC: all keys are in use.
 */
int rxe_mem_publish(struct rxe_dev *dev, struct rxe_mem *mem, bool valid);

/**
 * rxe_mem_unpublish() - undo rxe_mem_publish()
 *
 * When it returns nobody copies, or will. Who still looks at it under RCU finds that
 * it is gone. Context: process; waits for copies only, whatever the peer does.
 */
void rxe_mem_unpublish(struct rxe_dev *dev, struct rxe_mem *mem);

/**
 * rxe_mem_lookup() - what a key names, whether it is valid or not
 *
 * Not pinned. Context: RCU read lock held, which is what keeps the result alive.
 */
struct rxe_mem *rxe_mem_lookup(struct rxe_dev *dev, u32 key);

/**
 * rxe_mem_quiesce() - take away the key
 * @mem: memory, locked
 *
 * When it returns, the last copy that began with the key has ended. It spins for that
 * long, as for a lock: copies run with bottom halves off and wait for nobody. An endpoint may keep
 * memory pinned for a batch of packets, and lets go of it before it gets here.
 */
void rxe_mem_quiesce(struct rxe_mem *mem);

/* Have it answer to @key; what the data path looks at has been filled in. */
static inline void rxe_mem_validate_key(struct rxe_mem *mem, u32 key)
{
	mem->last_key = key;
	smp_store_release(&mem->key, key);
}

/**
 * rxe_mem_get() - find and pin what a key names
 * @ctx: on whose behalf
 * @key: L_Key or R_Key
 * @addr: first byte
 * @len: bytes
 * @access: IB_ACCESS_* bits that it must grant; RXE_ACCESS_LOCAL for an L_Key, with
 *	RXE_ACCESS_RECV if a receive names it
 *
 * Context: bottom halves off, the endpoint's lock held; takes none but for memory that is paged
 * on demand.
 *
 * Return: the memory, to be released by rxe_mem_put(), or ERR_PTR: -EACCES; -EAGAIN: it is
 * being brought in, and the endpoint will be run then; -EFAULT or the like: that has failed.
 */
struct rxe_mem *rxe_mem_get(const struct rxe_mem_ctx *ctx, u32 key, u64 addr, u64 len, u32 access);
void rxe_mem_put(struct rxe_mem *mem);

/**
 * rxe_mem_matches() - would rxe_mem_get() return what it has returned before?
 * @mem: memory pinned by it, and not paged on demand
 *
 * The other parameters are those of rxe_mem_get(). Saves pinning it for each packet of a batch.
 */
bool rxe_mem_matches(const struct rxe_mem *mem, const struct rxe_mem_ctx *ctx, u32 key, u64 addr,
		     u64 len, u32 access);

/*
 * The checks of rxe_mem_get(), now; the memory need not be there. With no bytes only the key is
 * checked. Returns it pinned, to be released by rxe_mem_unpin(), or ERR_PTR(-EACCES).
 */
struct rxe_mem *rxe_mem_check(const struct rxe_mem_ctx *ctx, u32 key, u64 addr, u64 len,
			      u32 access);

static inline bool rxe_mem_covers(const struct rxe_mem *mem, u64 addr, u64 len)
{
	return addr >= mem->iova && len <= mem->length && addr - mem->iova <= mem->length - len;
}

/*
 * Pin the region paged on demand that a valid key names, whoever's it is; NULL if it names none.
 * For who may sleep with it: nobody waits for such a region with a lock held, as rxe_mem_quiesce()
 * does for others.
 */
struct rxe_mem *rxe_mem_pin_odp(struct rxe_dev *dev, u32 key);
void rxe_mem_unpin(struct rxe_mem *mem);

/* Copies; [addr, addr + len) has been checked by rxe_mem_get(). */
void rxe_mem_write(struct rxe_mem *mem, u64 addr, const void *src, u32 len);
void rxe_mem_write_skb(struct rxe_mem *mem, u64 addr, const struct sk_buff *skb, u32 off, u32 len);
void rxe_mem_read(struct rxe_mem *mem, u64 addr, void *dst, u32 len);

/* The same; @crc goes on over what is copied, and is returned. In the section @c. */
u32 rxe_mem_read_crc(const struct rxe_crc *c, u32 crc, struct rxe_mem *mem, u64 addr, void *dst,
		     u32 len);

/**
 * rxe_mem_atomic() - 8-byte compare-and-swap or fetch-and-add
 * @mem: region or window; @addr has been checked
 * @cas: compare-and-swap if true
 * @old: result: the old value
 *
 * Atomic against every CPU. Return: 0, or -EINVAL: the memory is not 8-byte aligned, as
 * that behind an aligned address of a zero-based window need not be.
 */
int rxe_mem_atomic(struct rxe_mem *mem, u64 addr, bool cas, u64 compare, u64 swap_add, u64 *old);

/**
 * rxe_mem_store() - 8 bytes in one piece
 * @mem: region or window; @addr has been checked
 * @value: as it lies in memory
 *
 * Return: as rxe_mem_atomic().
 */
int rxe_mem_store(struct rxe_mem *mem, u64 addr, u64 value);

#endif
