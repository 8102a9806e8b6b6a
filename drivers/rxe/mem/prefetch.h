/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prefetch, ibv_advise_mr(): page-in of on-demand regions (odp.h) before they are accessed.
 */
#ifndef RXE_PREFETCH_H
#define RXE_PREFETCH_H

#include <rdma/ib_verbs.h>
#include <rdma/uverbs_ioctl.h>

/**
 * rxe_advise_mr() - page in the ranges of a list of SGEs
 * @pd: protection domain of their keys
 * @advice: page in for reading, for writing, or only pages that the process has resident
 * @flags: IB_UVERBS_ADVISE_MR_FLAG_FLUSH: page in before returning; else in a work item, unless the
 *	process has RXE_MAX_PREFETCHES of them
 * @sges: the list
 * @n: its length
 * @attrs: not used
 *
 * Context: process, may sleep.
 *
 * Return: 0; -EFAULT: a range is not in an on-demand region of @pd, or cannot be paged in; -EPERM:
 * the region is not writable; -EOPNOTSUPP: unknown advice; -ENOMEM.
 */
int rxe_advise_mr(struct ib_pd *pd, enum ib_uverbs_advise_mr_advice advice, u32 flags,
		  struct ib_sge *sges, u32 n, struct uverbs_attr_bundle *attrs);

#endif
