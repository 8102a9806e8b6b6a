/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registered memory as the data path sees it: regions (MR) and windows (MW), found by their L_Key
 * or R_Key.
 *
 * Lookup is by RCU. A copy holds a reference to the struct rxe_mem, with bottom halves off,
 * so for microseconds. Invalidation makes the key invalid, and then waits until the references are
 * gone: no byte is copied once ibv_dereg_mr() has returned, or the work request that invalidates
 * the key has completed.
 *
 * Page-in: an on-demand region (odp.h) may have pages that are not resident. rxe_mem_get() calls
 * rxe_mem_ctx.fault() then, and fails with -EAGAIN, which throughout means the same: page-in has
 * been started, and the request is to be retried when it has ended. All other errors are final.
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
struct rxe_paging;

/*
 * Low bits of a key, which are random, or chosen by the consumer. The bits above them are the index
 * of the struct rxe_mem in rxe_dev.mems.
 */
#define RXE_KEY_BITS 8

/* Beside IB_ACCESS_*. LOCAL: usable as an L_Key. RECV: as the L_Key of a receive WQE. */
#define RXE_ACCESS_LOCAL BIT(31)
#define RXE_ACCESS_RECV	 BIT(30)

enum rxe_mem_kind {
	RXE_MEM_REGION, /* user memory, dma-buf, or all kernel memory: valid until deregistered */
	RXE_MEM_FRMR,	/* fast registration: valid between REG_MR and LOCAL_INV */
	RXE_MEM_WINDOW_1,
	RXE_MEM_WINDOW_2,
};

/**
 * struct rxe_mem_seg - a segment of a region whose parts have any length
 * @off: offset of its first byte in the region
 * @va: kernel address of its first byte
 */
struct rxe_mem_seg {
	u64 off;
	void *va;
};

/**
 * struct rxe_mem - memory that a key names
 * @key: the key; 0 while it is invalid. The data path reads @key, and the fields after it up to
 *	@odp, which change only while @key is 0. Exceptions: @access and @owner, when a region is
 *	reregistered
 * @access: IB_ACCESS_* and RXE_ACCESS_LOCAL
 * @owner: the protection domain; of a type 2 window, its QP's struct rxe_mem_ctx
 * @iova: address of byte 0 in the key's address space
 * @length: bytes
 * @page_offset: offset of byte 0 in the first page
 * @page_shift: log2 of the size of the pages of @vas; those of @pages have PAGE_SIZE
 * @persistent: write data that is copied to it back from the CPU's caches (pmem.h)
 * @refs: references: one for the object, one for each user
 * @pages: pages, or NULL
 * @vas: kernel addresses of pages, or NULL
 * @segs: segments in ascending order of their offsets, or NULL
 * @nsegs: number of @segs
 * @base: kernel address of byte 0, if @pages, @vas, @segs and @odp are NULL
 * @odp: on-demand pages, or NULL
 * @last_key: the key assigned last, valid or not
 * @failed_bind_key: type 1 window: R_Key of a failed BIND_MW, which the user's library takes for
 *	the window's; 0: none
 * @kind: enum rxe_mem_kind
 * @dying: being destroyed: it can no more become valid
 * @pd: protection domain of a window
 * @lock: serialises changes after publication. Taken with bottom halves off, inside an endpoint's
 *	lock
 * @windows: number of windows bound to the region; negative: binding is blocked
 * @region: region that a window is bound to, or NULL
 * @idle: completed when @refs has dropped to 0
 * @rcu: frees the object after a grace period: lookups may still see it
 */
