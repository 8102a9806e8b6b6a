/* SPDX-License-Identifier: GPL-2.0 */
/* Pinned user memory: functions that older RDMA cores lack. */
#ifndef COMPAT_RDMA_IB_UMEM_H
#define COMPAT_RDMA_IB_UMEM_H

#include_next <rdma/ib_umem.h>
#include <rdma/uverbs_ioctl.h>

/* For each page of pinned memory. @iter is a struct sg_page_iter. */
#ifdef RXE_HAVE_UMEM_SGT_APPEND
#define rxe_umem_for_each_page(umem, iter) \
	for_each_sgtable_page(&(umem)->sgt_append.sgt, iter, 0)
#else
#define rxe_umem_for_each_page(umem, iter) \
	for_each_sg_page((umem)->sg_head.sgl, iter, (umem)->sg_nents, 0)
#endif

/* Pin memory of the user of a PD. The oldest function finds the user by a bundle of attributes. */
static inline struct ib_umem *rxe_umem_get(struct ib_pd *pd, unsigned long addr, size_t size,
					   int access)
{
#if defined(RXE_HAVE_UMEM_GET_VA)
	return ib_umem_get_va(pd->device, addr, size, access);
#elif !defined(RXE_HAVE_UMEM_GET_UDATA)
	return ib_umem_get(pd->device, addr, size, access);
#else
	struct uverbs_attr_bundle attrs = { .context = pd->uobject->context };

	return ib_umem_get(&attrs.driver_udata, addr, size, access);
#endif
}

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
