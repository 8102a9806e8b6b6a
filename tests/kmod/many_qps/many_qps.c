// SPDX-License-Identifier: GPL-2.0
/*
 * Create the requested number of queue pairs of a kernel consumer on the device "rxe_a".
 *
 * Loading the module creates and connects them, sends over some, and destroys all. It fails if a
 * queue
 * pair cannot be created or does not work; otherwise the module stays loaded.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <net/ipv6.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_verbs.h>

#define PSN	 0xfffff0
#define MESSAGES 1000u
#define LIMIT	 (20 * HZ)

static unsigned int qps = 1000;
module_param(qps, uint, 0444);
MODULE_PARM_DESC(qps, "queue pairs at a time");

static struct ib_device *device;
static struct ib_pd *pd;
static struct ib_cq *cq;
static struct ib_srq *srq;
static struct ib_qp **qp;
static unsigned int made;
static union ib_gid gid;
static int gid_index;

static int find_gid(void)
{
	const struct ib_gid_attr *attr;
	bool found;

	for (gid_index = 0; gid_index < 64; gid_index++) {
		attr = rdma_get_gid_attr(device, 1, gid_index);
		if (IS_ERR(attr))
			continue;
		found = attr->gid_type == IB_GID_TYPE_ROCE_UDP_ENCAP &&
			ipv6_addr_v4mapped((struct in6_addr *)&attr->gid);
		gid = attr->gid;
		rdma_put_gid_attr(attr);
		if (found)
			return 0;
	}
	return -ENOENT;
}

static int open_shared(void)
{
	struct ib_srq_init_attr srq_init = { .attr = { .max_wr = 8, .max_sge = 1 } };
	struct ib_cq_init_attr cq_init = { .cqe = 8 };

	pd = ib_alloc_pd(device, 0);
	if (IS_ERR(pd))
		return PTR_ERR(pd);
	cq = ib_create_cq(device, NULL, NULL, NULL, &cq_init);
	if (IS_ERR(cq))
		return PTR_ERR(cq);
	srq = ib_create_srq(pd, &srq_init);
	return PTR_ERR_OR_ZERO(srq);
}

static void close_shared(void)
{
	if (!IS_ERR_OR_NULL(srq))
		ib_destroy_srq(srq);
	if (!IS_ERR_OR_NULL(cq))
		ib_destroy_cq(cq);
	if (!IS_ERR_OR_NULL(pd))
		ib_dealloc_pd(pd);
}

/* Connect the QP to itself. */
static int connect_qp(struct ib_qp *new)
{
	struct ib_qp_attr attr = {
		.qp_state = IB_QPS_INIT,
		.port_num = 1,
		.path_mtu = IB_MTU_1024,
		.dest_qp_num = new->qp_num,
		.rq_psn = PSN,
		.sq_psn = PSN,
		.max_rd_atomic = 1,
		.max_dest_rd_atomic = 1,
		.min_rnr_timer = 1,
		.timeout = 14,
		.retry_cnt = 7,
		.rnr_retry = 7,
	};
	int err;

	attr.ah_attr.type = RDMA_AH_ATTR_TYPE_ROCE;
	rdma_ah_set_grh(&attr.ah_attr, &gid, 0, gid_index, 64, 0);
	rdma_ah_set_port_num(&attr.ah_attr, 1);
	err = ib_modify_qp(new, &attr,
			   IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS);
	if (err)
		return err;
	attr.qp_state = IB_QPS_RTR;
	err = ib_modify_qp(new, &attr,
			   IB_QP_STATE | IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN |
				   IB_QP_MAX_DEST_RD_ATOMIC | IB_QP_MIN_RNR_TIMER);
	if (err)
		return err;
	attr.qp_state = IB_QPS_RTS;
	return ib_modify_qp(new, &attr,
			    IB_QP_STATE | IB_QP_TIMEOUT | IB_QP_RETRY_CNT | IB_QP_RNR_RETRY |
				    IB_QP_SQ_PSN | IB_QP_MAX_QP_RD_ATOMIC);
}

static int create_all(void)
{
	struct ib_qp_init_attr init = {
		.send_cq = cq,
		.recv_cq = cq,
		.srq = srq,
		.cap = { .max_send_wr = 1, .max_send_sge = 1 },
		.sq_sig_type = IB_SIGNAL_ALL_WR,
		.qp_type = IB_QPT_RC,
	};
	int err;

	qp = kvcalloc(qps, sizeof(struct ib_qp *), GFP_KERNEL);
	if (!qp)
		return -ENOMEM;
	for (made = 0; made < qps; made++) {
		qp[made] = ib_create_qp(pd, &init);
		if (IS_ERR(qp[made]))
			return PTR_ERR(qp[made]);
		err = connect_qp(qp[made]);
		if (err) {
			ib_destroy_qp(qp[made]);
			return err;
		}
		cond_resched();
	}
	return 0;
}

static void destroy_all(void)
{
	while (made) {
		ib_destroy_qp(qp[--made]);
		cond_resched();
	}
	kvfree(qp);
}

static int wait_wc(const struct ib_qp *of)
{
	unsigned long end = jiffies + LIMIT;
	struct ib_wc wc;

	while (ib_poll_cq(cq, 1, &wc) != 1) {
		if (time_after(jiffies, end))
			return -ETIMEDOUT;
		cond_resched();
	}
	return wc.status == IB_WC_SUCCESS && wc.qp == of ? 0 : -EPROTO;
}

/* Send an empty message. */
static int send_over(struct ib_qp *of)
{
	struct ib_send_wr send = { .opcode = IB_WR_SEND };
	struct ib_recv_wr recv = {};
	int err;

	err = ib_post_srq_recv(srq, &recv, NULL);
	if (!err)
		err = ib_post_send(of, &send, NULL);
	if (!err)
		err = wait_wc(of);
	if (!err)
		err = wait_wc(of);
	return err;
}

static int send_over_some(void)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < MESSAGES; i++) {
		err = send_over(qp[(u64)i * qps / MESSAGES]);
		cond_resched();
	}
	return err;
}

static int run(void)
{
	long available = si_mem_available();
	s64 began = ktime_get(), used;
	int err;

	err = create_all();
	if (!err) {
		pr_info("%u queue pairs in %lld ms, of %lld bytes each\n", made,
			ktime_ms_delta(ktime_get(), began),
			div_u64((u64)(available - si_mem_available()) << PAGE_SHIFT, qps));
		err = send_over_some();
	}
	if (err)
		pr_err("error %d with %u queue pairs\n", err, made);
	used = ktime_get();
	destroy_all();
	pr_info("destroyed in %lld ms\n", ktime_ms_delta(ktime_get(), used));
	return err;
}

static int many_qps_add(struct ib_device *dev)
{
	if (!strcmp(dev_name(&dev->dev), "rxe_a"))
		device = dev;
	return 0;
}

static void many_qps_remove(struct ib_device *dev, void *data)
{
}

static struct ib_client many_qps_client = {
	.name = "many_qps",
	.add = many_qps_add,
	.remove = many_qps_remove,
};

static int __init many_qps_init(void)
{
	int err;

	err = ib_register_client(&many_qps_client);
	if (err)
		return err;
	err = device && qps ? find_gid() : -ENODEV;
	if (!err)
		err = open_shared();
	if (!err)
		err = run();
	close_shared();
	ib_unregister_client(&many_qps_client);
	return err;
}

static void __exit many_qps_exit(void)
{
}

module_init(many_qps_init);
module_exit(many_qps_exit);
MODULE_DESCRIPTION("Many queue pairs of a kernel consumer at a time");
MODULE_LICENSE("GPL");
