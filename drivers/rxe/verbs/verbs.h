/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Verbs layer: allocation of devices, and the ib_device_ops of queue pairs, per-QP counters,
 * performance management and resource tracking. The operations of the other objects are declared
 * with the object: qp/cq.h, qp/srq.h, mem/mr.h, mem/mw.h, ip/ah.h, rx/mcast.h.
 */
#ifndef RXE_VERBS_H
#define RXE_VERBS_H

#include <rdma/ib_mad.h>
#include <rdma/ib_verbs.h>
#include <rdma/rdma_counter.h>

struct rxe_dev;

/* device.c */

/**
 * rxe_dev_alloc() - allocate an RDMA device, neither attached to an interface nor registered
 * @net: network namespace of the device, where ib_core keeps devices apart by namespace
 *
 * The caller sets the operation dealloc_driver, which calls rxe_dev_release(). From then on
 * ib_dealloc_device() frees the device.
 *
 * Context: process; may sleep.
 * Return: the device, or NULL: no memory.
 */
struct rxe_dev *rxe_dev_alloc(struct net *net);

/**
 * rxe_dev_release() - undo rxe_dev_alloc(), except for the memory of the device itself
 * @dev: the device: unregistered, or never registered, and detached from its interface
 *
 * Warns about objects that still exist.
 *
 * Context: process; may sleep.
 */
void rxe_dev_release(struct rxe_dev *dev);

/* qp.c */

/**
 * rxe_create_qp() - create a queue pair in state RESET
 * @ibqp: allocated by ib_core, zeroed
 * @init: type, CQs and wanted capacities; on success the actual capacities
 * @udata: response buffer of the user library; NULL for a kernel consumer
 *
 * Context: process; may sleep.
 * Return: 0; -EINVAL: a capacity exceeds the device's, or a CQ is missing; -EOPNOTSUPP: QP type or
 *	flag; -ENOMEM; -ENOSPC: no QPN is free; -EBUSY: a second GSI QP; -EFAULT; -EIO: the device
 *	is being removed.
 */
int rxe_create_qp(struct ib_qp *ibqp, struct ib_qp_init_attr *init, struct ib_udata *udata);

/**
 * rxe_destroy_qp() - destroy a queue pair
 * @ibqp: the QP; ib_core frees it after the return
 * @udata: not used
 *
 * Context: process; waits for a running timer, work item or event handler of the QP, but not for
 * an RCU grace period.
 * Return: 0.
 */
int rxe_destroy_qp(struct ib_qp *ibqp, struct ib_udata *udata);

/* qp_modify.c */

/**
 * rxe_modify_qp() - change the attributes and the state of a QP
 * @ibqp: the QP
 * @attr: new values
 * @mask: which of them are valid, enum ib_qp_attr_mask
 * @udata: not used
 *
 * Context: process; takes rxe_qp.modify, then the endpoint's lock.
 * Return: 0; or with the QP unchanged: -EINVAL: a value is out of range, or the state does not
 *	allow the attributes or the transition; -EOPNOTSUPP: an attribute is not supported;
 *	-ENOMEM; -ENODEV: the route has no interface; -EIO: the device is being removed.
 */
int rxe_modify_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask, struct ib_udata *udata);

/**
 * rxe_query_qp() - read all attributes of a QP
 * @ibqp: the QP
 * @attr: result
 * @mask: not used; all attributes are returned
 * @init: result: the attributes of creation
 *
 * Context: process; takes rxe_qp.modify, then the endpoint's lock.
 * Return: 0.
 */
int rxe_query_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask,
		 struct ib_qp_init_attr *init);

/*
 * qp_counter.c: counters of selected QPs ("rdma statistic qp"). A QP that is bound to a counter
 * uses the set of that counter instead of the device's. When ib_core reports the counters of the
 * device, it adds the sets of all counters, also of deleted ones.
 *
 * Context of all: process; may sleep.
 * Return: 0 or -ENOMEM; rxe_counter_alloc_stats(): NULL if there is no memory.
 */

/**
 * struct rxe_qp_stats - counter of bound QPs
 * @counter: the counter of ib_core; its id is the key of the counter set in rxe_dev.counter_sets
 */
struct rxe_qp_stats {
	struct rdma_counter counter;
};

int rxe_counter_bind_qp(struct rdma_counter *counter, struct ib_qp *ibqp RXE_COUNTER_PORT);
int rxe_counter_unbind_qp(struct ib_qp *ibqp RXE_COUNTER_PORT);
int rxe_counter_dealloc(struct rdma_counter *counter);
struct rdma_hw_stats *rxe_counter_alloc_stats(struct rdma_counter *counter);
int rxe_counter_update_stats(struct rdma_counter *counter);
void rxe_counter_init(struct rdma_counter *counter);

/* pma.c */

/**
 * rxe_process_mad() - reply to performance management datagrams (IBTA 16.1)
 * @ibdev: the device
 * @flags: not used
 * @port: not used, there is one
 * @in_wc: not used
 * @in_grh: not used
 * @in: the request
 * @out: the response
 * @out_size: not changed, the size of @out
 * @out_pkey_index: not changed
 *
 * Context: process.
 * Return: IB_MAD_RESULT_SUCCESS, with IB_MAD_RESULT_REPLY if @out is to be sent. Without it, the
 *	datagram is for another agent.
 */
int rxe_process_mad(struct ib_device *ibdev, int flags, rxe_port_t port, const struct ib_wc *in_wc,
		    const struct ib_grh *in_grh, const struct ib_mad *in, struct ib_mad *out,
		    size_t *out_size, u16 *out_pkey_index);

/*
 * restrack.c: add the driver's attributes of an object to the netlink message @msg ("rdma resource
 * show -dd").
 *
 * Context: process; ib_core holds a reference to the object.
 * Return: 0, or -EMSGSIZE: @msg is full.
 */
int rxe_fill_res_qp(struct sk_buff *msg, struct ib_qp *ibqp);
int rxe_fill_res_cq(struct sk_buff *msg, struct ib_cq *ibcq);
int rxe_fill_res_mr(struct sk_buff *msg, struct ib_mr *ibmr);
int rxe_fill_res_srq(struct sk_buff *msg, struct ib_srq *ibsrq);

#endif
