/* SPDX-License-Identifier: GPL-2.0 */
/* Pinned user memory: functions that older RDMA cores lack. */
#ifndef COMPAT_RDMA_IB_UMEM_H
#define COMPAT_RDMA_IB_UMEM_H

#include_next <rdma/ib_umem.h>

/* For each page of pinned memory. @iter is a struct sg_page_iter. */
#ifdef RXE_HAVE_UMEM_SGT_APPEND
#define rxe_umem_for_each_page(umem, iter) \
	for_each_sgtable_page(&(umem)->sgt_append.sgt, iter, 0)
#else
#define rxe_umem_for_each_page(umem, iter) \
	for_each_sg_page((umem)->sg_head.sgl, iter, (umem)->sg_nents, 0)
#endif

#ifndef RXE_HAVE_UMEM_GET_VA
static inline struct ib_umem *ib_umem_get_va(struct ib_device *device, unsigned long addr,
					     size_t size, int access)
{
	return ib_umem_get(device, addr, size, access);
}
#endif

#ifndef RXE_HAVE_UMEM_CHECK_REREG
/* Pages that were pinned read-only cannot become writable in place: -EACCES. */
static inline int ib_umem_check_rereg(struct ib_umem *umem, int flags, int new_access_flags)
{
	bool in_place = (flags & IB_MR_REREG_ACCESS) && !(flags & IB_MR_REREG_TRANS);

	if (in_place && umem && !umem->writable && ib_access_writable(new_access_flags))
		return -EACCES;
	return 0;
}
#endif

#endif
