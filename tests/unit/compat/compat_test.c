// SPDX-License-Identifier: GPL-2.0
/*
 * Uses every interface that include/compat supplies, as the newest kernel
 * declares it. A kernel that this compiles and links for is one that the
 * sources can be built for; nothing here is ever loaded.
 */
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/skbuff_ref.h>
#include <linux/timer.h>
#include <linux/unaligned.h>
#include <linux/workqueue.h>
#include <net/flow.h>
#include <net/ip6_fib.h>
#include <net/route.h>
#include <net/udp_tunnel.h>
#include <rdma/ib_umem.h>
#include <rdma/ib_umem_odp.h>
#include <rdma/ib_verbs.h>
#include <rdma/uverbs_ioctl.h>

struct object {
	struct ib_device ibdev;
	struct timer_list timer;
	struct hrtimer hrtimer;
	struct workqueue_struct *wq;
	struct work_struct work;
	struct sock *sk;
	unsigned long *pfns;
	u32 word;
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

static void on_work(struct work_struct *work)
{
}

static int start(struct object *obj)
{
	timer_setup(&obj->timer, on_timer, 0);
	hrtimer_setup(&obj->hrtimer, on_hrtimer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_SOFT);
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
	timer_shutdown_sync(&obj->timer);
	hrtimer_cancel(&obj->hrtimer);
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

static void *route(struct flowi4 *fl4, struct dst_entry *dst, bool v4)
{
	rxe_flowi4_set_dscp(fl4, inet_dsfield_to_dscp(0x28));
	return v4 ? (void *)dst_rtable(dst) : (void *)dst_rt6_info(dst);
}

static void open_tunnel(struct object *obj, struct net *net, struct socket *sock)
{
	struct udp_tunnel_sock_cfg cfg = { .encap_type = 1 };

	obj->sk = sock->sk;
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
	umem = ib_umem_get_va(pd->device, start, length, access);
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

static const struct ib_device_ops device_ops = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_RXE,
	.create_cq = create_cq,
	.resize_user_cq = resize_cq,
	.reg_user_mr = reg_user_mr,
	.reg_user_mr_dmabuf = reg_user_mr_dmabuf,
};

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
	ib_set_device_ops(&obj->ibdev, &device_ops);
	obj->ibdev.attrs.device_cap_flags = capabilities();
	return obj;
}

static bool port_event(struct net_device *netdev)
{
	if (RXE_CORE_PORT_EVENTS || rxe_netdev_has_egress_filter(netdev))
		return false;
	return ib_get_curr_port_state(netdev) == IB_PORT_ACTIVE;
}

static bool memory(struct object *obj, struct ib_umem_odp *odp, u64 dma)
{
	obj->pfns = rxe_odp_pfns(odp);
	return (obj->pfns[0] & HMM_PFN_VALID) && ib_virt_dma_to_ptr(dma) &&
	       ib_virt_dma_to_page(dma);
}

/* Keeps the compiler from dropping what nothing calls. */
struct compat_uses {
	typeof(start) *start;
	typeof(stop) *stop;
	typeof(fill_frag) *fill_frag;
	typeof(route) *route;
	typeof(open_tunnel) *open_tunnel;
	typeof(close_tunnel) *close_tunnel;
	typeof(completion) *completion;
	typeof(create) *create;
	typeof(port_event) *port_event;
	typeof(memory) *memory;
	int access;
};

extern const struct compat_uses compat_uses;
const struct compat_uses compat_uses = {
	.start = start,
	.stop = stop,
	.fill_frag = fill_frag,
	.route = route,
	.open_tunnel = open_tunnel,
	.close_tunnel = close_tunnel,
	.completion = completion,
	.create = create,
	.port_event = port_event,
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

MODULE_DESCRIPTION("Compile test of the compat headers");
MODULE_LICENSE("GPL");
