// SPDX-License-Identifier: GPL-2.0
/*
 * RDMA device: ib_device_ops, capabilities, port attributes, allocation and release.
 */
#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/timekeeping.h>
#include <net/ipv6.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/ib_verbs.h>
#include <rdma/rdma_user_rxe.h>
#include <roce/wire.h>

#include "ip/ah.h"
#include "ip/bypass.h"
#include "ip/pmtu.h"
#include "base/counters.h"
#include "qp/cq.h"
#include "base/device.h"
#include "mem/frmr.h"
#include "rx/mcast.h"
#include "mem/mr.h"
#include "mem/mw.h"
#include "mem/odp.h"
#include "mem/pmem.h"
#include "mem/prefetch.h"
#include "qp/qp.h"
#include "qp/ring.h"
#include "qp/srq.h"
#include "verbs/verbs.h"
#include "tx/sched.h"

/* ABI of rdma_user_rxe.h, as rdma-core's provider rxe expects it. */
#define RXE_UVERBS_ABI_VERSION 2

/* vendor_id: an OUI that is assigned to no vendor. */
#define RXE_NO_VENDOR 0xffffff

/* local_ca_ack_delay n: up to 4.096 us << n = 4.2 ms until a request is acknowledged, CPU busy. */
#define RXE_CA_ACK_DELAY 10

/**
 * struct rxe_pd - protection domain: only its address matters, which keys are compared by
 * @ibpd: the PD of ib_core
 */
struct rxe_pd {
	struct ib_pd ibpd;
};

/* Capabilities that older versions of ib_core lack, together with their access flags. */
static u64 rxe_core_caps(void)
{
	return (RXE_CORE_FLUSH ? IB_DEVICE_FLUSH_GLOBAL : 0) |
	       (RXE_PMEM ? IB_DEVICE_FLUSH_PERSISTENT : 0) |
	       (RXE_CORE_ATOMIC_WRITE ? IB_DEVICE_ATOMIC_WRITE : 0);
}

static void rxe_query_odp(struct ib_odp_caps *caps)
{
	u32 datagram = IB_ODP_SUPPORT_SEND | IB_ODP_SUPPORT_RECV | IB_ODP_SUPPORT_SRQ_RECV;
	u32 unreliable = datagram | IB_ODP_SUPPORT_WRITE;
	u32 mpe = (RXE_CORE_FLUSH ? IB_ODP_SUPPORT_FLUSH : 0) |
		  (RXE_CORE_ATOMIC_WRITE ? IB_ODP_SUPPORT_ATOMIC_WRITE : 0);

	*caps = (struct ib_odp_caps){
		.general_caps = IB_ODP_SUPPORT | IB_ODP_SUPPORT_IMPLICIT,
		.per_transport_caps = {
			.rc_odp_caps =
				unreliable | IB_ODP_SUPPORT_READ | IB_ODP_SUPPORT_ATOMIC | mpe,
			.uc_odp_caps = unreliable,
			.ud_odp_caps = datagram,
		},
	};
}

static int rxe_query_device(struct ib_device *ibdev, struct ib_device_attr *attr,
			    struct ib_udata *udata)
{
	if (udata && (udata->inlen || udata->outlen))
		return -EINVAL;