struct rxe_mem {
	u32 key;
	u32 access;
	const void *owner;
	u64 iova;
	u64 length;
	u32 page_offset;
	u8 page_shift;
	bool persistent;
	refcount_t refs;
	struct page **pages;
	void **vas;
	struct rxe_mem_seg *segs;
	u32 nsegs;
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
 * @fault: called when pages of an on-demand region are not resident. @paging: the page-ins of the
 *	process whose memory it is. Returns -EAGAIN: page-in has been started, and the request is to
 *	be retried when it has ended; or the error with which page-in of that range has failed
 *
 * All fields but @has_type2_mw are set when the QP is created and never change. @has_type2_mw is
 * set under the endpoint's lock, and read when the QP is destroyed.
 */
struct rxe_mem_ctx {
	struct rxe_dev *dev;
	const struct ib_pd *pd;
	const struct ib_pd *recv_pd;
	bool has_type2_mw;
	int (*fault)(const struct rxe_mem_ctx *ctx, const struct rxe_mem_range *range,
		     struct rxe_paging *paging);
};

/* Initialise the fields that the kind of memory does not matter for, with one reference. */
void rxe_mem_init(struct rxe_mem *mem, enum rxe_mem_kind kind);

/**
 * rxe_mem_publish() - assign a key, and let lookups find the memory
 * @dev: device
 * @mem: memory; all fields but the keys are set
 * @valid: make the key valid at once
 *
 * Context: process.
 *
 * Return: 0, -ENOMEM, or -ENOSPC: all keys are in use.
 */
int rxe_mem_publish(struct rxe_dev *dev, struct rxe_mem *mem, bool valid);

/**
 * rxe_mem_unpublish() - invalidate the key for good, and wait until nothing uses the memory
 * @dev: device
 * @mem: memory
 *
 * Waits for copies, but for nothing that a peer could delay. Lookups under RCU may see @mem for
 * another grace period.
 *
 * Context: process.
 */
void rxe_mem_unpublish(struct rxe_dev *dev, struct rxe_mem *mem);

/**
 * rxe_mem_lookup() - look up memory by the index of a key
 * @dev: device
 * @key: L_Key or R_Key, valid or not
 *
 * Takes no reference. Context: RCU read lock held, which keeps the result.
 *
 * Return: the memory, or NULL.
 */
struct rxe_mem *rxe_mem_lookup(struct rxe_dev *dev, u32 key);

/**
 * rxe_mem_quiesce() - invalidate the key, and wait for copies that use it
 * @mem: memory, not on demand; @mem->lock is held
 *
 * Spins until all references have been put but the object's, which is bounded as for a spinlock:
 * references are held with bottom halves off, for a copy or a batch of packets. On PREEMPT_RT a
 * holder can be preempted: there this takes and releases each pin lock instead, and lends the
 * holder its priority. The caller must hold no reference itself, nor its endpoint's struct
 * rxe_mem_cache.
 */
void rxe_mem_quiesce(struct rxe_mem *mem);

/*
 * Pin locks, for PREEMPT_RT alone, where spinlocks sleep and inherit priorities. A struct
 * rxe_mem_cache holds the pin lock of its context while it has a reference, so that
 * rxe_mem_quiesce() can wait for it. There are RXE_MEM_PINS of them, by a hash of the context.
 *
 * Order: inside rxe_mem.lock, as rxe_mem_quiesce() takes them. So a context that has pinned memory
 * must not take rxe_mem.lock: it calls rxe_mem_cache_drop() first. Nor does a task hold two of
 * them: it works for one endpoint at a time.
 */
#ifdef CONFIG_PREEMPT_RT
void rxe_mem_pin(const struct rxe_mem_ctx *ctx);
void rxe_mem_unpin(const struct rxe_mem_ctx *ctx);
#else
static inline void rxe_mem_pin(const struct rxe_mem_ctx *ctx)
{
}

static inline void rxe_mem_unpin(const struct rxe_mem_ctx *ctx)
{
}
#endif

/**
 * rxe_mem_validate_key() - make a key valid
 * @mem: memory whose key is invalid, locked; all fields that the data path reads are set
 * @key: the key
 *
 * The release pairs with the acquire in rxe_mem_get_ref(): users of the key see those fields.
 */
static inline void rxe_mem_validate_key(struct rxe_mem *mem, u32 key)
{
	WRITE_ONCE(mem->last_key, key); /* rxe_frmr_check() takes no lock */
	smp_store_release(&mem->key, key);
}

/**
 * rxe_mem_get() - look up a key, check access, and take a reference to resident memory
 * @ctx: on whose behalf
 * @key: L_Key or R_Key
 * @addr: first byte
 * @len: bytes
 * @access: IB_ACCESS_* bits that the key must grant; RXE_ACCESS_LOCAL for an L_Key, with
 *	RXE_ACCESS_RECV if it is of a receive WQE
 *
 * Context: bottom halves off, the endpoint's lock held. Takes no other lock, unless the region is
 * on demand: its pages are locked until rxe_mem_put().
 *
 * Return: the memory, to be released by rxe_mem_put(), or ERR_PTR: -EACCES; -EAGAIN: page-in has
 * been started, and the endpoint is run when it ends; -EFAULT and others: page-in has failed.
 */
struct rxe_mem *rxe_mem_get(const struct rxe_mem_ctx *ctx, u32 key, u64 addr, u64 len, u32 access);
void rxe_mem_put(struct rxe_mem *mem);

/**
 * rxe_mem_is_paging() - true if rxe_mem_get() failed because page-in has been started
 * @mem: its result
 */
static inline bool rxe_mem_is_paging(const struct rxe_mem *mem)
{
	return mem == ERR_PTR(-EAGAIN);
}

/**
 * rxe_mem_matches() - true if rxe_mem_get() would return @mem again
 * @mem: memory that it has returned, with the reference still held, and not on demand
 *
 * The other parameters are those of rxe_mem_get().
 */
bool rxe_mem_matches(const struct rxe_mem *mem, const struct rxe_mem_ctx *ctx, u32 key, u64 addr,
		     u64 len, u32 access);

/**
 * rxe_mem_check() - rxe_mem_get() without paging in
 *
 * The parameters are those of rxe_mem_get(); if @len is 0, @addr is not checked.
 *
 * Return: the memory, to be released by rxe_mem_put_ref(), or ERR_PTR(-EACCES). The pages of an
 * on-demand region must not be accessed.
 */
struct rxe_mem *rxe_mem_check(const struct rxe_mem_ctx *ctx, u32 key, u64 addr, u64 len,
			      u32 access);

/* True if [addr, addr + len) lies in the memory. */
static inline bool rxe_mem_covers(const struct rxe_mem *mem, u64 addr, u64 len)
{
	return addr >= mem->iova && len <= mem->length && addr - mem->iova <= mem->length - len;
}

/**
 * rxe_mem_get_odp_ref() - look up an on-demand region, and take a reference
 * @dev: device
 * @key: L_Key or R_Key
 *
 * Does not check who owns the region. The caller may sleep while it holds the reference:
 * rxe_mem_quiesce(), which waits with a lock held, is never used on on-demand regions.
 *
 * Return: the region, to be released by rxe_mem_put_ref(); NULL if @key is invalid, or names other
 * memory.
 */
struct rxe_mem *rxe_mem_get_odp_ref(struct rxe_dev *dev, u32 key);
void rxe_mem_put_ref(struct rxe_mem *mem);

/*
 * Copies (copy.c). rxe_mem_get() has returned @mem for [addr, addr + len), and the reference is
 * still held.
 */
void rxe_mem_write(struct rxe_mem *mem, u64 addr, const void *src, u32 len);

/* Copies from @skb, starting @off bytes behind its data pointer. */
void rxe_mem_write_skb(struct rxe_mem *mem, u64 addr, const struct sk_buff *skb, u32 off, u32 len);
void rxe_mem_read(struct rxe_mem *mem, u64 addr, void *dst, u32 len);

/**
 * rxe_mem_read_crc() - rxe_mem_read(), computing the CRC of the bytes copied
 * @c: CRC section (base/crc.h)
 * @crc: CRC of the bytes before
 *
 * Each byte is read once: user space may change it at any time.
 *
 * Return: the CRC that includes the bytes copied.
 */
u32 rxe_mem_read_crc(const struct rxe_crc *c, u32 crc, struct rxe_mem *mem, u64 addr, void *dst,
		     u32 len);

/**
 * rxe_mem_atomic() - 8-byte compare-and-swap or fetch-and-add, atomic against all CPUs
 * @mem: region or window
 * @addr: address of the 8 bytes, aligned to 8
 * @cas: true: compare-and-swap; false: fetch-and-add
 * @compare: operand of compare-and-swap
 * @swap_add: new value or addend
 * @old: result: the value before
 *
 * Return: 0, or -EINVAL: the memory is not aligned to 8 bytes, which an aligned address in a
 * zero-based window does not imply.
 */
int rxe_mem_atomic(struct rxe_mem *mem, u64 addr, bool cas, u64 compare, u64 swap_add, u64 *old);

/**
 * rxe_mem_store() - store 8 bytes in one access
 * @mem: region or window
 * @addr: address of the 8 bytes, aligned to 8
 * @value: the bytes in memory order
 *
 * Return: as rxe_mem_atomic().
 */
int rxe_mem_store(struct rxe_mem *mem, u64 addr, u64 value);

#endif
