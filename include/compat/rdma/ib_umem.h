/* SPDX-License-Identifier: GPL-2.0 */
/* Pinned user memory: functions that older RDMA cores lack. */
#ifndef COMPAT_RDMA_IB_UMEM_H
#define COMPAT_RDMA_IB_UMEM_H

#include_next <rdma/ib_umem.h>

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