	*attr = (struct ib_device_attr){
		.sys_image_guid = ibdev->node_guid,
		.max_mr_size = U64_MAX,
		.page_size_cap = PAGE_SIZE,
		.vendor_id = RXE_NO_VENDOR,
		.max_qp = RXE_MAX_QP,
		.max_raw_ethy_qp = RXE_MAX_QP,
		.max_qp_wr = RXE_MAX_QP_WR,
		.device_cap_flags = IB_DEVICE_SYS_IMAGE_GUID | IB_DEVICE_RC_RNR_NAK_GEN |
				    IB_DEVICE_PORT_ACTIVE_EVENT | IB_DEVICE_CURR_QP_STATE_MOD |
				    IB_DEVICE_MEM_MGT_EXTENSIONS | IB_DEVICE_MEM_WINDOW |
				    IB_DEVICE_MEM_WINDOW_TYPE_2B | IB_DEVICE_SRQ_RESIZE |
				    rxe_core_caps(),
		.max_send_sge = RXE_MAX_SGE,
		.max_recv_sge = RXE_MAX_SGE,
		.max_sge_rd = RXE_MAX_SGE,
		.max_cq = RXE_MAX_CQ,
		.max_cqe = RXE_MAX_CQE,
		.max_mr = RXE_MAX_MR,
		.max_mw = RXE_MAX_MW,
		.max_fast_reg_page_list_len = RXE_MAX_FRMR_PAGES,
		.max_srq = RXE_MAX_SRQ,
		.max_srq_wr = RXE_MAX_SRQ_WR,
		.max_srq_sge = RXE_MAX_SGE,
		.max_pd = RXE_MAX_PD,
		.max_ah = RXE_MAX_AH,
		.max_mcast_grp = RXE_MAX_MCAST_GRP,
		.max_mcast_qp_attach = RXE_MAX_MCAST_QPS,
		.max_total_mcast_qp_attach = RXE_MAX_MCAST_GRP * RXE_MAX_MCAST_QPS,
		.max_qp_rd_atom = RXE_MAX_RD_ATOMIC,
		.max_res_rd_atom = RXE_MAX_RD_ATOMIC * RXE_MAX_QP,
		.max_qp_init_rd_atom = RXE_MAX_RD_ATOMIC,
		.atomic_cap = IB_ATOMIC_GLOB,
		.max_pkeys = 1,
		.local_ca_ack_delay = RXE_CA_ACK_DELAY,
	};
	rxe_set_kernel_caps(attr, IBK_ALLOW_USER_UNREG | IBK_SG_GAPS_REG |
				  (RXE_ODP ? IBK_ON_DEMAND_PAGING : 0));
	if (RXE_ODP)
		rxe_query_odp(&attr->odp_caps);
	return 0;
}

/* Root writes the description to sysfs, as rdma-ndd does when the host name changes. */
static int rxe_modify_device(struct ib_device *ibdev, int mask, struct ib_device_modify *attr)
{
	if (mask & ~IB_DEVICE_MODIFY_NODE_DESC)
		return -EOPNOTSUPP;
	if (mask & IB_DEVICE_MODIFY_NODE_DESC)
		memcpy(ibdev->node_desc, attr->node_desc, sizeof(ibdev->node_desc));
	return 0;
}

static void rxe_query_port_state(struct rxe_dev *dev, struct ib_port_attr *attr)
{
	struct net_device *ndev;

	attr->state = IB_PORT_DOWN;
	attr->phys_state = IB_PORT_PHYS_STATE_DISABLED;
	rcu_read_lock();
	ndev = rcu_dereference(dev->ndev);
	if (ndev && netif_running(ndev)) {
		attr->state = ib_get_curr_port_state(ndev);
		attr->phys_state = netif_carrier_ok(ndev) ? IB_PORT_PHYS_STATE_LINK_UP :
							    IB_PORT_PHYS_STATE_POLLING;
	}
	rcu_read_unlock();
}

/* Without a speed, as tunnels are, ib_get_eth_speed() logs a warning at each call. */
static bool rxe_has_speed(struct rxe_dev *dev)
{
	struct net_device *ndev;
	bool has;

	rcu_read_lock();
	ndev = rcu_dereference(dev->ndev);
	has = ndev && ndev->ethtool_ops && ndev->ethtool_ops->get_link_ksettings;
	rcu_read_unlock();
	return has;
}

static int rxe_query_port(struct ib_device *ibdev, rxe_port_t port, struct ib_port_attr *attr)
{
	struct rxe_dev *dev = to_rxe_dev(ibdev);

	/* ib_core has cleared @attr. */
	rxe_query_port_state(dev, attr);
	attr->max_mtu = IB_MTU_4096;
	attr->active_mtu = ib_mtu_int_to_enum(READ_ONCE(dev->mtu));
	attr->gid_tbl_len = RXE_GID_TABLE_LEN;
	attr->ip_gids = true;
	attr->max_msg_sz = ROCE_MAX_MSG;
	attr->pkey_tbl_len = 1;
	attr->max_vl_num = 1;
	/* Fails while the interface is being unregistered: report the lowest speed. */
	if (!rxe_has_speed(dev) ||
	    ib_get_eth_speed(ibdev, port, &attr->active_speed, &attr->active_width)) {
		attr->active_speed = IB_SPEED_SDR;
		attr->active_width = IB_WIDTH_1X;
	}
	return 0;
}

