// SPDX-License-Identifier: GPL-2.0
/* Rings of WQEs and CQEs: memory, mmap(), receive WQEs of kernel consumers. */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "qp/ring.h"

/* WQEs or CQEs of a ring, rounded up to a power of two: no device limit is higher. */
#define RXE_RING_MAX_SLOTS (1u << 20)

/* Bytes. Larger rings are allocated by vmalloc() from single pages, and take more TLB entries. */
#define RXE_RING_MAX_CONTIGUOUS (PAGE_SIZE << PAGE_ALLOC_COSTLY_ORDER)

/**
 * struct rxe_ring_map - entry for mmap() of a ring
 * @entry: the RDMA core's part, which has the offset; its last reference frees @buf
 * @buf: memory of the ring
 *
 * A mapping holds references to the pages themselves: they stay until munmap(), even if the ring
 * and the device are gone.
 */
struct rxe_ring_map {
	struct rdma_user_mmap_entry entry;
	void *buf;
};

/* Zeroed, and charged to the memory cgroup of the caller. */
static void *rxe_ring_alloc(size_t size)
{
	void *buf = NULL;

	if (size <= RXE_RING_MAX_CONTIGUOUS)
		buf = alloc_pages_exact(size, GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NORETRY |
						      __GFP_NOWARN);
	return buf ?: __vmalloc(size, GFP_KERNEL_ACCOUNT | __GFP_ZERO);
}

static void rxe_ring_free(void *buf, size_t size)
{
	if (is_vmalloc_addr(buf))
		vfree(buf);
	else if (buf)
		free_pages_exact(buf, size);
}

static struct rxe_ring_map *to_ring_map(struct rdma_user_mmap_entry *entry)
{
	return container_of(entry, struct rxe_ring_map, entry);
}

static int rxe_ring_export(struct rxe_ring *ring, struct ib_ucontext *ucontext, struct mminfo *mi)
{
	struct rxe_ring_map *map;
	int err;

	map = kzalloc(sizeof(*map), GFP_KERNEL_ACCOUNT);
	if (!map)
		return -ENOMEM;
	map->buf = ring->buf;
	err = rdma_user_mmap_entry_insert(ucontext, &map->entry, ring->size);
	if (err) {
		kfree(map);
		return err;
	}
	ring->map = map;
	mi->offset = rdma_user_mmap_get_offset(&map->entry);
	mi->size = ring->size;
	return 0;
}

int rxe_ring_init(struct rxe_ring *ring, u32 slots, u32 elem_size, struct ib_ucontext *ucontext,
		  struct mminfo *mi)
{
	u32 log2_slots, log2_elem;
	int err;

	if (slots > RXE_RING_MAX_SLOTS || !elem_size)
		return -EINVAL;

	/* One slot stays empty: equal indices mean an empty ring. */
	log2_slots = order_base_2(slots + 1);
	log2_elem = order_base_2(elem_size);

	memset(ring, 0, sizeof(*ring));
	ring->mask = BIT(log2_slots) - 1;
	ring->log2_elem = log2_elem;
	ring->size = PAGE_ALIGN(sizeof(*ring->buf) + ((size_t)1 << (log2_slots + log2_elem)));
	ring->buf = rxe_ring_alloc(ring->size);
	if (!ring->buf)
		return -ENOMEM;
	ring->buf->log2_elem_size = log2_elem;
	ring->buf->index_mask = ring->mask;

	if (!ucontext)
		return 0;
	err = rxe_ring_export(ring, ucontext, mi);
	if (err) {
		rxe_ring_free(ring->buf, ring->size);
		ring->buf = NULL;
	}
	return err;
}

void rxe_ring_destroy(struct rxe_ring *ring)
{
	if (ring->map)
		rdma_user_mmap_entry_remove(&ring->map->entry);
	else
		rxe_ring_free(ring->buf, ring->size);
	ring->map = NULL;
	ring->buf = NULL;
}

int rxe_ring_insert_recv(struct rxe_ring *rq, const struct ib_recv_wr *wr, u32 max_sge)
{
	struct rxe_queue_buf *buf = rq->buf;
	struct rxe_recv_wqe *wqe;

	if (wr->num_sge < 0 || wr->num_sge > max_sge)
		return -EINVAL;
	if (((buf->producer_index + 1 - rq->index) & rq->mask) == 0)
		return -ENOMEM;
	wqe = rxe_ring_elem(rq, buf->producer_index);
	wqe->wr_id = wr->wr_id;
	wqe->dma.num_sge = wr->num_sge;
	memcpy(wqe->dma.sge, wr->sg_list, wr->num_sge * sizeof(wqe->dma.sge[0]));
	smp_store_release(&buf->producer_index, (buf->producer_index + 1) & rq->mask);
	return 0;
}

static int rxe_ring_insert_pages(struct vm_area_struct *vma, const void *buf)
{
	unsigned long addr;
	int err;

	for (addr = vma->vm_start; addr < vma->vm_end; addr += PAGE_SIZE, buf += PAGE_SIZE) {
		err = vm_insert_page(vma, addr,
				     is_vmalloc_addr(buf) ? vmalloc_to_page(buf) :
							    virt_to_page(buf));
		if (err)
			return err;
	}
	return 0;
}

int rxe_mmap(struct ib_ucontext *ucontext, struct vm_area_struct *vma)
{
	struct rdma_user_mmap_entry *entry;
	int err;

	/* Fails unless the mapping has exactly the size of the ring. */
	entry = rdma_user_mmap_entry_get(ucontext, vma);
	if (!entry)
		return -EINVAL;
	err = rxe_ring_insert_pages(vma, to_ring_map(entry)->buf);
	rdma_user_mmap_entry_put(entry);
	return err;
}

void rxe_mmap_free(struct rdma_user_mmap_entry *entry)
{
	struct rxe_ring_map *map = to_ring_map(entry);

	rxe_ring_free(map->buf, entry->npages * PAGE_SIZE);
	kfree(map);
}
