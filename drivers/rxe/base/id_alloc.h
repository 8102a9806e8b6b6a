/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers that name objects to a peer: QPNs and the indices of memory keys. None is
 * used again before about all others were, and who has seen some of them does not
 * know the next: they come in the order of a secret permutation of all 2^24.
 *
 * The permutation works on the upper and the lower half of a number apart, so that
 * 4096 numbers given out in a row lie close to each other in the XArray.
 */
#ifndef RXE_IDS_H
#define RXE_IDS_H

#include <linux/atomic.h>
#include <linux/siphash.h>
#include <linux/xarray.h>

#define RXE_IDS_BITS 24

/**
 * struct rxe_ids - a source of numbers
 * @secret: chooses the permutation
 * @next: place of the next number in it
 */
struct rxe_ids {
	siphash_key_t secret;
	atomic_t next;
};

void rxe_ids_init(struct rxe_ids *ids);

/**
 * rxe_id_alloc() - take a number that is free
 * @ids: the source
 * @xa: what the numbers name; the number is reserved there: xa_store() puts the
 *	object in, xa_erase() gives the number back
 * @limit: which numbers are allowed
 * @id: result
 *
 * Context: process; may sleep. Return: 0, -ENOMEM, or -ENOSPC: all are in use.
 */
int rxe_id_alloc(struct rxe_ids *ids, struct xarray *xa, struct xa_limit limit, u32 *id);

#endif
