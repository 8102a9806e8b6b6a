/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rings that this process shares with the kernel. Programs use them to write elements that no
 * library writes.
 *
 * The rings are found as the library maps them from the device, by wrapping its calls to mmap(): a
 * private copy of the library's structures could become outdated.
 */
#ifndef TEST_RINGS_H
#define TEST_RINGS_H

#include <rdma/rdma_user_rxe.h>
#include <stdint.h>

#include "pair.h"

/*
 * The latest mappings of rings; rings_mapped counts them. Set it to 0 before a call to see its
 * rings.
 */
extern struct rxe_queue_buf *ring_mapped[4];
extern unsigned int rings_mapped;

/*
 * Element @i of a ring. Takes the kernel's own mask and size: those in the header may be
 * overwritten.
 */
static inline void *ring_element(struct rxe_queue_buf *ring, uint32_t i, uint32_t mask,
				 uint32_t log2)
{
	return ring->data + ((size_t)(i & mask) << log2);
}

/* Have the kernel process @s's send ring. */
void ring_doorbell(const struct side *s);

#endif