static int rxe_query_pkey(struct ib_device *ibdev, rxe_port_t port, u16 index, u16 *pkey)
{
	if (index)
		return -EINVAL;
	*pkey = IB_DEFAULT_PKEY_FULL;
	return 0;
}

/* GID 0 as the identity of the port; ib_core keeps the GID table of RoCE itself. */
static int rxe_query_gid(struct ib_device *ibdev, rxe_port_t port, int index, union ib_gid *gid)
{
	if (index)
		return -EINVAL;
	gid->global.subnet_prefix = cpu_to_be64(0xfe80000000000000ull);
	gid->global.interface_id = ibdev->node_guid;
	return 0;
}

static enum rdma_link_layer rxe_get_link_layer(struct ib_device *ibdev, rxe_port_t port)
{
	return IB_LINK_LAYER_ETHERNET;
}

static int rxe_get_port_immutable(struct ib_device *ibdev, rxe_port_t port,
				  struct ib_port_immutable *immutable)
{
	immutable->pkey_tbl_len = 1;
	immutable->gid_tbl_len = RXE_GID_TABLE_LEN;
	immutable->core_cap_flags = RDMA_CORE_PORT_IBA_ROCE_UDP_ENCAP;
	immutable->max_mad_size = IB_MGMT_MAD_SIZE;
	return 0;
}

static int rxe_alloc_ucontext(struct ib_ucontext *ibuc, struct ib_udata *udata)
{
	return 0;
}

static void rxe_dealloc_ucontext(struct ib_ucontext *ibuc)
{
}

/*
 * Empty, but required: it allows ib_core to unregister the device while processes have it open.
 * They get IB_EVENT_DEVICE_FATAL and their objects are destroyed. The rings that they have mapped
 * hold the flush errors of their WRs (verbs/removal.c), and stay mapped (qp/ring.c).
 */
static void rxe_disassociate_ucontext(struct ib_ucontext *ibuc)
{
}

static int rxe_alloc_pd(struct ib_pd *ibpd, struct ib_udata *udata)
{
	return 0;
}

static int rxe_dealloc_pd(struct ib_pd *ibpd, struct ib_udata *udata)
{
	return 0;
}

static ssize_t parent_show(struct device *device, struct device_attribute *attr, char *buf)
{
	struct rxe_dev *dev = rdma_device_to_drv_device(device, struct rxe_dev, ibdev);
	struct net_device *ndev;
	ssize_t len = -ENODEV;

	rcu_read_lock();
	ndev = rcu_dereference(dev->ndev);
	if (ndev)
		len = sysfs_emit(buf, "%s\n", netdev_name(ndev));
	rcu_read_unlock();
	return len;
}

static DEVICE_ATTR_RO(parent);

static ssize_t xmit_veto_show(struct device *device, struct device_attribute *attr, char *buf)
{
	struct rxe_dev *dev = rdma_device_to_drv_device(device, struct rxe_dev, ibdev);

	return sysfs_emit(buf, "%s\n", rxe_bypass_veto_text(READ_ONCE(dev->xmit_veto)));
}

static DEVICE_ATTR_RO(xmit_veto);

/* For the administrator only: pods that share the device must not see each other's peers. */
static ssize_t misaddressed_show(struct device *device, struct device_attribute *attr, char *buf)
{
	struct rxe_dev *dev = rdma_device_to_drv_device(device, struct rxe_dev, ibdev);
	struct rxe_misaddressed *m = &dev->misaddressed;
	struct in6_addr saddr;
	u64 age;
	u32 qpn;

	spin_lock_bh(&m->lock);
	saddr = m->saddr;
	qpn = m->qpn;
	age = ktime_get_seconds() - m->seconds;
	spin_unlock_bh(&m->lock);
	if (ipv6_addr_any(&saddr))
		return sysfs_emit(buf, "none\n");
	if (ipv6_addr_v4mapped(&saddr))
		return sysfs_emit(buf, "%pI4 QP %u, %llu s ago\n", &saddr.s6_addr32[3], qpn, age);
	return sysfs_emit(buf, "%pI6c QP %u, %llu s ago\n", &saddr, qpn, age);
}

