// SPDX-License-Identifier: GPL-2.0
/*
 * Test resource tracking (restrack) of objects of "rxe_a" that are being destroyed.
 *
 * RDMA cores without rdma_restrack_begin_del() query an object, fill in the driver's attributes and
 * bind counters until the driver's destroy_* has returned, and a moment longer. This module does
 * the same on any of them: it replaces the destroy_* operations of the device. A thread looks at
 * each object from its creation until its destroy_* has returned, and then this module looks again,
 * after a grace period, when memory that the driver has freed is free.
 *
 * Loading the module destroys "rounds" objects of each kind. It fails if the driver answers for a
 * destroyed object; otherwise it stays loaded, and goes on until it is unloaded, for "rdma resource
 * show". KASAN and the kernel's warnings report a use after free.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/rwsem.h>
#include <linux/skbuff.h>
#include <net/netlink.h>
#include <rdma/ib_verbs.h>
#include <rdma/rdma_counter.h>

static unsigned int rounds = 50;
module_param(rounds, uint, 0444);
MODULE_PARM_DESC(rounds, "objects of each kind to destroy");

static unsigned int lqpn;
module_param(lqpn, uint, 0444);
MODULE_PARM_DESC(lqpn, "number of the queue pair that exists now");

/* Newer RDMA cores pass the port as well. A callee without that parameter ignores it. */
typedef int (*bind_fn)(struct rdma_counter *counter, struct ib_qp *qp, u32 port);
typedef int (*unbind_fn)(struct ib_qp *qp, u32 port);

static struct ib_device *device;
static struct ib_device_ops driver;
static struct ib_pd *pd;
static struct task_struct *viewer, *churner;
static struct rdma_counter *counter;

/* The objects that the viewer looks at. Those that are being destroyed are kept by @lock. */
static DECLARE_RWSEM(lock);
static struct ib_qp *seen_qp;
static struct ib_cq *seen_cq;
static struct ib_srq *seen_srq;

static int wrong;

#define EQUAL(got, want)                                                              \
	do {                                                                          \
		long got_ = (got), want_ = (want);                                    \
		if (got_ != want_) {                                                  \
			pr_err("%s:%d: %s is %ld, not %ld\n", __func__, __LINE__,     \
			       #got, got_, want_);                                    \
			WRITE_ONCE(wrong, -EPROTO);                                   \
		}                                                                     \
	} while (0)

static int query(struct ib_qp *qp)
{
	struct ib_qp_init_attr init;
	struct ib_qp_attr attr;

	return driver.query_qp(qp, &attr, 0, &init);
}

static int bind(struct ib_qp *qp)
{
	return ((bind_fn)driver.counter_bind_qp)(counter, qp, 1);
}

static int unbind(struct ib_qp *qp)
{
	return ((unbind_fn)driver.counter_unbind_qp)(qp, 1);
}

/* Look at all objects, whatever state they are in. */
static void look(void)
{
	struct sk_buff *msg = nlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);

	if (!msg)
		return;
	down_read(&lock);
	if (seen_qp) {
		query(seen_qp);
		driver.fill_res_qp_entry(msg, seen_qp);
		if (!bind(seen_qp))
			unbind(seen_qp);
	}
	if (seen_cq)
		driver.fill_res_cq_entry(msg, seen_cq);
#ifdef HAVE_SRQ_DETAILS
	if (seen_srq)
		driver.fill_res_srq_entry(msg, seen_srq);
#endif
	up_read(&lock);
	nlmsg_free(msg);
}

static int look_on(void *unused)
{
	while (!kthread_should_stop()) {
		look();
		cond_resched();
	}
	return 0;
}

/* nldev skips an object for which a driver returns -EAGAIN, and fails with any other error. */
static void look_at_remains_of_qp(struct ib_qp *qp)
{
	struct sk_buff *msg = nlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);

	if (!msg)
		return;
	EQUAL(query(qp), -EAGAIN);
	EQUAL(driver.fill_res_qp_entry(msg, qp), -EAGAIN);
	EQUAL(bind(qp), -EINVAL);
	EQUAL(!!qp->counter, false);
	EQUAL(msg->len, 0);
	nlmsg_free(msg);
}

static int destroy_qp(struct ib_qp *qp, struct ib_udata *udata)
{
	int err = driver.destroy_qp(qp, udata);

	rcu_barrier();
	look_at_remains_of_qp(qp);
	down_write(&lock);
	seen_qp = NULL;
	up_write(&lock);
	return err;
}

static int destroy_cq(struct ib_cq *cq, struct ib_udata *udata)
{
	struct sk_buff *msg = nlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	int err = driver.destroy_cq(cq, udata);

	if (msg) {
		EQUAL(driver.fill_res_cq_entry(msg, cq), -EAGAIN);
		EQUAL(msg->len, 0);
		nlmsg_free(msg);
	}
	down_write(&lock);
	seen_cq = NULL;
	up_write(&lock);
	return err;
}

