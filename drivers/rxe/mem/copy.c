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
#include "mem/pmem.h"

/**
 * struct rxe_mem_mapping - a contiguous range of a region, mapped
 * @page: the page if it was mapped by kmap_local_page(), else NULL
 * @va: kernel address of the first byte
 * @len: bytes, up to the end of the page
 */
struct rxe_mem_mapping {
	struct page *page;
	void *va;
	u32 len;
};

/* Returns the segment with the byte at offset @off. */
static const struct rxe_mem_seg *rxe_mem_find_seg(const struct rxe_mem *mem, u64 off)
{
	u32 lo = 0, hi = mem->nsegs, mid;

	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (mem->segs[mid].off <= off)
			lo = mid;
		else
			hi = mid;
	}
	return &mem->segs[lo];
}

static struct rxe_mem_mapping rxe_mem_map_seg(const struct rxe_mem *mem, u64 off, u32 len)
{
	const struct rxe_mem_seg *seg = rxe_mem_find_seg(mem, off);
	u64 end = seg == &mem->segs[mem->nsegs - 1] ? mem->length : seg[1].off;

	return (struct rxe_mem_mapping){
		.va = seg->va + (off - seg->off),
		.len = min_t(u64, len, end - off),
	};
}

/* Map memory that always has a kernel address: fast registration, dma-buf, DMA MR. */
static struct rxe_mem_mapping rxe_mem_map_kernel(const struct rxe_mem *mem, u64 addr, u32 len)
{
	struct rxe_mem_mapping map = { .va = mem->base + (addr - mem->iova), .len = len };
	u64 pos;
	u32 off;

	if (mem->segs)
		return rxe_mem_map_seg(mem, addr - mem->iova, len);
	if (!mem->vas)
		return map;
	pos = mem->page_offset + (addr - mem->iova);
	off = pos & (BIT(mem->page_shift) - 1);
	map.va = mem->vas[pos >> mem->page_shift] + off;
	map.len = min_t(u64, len, BIT_ULL(mem->page_shift) - off);
	return map;
}

/* Map at most @len bytes from @addr on, up to the end of the page. */
static struct rxe_mem_mapping rxe_mem_map(const struct rxe_mem *mem, u64 addr, u32 len)
{
	u64 pos = mem->page_offset + (addr - mem->iova);
	struct rxe_mem_mapping map;

	if (!mem->pages && !mem->odp)
		return rxe_mem_map_kernel(mem, addr, len);
	map.page = mem->pages ? mem->pages[pos >> PAGE_SHIFT] : rxe_odp_page(mem->odp, addr);
	map.va = kmap_local_page(map.page) + offset_in_page(pos);
	map.len = min_t(u32, len, PAGE_SIZE - offset_in_page(pos));
	return map;
}

static void rxe_mem_unmap_read(const struct rxe_mem_mapping *map)
{
	if (map->page)
		kunmap_local(map->va);
}

static void rxe_mem_unmap_written(const struct rxe_mem *mem, const struct rxe_mem_mapping *map)
{
	if (unlikely(mem->persistent))
		rxe_pmem_write_back(map->va, map->len);
	if (map->page)
		flush_dcache_page(map->page);
	rxe_mem_unmap_read(map);
}

void rxe_mem_write(struct rxe_mem *mem, u64 addr, const void *src, u32 len)
{
	struct rxe_mem_mapping map;

	for (; len; len -= map.len, addr += map.len, src += map.len) {
		map = rxe_mem_map(mem, addr, len);
		memcpy(map.va, src, map.len);
		rxe_mem_unmap_written(mem, &map);
	}
}

void rxe_mem_write_skb(struct rxe_mem *mem, u64 addr, const struct sk_buff *skb, u32 off, u32 len)
{
	struct rxe_mem_mapping map;

	for (; len; len -= map.len, addr += map.len, off += map.len) {
		map = rxe_mem_map(mem, addr, len);
		/* Cannot fail: the parser has checked the length of the packet. */
		WARN_ON_ONCE(skb_copy_bits(skb, off, map.va, map.len));
		rxe_mem_unmap_written(mem, &map);
	}
}

void rxe_mem_read(struct rxe_mem *mem, u64 addr, void *dst, u32 len)
{
	struct rxe_mem_mapping map;

	for (; len; len -= map.len, addr += map.len, dst += map.len) {
		map = rxe_mem_map(mem, addr, len);
		memcpy(dst, map.va, map.len);
		rxe_mem_unmap_read(&map);
	}
}

u32 rxe_mem_read_crc(const struct rxe_crc *c, u32 crc, struct rxe_mem *mem, u64 addr, void *dst,
		     u32 len)
{
	struct rxe_mem_mapping map;

	for (; len; len -= map.len, addr += map.len, dst += map.len) {
		map = rxe_mem_map(mem, addr, len);
		crc = rxe_crc32_copy(c, crc, dst, map.va, map.len);
		rxe_mem_unmap_read(&map);
	}
	return crc;
}

/* Map 8 aligned bytes, which lie within one page. */
static int rxe_mem_map_word(const struct rxe_mem *mem, u64 addr, struct rxe_mem_mapping *map)
{
	*map = rxe_mem_map(mem, addr, sizeof(u64));
	if (IS_ALIGNED((uintptr_t)map->va, sizeof(u64)) && map->len == sizeof(u64))
		return 0;
	rxe_mem_unmap_read(map);
	return -EINVAL;
}

int rxe_mem_atomic(struct rxe_mem *mem, u64 addr, bool cas, u64 compare, u64 swap_add, u64 *old)
{
	struct rxe_mem_mapping map;
	int err;

	err = rxe_mem_map_word(mem, addr, &map);
	if (err)
		return err;
	if (cas)
		*old = atomic64_cmpxchg(map.va, compare, swap_add);
	else
		*old = atomic64_fetch_add(swap_add, map.va);
	rxe_mem_unmap_written(mem, &map);
	return 0;
}

int rxe_mem_store(struct rxe_mem *mem, u64 addr, u64 value)
{
	struct rxe_mem_mapping map;
	int err;

	err = rxe_mem_map_word(mem, addr, &map);
	if (err)
		return err;
	atomic64_set(map.va, value);
	rxe_mem_unmap_written(mem, &map);
	return 0;
}
