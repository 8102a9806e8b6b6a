// SPDX-License-Identifier: GPL-2.0
/*
 * ibv_modify_qp() and ibv_query_qp(): validation, state transitions (IBTA 10.3.1), attributes.
 */
#include <linux/slab.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_verbs.h>
#include <roce/psn.h>

#include "base/device.h"
#include "base/params.h"
#include "ip/pmtu.h"
#include "qp/qp.h"
#include "qp/ring.h"
#include "qp/trace.h"
#include "verbs/verbs.h"

/* States and attribute masks of ib_core are passed to the transport without conversion. */
static_assert(ROCE_RESET == (u32)IB_QPS_RESET);
static_assert(ROCE_INIT == (u32)IB_QPS_INIT);
static_assert(ROCE_RTR == (u32)IB_QPS_RTR);
static_assert(ROCE_RTS == (u32)IB_QPS_RTS);
static_assert(ROCE_SQD == (u32)IB_QPS_SQD);
static_assert(ROCE_SQE == (u32)IB_QPS_SQE);
static_assert(ROCE_ERR == (u32)IB_QPS_ERR);
static_assert(ROCE_QP_STATE == IB_QP_STATE);
static_assert(ROCE_QP_ACCESS == IB_QP_ACCESS_FLAGS);
static_assert(ROCE_QP_PKEY == IB_QP_PKEY_INDEX);
static_assert(ROCE_QP_QKEY == IB_QP_QKEY);
static_assert(ROCE_QP_PATH_MTU == IB_QP_PATH_MTU);
static_assert(ROCE_QP_TIMEOUT == IB_QP_TIMEOUT);
static_assert(ROCE_QP_RETRY_CNT == IB_QP_RETRY_CNT);
static_assert(ROCE_QP_RNR_RETRY == IB_QP_RNR_RETRY);
static_assert(ROCE_QP_RQ_PSN == IB_QP_RQ_PSN);
static_assert(ROCE_QP_MAX_RD_ATOMIC == IB_QP_MAX_QP_RD_ATOMIC);
static_assert(ROCE_QP_MIN_RNR_TIMER == IB_QP_MIN_RNR_TIMER);
static_assert(ROCE_QP_SQ_PSN == IB_QP_SQ_PSN);
static_assert(ROCE_QP_DEST_QPN == IB_QP_DEST_QPN);

#define RXE_ROCE_ATTRS                                                                        \
	(ROCE_QP_STATE | ROCE_QP_ACCESS | ROCE_QP_PKEY | ROCE_QP_QKEY | ROCE_QP_PATH_MTU |    \
	 ROCE_QP_TIMEOUT | ROCE_QP_RETRY_CNT | ROCE_QP_RNR_RETRY | ROCE_QP_RQ_PSN |           \
	 ROCE_QP_MAX_RD_ATOMIC | ROCE_QP_MIN_RNR_TIMER | ROCE_QP_SQ_PSN | ROCE_QP_DEST_QPN)

#define RXE_REMOTE_ACCESS \
	(ROCE_ACCESS_REMOTE_WRITE | ROCE_ACCESS_REMOTE_READ | ROCE_ACCESS_REMOTE_ATOMIC | \
	 ROCE_ACCESS_FLUSH_GLOBAL | ROCE_ACCESS_FLUSH_PERSISTENT)

static bool rxe_attr_in_range(struct rxe_dev *dev, int mask, int bit, const char *name, u32 value,
			      u32 max)
{
	if (!(mask & bit) || value <= max)
		return true;
	ibdev_dbg(&dev->ibdev, "%s %u is more than %u\n", name, value, max);
	return false;
}

static bool rxe_attr_ranges_ok(struct rxe_dev *dev, const struct ib_qp_attr *attr, int mask)
{
	const struct {
		int bit;
		const char *name;
		u32 value;
		u32 max;
	} limits[] = {
		{ IB_QP_PKEY_INDEX, "pkey_index", attr->pkey_index, 0 },
		{ IB_QP_TIMEOUT, "timeout", attr->timeout, 31 },
		{ IB_QP_RETRY_CNT, "retry_cnt", attr->retry_cnt, 7 },
		{ IB_QP_RNR_RETRY, "rnr_retry", attr->rnr_retry, 7 },
		{ IB_QP_MIN_RNR_TIMER, "min_rnr_timer", attr->min_rnr_timer, 31 },
		{ IB_QP_MAX_QP_RD_ATOMIC, "max_rd_atomic", attr->max_rd_atomic, RXE_MAX_RD_ATOMIC },
		{ IB_QP_MAX_DEST_RD_ATOMIC, "max_dest_rd_atomic", attr->max_dest_rd_atomic,
		  RXE_MAX_RD_ATOMIC },
		{ IB_QP_DEST_QPN, "dest_qp_num", attr->dest_qp_num, ROCE_BTH_QPN },
		{ IB_QP_STATE, "qp_state", attr->qp_state, IB_QPS_ERR },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(limits); i++)
		if (!rxe_attr_in_range(dev, mask, limits[i].bit, limits[i].name, limits[i].value,
				       limits[i].max))
			return false;
	return true;
}

