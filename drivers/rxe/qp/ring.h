/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rings shared with user space through mmap: struct rxe_queue_buf of the uAPI
 * and 2^n elements behind it, of which 2^n - 1 are used. Everything in a ring is
 * hostile: an index or element is read once, checked, and used from the copy.
 */
#ifndef RXE_RING_H
#define RXE_RING_H

#include <rdma/ib_verbs.h>
#include <rdma/rdma_user_rxe.h>
#include <rdma/uverbs_ioctl.h>

struct rxe_ring_map;

/**
 * struct rxe_ring - one ring
 * @buf: whole pages, in a row or by vmalloc(), mapped by the user if @user
 * @size: bytes of @buf
 * @mask: slots - 1
 * @log2_elem: log2 of bytes in an element
 * @index: the kernel's own copy of the index that the kernel advances (producer
 *	of a CQ, consumer of an SQ or RQ); never read back from @buf
 * @user: user space maps it
 * @map: what the user's mmap finds; owns @buf
 */
struct rxe_ring {
	struct rxe_queue_buf *buf;
	size_t size;
	u32 mask;
	u32 log2_elem;
	u32 index;
	bool user;
	struct rxe_ring_map *map;
};

struct ib_ucontext;

/**
 * rxe_ring_init() - allocate a ring, and offer it for mmap to a user
 * @ring: to be filled in
 * @slots: WQEs or CQEs it must hold, 0..2^20; rounded up
 * @elem_size: bytes of an element; rounded up to a power of two
 * @ucontext: the user's, or NULL for a kernel ring
 * @mi: user's answer: offset and size for mmap; may be NULL for kernel rings
 *
 * Return: 0, -ENOMEM or -EINVAL.
 */
int rxe_ring_init(struct rxe_ring *ring, u32 slots, u32 elem_size, struct ib_ucontext *ucontext,
		  struct mminfo *mi);

/* Undo rxe_ring_init(). Memory still mapped by the user stays until munmap. */
void rxe_ring_destroy(struct rxe_ring *ring);

/* Usable slots. */
static inline u32 rxe_ring_capacity(const struct rxe_ring *ring)
{
	return ring->mask;
}

static inline void *rxe_ring_elem(const struct rxe_ring *ring, u32 index)
{
	return ring->buf->data + ((size_t)(index & ring->mask) << ring->log2_elem);
}

/* The other side's index: read once, masked, with acquire semantics. */
static inline u32 rxe_ring_user_producer(const struct rxe_ring *ring)
{
	return smp_load_acquire(&ring->buf->producer_index) & ring->mask;
}

static inline u32 rxe_ring_user_consumer(const struct rxe_ring *ring)
{
	return smp_load_acquire(&ring->buf->consumer_index) & ring->mask;
}

/* Publish the kernel's index (already masked by the ring's size). */
static inline void rxe_ring_publish_producer(struct rxe_ring *ring)
{
	smp_store_release(&ring->buf->producer_index, ring->index & ring->mask);
}

static inline void rxe_ring_publish_consumer(struct rxe_ring *ring)
{
	smp_store_release(&ring->buf->consumer_index, ring->index & ring->mask);
}

/**
 * rxe_ring_insert_recv() - put a kernel consumer's receive WQE on a ring
 * @rq: ring of the same form as a user's
 * @wr: what to put there
 * @max_sge: SGEs that an element has room for
 *
 * Context: whoever takes from the ring is kept out.
 * Return: 0; -EINVAL: too many SGEs; -ENOMEM: the ring is full.
 */
int rxe_ring_insert_recv(struct rxe_ring *rq, const struct ib_recv_wr *wr, u32 max_sge);

/* The context of the user that makes a call, NULL for a kernel consumer. */
static inline struct ib_ucontext *rxe_udata_ucontext(struct ib_udata *udata)
{
	if (!udata)
		return NULL;
	return container_of(udata, struct uverbs_attr_bundle, driver_udata)->context;
}

int rxe_mmap(struct ib_ucontext *ucontext, struct vm_area_struct *vma);
void rxe_mmap_free(struct rdma_user_mmap_entry *entry);

#endif