static int destroy_srq(struct ib_srq *srq, struct ib_udata *udata)
{
	int err = driver.destroy_srq(srq, udata);
#ifdef HAVE_SRQ_DETAILS
	struct sk_buff *msg = nlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);

	if (msg) {
		EQUAL(driver.fill_res_srq_entry(msg, srq), -EAGAIN);
		EQUAL(msg->len, 0);
		nlmsg_free(msg);
	}
#endif
	down_write(&lock);
	seen_srq = NULL;
	up_write(&lock);
	return err;
}

static void show(struct ib_qp *qp, struct ib_cq *cq, struct ib_srq *srq)
{
	down_write(&lock);
	seen_qp = qp;
	seen_cq = cq;
	seen_srq = srq;
	up_write(&lock);
	WRITE_ONCE(lqpn, qp->qp_num);
}

/* Create objects, and destroy them @us later. */
static int churn_objects(struct ib_cq *cq, struct ib_srq *srq, unsigned int us)
{
	struct ib_qp_init_attr init = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap = { .max_send_wr = 1,
			 .max_recv_wr = 1,
			 .max_send_sge = 1,
			 .max_recv_sge = 1 },
		.qp_type = IB_QPT_RC,
	};
	struct ib_qp *qp = ib_create_qp(pd, &init);
	struct ib_mr *mr = ib_alloc_mr(pd, IB_MR_TYPE_MEM_REG, 1);

	if (!IS_ERR(mr))
		ib_dereg_mr(mr);
	if (IS_ERR(qp))
		return PTR_ERR(qp);
	show(qp, cq, srq);
	usleep_range(us, us + 100);
	ib_destroy_qp(qp);
	return 0;
}

static int churn(unsigned int us)
{
	struct ib_srq_init_attr attr = { .attr = { .max_wr = 1, .max_sge = 1 } };
	struct ib_cq *cq = ib_alloc_cq(device, NULL, 16, 0, IB_POLL_DIRECT);
	struct ib_srq *srq;
	int err;

	if (IS_ERR(cq))
		return PTR_ERR(cq);
	srq = ib_create_srq(pd, &attr);
	err = PTR_ERR_OR_ZERO(srq);
	if (!err) {
		err = churn_objects(cq, srq, us);
		ib_destroy_srq(srq);
	}
	ib_free_cq(cq);
	return err;
}

static int churn_on(void *unused)
{
	while (!kthread_should_stop())
		churn(2000);
	return 0;
}

static int start(void)
{
	unsigned int i;
	int err = 0;

	driver = device->ops;
	device->ops.destroy_qp = destroy_qp;
	device->ops.destroy_cq = destroy_cq;
	device->ops.destroy_srq = destroy_srq;
	counter->device = device;
	/* The RDMA core unbinds it from a queue pair that ends, and puts a reference then. */
	mutex_init(&counter->lock);
	refcount_set(&counter->kref.refcount, INT_MAX / 2);
	viewer = kthread_run(look_on, NULL, "restrack_look");
	for (i = 0; !err && i < rounds; i++)
		err = churn(100) ?: READ_ONCE(wrong);
	if (!err)
		churner = kthread_run(churn_on, NULL, "restrack_churn");
	return err;
}

static void end(void)
{
	if (!IS_ERR_OR_NULL(churner))
		kthread_stop(churner);
	if (!IS_ERR_OR_NULL(viewer))
		kthread_stop(viewer);
	if (counter->id)
		driver.counter_dealloc(counter);
	device->ops.destroy_qp = driver.destroy_qp;
	device->ops.destroy_cq = driver.destroy_cq;
	device->ops.destroy_srq = driver.destroy_srq;
	ib_dealloc_pd(pd);
}

static int restrack_add(struct ib_device *dev)
{
	if (!strcmp(dev_name(&dev->dev), "rxe_a"))
		device = dev;
	return 0;
}

static void restrack_remove(struct ib_device *dev, void *data)
{
}

static struct ib_client restrack_client = {
	.name = "restrack_test",
	.add = restrack_add,
	.remove = restrack_remove,
};

static int __init restrack_init(void)
{
	int err;

	counter = kzalloc(sizeof(*counter), GFP_KERNEL);
	if (!counter)
		return -ENOMEM;
	err = ib_register_client(&restrack_client);
	if (err)
		goto err_free;
	pd = device ? ib_alloc_pd(device, 0) : ERR_PTR(-ENODEV);
	err = PTR_ERR_OR_ZERO(pd);
	if (err)
		goto err_unregister;
	err = start();
	if (!err)
		return 0;
	end();
err_unregister:
	ib_unregister_client(&restrack_client);
err_free:
	kfree(counter);
	return err;
}

static void __exit restrack_exit(void)
{
	end();
	ib_unregister_client(&restrack_client);
	kfree(counter);
}

module_init(restrack_init);
module_exit(restrack_exit);
MODULE_DESCRIPTION("Resource tracking of objects that are being destroyed");
MODULE_LICENSE("GPL");
