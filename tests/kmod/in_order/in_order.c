// SPDX-License-Identifier: GPL-2.0
/*
 * Load of a kernel consumer that posts to each queue pair from several threads, which the scheduler
 * moves from one CPU to another, as file systems over RDMA do.
 *
 * Connects queue pairs of the devices "rxe_a" and "rxe_b". Loading the module exchanges messages for
 * @seconds. It fails if a work request fails; otherwise the module stays loaded. Whether packets
 * arrived in order is seen by the counters of the devices.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/gfp.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/semaphore.h>
#include <net/ipv6.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_verbs.h>

#define PSN	    0xfffff0
#define QPS	    2u
#define THREADS	    2u	/* for each QP of each side */
#define DEPTH	    4u	/* messages in flight for each QP of each side */
#define BUF_ORDER   4u
#define BUF	    (PAGE_SIZE << BUF_ORDER)
#define REPLY	    64u /* bytes of a SEND */
#define MAX_SEND_WR 512u
#define MAX_RECV_WR 64u
#define CQES	    (QPS * (MAX_SEND_WR + MAX_RECV_WR))
#define LIMIT	    (20 * HZ)
#define ACCESS	    (IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ)

static unsigned int seconds = 3;
module_param(seconds, uint, 0444);
MODULE_PARM_DESC(seconds, "time for which messages are exchanged");

static unsigned int mtu = 1024;
module_param(mtu, uint, 0444);
MODULE_PARM_DESC(mtu, "path MTU, bytes");

struct side;

/**
 * struct conn - one end of a connection
 * @slots: messages that may still be posted
 * @reads_done, @sends_done, @recvs_done: completion handlers
 */
struct conn {
	struct side *side;
	struct conn *peer;
	struct ib_qp *qp;
	void *buf;
	u64 dma;
	struct semaphore slots;
	struct ib_cqe read_done;
	struct ib_cqe send_done;
	struct ib_cqe recv_done;
	struct task_struct *thread[THREADS];
};

struct side {
	struct ib_device *dev;
	struct ib_pd *pd;
	struct ib_cq *cq;
	union ib_gid gid;
	int gid_index;
	struct conn conn[QPS];
};

static struct side side_a, side_b;
static atomic_t messages;
static int failure; /* status of the first work request that has failed */
static bool ending;

static void note(const struct ib_wc *wc)
{
	if (wc->status == IB_WC_SUCCESS || READ_ONCE(ending))
		return;
	if (!cmpxchg(&failure, 0, wc->status))
		pr_err("completion with status %d\n", wc->status);
}

static void message_done(struct conn *c)
{
	atomic_inc(&messages);
	up(&c->slots);
}

static int post_recv(struct conn *c)
{
	struct ib_sge sge = {
		.addr = c->dma,
		.length = REPLY,
		.lkey = c->side->pd->local_dma_lkey,
	};
	struct ib_recv_wr wr = { .wr_cqe = &c->recv_done, .sg_list = &sge, .num_sge = 1 };

	return ib_post_recv(c->qp, &wr, NULL);
}

/* A message has been received: its sender may send another. */
static void on_recv(struct ib_cq *cq, struct ib_wc *wc)
{
	struct conn *c = container_of(wc->wr_cqe, struct conn, recv_done);

	int err;

	note(wc);
	err = READ_ONCE(ending) ? 0 : post_recv(c);
	if (err && !cmpxchg(&failure, 0, err))
		pr_err("receive not posted: %d\n", err);
	message_done(c->peer);
}

static void on_send(struct ib_cq *cq, struct ib_wc *wc)
{
	note(wc);
}

static void on_read(struct ib_cq *cq, struct ib_wc *wc)
{
	note(wc);
	message_done(container_of(wc->wr_cqe, struct conn, read_done));
}

