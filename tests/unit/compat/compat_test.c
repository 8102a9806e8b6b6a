// SPDX-License-Identifier: GPL-2.0
/*
 * Uses every interface that include/compat supplies, as the newest kernel
 * declares it. A kernel that this compiles and links for is one that the
 * sources can be built for; nothing here is ever loaded.
 */
#include <asm/barrier.h>
#include <linux/compiler.h>
#include <linux/container_of.h>
#include <linux/dma-buf.h>
#include <linux/highmem.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/iosys-map.h>
#include <linux/lockdep.h>
#include <linux/math.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/netfilter.h>
#include <linux/random.h>
#include <linux/skbuff.h>
#include <linux/skbuff_ref.h>
#include <linux/stddef.h>
#include <linux/timer.h>
#include <linux/unaligned.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include <net/dst.h>
#include <net/flow.h>
#include <net/gro.h>
#include <net/ip6_fib.h>
#include <net/ip6_route.h>
#include <net/ip_fib.h>
#include <net/route.h>
#include <net/sch_generic.h>
#include <net/sock.h>
#include <net/udp_tunnel.h>
#include <net/xfrm.h>
#include <rdma/ib_umem.h>
#include <rdma/ib_umem_odp.h>
#include <rdma/ib_verbs.h>
#include <rdma/rdma_user_rxe.h>
#include <rdma/uverbs_ioctl.h>

/* The user ABI is the same on all kernels. */
static_assert(sizeof(struct rxe_send_wr) == 144);
static_assert(offsetof(struct rxe_send_wr, wr.ud.ah_num) == 36);
static_assert(offsetof(struct rxe_send_wr, wr.ud.av) == 56);
static_assert(offsetof(struct rxe_send_wr, wr.atomic.rkey) == 48);
static_assert(offsetof(struct rxe_send_wr, wr.mw.access) == 52);
static_assert(sizeof(struct rxe_av) == 88);
static_assert(offsetof(struct rxe_av, dgid_addr) == 60);
static_assert(sizeof(struct rxe_send_wqe) == 208);
static_assert(offsetof(struct rxe_send_wqe, dma) == 184);
static_assert(offsetof(struct rxe_recv_wqe, dma) == 16);
static_assert(sizeof(struct rxe_dma_info) == 24);
static_assert(offsetof(struct rxe_queue_buf, producer_index) == 128);
static_assert(offsetof(struct rxe_queue_buf, consumer_index) == 256);
static_assert(offsetof(struct rxe_queue_buf, data) == 384);
static_assert(sizeof(struct rxe_create_qp_resp) == 32);
static_assert(sizeof(struct rxe_create_srq_resp) == 24);

struct object {
	struct ib_device ibdev;
	struct timer_list timer;
	struct hrtimer hrtimer;
	struct tasklet_struct tasklet;
	struct workqueue_struct *wq;
	struct work_struct work;
	struct sock *sk;
	unsigned long *pfns;
	netdevice_tracker tracker;
	u32 word;
};

struct object_qp {
	struct ib_qp ibqp;
	union {
		DECLARE_FLEX_ARRAY(u8, bytes);
		DECLARE_FLEX_ARRAY(u32, words);
	};
};

static void on_timer(struct timer_list *timer)
{
	struct object *obj = timer_container_of(obj, timer, timer);

	obj->word = get_unaligned_be32((u8 *)&obj->word);
}

static enum hrtimer_restart on_hrtimer(struct hrtimer *timer)
{
	return HRTIMER_NORESTART;
}

static void on_tasklet(struct tasklet_struct *t)
{
	struct object *obj = from_tasklet(obj, t, tasklet);

	obj->word++;
}

static void on_work(struct work_struct *work)
{
}

