/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operations that are given the whole bundle of a user's attributes got the
 * plain ib_udata before. The type of the parameter is a typedef, and one
 * accessor takes it back to the ib_udata, NULL for a kernel caller.
 */
#ifndef COMPAT_RDMA_UVERBS_IOCTL_H
#define COMPAT_RDMA_UVERBS_IOCTL_H

#include_next <rdma/uverbs_ioctl.h>

#ifdef RXE_HAVE_CREATE_CQ_BUNDLE
typedef struct uverbs_attr_bundle rxe_cq_attrs;

static inline struct ib_udata *rxe_cq_udata(rxe_cq_attrs *attrs)
{
	return attrs ? &attrs->driver_udata : NULL;
}
#else
typedef struct ib_udata rxe_cq_attrs;

static inline struct ib_udata *rxe_cq_udata(rxe_cq_attrs *attrs)
{
	return attrs;
}
#endif

#ifdef RXE_HAVE_DMABUF_BUNDLE
typedef struct uverbs_attr_bundle rxe_dmabuf_attrs;

static inline struct ib_udata *rxe_dmabuf_udata(rxe_dmabuf_attrs *attrs)
{
	return attrs ? &attrs->driver_udata : NULL;
}
#else
typedef struct ib_udata rxe_dmabuf_attrs;

static inline struct ib_udata *rxe_dmabuf_udata(rxe_dmabuf_attrs *attrs)
{
	return attrs;
}
#endif

#endif
