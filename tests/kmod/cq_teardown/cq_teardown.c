// SPDX-License-Identifier: GPL-2.0
/*
 * Test teardown and overflow of kernel CQs on the device "rxe_a": CQs are freed while a
 * notification is pending, or overflow.
 *
 * Loading the module runs the tests. It fails if one of them fails; otherwise the module stays
 * loaded. KASAN and the kernel's warnings report a use after free or a spurious call of a handler.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bottom_half.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>

#define LIMIT_MS 5000
/* Time for a softirq to end what the free waits for, if ksoftirqd does not have to run for it. */
#define SOFTIRQ_MS 100

static unsigned int rounds = 20;
module_param(rounds, uint, 0444);
MODULE_PARM_DESC(rounds, "completion queues to free, of each kind");

static struct ib_device *device;
static struct ib_pd *pd;

/* A queue pair in ERR, which flushes all posted WQEs. */
static struct ib_qp *create_flusher(struct ib_cq *cq)
{
	struct ib_qp_init_attr init = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap = { .max_send_wr = 1,
			 .max_recv_wr = 64,
			 .max_send_sge = 1,
			 .max_recv_sge = 1 },
		.sq_sig_type = IB_SIGNAL_ALL_WR,
		.qp_type = IB_QPT_RC,
	};
	struct ib_qp_attr attr = { .qp_state = IB_QPS_INIT, .port_num = 1 };
	struct ib_qp *qp = ib_create_qp(pd, &init);
	int err;

	if (IS_ERR(qp))
		return qp;
	err = ib_modify_qp(qp, &attr,
			   IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS);
	attr.qp_state = IB_QPS_ERR;
	if (!err)
		err = ib_modify_qp(qp, &attr, IB_QP_STATE);
	if (!err)
		return qp;
	ib_destroy_qp(qp);
	return ERR_PTR(err);
}

struct calls {
	unsigned int comp;
	unsigned int event;
};

static void on_comp(struct ib_cq *cq, void *context)
{
	((struct calls *)context)->comp++;
}

static void on_event(struct ib_event *event, void *context)
{
	if (event->event == IB_EVENT_CQ_ERR)
		((struct calls *)context)->event++;
}

/* Completions that the RDMA core has polled. */
static atomic_t polled;

static void ignore_done(struct ib_cq *cq, struct ib_wc *wc)
{
	atomic_inc(&polled);
}

static struct ib_cqe ignore = { .done = ignore_done };

static int post_recv(struct ib_qp *qp)
{
	return ib_post_recv(qp, &(struct ib_recv_wr){ .wr_cqe = &ignore }, NULL);
}

/**
 * struct end - a CQ that one processor frees while a notification is pending on the other
 * @own_handler: the CQ has a completion handler of this module, which a tasklet calls; otherwise
 *	the RDMA core polls it, and is notified at once
 * @posted: the flush has notified the core, or scheduled the tasklet, which cannot run yet
 * @freeing: the QP is destroyed, and the CQ is being freed
 * @freed: the CQ is freed
 */
struct end {
	struct ib_cq *cq;
	struct ib_qp *qp;
	bool own_handler;
	bool posted;
	bool freeing;
	bool freed;
};

/* Busy-wait without yielding the processor. Bounded, as another task may need it. */
static bool spin_for(const bool *what, unsigned int limit_ms)
{
	ktime_t end = ktime_add_ms(ktime_get(), limit_ms);

	while (!READ_ONCE(*what)) {
		if (ktime_after(ktime_get(), end))
			return false;
		cpu_relax();
	}
	return true;
}

/* Unbound work may have run on the other processor. */
static bool core_notified(struct ib_cq *cq)
{
	if (atomic_read(&polled))
		return true;
	return cq->poll_ctx == IB_POLL_SOFTIRQ ? test_bit(IRQ_POLL_F_SCHED, &cq->iop.state) :
						 work_busy(&cq->work);
}

/*
 * The tasklet, or the softirq of an IB_POLL_SOFTIRQ, runs when it is all that the free waits for.
 * Work that it were to queue on this processor would run after the free.
 */
static int poster(void *arg)
{
	struct end *end = arg;
	int err;

	atomic_set(&polled, 0);
	preempt_disable();
	local_bh_disable();
	err = post_recv(end->qp);
	if (!err && !end->own_handler && !core_notified(end->cq))
		err = -ENOMSG;
	WRITE_ONCE(end->posted, true);
	if (!err && !spin_for(&end->freeing, LIMIT_MS))
		err = -ETIMEDOUT;
	mdelay(20);
	/* The free did not wait: the tasklet was not scheduled. */
	if (!err && end->own_handler && READ_ONCE(end->freed))
		err = -ENODATA;
	local_bh_enable();
	spin_for(&end->freed, SOFTIRQ_MS);
	preempt_enable();
	return err;
}

static void free_cq(const struct end *end)
{
	if (end->own_handler)
		ib_destroy_cq(end->cq);
	else
		ib_free_cq(end->cq);
}