static int rxe_qp_check_mtu(struct rxe_dev *dev, enum ib_mtu path_mtu)
{
	u32 active = READ_ONCE(dev->mtu);
	int mtu = ib_mtu_enum_to_int(path_mtu);

	if (mtu < 0 || mtu > active) {
		ibdev_dbg(&dev->ibdev, "path MTU %d is more than the port's %u\n", mtu, active);
		return -EINVAL;
	}
	return 0;
}

static int rxe_qp_check_av(struct rxe_dev *dev, const struct rdma_ah_attr *av)
{
	if (av->type != RDMA_AH_ATTR_TYPE_ROCE || !(rdma_ah_get_ah_flags(av) & IB_AH_GRH) ||
	    !av->grh.sgid_attr) {
		ibdev_dbg(&dev->ibdev, "an address without a GRH is of no use to RoCE\n");
		return -EINVAL;
	}
	return 0;
}

static int rxe_qp_check_attr(struct rxe_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	struct rxe_dev *dev = to_rxe_dev(qp->ibqp.device);
	int err = 0;

	if (mask & (IB_QP_ALT_PATH | IB_QP_CAP | ~IB_QP_ATTR_STANDARD_BITS)) {
		ibdev_dbg(&dev->ibdev, "attributes %#x include one that is not supported\n", mask);
		return -EOPNOTSUPP;
	}
	if ((mask & IB_QP_PATH_MIG_STATE) && attr->path_mig_state != IB_MIG_MIGRATED) {
		ibdev_dbg(&dev->ibdev, "path migration is not supported\n");
		return -EOPNOTSUPP;
	}
	if (!rxe_attr_ranges_ok(dev, attr, mask))
		return -EINVAL;
	if (mask & IB_QP_PATH_MTU)
		err = rxe_qp_check_mtu(dev, attr->path_mtu);
	if (!err && (mask & IB_QP_AV))
		err = rxe_qp_check_av(dev, &attr->ah_attr);
	if (!err && (mask & IB_QP_AV) && qp->ep->flow.user && !rxe_path_may_use(&attr->ah_attr))
		err = -EPERM;
	return err;
}

static void rxe_attr_to_roce(const struct ib_qp_attr *attr, int mask, struct roce_attr *roce)
{
	*roce = (struct roce_attr){
		.state = attr->qp_state,
		.timeout = attr->timeout,
		.retry_cnt = attr->retry_cnt,
		.rnr_retry = attr->rnr_retry,
		.min_rnr_timer = attr->min_rnr_timer,
		.max_rd_atomic = attr->max_rd_atomic,
		.pkey = IB_DEFAULT_PKEY_FULL,
		.access = attr->qp_access_flags & RXE_REMOTE_ACCESS,
		.dest_qpn = attr->dest_qp_num,
		.rq_psn = attr->rq_psn & ROCE_PSN_MASK,
		.sq_psn = attr->sq_psn & ROCE_PSN_MASK,
		.qkey = attr->qkey,
	};
	if (mask & IB_QP_PATH_MTU)
		roce->mtu = ib_mtu_enum_to_int(attr->path_mtu);
}

/* RESET discards all posted WQEs: set the consumer indices to the producer indices of the user. */
static void rxe_qp_restart_rings(struct rxe_qp *qp)
{
	struct roce_sq *sq = &qp->ep->transport.sq;

	if (qp->ep->flow.user) {
		sq->prod = rxe_ring_user_producer(&qp->sq);
		sq->next = sq->prod;
		sq->cons = sq->prod;
		rxe_qp_publish_sq(qp);
	}
	if (qp->srq)
		return;
	qp->rq.index = rxe_ring_user_producer(&qp->rq);
	rxe_ring_publish_consumer(&qp->rq);
}

