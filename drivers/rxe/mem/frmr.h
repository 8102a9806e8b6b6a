/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fast registration (IBTA 10.6.2.2.3): a kernel consumer allocates a region once,
 * lists pages in it by ib_map_mr_sg(), and makes them accessible by a REG_MR work
 * request under a key whose low byte is its own, until the key is invalidated.
 */
#ifndef RXE_FAST_H
#define RXE_FAST_H

#include <linux/scatterlist.h>
#include <rdma/ib_verbs.h>

#include "mem/local_op.h"

struct rxe_mem;
struct rxe_mem_ctx;

struct ib_mr *rxe_alloc_mr(struct ib_pd *pd, enum ib_mr_type type, u32 max_pages);
int rxe_map_mr_sg(struct ib_mr *ibmr, struct scatterlist *sg, int nents, unsigned int *offset);

/**
 * rxe_fast_check() - may this be posted?
 * @ibmr: region that the WR names
 * @reg: the rest of it
 *
 * Return: 0, or -EINVAL.
 */
int rxe_fast_check(const struct ib_mr *ibmr, const struct rxe_reg *reg);

/* Execute REG_MR. Context: RCU read lock held, bottom halves off. 0, or -EINVAL. */
int rxe_fast_register(const struct rxe_mem_ctx *ctx, const struct rxe_reg *reg);

/* For rxe_mem_invalidate(). */
int rxe_fast_invalidate(const struct rxe_mem_ctx *ctx, struct rxe_mem *mem, u32 key, bool remote);

/**
 * rxe_fast_flushed() - a REG_MR or LOCAL_INV has been flushed
 * @ctx: of the QP
 * @key: key that the work request named
 *
 * The consumer has lost track of the region, and is going to register it anew, on
 * another QP perhaps: it becomes free. Context: like rxe_fast_register().
 */
void rxe_fast_flushed(const struct rxe_mem_ctx *ctx, u32 key);

#endif
