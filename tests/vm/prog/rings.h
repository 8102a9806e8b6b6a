/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rings that this process shares with the kernel, for programs that write elements into them
 * that no library writes.
 *
 * The library's rings are what it maps from the device: a private copy of its structures
 * would go stale, so its calls to mmap() come through here.
 */
#ifndef TEST_RINGS_H
#define TEST_RINGS_H

#include <rdma/rdma_user_rxe.h>
#include <stdint.h>

#include "pair.h"

/* The latest rings, of which there have been rings_mapped: set that to 0 and look behind a call. */
extern struct rxe_queue_buf *ring_mapped[4];
extern unsigned int rings_mapped;

/* Element @i of a ring: the kernel's own mask and size, which the header may not keep. */
static inline void *ring_element(struct rxe_queue_buf *ring, uint32_t i, uint32_t mask,
				 uint32_t log2)
{
	return ring->data + ((size_t)(i & mask) << log2);
}

/* Have the kernel look at @s's send ring. */
void ring_doorbell(const struct side *s);

#endif
