/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Invalidation of keys: LOCAL_INV, and SEND with Invalidate of the peer.
 */
#ifndef RXE_INVALIDATE_H
#define RXE_INVALIDATE_H

#include <linux/types.h>

struct rxe_mem_ctx;

/**
 * rxe_mem_invalidate() - invalidate the key of a fast registration or of a type 2 window
 * @ctx: of the QP
 * @key: the key
 * @remote: the peer has asked for it, by SEND with Invalidate
 *
 * A key that is invalid already is no error: consumers invalidate to be sure.
 *
 * Waits for copies that use the key, as rxe_mem_quiesce() does: the caller must hold no reference
 * to the memory, and so must have emptied the endpoint's struct rxe_mem_cache.
 *
 * Context: RCU read lock held, bottom halves off. Takes the region's or window's lock.
 *
 * Return: 0, or -EINVAL: @key names nothing that can be invalidated, or memory of another
 * protection domain or QP.
 */
int rxe_mem_invalidate(const struct rxe_mem_ctx *ctx, u32 key, bool remote);

#endif