static int start(struct object *obj)
{
	timer_setup(&obj->timer, on_timer, 0);
	hrtimer_setup(&obj->hrtimer, on_hrtimer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_SOFT);
	tasklet_setup(&obj->tasklet, on_tasklet);
	INIT_WORK(&obj->work, on_work);
	obj->wq = alloc_workqueue("compat_test", WQ_PERCPU, 0);
	if (!obj->wq)
		return -ENOMEM;
	queue_work(system_percpu_wq, &obj->work);
	queue_work(system_dfl_wq, &obj->work);
	return 0;
}

static void stop(struct object *obj)
{
	timer_delete_sync(&obj->timer);
	hrtimer_cancel(&obj->hrtimer);
	tasklet_kill(&obj->tasklet);
	cancel_work_sync(&obj->work);
	destroy_workqueue(obj->wq);
}

static void fill_frag(struct sk_buff *skb, struct page *page)
{
	skb_frag_t *frag = &skb_shinfo(skb)->frags[0];

	skb_frag_fill_page_desc(frag, page, 64, 128);
	if (skb_frags_readable(skb))
		__skb_frag_ref(frag);
}

static int copy_to_page(struct dma_buf *buf, struct page *page, u32 len)
{
	u8 scratch[8] __uninitialized;
	struct iosys_map map;
	void *va;
	int err = dma_buf_vmap_unlocked(buf, &map);

	if (err)
		return err;
	lockdep_assert_in_softirq();
	va = kmap_local_page(page);
	if (!map.is_iomem)
		memcpy(va, map.vaddr, round_up(len, 8));
	memcpy(scratch, va, sizeof(scratch));
	kunmap_local(va);
	dma_buf_vunmap_unlocked(buf, &map);
	return scratch[0];
}

static struct sk_buff *receive(struct object *obj, void *data, struct net_device *ndev,
			       const struct nf_hook_ops *ops)
{
	struct sk_buff *skb = napi_build_skb(data, 512);

	if (!skb || dev_xdp_prog_count(ndev) || !rxe_nf_hook_is_plain(ops) ||
	    !rxe_xfrm_accepts_unmatched(dev_net(ndev)) ||
	    secpath_exists((const struct sk_buff *)skb))
		return NULL;
	obj->word = rxe_skb_flags(skb);
	return skb_gro_header(skb, 8, 0) ? skb : NULL;
}

static u64 transmit(struct object *obj, struct dst_entry *dst, const struct Qdisc *q,
		    struct sk_buff *skb)
{
	if (rxe_dst_is_plain_output(dst, false))
		skb_set_queue_mapping(skb, rxe_netdev_select_queue(dst_dev(dst), skb));
	netdev_hold(dst_dev(dst), &obj->tracker, GFP_KERNEL);
	obj->word = get_random_u32_below(7) + get_random_u16() + rdma_get_udp_sport(1, 2, 3);
	netdev_put(dst_dev(dst), &obj->tracker);
	return rxe_qdisc_dequeued(q);
}

static void *route(struct flowi4 *fl4, struct dst_entry *dst, bool v4)
{
	const struct net *net = dev_net(dst_dev(dst));

	if (v4 ? fib4_has_custom_rules(net) : fib6_has_custom_rules(net))
		return NULL;
	if (v4 && !rxe_rt_has_gateway6(dst_rtable(dst)))
		fl4->daddr = rxe_rt_gateway4(dst_rtable(dst));
	rxe_flowi4_set_dscp(fl4, inet_dsfield_to_dscp(0x28));
	return v4 ? (void *)dst_rtable(dst) : (void *)dst_rt6_info(dst);
}

static void open_tunnel(struct object *obj, struct net *net, struct socket *sock)
{
	struct udp_tunnel_sock_cfg cfg = { .encap_type = 1 };

	obj->sk = sock->sk;
	sock_set_reuseport(obj->sk);
	setup_udp_tunnel_sock(net, obj->sk, &cfg);
}

static void close_tunnel(struct object *obj)
{
	udp_tunnel_sock_release(obj->sk);
	synchronize_rcu();
}

