/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory windows, type 1 and 2B (IBTA 10.6.7): a part of a user's region that peers access by an
 * R_Key and with access rights of its own.
 *
 * A bound window has its own struct rxe_mem, which refers to the pages of the region, so that the
 * data path treats both alike. A region with bound windows cannot be deregistered.
 */
#ifndef RXE_MW_H
#define RXE_MW_H

#include <rdma/ib_verbs.h>

#include "mem/local_op.h"
#include "mem/mem.h"

/**
 * struct rxe_mw - a memory window
 * @ibmw: the RDMA core's part
 * @mem: the data path's part, freed an RCU grace period after the window
 */
struct rxe_mw {
	struct ib_mw ibmw;
	struct rxe_mem *mem;
};

static inline struct rxe_mw *to_rxe_mw(struct ib_mw *ibmw)
{
	return container_of(ibmw, struct rxe_mw, ibmw);
}

/* ib_device_ops.alloc_mw and .dealloc_mw. Context: process, may sleep. */
int rxe_alloc_mw(struct ib_mw *ibmw, struct ib_udata *udata);
int rxe_dealloc_mw(struct ib_mw *ibmw);

/**
 * rxe_mw_bind() - execute BIND_MW
 * @ctx: of the QP that it was posted to
 * @bind: operands, unchecked
 *
 * Waits for copies through the old binding: the caller holds no reference to the window.
 *
 * Context: RCU read lock held, bottom halves off. Takes the window's lock.
 *
 * Return: 0, or -EINVAL: the bind violates IBTA 10.6.7.2, and has changed nothing but the R_Key
 * that the next BIND_MW of a type 1 window may name, see rxe_mem.failed_bind_key.
 */
int rxe_mw_bind(struct rxe_mem_ctx *ctx, const struct rxe_bind *bind);

/**
 * rxe_mw_flushed() - a BIND_MW has been flushed
 * @ctx: of the QP that it was posted to
 * @bind: operands, unchecked
 *
 * The user's library assumes that the window has the new R_Key, and names it in the next BIND_MW.
 *
 * Context: as for rxe_mw_bind().
 */
void rxe_mw_flushed(const struct rxe_mem_ctx *ctx, const struct rxe_bind *bind);

/* rxe_mem_invalidate() of a type 2 window. */
int rxe_mw_invalidate(const struct rxe_mem_ctx *ctx, struct rxe_mem *mem, u32 key);

/* Unbind the type 2 windows of a QP that is being destroyed. Context: process, may sleep. */
void rxe_mw_unbind_qp(struct rxe_mem_ctx *ctx);

#endif
