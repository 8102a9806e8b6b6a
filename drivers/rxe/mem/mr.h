/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory regions as verbs objects: registration, reregistration, deregistration. The data path uses
 * their struct rxe_mem only.
 */
#ifndef RXE_MR_H
#define RXE_MR_H

#include <rdma/ib_verbs.h>

#include "mem/mem.h"

/**
 * struct rxe_mr - a memory region
 * @ibmr: the RDMA core's part
 * @mem: the data path's part
 * @umem: pinned user memory, or NULL
 * @dmabuf: mapped dma-buf, or NULL
 * @next_pages: fast registration: kernel addresses of the pages of the next REG_MR
 * @next_segs: fast registration of any segments (IB_MR_TYPE_SG_GAPS): those of the next REG_MR
 * @num_listed: entries of @next_pages or @next_segs in use
 * @max_listed: size of @next_pages or @next_segs
 * @listed_bytes: bytes of @next_segs
 */
struct rxe_mr {
	struct ib_mr ibmr;
	struct rxe_mem mem;
	struct ib_umem *umem;
	struct rxe_dmabuf *dmabuf;
	void **next_pages;
	struct rxe_mem_seg *next_segs;
	u32 num_listed;
	u32 max_listed;
	u64 listed_bytes;
};

static inline struct rxe_mr *to_rxe_mr(struct ib_mr *ibmr)
{
	return container_of(ibmr, struct rxe_mr, ibmr);
}

/*
 * Allocate a region without pages, not published. Return: the region, to be freed by kfree(); or
 * NULL.
 */
struct rxe_mr *rxe_mr_alloc(struct ib_pd *pd, enum rxe_mem_kind kind, u32 access);

/* Publish @mr->mem, and set the keys that the consumer sees. Return: as rxe_mem_publish(). */
int rxe_mr_publish(struct rxe_mr *mr, bool valid);

/* Of struct ib_device_ops, by the same names. Context: process, may sleep. */
struct ib_mr *rxe_get_dma_mr(struct ib_pd *pd, int access);
struct ib_mr *rxe_reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 va, int access,
			      RXE_DMAH_PARAM struct ib_udata *udata);
struct ib_mr *rxe_reg_user_mr_dmabuf(struct ib_pd *pd, u64 offset, u64 length, u64 va, int fd,
				     int access, RXE_DMAH_PARAM RXE_DMABUF_LAST);
struct ib_mr *rxe_rereg_user_mr(struct ib_mr *ibmr, int flags, u64 start, u64 length, u64 va,
				int access, struct ib_pd *pd, struct ib_udata *udata);
int rxe_dereg_mr(struct ib_mr *ibmr, struct ib_udata *udata);

#endif