static long destroyer(void *arg)
{
	struct end *end = arg;

	while (!READ_ONCE(end->posted))
		usleep_range(50, 100);
	ib_destroy_qp(end->qp);
	WRITE_ONCE(end->freeing, true);
	free_cq(end);
	WRITE_ONCE(end->freed, true);
	return 0;
}

static void nothing(struct work_struct *work)
{
}

/* Works on one processor run one after another while none sleeps. */
static void let_work_run(void)
{
	struct work_struct work;

	INIT_WORK_ONSTACK(&work, nothing);
	queue_work_on(0, system_highpri_wq, &work);
	flush_work(&work);
	destroy_work_on_stack(&work);
}

static int end_cq(struct end *end)
{
	struct task_struct *task = kthread_create(poster, end, "cq_end");
	int err;

	if (IS_ERR(task)) {
		ib_destroy_qp(end->qp);
		free_cq(end);
		return PTR_ERR(task);
	}
	kthread_bind(task, 0);
	get_task_struct(task);
	wake_up_process(task);
	err = work_on_cpu(1, destroyer, end);
	err = kthread_stop(task) ?: err;
	put_task_struct(task);
	let_work_run();
	return err;
}

static int end_with_flusher(struct end *end)
{
	if (IS_ERR(end->cq))
		return PTR_ERR(end->cq);
	end->qp = create_flusher(end->cq);
	if (!IS_ERR(end->qp))
		return end_cq(end);
	free_cq(end);
	return PTR_ERR(end->qp);
}

static int test_free(enum ib_poll_context context)
{
	struct end end = { .cq = ib_alloc_cq(device, NULL, 16, 0, context) };

	return end_with_flusher(&end);
}

static int test_destroy(void)
{
	struct ib_cq_init_attr init = { .cqe = 16 };
	struct calls calls = {};
	struct end end = {
		.cq = ib_create_cq(device, on_comp, on_event, &calls, &init),
		.own_handler = true,
	};

	if (!IS_ERR(end.cq))
		ib_req_notify_cq(end.cq, IB_CQ_NEXT_COMP);
	return end_with_flusher(&end) ?: calls.comp == 1 ? 0 : -EPROTO;
}

static int overflow(struct ib_cq *cq)
{
	struct ib_qp *qp = create_flusher(cq);
	int i, err = 0;

	if (IS_ERR(qp))
		return PTR_ERR(qp);
	for (i = 0; !err && i <= cq->cqe; i++)
		err = post_recv(qp);
	ib_destroy_qp(qp);
	return err;
}

/* A CQ that is never armed. */
static int test_overflow_direct(void)
{
	struct ib_cq *cq = ib_alloc_cq(device, NULL, 3, 0, IB_POLL_DIRECT);
	int err;

	if (IS_ERR(cq))
		return PTR_ERR(cq);
	err = overflow(cq);
	ib_free_cq(cq);
	return err;
}

/* Each handler must be called once. */
static int test_overflow(bool armed)
{
	struct ib_cq_init_attr init = { .cqe = 3 };
	struct calls calls = {};
	struct ib_cq *cq = ib_create_cq(device, on_comp, on_event, &calls, &init);
	int err;

	if (IS_ERR(cq))
		return PTR_ERR(cq);
	if (armed)
		ib_req_notify_cq(cq, IB_CQ_NEXT_COMP);
	err = overflow(cq);
	ib_destroy_cq(cq);
	if (err)
		return err;
	if (calls.comp == armed && calls.event == 1)
		return 0;
	pr_err("%u calls for completions, %u for the overflow\n", calls.comp, calls.event);
	return -EPROTO;
}

static int run(void)
{
	unsigned int i;
	int err;

	err = test_overflow_direct();
	if (!err)
		err = test_overflow(false);
	if (!err)
		err = test_overflow(true);
	for (i = 0; !err && i < rounds; i++) {
		err = test_destroy();
		if (!err)
			err = test_free(IB_POLL_WORKQUEUE);
		if (!err)
			err = test_free(IB_POLL_UNBOUND_WORKQUEUE);
		if (!err)
			err = test_free(IB_POLL_SOFTIRQ);
	}
	if (err)
		pr_err("error %d after %u rounds\n", err, i);
	return err;
}

static int cq_end_add(struct ib_device *dev)
{
	if (!strcmp(dev_name(&dev->dev), "rxe_a"))
		device = dev;
	return 0;
}

static void cq_end_remove(struct ib_device *dev, void *data)
{
}

static struct ib_client cq_end_client = {
	.name = "cq_end",
	.add = cq_end_add,
	.remove = cq_end_remove,
};

static int __init cq_end_init(void)
{
	int err;

	err = ib_register_client(&cq_end_client);
	if (err)
		return err;
	pd = device && cpu_online(1) ? ib_alloc_pd(device, 0) : ERR_PTR(-ENODEV);
	err = PTR_ERR_OR_ZERO(pd);
	if (!err) {
		err = run();
		ib_dealloc_pd(pd);
	}
	ib_unregister_client(&cq_end_client);
	return err;
}

static void __exit cq_end_exit(void)
{
}

module_init(cq_end_init);
module_exit(cq_end_exit);
MODULE_DESCRIPTION("Ends of completion queues of a kernel consumer");
MODULE_LICENSE("GPL");
