/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Unpredictable ID allocator for the numbers that peers see: QPNs and indices of memory keys.
 *
 * IDs are allocated in the order of a secret permutation of all 2^24 numbers. An ID is therefore
 * not reused before about all others were, and a peer that has seen some IDs cannot predict the
 * next (IBTA 10.2.4.4). The permutation maps the upper and the lower 12 bits separately, so that
 * 4096 IDs allocated in a row are close to each other in the XArray.
 */
#ifndef RXE_ID_ALLOC_H
#define RXE_ID_ALLOC_H

#include <linux/atomic.h>
#include <linux/siphash.h>
#include <linux/xarray.h>

/* Width of an ID, bits: that of a QPN in the BTH. */
#define RXE_IDS_BITS 24

/**
 * struct rxe_ids - ID allocator
 * @secret: key of the permutation; random
 * @next: position in the permutation of the last ID tried; random at first
 */
struct rxe_ids {
	siphash_key_t secret;
	atomic_t next;
};

/* Initialise an allocator with a random key and position. Context: process. */
void rxe_ids_init(struct rxe_ids *ids);

/**
 * rxe_id_alloc() - allocate an ID
 * @ids: allocator
 * @xa: objects by ID, with XA_FLAGS_ALLOC; the ID is reserved in it without an object. The caller
 *	then stores the object with xa_store(), or frees the ID with xa_erase()
 * @limit: range of the ID
 * @id: result
 *
 * Context: process; may sleep.
 * Return: 0, -ENOMEM, or -ENOSPC: all IDs of the range are in use.
 */
int rxe_id_alloc(struct rxe_ids *ids, struct xarray *xa, struct xa_limit limit, u32 *id);

#endif
