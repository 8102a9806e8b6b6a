/* SPDX-License-Identifier: GPL-2.0 */
/* On-demand paging: page frames of a region, whose field moved. */
#ifndef COMPAT_RDMA_IB_UMEM_ODP_H
#define COMPAT_RDMA_IB_UMEM_ODP_H

#include <linux/hmm.h> /* HMM_PFN_*: older versions of the next header do not include it */
#include_next <rdma/ib_umem_odp.h>

/* HMM page frames of the region. Context: umem_mutex held. */
static inline unsigned long *rxe_odp_pfns(struct ib_umem_odp *umem_odp)
{
#ifdef RXE_HAVE_ODP_PFN_LIST
	return umem_odp->pfn_list;
#else
	return umem_odp->map.pfn_list;
#endif
}

#endif
