/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPAT_RDMA_IB_UMEM_ODP_H
#define COMPAT_RDMA_IB_UMEM_ODP_H

#include <linux/hmm.h> /* HMM_PFN_*; the real header brings it only where it is new */
#include_next <rdma/ib_umem_odp.h>

/* The HMM page frames of the region, to be read under its umem_mutex. */
static inline unsigned long *rxe_odp_pfns(struct ib_umem_odp *umem_odp)
{
#ifdef RXE_HAVE_ODP_PFN_LIST
	return umem_odp->pfn_list;
#else
	return umem_odp->map.pfn_list;
#endif
}

#endif
