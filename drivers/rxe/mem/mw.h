/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory windows, type 1 and 2B (IBTA 10.6.7): a part of a user's region that peers
 * reach by a key of its own, with rights of its own.
 *
 * A bound window refers to the pages of its region, which cannot be deregistered as
 * long as there is one; so the data path treats both alike.
 */
#ifndef RXE_MW_H
#define RXE_MW_H

#include <rdma/ib_verbs.h>

#include "mem/local_op.h"
#include "mem/mem.h"

/**
 * struct rxe_mw - a memory window
 * @ibmw: the RDMA core's part
 * @mem: the data path's part, which outlives it by an RCU grace period
 */
struct rxe_mw {
	struct ib_mw ibmw;
	struct rxe_mem *mem;
};

static inline struct rxe_mw *to_rxe_mw(struct ib_mw *ibmw)
{
	return container_of(ibmw, struct rxe_mw, ibmw);
}

int rxe_alloc_mw(struct ib_mw *ibmw, struct ib_udata *udata);
int rxe_dealloc_mw(struct ib_mw *ibmw);

/**
 * rxe_mw_bind() - execute BIND_MW
 * @ctx: of the QP that it was posted to
 * @bind: operands
 *
 * Context: RCU read lock held, bottom halves off.
 * Return: 0, or -EINVAL: IBTA 10.6.7.2 forbids it. Nothing has changed then.
 */
int rxe_mw_bind(struct rxe_mem_ctx *ctx, const struct rxe_bind *bind);

/* A BIND_MW has been flushed, and the library may not know. Context: like rxe_mw_bind(). */
void rxe_mw_flushed(const struct rxe_mem_ctx *ctx, const struct rxe_bind *bind);

/* For rxe_mem_invalidate(). */
int rxe_mw_invalidate(const struct rxe_mem_ctx *ctx, struct rxe_mem *mem, u32 key);

/* Unbind the type 2 windows of a QP that is being destroyed. Context: process. */
void rxe_mw_unbind_qp(struct rxe_mem_ctx *ctx);

#endif