static int create_cq(struct ib_cq *cq, const struct ib_cq_init_attr *attr, rxe_cq_attrs *attrs)
{
	struct ib_udata *udata = rxe_cq_udata(attrs);

	return udata && udata->inlen ? -EINVAL : 0;
}

static int resize_cq(struct ib_cq *cq, rxe_cqe_t cqe, struct ib_udata *udata)
{
	return cqe > 1 ? 0 : -EINVAL;
}

static struct ib_mr *reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 va, int access,
				 RXE_DMAH_PARAM struct ib_udata *udata)
{
	struct ib_umem *umem;

	if (RXE_DMAH)
		return ERR_PTR(-EOPNOTSUPP);
	umem = rxe_umem_get(pd, start, length, access);
	if (IS_ERR(umem))
		return ERR_CAST(umem);
	if (ib_umem_check_rereg(umem, IB_MR_REREG_ACCESS, access))
		ib_umem_release(umem);
	return NULL;
}

static struct ib_mr *reg_user_mr_dmabuf(struct ib_pd *pd, u64 offset, u64 length, u64 va, int fd,
					int access, RXE_DMAH_PARAM rxe_dmabuf_attrs *attrs)
{
	struct ib_udata *udata = rxe_dmabuf_udata(attrs);

	return ERR_PTR(RXE_DMAH || (udata && udata->inlen) ? -EOPNOTSUPP : -EINVAL);
}

static struct ib_mr *rereg(struct ib_mr *ibmr, int flags, u64 start, u64 length, u64 va, int access,
			   struct ib_pd *pd, struct ib_udata *udata)
{
	return ERR_PTR(-EINVAL);
}

static int create_qp(struct ib_qp *ibqp, struct ib_qp_init_attr *attr, struct ib_udata *udata)
{
	return attr->create_flags ? -EINVAL : 0;
}

static int destroy_qp(struct ib_qp *ibqp, struct ib_udata *udata)
{
	return container_of_const(ibqp, struct object_qp, ibqp)->bytes[0];
}

static int create_ah(struct ib_ah *ibah, struct rdma_ah_init_attr *attr, struct ib_udata *udata)
{
	return 0;
}

static int query_port(struct ib_device *ibdev, rxe_port_t port, struct ib_port_attr *attr)
{
	return port == 1 ? 0 : -EINVAL;
}

static const struct rdma_stat_desc stats[] = { { .name = "packets" } };

static struct rdma_hw_stats *alloc_stats(struct ib_device *ibdev, rxe_port_t port)
{
	return rdma_alloc_hw_stats_struct(stats, ARRAY_SIZE(stats), 10);
}

static const struct attribute_group group;

RXE_DEFINE_QP_OPS(create_qp, destroy_qp, object_qp)
RXE_DEFINE_REREG_MR(rereg)

static const struct ib_device_ops device_ops = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_RXE,
	RXE_DEVICE_GROUP(&group)
	RXE_QP_OPS(create_qp, destroy_qp, object_qp)
	RXE_CREATE_USER_AH(create_ah)
	RXE_REG_MR_DMABUF(reg_user_mr_dmabuf)
	.alloc_hw_port_stats = alloc_stats,
	.create_ah = create_ah,
	.create_cq = create_cq,
	.query_port = query_port,
	.reg_user_mr = reg_user_mr,
	.rereg_user_mr = RXE_REREG_MR(rereg),
	.resize_user_cq = resize_cq,
};

static bool prefetches_without_fault(u32 advice)
{
	return advice == IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT;
}

static void persist(void)
{
	pmem_wmb();
}

static void *table(size_t size)
{
	return __vmalloc(size, GFP_KERNEL_ACCOUNT);
}

static u64 capabilities(void)
{
	u64 caps = 0;

	if (RXE_CORE_FLUSH)
		caps |= IB_DEVICE_FLUSH_GLOBAL | IB_DEVICE_FLUSH_PERSISTENT;
	if (RXE_CORE_ATOMIC_WRITE)
		caps |= IB_DEVICE_ATOMIC_WRITE;
	return caps;
}