/* A WRITE and a SEND, as a server answers a read of a file; or a READ, as it takes a write. */
static int post_message(struct conn *c, u32 kind)
{
	u32 length = kind & 2 ? BUF : get_random_u32() % BUF + 1;
	u32 lkey = c->side->pd->local_dma_lkey;
	struct ib_sge sge = { .addr = c->dma, .length = length, .lkey = lkey };
	struct ib_sge tail = { .addr = c->dma, .length = REPLY, .lkey = lkey };
	struct ib_send_wr send = {
		.wr_cqe = &c->send_done,
		.opcode = IB_WR_SEND,
		.send_flags = IB_SEND_SIGNALED,
		.sg_list = &tail,
		.num_sge = 1,
	};
	struct ib_rdma_wr rdma = {
		.wr = {
			.wr_cqe = &c->read_done,
			.opcode = IB_WR_RDMA_READ,
			.send_flags = IB_SEND_SIGNALED,
			.sg_list = &sge,
			.num_sge = 1,
		},
		.remote_addr = c->peer->dma,
		.rkey = c->peer->side->pd->unsafe_global_rkey,
	};

	if (kind & 4)
		return ib_post_send(c->qp, &rdma.wr, NULL);
	if (kind & 8)
		return ib_post_send(c->qp, &send, NULL);
	rdma.wr.opcode = IB_WR_RDMA_WRITE;
	rdma.wr.send_flags = 0;
	rdma.wr.next = &send;
	return ib_post_send(c->qp, &rdma.wr, NULL);
}

static int poster(void *arg)
{
	struct conn *c = arg;
	int err = 0;

	while (!kthread_should_stop()) {
		if (failure || err || down_timeout(&c->slots, HZ / 10)) {
			cond_resched();
			continue;
		}
		err = post_message(c, get_random_u32() % 16);
		if (err == -ENOMEM) { /* completions of sends are late */
			up(&c->slots);
			err = 0;
		}
		cond_resched();
	}
	return err;
}

static int post_recvs(struct conn *c)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < MAX_RECV_WR; i++)
		err = post_recv(c);
	return err;
}

static int connect_to(struct conn *c)
{
	struct ib_qp_attr attr = {
		.qp_state = IB_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = ACCESS,
		.path_mtu = ib_mtu_int_to_enum(mtu),
		.dest_qp_num = c->peer->qp->qp_num,
		.rq_psn = PSN,
		.sq_psn = PSN,
		.max_rd_atomic = 16,
		.max_dest_rd_atomic = 16,
		.min_rnr_timer = 1,
		.timeout = 18,
		.retry_cnt = 7,
		.rnr_retry = 7,
	};
	int err;

	attr.ah_attr.type = RDMA_AH_ATTR_TYPE_ROCE;
	rdma_ah_set_grh(&attr.ah_attr, &c->peer->side->gid, 0, c->side->gid_index, 64, 0);
	rdma_ah_set_port_num(&attr.ah_attr, 1);
	err = ib_modify_qp(c->qp, &attr,
			   IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS);
	if (err)
		return err;
	attr.qp_state = IB_QPS_RTR;
	err = ib_modify_qp(c->qp, &attr,
			   IB_QP_STATE | IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN |
				   IB_QP_MAX_DEST_RD_ATOMIC | IB_QP_MIN_RNR_TIMER);
	if (err)
		return err;
	attr.qp_state = IB_QPS_RTS;
	return ib_modify_qp(c->qp, &attr,
			    IB_QP_STATE | IB_QP_TIMEOUT | IB_QP_RETRY_CNT | IB_QP_RNR_RETRY |
				    IB_QP_SQ_PSN | IB_QP_MAX_QP_RD_ATOMIC);
}

