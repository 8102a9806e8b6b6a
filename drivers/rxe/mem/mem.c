// SPDX-License-Identifier: GPL-2.0
/*
 * Keys and what they name; copies between packets and memory. Pages are mapped one
 * at a time, which costs nothing where all memory has a kernel address.
 */
#include <linux/highmem.h>
#include <linux/random.h>
#include <linux/skbuff.h>
#include <linux/xarray.h>

#include "base/crc.h"
#include "base/device.h"
#include "mem/mem.h"
#include "mem/odp.h"

/* Rights to change memory. */
#define RXE_ACCESS_WRITES \
	(IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_ATOMIC)

void rxe_mem_init(struct rxe_mem *mem, enum rxe_mem_kind kind)
{
	mem->kind = kind;
	spin_lock_init(&mem->lock);
	refcount_set(&mem->refs, 1);
	init_completion(&mem->idle);
}

/* The low byte of a key is random: who has an index does not have a key yet. */
int rxe_mem_publish(struct rxe_dev *dev, struct rxe_mem *mem, bool valid)
{
	u32 index;
	int err;

	err = rxe_id_alloc(&dev->mem_ids, &dev->mems,
			      XA_LIMIT(1, U32_MAX >> RXE_KEY_BITS), &index);
	if (err)
		return err;
	mem->last_key = index << RXE_KEY_BITS | get_random_u32_below(BIT(RXE_KEY_BITS));
	if (valid)
		mem->key = mem->last_key;
	err = xa_err(xa_store(&dev->mems, index, mem, GFP_KERNEL_ACCOUNT));
	if (err)
		xa_erase(&dev->mems, index);
	return err;
}

void rxe_mem_unpublish(struct rxe_dev *dev, struct rxe_mem *mem)
{
	spin_lock_bh(&mem->lock);
	mem->dying = true;
	WRITE_ONCE(mem->key, 0);
	spin_unlock_bh(&mem->lock);

	xa_erase(&dev->mems, mem->last_key >> RXE_KEY_BITS);
	rxe_mem_unpin(mem);
	wait_for_completion(&mem->idle);
}

struct rxe_mem *rxe_mem_lookup(struct rxe_dev *dev, u32 key)
{
	return xa_load(&dev->mems, key >> RXE_KEY_BITS);
}

void rxe_mem_quiesce(struct rxe_mem *mem)
{
	lockdep_assert_held(&mem->lock);
	WRITE_ONCE(mem->key, 0);
	/* Who pins it from here on sees no key: pairs with rxe_mem_pin(). */
	smp_mb();
	while (refcount_read(&mem->refs) > 1)
		cpu_relax();
	/* And what they did with it has been done. */
	smp_rmb();
}

static bool rxe_mem_grants(const struct rxe_mem *mem, const struct rxe_mem_ctx *ctx, u32 access)
{
	const struct ib_pd *pd = access & RXE_ACCESS_RECV ? ctx->recv_pd : ctx->pd;
	const void *owner = READ_ONCE(mem->owner);
	u32 needed = access & ~RXE_ACCESS_RECV;

	return (owner == pd || owner == ctx) &&
	       (READ_ONCE(mem->access) & needed) == needed;
}

/* The key is looked at once it is pinned, so that it cannot be taken away behind our back. */
static struct rxe_mem *rxe_mem_pin(struct rxe_dev *dev, u32 key)
{
	struct rxe_mem *mem;

	lockdep_assert_in_softirq();
	rcu_read_lock();
	mem = xa_load(&dev->mems, key >> RXE_KEY_BITS);
	if (mem && !refcount_inc_not_zero(&mem->refs))
		mem = NULL;
	rcu_read_unlock();
	if (!mem)
		return NULL;
	smp_mb__after_atomic();
	if (smp_load_acquire(&mem->key) == key)
		return mem;
	rxe_mem_unpin(mem);
	return NULL;
}

