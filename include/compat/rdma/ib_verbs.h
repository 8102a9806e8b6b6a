/* SPDX-License-Identifier: GPL-2.0 */
/* struct ib_device_ops of older RDMA cores: operations and parameters that differ. */
#ifndef COMPAT_RDMA_IB_VERBS_H
#define COMPAT_RDMA_IB_VERBS_H

#include_next <rdma/ib_verbs.h>
#include <rdma/ib_user_verbs.h>

/* The type of port numbers. */
#ifdef RXE_HAVE_PORT_U32
typedef u32 rxe_port_t;
#else
typedef u8 rxe_port_t;
#endif

/* Initialiser: sysfs attributes of the device; otherwise rxe_device_init_sysfs() sets them. */
#ifdef RXE_HAVE_DEVICE_GROUP
#define RXE_DEVICE_GROUP(group) .device_group = group,
static inline void rxe_device_init_sysfs(struct ib_device *ibdev,
					 const struct attribute_group *group)
{
}
#else
#define RXE_DEVICE_GROUP(group)
#define rxe_device_init_sysfs rdma_set_device_sysfs_group
#endif

/*
 * Older cores offer users no command but those of two masks, which the driver fills in. POST_RECV,
 * POLL_CQ and their like are missing, as in newer cores: the user's library accesses the rings.
 */
#ifdef RXE_HAVE_UVERBS_EX_MASK
static inline void rxe_device_init_commands(struct ib_device *ibdev)
{
	ibdev->uverbs_cmd_mask =
		BIT_ULL(IB_USER_VERBS_CMD_GET_CONTEXT) |
		BIT_ULL(IB_USER_VERBS_CMD_QUERY_DEVICE) |
		BIT_ULL(IB_USER_VERBS_CMD_QUERY_PORT) |
		BIT_ULL(IB_USER_VERBS_CMD_ALLOC_PD) |
		BIT_ULL(IB_USER_VERBS_CMD_DEALLOC_PD) |
		BIT_ULL(IB_USER_VERBS_CMD_CREATE_AH) |
		BIT_ULL(IB_USER_VERBS_CMD_DESTROY_AH) |
		BIT_ULL(IB_USER_VERBS_CMD_REG_MR) |
		BIT_ULL(IB_USER_VERBS_CMD_REREG_MR) |
		BIT_ULL(IB_USER_VERBS_CMD_DEREG_MR) |
		BIT_ULL(IB_USER_VERBS_CMD_ALLOC_MW) |
		BIT_ULL(IB_USER_VERBS_CMD_DEALLOC_MW) |
		BIT_ULL(IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL) |
		BIT_ULL(IB_USER_VERBS_CMD_CREATE_CQ) |
		BIT_ULL(IB_USER_VERBS_CMD_RESIZE_CQ) |
		BIT_ULL(IB_USER_VERBS_CMD_DESTROY_CQ) |
		BIT_ULL(IB_USER_VERBS_CMD_CREATE_QP) |
		BIT_ULL(IB_USER_VERBS_CMD_QUERY_QP) |
		BIT_ULL(IB_USER_VERBS_CMD_MODIFY_QP) |
		BIT_ULL(IB_USER_VERBS_CMD_DESTROY_QP) |
		BIT_ULL(IB_USER_VERBS_CMD_ATTACH_MCAST) |
		BIT_ULL(IB_USER_VERBS_CMD_DETACH_MCAST) |
		BIT_ULL(IB_USER_VERBS_CMD_CREATE_SRQ) |
		BIT_ULL(IB_USER_VERBS_CMD_MODIFY_SRQ) |
		BIT_ULL(IB_USER_VERBS_CMD_QUERY_SRQ) |
		BIT_ULL(IB_USER_VERBS_CMD_DESTROY_SRQ) |
		BIT_ULL(IB_USER_VERBS_CMD_OPEN_QP);
	ibdev->uverbs_ex_cmd_mask =
		BIT_ULL(IB_USER_VERBS_EX_CMD_QUERY_DEVICE) |
		BIT_ULL(IB_USER_VERBS_EX_CMD_CREATE_CQ) |
		BIT_ULL(IB_USER_VERBS_EX_CMD_CREATE_QP) |
		BIT_ULL(IB_USER_VERBS_EX_CMD_MODIFY_QP);
}
#else
static inline void rxe_device_init_commands(struct ib_device *ibdev)
{
}
#endif

/* The operation that older cores also use for the device as a whole, as port 0. */
#ifndef RXE_HAVE_HW_PORT_STATS
#define alloc_hw_port_stats alloc_hw_stats
#endif

/* Older cores take an array of names. A description with nothing but the name is the same. */
#ifndef RXE_HAVE_STAT_DESC
struct rdma_stat_desc {
	const char *name;
};

static inline struct rdma_hw_stats *rxe_alloc_hw_stats(const struct rdma_stat_desc *descs, int n,
							unsigned long lifespan)
{
	static_assert(sizeof(*descs) == sizeof(descs->name));
	return rdma_alloc_hw_stats_struct(&descs->name, n, lifespan);
}

#define rdma_alloc_hw_stats_struct rxe_alloc_hw_stats
#endif

/* Initialisers: address handles of users, and dma-bufs; an older RDMA core asks for neither. */
#ifdef RXE_HAVE_CREATE_USER_AH
#define RXE_CREATE_USER_AH(fn) .create_user_ah = fn,
#else
#define RXE_CREATE_USER_AH(fn)
#endif
#ifdef RXE_HAVE_REG_MR_DMABUF
#define RXE_REG_MR_DMABUF(fn) .reg_user_mr_dmabuf = fn,
#else
#define RXE_REG_MR_DMABUF(fn)
#endif