static DEVICE_ATTR_ADMIN_RO(misaddressed);

static ssize_t pmtu_exceeded_show(struct device *device, struct device_attribute *attr, char *buf)
{
	return rxe_pmtu_show(rdma_device_to_drv_device(device, struct rxe_dev, ibdev), buf);
}

/* For the administrator only, as above. */
static DEVICE_ATTR_ADMIN_RO(pmtu_exceeded);

static struct attribute *rxe_dev_attrs[] = {
	&dev_attr_parent.attr,
	&dev_attr_xmit_veto.attr,
	&dev_attr_misaddressed.attr,
	&dev_attr_pmtu_exceeded.attr,
	NULL,
};

static const struct attribute_group rxe_dev_group = {
	.attrs = rxe_dev_attrs,
};

void rxe_dev_release(struct rxe_dev *dev)
{
	WARN_ON(!xa_empty(&dev->eps));
	rxe_tx_sched_destroy(dev->tx_sched);
	WARN_ON(!xa_empty(&dev->mems));
	WARN_ON(!xa_empty(&dev->ahs));
	WARN_ON(!list_empty(&dev->dests));
	WARN_ON(atomic_long_read(&dev->retained_bytes));
	xa_destroy(&dev->eps);
	xa_destroy(&dev->mems);
	xa_destroy(&dev->ahs);
	xa_destroy(&dev->counter_sets);
	rxe_mcast_exit(dev);
	free_percpu(dev->counters);
}

RXE_DEFINE_QP_OPS(rxe_create_qp, rxe_destroy_qp, rxe_qp)
RXE_DEFINE_REREG_MR(rxe_rereg_user_mr)

static const struct ib_device_ops rxe_dev_ops = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_RXE,
	.uverbs_abi_ver = RXE_UVERBS_ABI_VERSION,
	RXE_DEVICE_GROUP(&rxe_dev_group)

	.advise_mr = rxe_advise_mr,
	.alloc_hw_port_stats = rxe_alloc_hw_port_stats,
	.alloc_mr = rxe_alloc_mr,
	.alloc_mw = rxe_alloc_mw,
	.alloc_pd = rxe_alloc_pd,
	.alloc_ucontext = rxe_alloc_ucontext,
	.attach_mcast = rxe_attach_mcast,
	.counter_alloc_stats = rxe_counter_alloc_stats,
	.counter_bind_qp = rxe_counter_bind_qp,
	.counter_dealloc = rxe_counter_dealloc,
	.counter_unbind_qp = rxe_counter_unbind_qp,
	.counter_update_stats = rxe_counter_update_stats,
	.create_ah = rxe_create_ah,
	.create_cq = rxe_create_cq,
	.create_srq = rxe_create_srq,
	RXE_CREATE_USER_AH(rxe_create_ah)
	.dealloc_mw = rxe_dealloc_mw,
	.dealloc_pd = rxe_dealloc_pd,
	.dealloc_ucontext = rxe_dealloc_ucontext,
	.dereg_mr = rxe_dereg_mr,
	.destroy_ah = rxe_destroy_ah,
	.destroy_cq = rxe_destroy_cq,
	.destroy_srq = rxe_destroy_srq,
	.detach_mcast = rxe_detach_mcast,
	.disassociate_ucontext = rxe_disassociate_ucontext,
	.fill_res_cq_entry = rxe_fill_res_cq,
	.fill_res_mr_entry = rxe_fill_res_mr,
	.fill_res_qp_entry = rxe_fill_res_qp,
	RXE_FILL_RES_SRQ(rxe_fill_res_srq)
	.get_dma_mr = rxe_get_dma_mr,
	.get_hw_stats = rxe_get_hw_stats,
	.get_link_layer = rxe_get_link_layer,
	.get_port_immutable = rxe_get_port_immutable,
	.map_mr_sg = rxe_map_mr_sg,
	.mmap = rxe_mmap,
	.mmap_free = rxe_mmap_free,
	.modify_ah = rxe_modify_ah,
	.modify_device = rxe_modify_device,
	.modify_qp = rxe_modify_qp,
	.modify_srq = rxe_modify_srq,
	.peek_cq = rxe_peek_cq,
	.poll_cq = rxe_poll_cq,
	.post_recv = rxe_post_recv,
	.post_send = rxe_post_send,
	.post_srq_recv = rxe_post_srq_recv,
	.process_mad = rxe_process_mad,
	.query_ah = rxe_query_ah,
	.query_device = rxe_query_device,
	.query_gid = rxe_query_gid,
	.query_pkey = rxe_query_pkey,
	.query_port = rxe_query_port,
	.query_qp = rxe_query_qp,
	.query_srq = rxe_query_srq,
	.reg_user_mr = rxe_reg_user_mr,
	RXE_REG_MR_DMABUF(rxe_reg_user_mr_dmabuf)
	.req_notify_cq = rxe_req_notify_cq,
	.rereg_user_mr = RXE_REREG_MR(rxe_rereg_user_mr),
	.resize_user_cq = rxe_resize_cq,

	RXE_QP_OPS(rxe_create_qp, rxe_destroy_qp, rxe_qp)
	RXE_COUNTER_OPS(rxe_counter_init,
			INIT_RDMA_OBJ_SIZE(rdma_counter, rxe_qp_stats, counter))
	INIT_RDMA_OBJ_SIZE(ib_ah, rxe_ah, ibah),
	INIT_RDMA_OBJ_SIZE(ib_cq, rxe_cq, ibcq),
	INIT_RDMA_OBJ_SIZE(ib_mw, rxe_mw, ibmw),
	INIT_RDMA_OBJ_SIZE(ib_pd, rxe_pd, ibpd),
	INIT_RDMA_OBJ_SIZE(ib_srq, rxe_srq, ibsrq),
	INIT_RDMA_OBJ_SIZE(ib_ucontext, rxe_ucontext, ibuc),
};

