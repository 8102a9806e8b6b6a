// SPDX-License-Identifier: GPL-2.0
/*
 * Unpredictable ID allocator: a Feistel network with SipHash as its round function.
 */
#include <linux/random.h>

#include "base/id_alloc.h"

#define HALF_BITS (RXE_IDS_BITS / 2)
#define HALF_MASK (BIT(HALF_BITS) - 1)

/* Rounds of the Feistel network, and bits of each of its two sides. */
#define ROUNDS	  4
#define QTR_BITS  (HALF_BITS / 2)
#define QTR_MASK  (BIT(QTR_BITS) - 1)

/* Unpredictable IDs tried; if all are in use, the lowest free ID is allocated. */
#define TRIES 64

void rxe_ids_init(struct rxe_ids *ids)
{
	get_random_bytes(&ids->secret, sizeof(ids->secret));
	/* Random, so that IDs from before a reload of the module are unlikely to be valid soon. */
	atomic_set(&ids->next, get_random_u32());
}

/* Permute HALF_BITS bits; each @tweak selects a different permutation. */
static u32 rxe_ids_permute(const struct rxe_ids *ids, u32 half, u32 tweak)
{
	u32 left = half >> QTR_BITS, right = half & QTR_MASK, old, round;

	for (round = 0; round < ROUNDS; round++) {
		old = right;
		right = left ^ (siphash_3u32(tweak, round, right, &ids->secret) & QTR_MASK);
		left = old;
	}
	return left << QTR_BITS | right;
}

static u32 rxe_ids_next(struct rxe_ids *ids)
{
	u32 place = atomic_inc_return(&ids->next);
	u32 high = rxe_ids_permute(ids, (place >> HALF_BITS) & HALF_MASK, 0);

	return high << HALF_BITS | rxe_ids_permute(ids, place & HALF_MASK, high + 1);
}

int rxe_id_alloc(struct rxe_ids *ids, struct xarray *xa, struct xa_limit limit, u32 *id)
{
	int err, tries;

	for (tries = 0; tries < TRIES; tries++) {
		*id = rxe_ids_next(ids);
		if (*id < limit.min || *id > limit.max)
			continue;
		err = xa_insert(xa, *id, NULL, GFP_KERNEL_ACCOUNT);
		if (err != -EBUSY)
			return err;
	}
	err = xa_alloc(xa, id, NULL, limit, GFP_KERNEL_ACCOUNT);
	return err == -EBUSY ? -ENOSPC : err;
}
