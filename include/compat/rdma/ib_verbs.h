/* SPDX-License-Identifier: GPL-2.0 */
/* struct ib_device_ops of older RDMA cores: operations and parameters that differ. */
#ifndef COMPAT_RDMA_IB_VERBS_H
#define COMPAT_RDMA_IB_VERBS_H

#include_next <rdma/ib_verbs.h>

/* The resize operation of struct ib_device_ops and the type of its size. */
#ifdef RXE_HAVE_RESIZE_USER_CQ
typedef unsigned int rxe_cqe_t;
#else
typedef int rxe_cqe_t;
#define resize_user_cq resize_cq
#endif

/*
 * The DMA handle that memory registrations take before their last parameter.
 * RXE_DMAH_PARAM stands in the parameter list, without a comma behind it;
 * RXE_DMAH is the argument, NULL where there is none.
 */
#ifdef RXE_HAVE_REG_MR_DMAH
#define RXE_DMAH_PARAM struct ib_dmah *dmah,
#define RXE_DMAH       dmah
#else
struct ib_dmah;
#define RXE_DMAH_PARAM
#define RXE_DMAH ((struct ib_dmah *)NULL)
#endif

/* The last parameter of a registration of a dma-buf. */
#ifdef RXE_HAVE_DMABUF_BUNDLE
#define RXE_DMABUF_LAST struct uverbs_attr_bundle *attrs
#else
#define RXE_DMABUF_LAST struct ib_udata *udata
#endif

/* Port number of counter_bind_qp() in newer cores: a parameter with the comma before it. */
#ifdef RXE_HAVE_COUNTER_PORT
#define RXE_COUNTER_PORT , u32 port
#else
#define RXE_COUNTER_PORT
#endif

/* Initialisers of struct ib_device_ops: a driver's part of a counter, details of SRQs. */
#ifdef RXE_HAVE_COUNTER_INIT
#define RXE_COUNTER_OPS(init_fn, size) .counter_init = init_fn, size,
#else
#define RXE_COUNTER_OPS(init_fn, size)
#endif
#ifdef RXE_HAVE_FILL_RES_SRQ
#define RXE_FILL_RES_SRQ(fn) .fill_res_srq_entry = fn,
#else
#define RXE_FILL_RES_SRQ(fn)
#endif

/* Whether the RDMA core itself turns netdev events into port events. */
#ifdef RXE_HAVE_CORE_PORT_EVENTS
#define RXE_CORE_PORT_EVENTS true
#else
#define RXE_CORE_PORT_EVENTS false
#endif

#ifndef RXE_HAVE_ALLOC_DEVICE_NET
/*
 * The device starts in the initial namespace. Where all namespaces share devices it stays there,
 * with newer cores as well; where they do not, it belongs where its interface is.
 */
static inline void rxe_device_init_net(struct ib_device *ibdev, struct net *net)
{
	if (!rdma_dev_access_netns(ibdev, net))
		write_pnet(&ibdev->coredev.rdma_net, net);
}

#define ib_alloc_device_with_net(drv_struct, member, net)                        \
	({                                                                       \
		struct drv_struct *__dev = ib_alloc_device(drv_struct, member);  \
		if (__dev)                                                       \
			rxe_device_init_net(&__dev->member, net);                \
		__dev;                                                           \
	})
#endif

#ifndef RXE_HAVE_NAME_ASSIGNED
static inline void ib_mark_name_assigned_by_user(struct ib_device *ibdev)
{
}
#endif

#ifndef RXE_HAVE_VIRT_DMA_TO_PTR
static inline void *ib_virt_dma_to_ptr(u64 dma_addr)
{
	return (void *)(uintptr_t)dma_addr;
}

static inline struct page *ib_virt_dma_to_page(u64 dma_addr)
{
	return virt_to_page(ib_virt_dma_to_ptr(dma_addr));
}
#endif

#ifndef RXE_HAVE_CURR_PORT_STATE
static inline enum ib_port_state ib_get_curr_port_state(struct net_device *netdev)
{
	bool up = netif_running(netdev) && netif_carrier_ok(netdev);

	return up ? IB_PORT_ACTIVE : IB_PORT_DOWN;
}
#endif

/*
 * The numbers of the user ABI, so that the names compile. A core without them
 * refuses the access bits: RXE_CORE_FLUSH and RXE_CORE_ATOMIC_WRITE tell
 * whether to advertise the operations.
 */
#ifdef RXE_HAVE_FLUSH
#define RXE_CORE_FLUSH true
#else
#define RXE_CORE_FLUSH		   false
#define IB_WR_FLUSH		   ((enum ib_wr_opcode)14)
#define IB_WC_FLUSH		   ((enum ib_wc_opcode)8)
#define IB_ACCESS_FLUSH_GLOBAL	   BIT(8)
#define IB_ACCESS_FLUSH_PERSISTENT BIT(9)
#define IB_DEVICE_FLUSH_GLOBAL	   BIT_ULL(38)
#define IB_DEVICE_FLUSH_PERSISTENT BIT_ULL(39)
#endif

#ifdef RXE_HAVE_ATOMIC_WRITE
#define RXE_CORE_ATOMIC_WRITE true
#else
#define RXE_CORE_ATOMIC_WRITE  false
#define IB_WR_ATOMIC_WRITE     ((enum ib_wr_opcode)15)
#define IB_WC_ATOMIC_WRITE     ((enum ib_wc_opcode)9)
#define IB_DEVICE_ATOMIC_WRITE BIT_ULL(40)
#endif

#endif
