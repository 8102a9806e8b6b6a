/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ibv_advise_mr(): bringing in the pages of on-demand regions (odp.h) beforehand.
 */
#ifndef RXE_PREFETCH_H
#define RXE_PREFETCH_H

#include <rdma/ib_verbs.h>
#include <rdma/uverbs_ioctl.h>

/* Once for the module. rxe_prefetch_stop() waits for all that has begun. */
int rxe_prefetch_start(void);
void rxe_prefetch_stop(void);

/**
 * rxe_advise_mr() - bring in what a list of SGEs names
 * @pd: protection domain of their keys
 * @advice: for reading, for writing, or only what the process has in memory already
 * @flags: IB_UVERBS_ADVISE_MR_FLAG_FLUSH: return when that has been done; else it has begun
 * @sges: the list
 * @n: its length
 * @attrs: not used
 *
 * Return: 0; -EFAULT: a key, or the range, is not one of an on-demand region, or there is no
 * memory; -EPERM: it may not be written; -EOPNOTSUPP: an advice that is not known.
 */
int rxe_advise_mr(struct ib_pd *pd, enum ib_uverbs_advise_mr_advice advice, u32 flags,
		  struct ib_sge *sges, u32 n, struct uverbs_attr_bundle *attrs);

#endif