struct rxe_mem *rxe_mem_pin_odp(struct rxe_dev *dev, u32 key)
{
	struct rxe_mem *mem;

	local_bh_disable();
	mem = rxe_mem_pin(dev, key);
	if (mem && !mem->odp) {
		rxe_mem_unpin(mem);
		mem = NULL;
	}
	local_bh_enable();
	return mem;
}

void rxe_mem_unpin(struct rxe_mem *mem)
{
	if (refcount_dec_and_test(&mem->refs))
		complete(&mem->idle);
}

bool rxe_mem_matches(const struct rxe_mem *mem, const struct rxe_mem_ctx *ctx, u32 key, u64 addr,
		     u64 len, u32 access)
{
	/*
	 * Index 0 names nothing, so that no key is 0. While it is pinned nothing but the key
	 * changes, and who has pinned it has loaded the key before the rest.
	 */
	return READ_ONCE(mem->key) == key && rxe_mem_grants(mem, ctx, access) &&
	       (!len || rxe_mem_covers(mem, addr, len));
}

struct rxe_mem *rxe_mem_check(const struct rxe_mem_ctx *ctx, u32 key, u64 addr, u64 len,
			      u32 access)
{
	struct rxe_mem *mem = rxe_mem_pin(ctx->dev, key);

	if (!mem)
		return ERR_PTR(-EACCES);
	if (rxe_mem_matches(mem, ctx, key, addr, len, access))
		return mem;
	rxe_mem_unpin(mem);
	return ERR_PTR(-EACCES);
}

/* Have the pages of @mem, which is pinned, stay until rxe_mem_put(). */
static struct rxe_mem *rxe_mem_hold_pages(struct rxe_mem *mem, const struct rxe_mem_ctx *ctx,
					  u64 addr, u64 len, u32 access)
{
	const struct rxe_mem_range range = {
		.key = mem->key,
		.addr = addr,
		.len = len,
		.write = access & RXE_ACCESS_WRITES,
	};

	if (rxe_odp_read_lock(mem->odp, addr, len, range.write))
		return mem;
	rxe_mem_unpin(mem);
	return ERR_PTR(ctx->fault(ctx, &range));
}

struct rxe_mem *rxe_mem_get(const struct rxe_mem_ctx *ctx, u32 key, u64 addr, u64 len, u32 access)
{
	struct rxe_mem *mem = rxe_mem_check(ctx, key, addr, len, access);

	if (!IS_ERR(mem) && unlikely(mem->odp))
		return rxe_mem_hold_pages(mem, ctx, addr, len, access);
	return mem;
}

void rxe_mem_put(struct rxe_mem *mem)
{
	if (unlikely(mem->odp))
		rxe_odp_release(mem->odp);
	rxe_mem_unpin(mem);
}

/**
 * struct rxe_mem_mapping - a stretch of a region that is mapped
 * @page: its page, NULL if it has been mapped all the time
 * @va: kernel address
 * @len: bytes
 */
struct rxe_mem_mapping {
	struct page *page;
	void *va;
	u32 len;
};

/* Memory that has kernel addresses for good. */
static struct rxe_mem_mapping rxe_mem_map_kernel(const struct rxe_mem *mem, u64 addr, u32 len)
{
	struct rxe_mem_mapping piece = { .va = mem->base + (addr - mem->iova), .len = len };
	u64 pos;
	u32 off;

	if (!mem->vas)
		return piece;
	pos = mem->page_offset + (addr - mem->iova);
	off = pos & (BIT(mem->page_shift) - 1);
	piece.va = mem->vas[pos >> mem->page_shift] + off;
	piece.len = min_t(u64, len, BIT_ULL(mem->page_shift) - off);
	return piece;
}

/* Map what lies in one page, from @addr on, of at most @len bytes. */
static struct rxe_mem_mapping rxe_mem_map(const struct rxe_mem *mem, u64 addr, u32 len)
{
	u64 pos = mem->page_offset + (addr - mem->iova);
	struct rxe_mem_mapping piece;