struct rxe_dev *rxe_dev_alloc(struct net *net)
{
	struct rxe_dev *dev = ib_alloc_device_with_net(rxe_dev, ibdev, net);

	if (!dev)
		return NULL;
	dev->counters = alloc_percpu(struct rxe_counters);
	if (!dev->counters)
		goto err_dealloc;
	dev->tx_sched = rxe_tx_sched_create();
	if (!dev->tx_sched)
		goto err_free_counters;
	if (rxe_mcast_init(dev))
		goto err_destroy_tx_sched;
	INIT_LIST_HEAD(&dev->link_node);
	INIT_LIST_HEAD(&dev->nets);
	INIT_LIST_HEAD(&dev->dests);
	spin_lock_init(&dev->dests_lock);
	spin_lock_init(&dev->misaddressed.lock);
	spin_lock_init(&dev->pmtu.lock);
	xa_init_flags(&dev->eps, XA_FLAGS_ALLOC);
	xa_init_flags(&dev->mems, XA_FLAGS_ALLOC);
	xa_init_flags(&dev->ahs, XA_FLAGS_ALLOC);
	xa_init_flags(&dev->counter_sets, XA_FLAGS_ALLOC1);
	rxe_ids_init(&dev->qpns);
	rxe_ids_init(&dev->mem_ids);
	/* Random, so that AH numbers from before a module reload are unlikely to be valid. */
	dev->next_ah = get_random_u32_below(RXE_MAX_AH);

	dev->ibdev.node_type = RDMA_NODE_IB_CA;
	dev->ibdev.phys_port_cnt = 1;
	dev->ibdev.num_comp_vectors = num_possible_cpus();
	strscpy(dev->ibdev.node_desc, "RoCE over Ethernet in software",
		sizeof(dev->ibdev.node_desc));
	rxe_device_init_commands(&dev->ibdev);
	/* System calls by which user libraries ring the SQ doorbell and arm CQs. */
	dev->ibdev.uverbs_cmd_mask |= BIT_ULL(IB_USER_VERBS_CMD_POST_SEND) |
				      BIT_ULL(IB_USER_VERBS_CMD_REQ_NOTIFY_CQ);
	ib_set_device_ops(&dev->ibdev, &rxe_dev_ops);
	rxe_device_init_sysfs(&dev->ibdev, &rxe_dev_group);
	return dev;

err_destroy_tx_sched:
	rxe_tx_sched_destroy(dev->tx_sched);
err_free_counters:
	free_percpu(dev->counters);
err_dealloc:
	/* No operations are set yet: this only frees the memory. */
	ib_dealloc_device(&dev->ibdev);
	return NULL;
}
