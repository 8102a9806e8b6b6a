// SPDX-License-Identifier: GPL-2.0
/*
 * Copies between packets and registered memory. Pages are mapped one at a time,
 * which costs nothing where all memory has a kernel address.
 */
#include <linux/highmem.h>
#include <linux/skbuff.h>
#include <linux/xarray.h>

#include "device.h"
#include "mem.h"

static bool rxe_mem_covers(const struct rxe_mem *mem, u64 addr, u64 len)
{
	return addr >= mem->iova && len <= mem->length && addr - mem->iova <= mem->length - len;
}

static struct rxe_mem *rxe_mem_find(struct rxe_dev *dev, u32 key)
{
	struct rxe_mem *mem;

	rcu_read_lock();
	mem = xa_load(&dev->mems, key >> RXE_KEY_BITS);
	if (mem && (READ_ONCE(mem->key) != key || !refcount_inc_not_zero(&mem->refs)))
		mem = NULL;
	rcu_read_unlock();
	return mem;
}

struct rxe_mem *rxe_mem_get(struct rxe_dev *dev, u32 key, struct ib_pd *pd, u64 addr, u64 len,
			    u32 access)
{
	struct rxe_mem *mem = rxe_mem_find(dev, key);

	if (!mem)
		return NULL;
	if (READ_ONCE(mem->pd) == pd && (READ_ONCE(mem->access) & access) == access &&
	    (!len || rxe_mem_covers(mem, addr, len)))
		return mem;
	rxe_mem_put(mem);
	return NULL;
}

void rxe_mem_put(struct rxe_mem *mem)
{
	if (refcount_dec_and_test(&mem->refs))
		complete(&mem->idle);
}

/**
 * struct rxe_piece - a stretch of a region that is mapped
 * @page: its page, NULL in the DMA region
 * @va: kernel address
 * @len: bytes
 */
struct rxe_piece {
	struct page *page;
	void *va;
	u32 len;
};

/* Map what lies in one page, from @addr on, of at most @len bytes. */
static struct rxe_piece rxe_mem_map(const struct rxe_mem *mem, u64 addr, u32 len)
{
	u64 pos = mem->page_offset + (addr - mem->iova);
	struct rxe_piece piece = {};

	if (!mem->pages) {
		piece.va = (void *)(uintptr_t)addr;
		piece.len = len;
		return piece;
	}
	piece.page = mem->pages[pos >> PAGE_SHIFT];
	piece.va = kmap_local_page(piece.page) + offset_in_page(pos);
	piece.len = min_t(u32, len, PAGE_SIZE - offset_in_page(pos));
	return piece;
}

static void rxe_mem_unmap_read(const struct rxe_piece *piece)
{
	if (piece->page)
		kunmap_local(piece->va);
}

static void rxe_mem_unmap_written(const struct rxe_piece *piece)
{
	if (piece->page)
		flush_dcache_page(piece->page);
	rxe_mem_unmap_read(piece);
}

void rxe_mem_write(struct rxe_mem *mem, u64 addr, const void *src, u32 len)
{
	struct rxe_piece piece;

	for (; len; len -= piece.len, addr += piece.len, src += piece.len) {
		piece = rxe_mem_map(mem, addr, len);
		memcpy(piece.va, src, piece.len);
		rxe_mem_unmap_written(&piece);
	}
}

void rxe_mem_write_skb(struct rxe_mem *mem, u64 addr, const struct sk_buff *skb, u32 off, u32 len)
{
	struct rxe_piece piece;

	for (; len; len -= piece.len, addr += piece.len, off += piece.len) {
		piece = rxe_mem_map(mem, addr, len);
		/* The parser has checked that the packet is that long. */
		WARN_ON_ONCE(skb_copy_bits(skb, off, piece.va, piece.len));
		rxe_mem_unmap_written(&piece);
	}
}

void rxe_mem_read(struct rxe_mem *mem, u64 addr, void *dst, u32 len)
{
	struct rxe_piece piece;

	for (; len; len -= piece.len, addr += piece.len, dst += piece.len) {
		piece = rxe_mem_map(mem, addr, len);
		memcpy(dst, piece.va, piece.len);
		rxe_mem_unmap_read(&piece);
	}
}

u64 rxe_mem_atomic(struct rxe_mem *mem, u64 addr, bool cas, u64 compare, u64 swap_add)
{
	struct rxe_piece piece = rxe_mem_map(mem, addr, sizeof(u64));
	atomic64_t *word = piece.va;
	u64 old;

	if (cas)
		old = atomic64_cmpxchg(word, compare, swap_add);
	else
		old = atomic64_fetch_add(swap_add, word);
	rxe_mem_unmap_written(&piece);
	return old;
}