/* Not over the enumeration: it has fewer names on older kernels. */
static u32 completion(u32 opcode)
{
	switch (opcode) {
	case IB_WR_FLUSH:
		return IB_WC_FLUSH;
	case IB_WR_ATOMIC_WRITE:
		return IB_WC_ATOMIC_WRITE;
	default:
		return IB_WC_SEND;
	}
}

static struct object *create(struct net *net)
{
	struct object *obj = ib_alloc_device_with_net(object, ibdev, net);

	if (!obj)
		return NULL;
	ib_mark_name_assigned_by_user(&obj->ibdev);
	rxe_device_init_commands(&obj->ibdev);
	ib_set_device_ops(&obj->ibdev, &device_ops);
	rxe_device_init_sysfs(&obj->ibdev, &group);
	obj->ibdev.attrs.device_cap_flags = capabilities();
	rxe_set_kernel_caps(&obj->ibdev.attrs, IBK_ALLOW_USER_UNREG | IBK_ON_DEMAND_PAGING);
	return obj;
}

static bool port_event(struct net_device *netdev)
{
	if (RXE_CORE_PORT_EVENTS || rxe_netdev_has_egress_filter(netdev))
		return false;
	return ib_get_curr_port_state(netdev) == IB_PORT_ACTIVE;
}

static bool memory(struct object *obj, struct ib_umem *umem, struct ib_umem_odp *odp, u64 dma)
{
	struct sg_page_iter iter;

	rxe_umem_for_each_page(umem, &iter)
		obj->word += !!sg_page_iter_page(&iter);
	obj->pfns = rxe_odp_pfns(odp);
	return (obj->pfns[0] & HMM_PFN_VALID) && ib_virt_dma_to_ptr(dma) &&
	       ib_virt_dma_to_page(dma);
}

/* Keeps the compiler from dropping what nothing calls. */
struct compat_uses {
	typeof(start) *start;
	typeof(stop) *stop;
	typeof(fill_frag) *fill_frag;
	typeof(copy_to_page) *copy_to_page;
	typeof(receive) *receive;
	typeof(transmit) *transmit;
	typeof(reg_user_mr_dmabuf) *reg_user_mr_dmabuf;
	typeof(route) *route;
	typeof(open_tunnel) *open_tunnel;
	typeof(close_tunnel) *close_tunnel;
	typeof(completion) *completion;
	typeof(create) *create;
	typeof(port_event) *port_event;
	typeof(prefetches_without_fault) *prefetches_without_fault;
	typeof(persist) *persist;
	typeof(table) *table;
	typeof(memory) *memory;
	int access;
};

extern const struct compat_uses compat_uses;
const struct compat_uses compat_uses = {
	.start = start,
	.stop = stop,
	.fill_frag = fill_frag,
	.copy_to_page = copy_to_page,
	.receive = receive,
	.transmit = transmit,
	.reg_user_mr_dmabuf = reg_user_mr_dmabuf,
	.route = route,
	.open_tunnel = open_tunnel,
	.close_tunnel = close_tunnel,
	.completion = completion,
	.create = create,
	.port_event = port_event,
	.prefetches_without_fault = prefetches_without_fault,
	.persist = persist,
	.table = table,
	.memory = memory,
	.access = IB_ACCESS_FLUSH_GLOBAL | IB_ACCESS_FLUSH_PERSISTENT,
};
EXPORT_SYMBOL_GPL(compat_uses);

#ifdef SPARSE_MUST_COMPLAIN
/* Wrong on purpose: shows that sparse looks at all. */
u32 wrong_byte_order(__be32 value);
u32 wrong_byte_order(__be32 value)
{
	return value;
}
#endif

MODULE_IMPORT_NS(RXE_NS_DMA_BUF);
MODULE_DESCRIPTION("Compile test of the compat headers");
MODULE_LICENSE("GPL");