static bool rxe_qp_transition_ok(struct rxe_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	enum ib_qp_state cur = qp->ep->transport.state;
	enum ib_qp_state next = mask & IB_QP_STATE ? attr->qp_state : cur;

	if ((mask & IB_QP_CUR_STATE) && attr->cur_qp_state != cur)
		return false;
	return ib_modify_qp_is_ok(cur, next, qp->ibqp.qp_type, mask);
}

/* UD has no path MTU attribute: use the MTU of the port. Return the bit of the attribute. */
static u32 rxe_attr_set_port_mtu(struct rxe_qp *qp, struct roce_attr *roce)
{
	roce->mtu = READ_ONCE(to_rxe_dev(qp->ibqp.device)->mtu) ?: ROCE_MIN_MTU;
	return ROCE_QP_PATH_MTU;
}

/* Context: the endpoint's lock held, its path set. */
static int rxe_qp_check_route_mtu(struct rxe_qp *qp, enum ib_mtu path_mtu)
{
	int mtu = ib_mtu_enum_to_int(path_mtu);
	u32 route;

	if (!rxe_params_check_route_mtu())
		return 0;
	route = rxe_pmtu_fits(&qp->ep->flow.path, mtu);
	if (!route)
		return 0;
	ibdev_warn_ratelimited(qp->ibqp.device,
			       "QP %u: path MTU %d refused: the route carries IP packets of %u bytes\n",
			       qp->ibqp.qp_num, mtu, route);
	return -EINVAL;
}

/*
 * Apply validated attributes. @res: array of attr->max_dest_rd_atomic responder resources, replaced
 * by the previous array, which the caller frees. Context: the endpoint's lock held.
 */
static int rxe_qp_apply(struct rxe_qp *qp, const struct ib_qp_attr *attr, int mask,
			struct roce_rsrc **res)
{
	struct roce_qp *transport = &qp->ep->transport;
	struct roce_attr roce;
	u32 roce_mask;
	u8 state;
	int err;

	/* With the lock held: either rxe_removal_begin() finds the new state, or this its flag. */
	if (qp->ep->flow.user && READ_ONCE(to_rxe_dev(qp->ibqp.device)->removed))
		return -EIO;
	if (!rxe_qp_transition_ok(qp, attr, mask)) {
		ibdev_dbg(qp->ibqp.device, "QP %u in state %u: attributes %#x, state %u refused\n",
			  transport->qpn, transport->state, mask, attr->qp_state);
		return -EINVAL;
	}
	if (mask & IB_QP_AV) {
		u32 dest = mask & IB_QP_DEST_QPN ? attr->dest_qp_num : transport->attr.dest_qpn;

		err = rxe_path_set(&qp->ep->flow.path, &attr->ah_attr, transport->qpn, dest);
		if (err)
			return err;
		err = mask & IB_QP_PATH_MTU ? rxe_qp_check_route_mtu(qp, attr->path_mtu) : 0;
		if (err)
			return err;
		if (rxe_path_dst(&qp->ep->flow.path) && qp->ep->flow.path.tunnel)
			rxe_path_forgo_gso(qp->ep->flow.dev, &qp->ep->flow.path);
		if (transport->service == ROCE_OP_RC)
			qp->ep->flow.path.tclass = rxe_params_ecn(qp->ep->flow.path.tclass);
	}
	if (mask & IB_QP_MAX_DEST_RD_ATOMIC)
		*res = roce_set_resources(transport, *res, attr->max_dest_rd_atomic);
	/* Draining starts in SQD; a change to any other state cancels the event. */
	if (mask & IB_QP_STATE)
		qp->sqd_notify = (mask & IB_QP_EN_SQD_ASYNC_NOTIFY) && attr->en_sqd_async_notify;

	roce_mask = mask & RXE_ROCE_ATTRS;
	rxe_attr_to_roce(attr, mask, &roce);
	if (transport->service == ROCE_OP_UD)
		roce_mask |= rxe_attr_set_port_mtu(qp, &roce);
	state = transport->state;
	roce_modify(transport, ktime_get_ns(), &roce, roce_mask);
	if (mask & IB_QP_SQ_PSN)
		rxe_gso_watch_init(&qp->ep->flow.gso_watch[0], roce.sq_psn);
	if (mask & IB_QP_RQ_PSN)
		rxe_gso_watch_init(&qp->ep->flow.gso_watch[1], roce.rq_psn);
	trace_rxe_qp_state(qp->ep, state);
	if (transport->state == ROCE_RESET || transport->state == ROCE_ERR)
		rxe_page_fault_purge(qp->ep);
	if ((mask & IB_QP_STATE) && attr->qp_state == IB_QPS_RESET)
		rxe_qp_restart_rings(qp);
	return 0;
}

