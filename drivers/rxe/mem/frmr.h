/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fast registration, FRMR or FRWR (IBTA 10.6.2.2.3). A kernel consumer allocates a region once,
 * lists pages in it by ib_map_mr_sg(), or segments of any length (IB_MR_TYPE_SG_GAPS), and posts
 * REG_MR, which makes them accessible by a key whose low byte the consumer chooses. LOCAL_INV, or
 * SEND with Invalidate, makes the key invalid again.
 */
#ifndef RXE_FRMR_H
#define RXE_FRMR_H

#include <linux/scatterlist.h>
#include <rdma/ib_verbs.h>

#include "mem/local_op.h"

struct rxe_mem;
struct rxe_mem_ctx;

/* ib_device_ops.alloc_mr and .map_mr_sg. Context: process, may sleep; any. */
struct ib_mr *rxe_alloc_mr(struct ib_pd *pd, enum ib_mr_type type, u32 max_entries);
int rxe_map_mr_sg(struct ib_mr *ibmr, struct scatterlist *sg, int nents, unsigned int *offset);

/**
 * rxe_frmr_check() - check the operands of REG_MR when it is posted
 * @ibmr: region that the work request names
 * @reg: operands
 *
 * Return: 0, or -EINVAL.
 */
int rxe_frmr_check(const struct ib_mr *ibmr, const struct rxe_reg *reg);

/**
 * rxe_frmr_register() - execute REG_MR
 * @ctx: of the QP that it was posted to
 * @reg: operands
 *
 * Context: RCU read lock held, bottom halves off. Takes the region's lock, and waits for copies as
 * rxe_mem_quiesce() does.
 *
 * Return: 0, or -EINVAL: the region has a valid key or no pages, is of another protection domain,
 * or is being destroyed; or it is smaller than @reg says.
 */
int rxe_frmr_register(const struct rxe_mem_ctx *ctx, const struct rxe_reg *reg);

/* rxe_mem_invalidate() of a fast registration. */
int rxe_frmr_invalidate(const struct rxe_mem_ctx *ctx, struct rxe_mem *mem, u32 key, bool remote);

/**
 * rxe_frmr_flushed() - a REG_MR or LOCAL_INV has been flushed
 * @ctx: of the QP that it was posted to
 * @key: key that the work request named
 *
 * Makes the key invalid: the consumer does not know the region's state any more, and registers it
 * again, maybe by another QP, which needs an invalid key.
 *
 * Does not wait for copies that use the key. The caller may hold a reference itself, and a flushed
 * LOCAL_INV promises nothing.
 *
 * Context: RCU read lock held, bottom halves off. Takes the region's lock.
 */
void rxe_frmr_flushed(const struct rxe_mem_ctx *ctx, u32 key);

#endif
