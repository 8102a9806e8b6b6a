// SPDX-License-Identifier: GPL-2.0
/*
 * Copies between packets and registered memory, and atomic operations on it. Pages are mapped one
 * at a time by kmap_local_page(), which is free where all memory has a kernel address (64 bit).
 */
#include <linux/highmem.h>
#include <linux/skbuff.h>

#include "base/crc.h"
#include "mem/mem.h"
#include "mem/odp.h"

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