static int open_conn(struct side *side, struct conn *c)
{
	struct ib_qp_init_attr init = {
		.send_cq = side->cq,
		.recv_cq = side->cq,
		.cap = {
			.max_send_wr = MAX_SEND_WR,
			.max_recv_wr = MAX_RECV_WR,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.qp_type = IB_QPT_RC,
	};
	struct ib_qp *qp;

	c->side = side;
	sema_init(&c->slots, DEPTH);
	c->read_done.done = on_read;
	c->send_done.done = on_send;
	c->recv_done.done = on_recv;
	c->buf = (void *)__get_free_pages(GFP_KERNEL | __GFP_ZERO, BUF_ORDER);
	if (!c->buf)
		return -ENOMEM;
	c->dma = ib_dma_map_single(side->dev, c->buf, BUF, DMA_BIDIRECTIONAL);
	qp = ib_create_qp(side->pd, &init);
	if (IS_ERR(qp))
		return PTR_ERR(qp);
	c->qp = qp;
	return 0;
}

static void close_conn(struct conn *c)
{
	if (!c->buf)
		return;
	if (c->qp)
		ib_destroy_qp(c->qp);
	if (c->dma)
		ib_dma_unmap_single(c->side->dev, c->dma, BUF, DMA_BIDIRECTIONAL);
	free_pages((unsigned long)c->buf, BUF_ORDER);
}

static int find_gid(struct side *side)
{
	const struct ib_gid_attr *attr;
	bool found;

	for (side->gid_index = 0; side->gid_index < 64; side->gid_index++) {
		attr = rdma_get_gid_attr(side->dev, 1, side->gid_index);
		if (IS_ERR(attr))
			continue;
		found = attr->gid_type == IB_GID_TYPE_ROCE_UDP_ENCAP &&
			ipv6_addr_v4mapped((struct in6_addr *)&attr->gid);
		side->gid = attr->gid;
		rdma_put_gid_attr(attr);
		if (found)
			return 0;
	}
	return -ENOENT;
}

static int open_side(struct side *side)
{
	unsigned int i;
	int err;

	err = side->dev ? find_gid(side) : -ENODEV;
	if (err)
		return err;
	side->pd = ib_alloc_pd(side->dev, IB_PD_UNSAFE_GLOBAL_RKEY);
	if (IS_ERR(side->pd))
		return PTR_ERR(side->pd);
	side->cq = ib_alloc_cq(side->dev, NULL, CQES, 0, IB_POLL_WORKQUEUE);
	if (IS_ERR(side->cq))
		return PTR_ERR(side->cq);
	for (i = 0; !err && i < QPS; i++)
		err = open_conn(side, &side->conn[i]);
	return err;
}

static void close_side(struct side *side)
{
	unsigned int i;

	for (i = 0; i < QPS; i++)
		close_conn(&side->conn[i]);
	if (!IS_ERR_OR_NULL(side->cq))
		ib_free_cq(side->cq);
	if (!IS_ERR_OR_NULL(side->pd))
		ib_dealloc_pd(side->pd);
}

static int start(struct conn *c)
{
	struct task_struct *thread;
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < THREADS; i++) {
		thread = kthread_run(poster, c, "in_order/%u", i);
		if (IS_ERR(thread))
			err = PTR_ERR(thread);
		else
			c->thread[i] = thread;
	}
	return err;
}

static int stop(struct conn *c)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < THREADS; i++)
		if (c->thread[i])
			err = kthread_stop(c->thread[i]) ?: err;
	/* All messages have been answered when all slots are free. */
	for (i = 0; !err && i < DEPTH; i++)
		err = down_timeout(&c->slots, LIMIT);
	return err;
}

static int exchange(void)
{
	struct side *side[] = { &side_a, &side_b };
	unsigned int i;
	int err = 0, stopped;

	for (i = 0; i < 2 * QPS; i++)
		side[i % 2]->conn[i / 2].peer = &side[1 - i % 2]->conn[i / 2];
	for (i = 0; !err && i < 2 * QPS; i++)
		err = connect_to(&side[i % 2]->conn[i / 2]);
	for (i = 0; !err && i < 2 * QPS; i++)
		err = post_recvs(&side[i % 2]->conn[i / 2]);
	for (i = 0; !err && i < 2 * QPS; i++)
		err = start(&side[i % 2]->conn[i / 2]);
	if (!err)
		schedule_timeout_uninterruptible(seconds * HZ);
	for (i = 0; i < 2 * QPS; i++) {
		stopped = stop(&side[i % 2]->conn[i / 2]);
		err = err ?: stopped;
	}
	WRITE_ONCE(ending, true);
	return err ?: (failure ? -EIO : 0);
}

static int in_order_add(struct ib_device *dev)
{
	if (!strcmp(dev_name(&dev->dev), "rxe_a"))
		side_a.dev = dev;
	if (!strcmp(dev_name(&dev->dev), "rxe_b"))
		side_b.dev = dev;
	return 0;
}

static void in_order_remove(struct ib_device *dev, void *data)
{
}

static struct ib_client in_order_client = {
	.name = "in_order",
	.add = in_order_add,
	.remove = in_order_remove,
};

static int __init in_order_init(void)
{
	int err;

	err = ib_register_client(&in_order_client);
	if (err)
		return err;
	err = open_side(&side_a) ?: open_side(&side_b);
	if (!err)
		err = exchange();
	close_side(&side_a);
	close_side(&side_b);
	ib_unregister_client(&in_order_client);
	if (err)
		pr_err("error %d\n", err);
	else
		pr_info("%d messages in %u s\n", atomic_read(&messages), seconds);
	return err;
}

static void __exit in_order_exit(void)
{
}

module_init(in_order_init);
module_exit(in_order_exit);
MODULE_DESCRIPTION("Kernel consumer that posts from several threads");
MODULE_LICENSE("GPL");