/* Save the attributes that only rxe_query_qp() uses. */
static void rxe_qp_save_attr(struct rxe_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	if (mask & IB_QP_AV) {
		qp->av = attr->ah_attr;
		qp->av.grh.sgid_attr = NULL;
	}
	if (mask & IB_QP_ACCESS_FLAGS)
		qp->access = attr->qp_access_flags;
	if (mask & IB_QP_MAX_DEST_RD_ATOMIC)
		qp->max_dest_rd_atomic = attr->max_dest_rd_atomic;
}

int rxe_modify_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask, struct ib_udata *udata)
{
	struct rxe_qp *qp = to_rxe_qp(ibqp);
	struct roce_rsrc *res = NULL;
	int err;

	err = rxe_qp_check_attr(qp, attr, mask);
	if (err)
		return err;
	if ((mask & IB_QP_MAX_DEST_RD_ATOMIC) && attr->max_dest_rd_atomic) {
		res = kcalloc(attr->max_dest_rd_atomic, sizeof(*res), GFP_KERNEL_ACCOUNT);
		if (!res)
			return -ENOMEM;
	}

	mutex_lock(&qp->modify);
	rxe_ep_lock_bh(qp->ep);
	err = rxe_qp_apply(qp, attr, mask, &res);
	/* Flushes WQEs in ERR, sends WQEs that were posted in SQD, arms the timer. */
	rxe_ep_run_bh(qp->ep);
	if (!err)
		rxe_qp_save_attr(qp, attr, mask);
	mutex_unlock(&qp->modify);

	kfree(res);
	return err;
}

static int rxe_qp_query_transport(struct rxe_qp *qp, struct ib_qp_attr *attr)
{
	struct rxe_ep *ep = rxe_qp_lock_ep(qp);
	const struct roce_qp *transport;

	if (!ep)
		return -EAGAIN;
	transport = &ep->transport;
	attr->qp_state = transport->state;
	attr->cur_qp_state = transport->state;
	attr->path_mtu = ib_mtu_int_to_enum(transport->attr.mtu);
	attr->qkey = transport->attr.qkey;
	attr->rq_psn = transport->resp.epsn;
	attr->sq_psn = transport->req.snd.nxt;
	attr->dest_qp_num = transport->attr.dest_qpn;
	attr->timeout = transport->attr.timeout;
	attr->retry_cnt = transport->attr.retry_cnt;
	attr->rnr_retry = transport->attr.rnr_retry;
	attr->min_rnr_timer = transport->attr.min_rnr_timer;
	attr->max_rd_atomic = transport->attr.max_rd_atomic;
	attr->sq_draining = transport->state == ROCE_SQD && !transport->req.snd.sq_drained_reported;
	attr->en_sqd_async_notify = qp->sqd_notify;
	rxe_qp_unlock_ep(ep);
	return 0;
}

/* -EAGAIN: the QP has been destroyed. Resource tracking, the only caller then, skips it. */
int rxe_query_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask,
		 struct ib_qp_init_attr *init)
{
	struct rxe_qp *qp = to_rxe_qp(ibqp);
	int err;

	*attr = (struct ib_qp_attr){
		.path_mig_state = IB_MIG_MIGRATED,
		.port_num = 1,
		.cap = qp->cap,
	};
	*init = (struct ib_qp_init_attr){
		.event_handler = ibqp->event_handler,
		.qp_context = ibqp->qp_context,
		.send_cq = ibqp->send_cq,
		.recv_cq = ibqp->recv_cq,
		.srq = ibqp->srq,
		.cap = qp->cap,
		.sq_sig_type = qp->rules.signal_all ? IB_SIGNAL_ALL_WR : IB_SIGNAL_REQ_WR,
		.qp_type = ibqp->qp_type,
	};
	mutex_lock(&qp->modify);
	err = rxe_qp_query_transport(qp, attr);
	attr->ah_attr = qp->av;
	attr->qp_access_flags = qp->access;
	attr->max_dest_rd_atomic = qp->max_dest_rd_atomic;
	mutex_unlock(&qp->modify);
	return err;
}