/*
 * RXE_DEFINE_REREG_MR(fn), at file scope, makes RXE_REREG_MR(fn) an operation of the RDMA core. An
 * older one keeps the memory region that it has: it cannot take a new one, for other memory.
 */
#ifdef RXE_HAVE_REREG_MR_NEW
#define RXE_DEFINE_REREG_MR(fn)
#define RXE_REREG_MR(fn) fn
#else
#define RXE_DEFINE_REREG_MR(fn)                                                                    \
	static int fn##_in_place(struct ib_mr *ibmr, int flags, u64 start, u64 length, u64 va,     \
				 int access, struct ib_pd *pd, struct ib_udata *udata)             \
	{                                                                                          \
		if (flags & IB_MR_REREG_TRANS)                                                     \
			return -EOPNOTSUPP;                                                        \
		return PTR_ERR_OR_ZERO(fn(ibmr, flags, start, length, va, access, pd, udata));     \
	}
#define RXE_REREG_MR(fn) fn##_in_place
#endif

/*
 * RXE_DEFINE_QP_OPS(create, destroy, drv_struct), at file scope, and RXE_QP_OPS() with the same
 * arguments, an initialiser: operations that create and destroy a QP. An older RDMA core leaves
 * the memory to the driver, and sets up struct ib_qp when the driver has returned.
 */
#ifdef RXE_HAVE_QP_OBJ_SIZE
#define RXE_DEFINE_QP_OPS(create, destroy, drv_struct)
#define RXE_QP_OPS(create, destroy, drv_struct)              \
	.create_qp = create, .destroy_qp = destroy,          \
	INIT_RDMA_OBJ_SIZE(ib_qp, drv_struct, ibqp),
#else
static inline struct ib_qp *rxe_alloc_qp(size_t size, struct ib_pd *pd,
					 const struct ib_qp_init_attr *attr)
{
	struct ib_qp *ibqp = kzalloc(size, GFP_KERNEL);

	if (!ibqp)
		return NULL;
	ibqp->device = pd->device;
	ibqp->pd = pd;
	ibqp->real_qp = ibqp;
	ibqp->qp_type = attr->qp_type;
	ibqp->event_handler = attr->event_handler;
	ibqp->qp_context = attr->qp_context;
	ibqp->send_cq = attr->send_cq;
	ibqp->recv_cq = attr->recv_cq;
	ibqp->srq = attr->srq;
	return ibqp;
}

#define RXE_DEFINE_QP_OPS(create, destroy, drv_struct)                                             \
	static struct ib_qp *create##_alloc(struct ib_pd *pd, struct ib_qp_init_attr *attr,        \
					    struct ib_udata *udata)                                \
	{                                                                                          \
		struct ib_qp *ibqp = rxe_alloc_qp(sizeof(struct drv_struct), pd, attr);            \
		int err;                                                                           \
		BUILD_BUG_ON(offsetof(struct drv_struct, ibqp));                                   \
		err = ibqp ? create(ibqp, attr, udata) : -ENOMEM;                                  \
		if (!err)                                                                          \
			return ibqp;                                                               \
		kfree(ibqp);                                                                       \
		return ERR_PTR(err);                                                               \
	}                                                                                          \
	static int destroy##_free(struct ib_qp *ibqp, struct ib_udata *udata)                      \
	{                                                                                          \
		int err = destroy(ibqp, udata);                                                    \
		if (!err)                                                                          \
			kfree(ibqp);                                                               \
		return err;                                                                        \
	}
#define RXE_QP_OPS(create, destroy, drv_struct) \
	.create_qp = create##_alloc, .destroy_qp = destroy##_free,
#endif

/* Capabilities that only kernel users see were bits of device_cap_flags. */
#ifdef RXE_HAVE_KERNEL_CAPS
static inline void rxe_set_kernel_caps(struct ib_device_attr *attr, u64 caps)
{
	attr->kernel_cap_flags = caps;
}
#else
#define IBK_ALLOW_USER_UNREG IB_DEVICE_ALLOW_USER_UNREG
#define IBK_ON_DEMAND_PAGING IB_DEVICE_ON_DEMAND_PAGING
#define IBK_SG_GAPS_REG	     IB_DEVICE_SG_GAPS_REG
static inline void rxe_set_kernel_caps(struct ib_device_attr *attr, u64 caps)
{
	attr->device_cap_flags |= caps;
}
#endif

#ifndef RXE_HAVE_STANDARD_BITS
#define IB_QP_ATTR_STANDARD_BITS ((int)GENMASK(20, 0))
#endif

#ifndef RXE_HAVE_UDP_SPORT
/* UDP source port of RoCEv2, by the flow label or else by both QP numbers. */
static inline u16 rdma_get_udp_sport(u32 flow_label, u32 qpn, u32 dest_qpn)
{
	return rdma_flow_label_to_udp_sport(flow_label ?: rdma_calc_flow_label(qpn, dest_qpn));
}
#endif

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

/* A number of the user ABI. */
#ifndef RXE_HAVE_PREFETCH_NO_FAULT
#define IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT 2
#endif

/*
 * The numbers of the user ABI, so that the names compile. An RDMA core without
 * them refuses the access bits: RXE_CORE_FLUSH and RXE_CORE_ATOMIC_WRITE tell
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

#ifndef RXE_HAVE_ODP_FLUSH
#define IB_ODP_SUPPORT_FLUSH	    BIT(6)
#define IB_ODP_SUPPORT_ATOMIC_WRITE BIT(7)
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
