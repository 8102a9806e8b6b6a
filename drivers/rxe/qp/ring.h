/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rings: queues of WQEs or CQEs, shared with user space by mmap(): struct rxe_queue_buf of the
 * uAPI, followed by 2^n elements, of which 2^n - 1 are used.
 *
 * User space can write any byte of a ring at any time. So an index or element is read once, the
 * copy is checked, and only the copy is used.
 *
 * Each ring has one producer and one consumer. Each stores its index with release semantics after
 * it has written, or read, the elements; the other side loads it with acquire semantics before it
 * reads, or overwrites, them.
 */
#ifndef RXE_RING_H
#define RXE_RING_H

#include <rdma/ib_verbs.h>
#include <rdma/rdma_user_rxe.h>
#include <rdma/uverbs_ioctl.h>

struct rxe_ring_map;

/**
 * struct rxe_ring - a ring
 * @buf: whole pages, contiguous or of vmalloc(); NULL: destroyed, or never made
 * @size: bytes of @buf
 * @mask: number of slots - 1
 * @log2_elem: log2 of the bytes of an element
 * @index: the index that the kernel advances: of the producer of a CQ, of the consumer of an SQ or
 *	RQ. Authoritative: never read back from @buf. May exceed @mask
 * @map: entry for mmap(), which owns @buf; NULL for a kernel ring, or if @buf is NULL
 *
 * Protected by the lock of the CQ, the SRQ, or the endpoint.
 */
struct rxe_ring {
	struct rxe_queue_buf *buf;
	size_t size;
	u32 mask;
	u32 log2_elem;
	u32 index;
	struct rxe_ring_map *map;
};

struct ib_ucontext;

/**
 * rxe_ring_init() - allocate a ring, and make a user's available to mmap()
 * @ring: result
 * @slots: WQEs or CQEs that the ring must hold, at most 2^20; rounded up to 2^n - 1
 * @elem_size: bytes of an element; rounded up to a power of two
 * @ucontext: context of the user, NULL for a kernel ring
 * @mi: result: offset and size for mmap(); may be NULL for a kernel ring
 *
 * Context: process, may sleep.
 *
 * Return: 0, -ENOMEM or -EINVAL.
 */
int rxe_ring_init(struct rxe_ring *ring, u32 slots, u32 elem_size, struct ib_ucontext *ucontext,
		  struct mminfo *mi);

/**
 * rxe_ring_detach() - take the memory of a ring that resource tracking may still look at
 * @ring: ring; @ring->buf is NULL afterwards
 *
 * Context: the lock that protects the ring is held.
 *
 * Return: the ring, for rxe_ring_destroy(), which sleeps.
 */
static inline struct rxe_ring rxe_ring_detach(struct rxe_ring *ring)
{
	struct rxe_ring old = *ring;

	ring->buf = NULL;
	ring->map = NULL;
	return old;
}

/* Free a ring. Memory that the user has mapped is freed by munmap(). */
void rxe_ring_destroy(struct rxe_ring *ring);

/* Return true if the ring, which exists, is mapped by user space. */
static inline bool rxe_ring_is_user(const struct rxe_ring *ring)
{
	return ring->map;
}

/* WQEs or CQEs that the ring can hold. */
static inline u32 rxe_ring_capacity(const struct rxe_ring *ring)
{
	return ring->mask;
}

static inline void *rxe_ring_elem(const struct rxe_ring *ring, u32 index)
{
	return ring->buf->data + ((size_t)(index & ring->mask) << ring->log2_elem);
}

/*
 * The user's index, masked. The acquire pairs with the release of the user's library: elements are
 * read after the producer's index, and overwritten after the consumer's.
 */
static inline u32 rxe_ring_user_producer(const struct rxe_ring *ring)
{
	return smp_load_acquire(&ring->buf->producer_index) & ring->mask;
}

static inline u32 rxe_ring_user_consumer(const struct rxe_ring *ring)
{
	return smp_load_acquire(&ring->buf->consumer_index) & ring->mask;
}

/*
 * Publish the kernel's index. The release pairs with the acquire of the user's library: elements
 * have been written, or read, before.
 */
static inline void rxe_ring_publish_producer(struct rxe_ring *ring)
{
	smp_store_release(&ring->buf->producer_index, ring->index & ring->mask);
}

static inline void rxe_ring_publish_consumer(struct rxe_ring *ring)
{
	smp_store_release(&ring->buf->consumer_index, ring->index & ring->mask);
}

/**
 * rxe_ring_insert_recv() - insert a receive WQE of a kernel consumer
 * @rq: kernel ring, with elements as in a user's
 * @wr: work request
 * @max_sge: SGEs that an element has room for
 *
 * Context: the lock that protects the ring is held.
 *
 * Return: 0; -EINVAL: too many SGEs; -ENOMEM: the ring is full.
 */
int rxe_ring_insert_recv(struct rxe_ring *rq, const struct ib_recv_wr *wr, u32 max_sge);

/* The ucontext of a verbs call; NULL if the caller is in the kernel. */
static inline struct ib_ucontext *rxe_udata_ucontext(struct ib_udata *udata)
{
	if (!udata)
		return NULL;
	return container_of(udata, struct uverbs_attr_bundle, driver_udata)->context;
}

/* ib_device_ops.mmap and .mmap_free: map a ring; free it after the last reference is gone. */
int rxe_mmap(struct ib_ucontext *ucontext, struct vm_area_struct *vma);
void rxe_mmap_free(struct rdma_user_mmap_entry *entry);

#endif