	if (!mem->pages && !mem->odp)
		return rxe_mem_map_kernel(mem, addr, len);
	piece.page = mem->pages ? mem->pages[pos >> PAGE_SHIFT] : rxe_odp_page(mem->odp, addr);
	piece.va = kmap_local_page(piece.page) + offset_in_page(pos);
	piece.len = min_t(u32, len, PAGE_SIZE - offset_in_page(pos));
	return piece;
}

static void rxe_mem_unmap_read(const struct rxe_mem_mapping *piece)
{
	if (piece->page)
		kunmap_local(piece->va);
}

static void rxe_mem_unmap_written(const struct rxe_mem_mapping *piece)
{
	if (piece->page)
		flush_dcache_page(piece->page);
	rxe_mem_unmap_read(piece);
}

void rxe_mem_write(struct rxe_mem *mem, u64 addr, const void *src, u32 len)
{
	struct rxe_mem_mapping piece;

	for (; len; len -= piece.len, addr += piece.len, src += piece.len) {
		piece = rxe_mem_map(mem, addr, len);
		memcpy(piece.va, src, piece.len);
		rxe_mem_unmap_written(&piece);
	}
}

void rxe_mem_write_skb(struct rxe_mem *mem, u64 addr, const struct sk_buff *skb, u32 off, u32 len)
{
	struct rxe_mem_mapping piece;

	for (; len; len -= piece.len, addr += piece.len, off += piece.len) {
		piece = rxe_mem_map(mem, addr, len);
		/* The parser has checked that the packet is that long. */
		WARN_ON_ONCE(skb_copy_bits(skb, off, piece.va, piece.len));
		rxe_mem_unmap_written(&piece);
	}
}

void rxe_mem_read(struct rxe_mem *mem, u64 addr, void *dst, u32 len)
{
	struct rxe_mem_mapping piece;

	for (; len; len -= piece.len, addr += piece.len, dst += piece.len) {
		piece = rxe_mem_map(mem, addr, len);
		memcpy(dst, piece.va, piece.len);
		rxe_mem_unmap_read(&piece);
	}
}

u32 rxe_mem_read_crc(const struct rxe_crc *c, u32 crc, struct rxe_mem *mem, u64 addr, void *dst,
		     u32 len)
{
	struct rxe_mem_mapping piece;

	for (; len; len -= piece.len, addr += piece.len, dst += piece.len) {
		piece = rxe_mem_map(mem, addr, len);
		crc = rxe_crc32_copy(c, crc, dst, piece.va, piece.len);
		rxe_mem_unmap_read(&piece);
	}
	return crc;
}

/* Map 8 bytes that lie aligned, in one page thus. */
static int rxe_mem_map_word(const struct rxe_mem *mem, u64 addr, struct rxe_mem_mapping *piece)
{
	*piece = rxe_mem_map(mem, addr, sizeof(u64));
	if (IS_ALIGNED((uintptr_t)piece->va, sizeof(u64)) && piece->len == sizeof(u64))
		return 0;
	rxe_mem_unmap_read(piece);
	return -EINVAL;
}

int rxe_mem_atomic(struct rxe_mem *mem, u64 addr, bool cas, u64 compare, u64 swap_add, u64 *old)
{
	struct rxe_mem_mapping piece;
	int err;

	err = rxe_mem_map_word(mem, addr, &piece);
	if (err)
		return err;
	if (cas)
		*old = atomic64_cmpxchg(piece.va, compare, swap_add);
	else
		*old = atomic64_fetch_add(swap_add, piece.va);
	rxe_mem_unmap_written(&piece);
	return 0;
}

int rxe_mem_store(struct rxe_mem *mem, u64 addr, u64 value)
{
	struct rxe_mem_mapping piece;
	int err;

	err = rxe_mem_map_word(mem, addr, &piece);
	if (err)
		return err;
	atomic64_set(piece.va, value);
	rxe_mem_unmap_written(&piece);
	return 0;
}
