// SPDX-License-Identifier: GPL-2.0
/*
 * ibv_create_qp() and ibv_destroy_qp(): validation of capacities, rings, endpoint.
 */
#include <linux/slab.h>
#include <rdma/ib_verbs.h>
#include <rdma/rdma_user_rxe.h>
#include <rdma/uverbs_ioctl.h>

#include "qp/cq.h"
#include "base/device.h"
#include "mem/mw.h"
#include "qp/qp.h"
#include "qp/srq.h"
#include "tx/raw.h"
#include "verbs/removal.h"
#include "verbs/verbs.h"

/*
 * Least max_send_sge of kernel consumers that use the rdma_rw API, which splits each transfer into
 * RDMA requests of that many pages: 64 KiB, a whole GSO buffer at path MTU 1024. NFS servers ask
 * for 5. With 32, reads from an NFS server are no faster.
 */
#define RXE_RDMA_RW_SGE 16

/* Opcodes that older versions of ib_core do not advertise: users cannot post them. */
#define RXE_ABSENT_OPS                                  \
	((RXE_CORE_FLUSH ? 0 : BIT(ROCE_WR_FLUSH)) |    \
	 (RXE_CORE_ATOMIC_WRITE ? 0 : BIT(ROCE_WR_ATOMIC_WRITE)))

/* The general service interface of a port (IBTA 10.2.4.3). */
#define RXE_GSI_QPN 1

static int rxe_qp_service(enum ib_qp_type type)
{
	switch (type) {
	case IB_QPT_RC:
		return ROCE_OP_RC;
	case IB_QPT_UC:
		return ROCE_OP_UC;
	case IB_QPT_UD:
	case IB_QPT_GSI:
		return ROCE_OP_UD;
	case IB_QPT_RAW_PACKET:
		return ROCE_RAW;
	default:
		return -EOPNOTSUPP;
	}
}

static int rxe_qp_check_type(struct rxe_dev *dev, const struct ib_qp_init_attr *init)
{
	if (rxe_qp_service(init->qp_type) < 0) {
		ibdev_dbg(&dev->ibdev, "QP type %d is not supported\n", init->qp_type);
		return -EOPNOTSUPP;
	}
	if (init->qp_type == IB_QPT_RAW_PACKET && !rxe_raw_has_frames(dev)) {
		ibdev_dbg(&dev->ibdev, "the interface has no Ethernet frames\n");
		return -EOPNOTSUPP;
	}
	if (init->create_flags) {
		ibdev_dbg(&dev->ibdev, "QP creation flags %#x are not supported\n",
			  init->create_flags);
		return -EOPNOTSUPP;
	}
	if (!init->send_cq || !init->recv_cq) {
		ibdev_dbg(&dev->ibdev, "a QP needs two CQs\n");
		return -EINVAL;
	}
	return 0;
}

static int rxe_qp_check_cap(struct rxe_dev *dev, const struct ib_qp_cap *cap)
{
	const struct {
		const char *name;
		u32 value;
		u32 max;
	} limits[] = {
		{ "max_send_wr", cap->max_send_wr, RXE_MAX_QP_WR },
		{ "max_recv_wr", cap->max_recv_wr, RXE_MAX_QP_WR },
		{ "max_send_sge", cap->max_send_sge, RXE_MAX_SGE },
		{ "max_recv_sge", cap->max_recv_sge, RXE_MAX_SGE },
		{ "max_inline_data", cap->max_inline_data, RXE_MAX_INLINE },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		if (limits[i].value <= limits[i].max)
			continue;
		ibdev_dbg(&dev->ibdev, "%s %u is more than %u\n", limits[i].name, limits[i].value,
			  limits[i].max);
		return -EINVAL;
	}
	return 0;
}

static int rxe_qp_check_udata(struct rxe_dev *dev, const struct ib_udata *udata)
{
	if (!udata)
		return 0;
	if (udata->inlen || udata->outlen < sizeof(struct rxe_create_qp_resp)) {
		ibdev_dbg(&dev->ibdev,
			  "user library passes %zu and takes %zu bytes, not 0 and %zu\n",
			  udata->inlen, udata->outlen, sizeof(struct rxe_create_qp_resp));
		return -EINVAL;
	}
	return 0;
}

/* Ring elements are rounded up: capacities are raised to the size of the ring and its elements. */
static int rxe_qp_init_user_rq(struct rxe_qp *qp, struct ib_ucontext *ucontext, struct mminfo *mi)
{
	struct ib_qp_cap *cap = &qp->cap;
	u32 room;
	int err;

	if (qp->srq)
		return 0;
	err = rxe_ring_init(&qp->rq, cap->max_recv_wr, rxe_wqe_recv_elem_size(cap->max_recv_sge),
			    ucontext, mi);
	if (err)
		return err;
	room = (1u << qp->rq.log2_elem) - sizeof(struct rxe_recv_wqe);
	cap->max_recv_wr = min_t(u32, rxe_ring_capacity(&qp->rq), RXE_MAX_QP_WR);
	cap->max_recv_sge = min_t(u32, room / sizeof(struct rxe_sge), RXE_MAX_SGE);
	return 0;
}

static int rxe_qp_init_user_rings(struct rxe_qp *qp, struct ib_udata *udata,
				  struct rxe_create_qp_resp *resp)
{
	struct ib_ucontext *ucontext = rxe_udata_ucontext(udata);
	struct ib_qp_cap *cap = &qp->cap;
	u32 elem_size = rxe_wqe_send_elem_size(cap->max_send_sge, cap->max_inline_data);
	u32 room;
	int err;

	err = rxe_ring_init(&qp->sq, cap->max_send_wr, elem_size, ucontext, &resp->sq_mi);
	if (err)
		return err;
	err = rxe_qp_init_user_rq(qp, ucontext, &resp->rq_mi);
	if (err)
		goto err_destroy_sq;

	/* Capacities exclude the rounding of elements, which the transport's WQEs do not have. */
	room = elem_size - sizeof(struct rxe_send_wqe);
	cap->max_send_wr = min_t(u32, rxe_ring_capacity(&qp->sq), RXE_MAX_QP_WR);
	cap->max_send_sge = min_t(u32, room / sizeof(struct rxe_sge), RXE_MAX_SGE);
	cap->max_inline_data = min_t(u32, room, RXE_MAX_INLINE);
	return 0;

err_destroy_sq:
	rxe_ring_destroy(&qp->sq);
	return err;
}

static int rxe_qp_init_kernel_rings(struct rxe_qp *qp)
{
	struct ib_qp_cap *cap = &qp->cap;

	if (cap->max_rdma_ctxs)
		cap->max_send_sge = max_t(u32, cap->max_send_sge, RXE_RDMA_RW_SGE);
	if (qp->srq)
		return 0;
	return rxe_ring_init(&qp->rq, cap->max_recv_wr,
			     rxe_wqe_recv_elem_size(cap->max_recv_sge), NULL, NULL);
}

static void rxe_qp_destroy_rings(struct rxe_qp *qp)
{
	if (!qp->srq)
		rxe_ring_destroy(&qp->rq);
	if (rxe_ring_is_user(&qp->sq))
		rxe_ring_destroy(&qp->sq);
}

static int rxe_qp_init_ep(struct rxe_qp *qp, struct rxe_dev *dev)
{
	bool user = rxe_ring_is_user(&qp->sq);
	u32 slots = user ? qp->sq.mask + 1 : roundup_pow_of_two(max(qp->cap.max_send_wr, 1u));

	qp->ep = rxe_ep_alloc(dev, qp->rules.service, slots, rxe_wqe_stride(&qp->rules),
			      qp->rules.max_recv_sge);
	if (!qp->ep)
		return -ENOMEM;
	qp->ep->flow.user = user;
	qp->ep->transport.srq = qp->srq;
	/* Kernel consumers post LOCAL_INV soon after a request, which then waits for its ACK. */
	qp->ep->transport.ackreq_deferral = user;
	/* Kernel consumers may post in atomic context: allocate the slots now. */
	if (!user && rxe_ep_prepare_sq(qp->ep)) {
		rxe_ep_free(qp->ep);
		return -ENOMEM;
	}
	return 0;
}

static void rxe_qp_init_rules(struct rxe_qp *qp, const struct ib_qp_init_attr *init)
{
	qp->rules.max_send_sge = qp->cap.max_send_sge;
	qp->rules.max_inline = qp->cap.max_inline_data;
	qp->rules.max_recv_sge = qp->srq ? qp->srq->rules.max_recv_sge : qp->cap.max_recv_sge;
	qp->rules.signal_all = init->sq_sig_type == IB_SIGNAL_ALL_WR;
	qp->rules.service = rxe_qp_service(init->qp_type);
	qp->rules.unsupported_ops = RXE_ABSENT_OPS;
}

static void rxe_qp_init_mem_ctx(struct rxe_qp *qp, struct rxe_dev *dev,
				const struct ib_qp_init_attr *init)
{
	qp->mem_ctx.dev = dev;
	qp->mem_ctx.pd = qp->ibqp.pd;
	qp->mem_ctx.recv_pd = init->srq ? init->srq->pd : qp->ibqp.pd;
	qp->mem_ctx.fault = rxe_page_fault_raise;
}

int rxe_create_qp(struct ib_qp *ibqp, struct ib_qp_init_attr *init, struct ib_udata *udata)
{
	struct rxe_dev *dev = to_rxe_dev(ibqp->device);
	struct rxe_qp *qp = to_rxe_qp(ibqp);
	struct rxe_create_qp_resp resp = {};
	int err;

	if (READ_ONCE(dev->removed))
		return -EIO;
	err = rxe_qp_check_type(dev, init);
	if (!err)
		err = rxe_qp_check_cap(dev, &init->cap);
	if (!err)
		err = rxe_qp_check_udata(dev, udata);
	if (err)
		return err;

	mutex_init(&qp->modify);
	qp->scq = to_rxe_cq(init->send_cq);
	qp->rcq = to_rxe_cq(init->recv_cq);
	qp->cap = init->cap;
	if (init->srq) {
		qp->srq = to_rxe_srq(init->srq);
		qp->cap.max_recv_wr = 0;
		qp->cap.max_recv_sge = 0;
	}
	err = udata ? rxe_qp_init_user_rings(qp, udata, &resp) : rxe_qp_init_kernel_rings(qp);
	if (err)
		return err;
	rxe_qp_init_rules(qp, init);
	rxe_qp_init_mem_ctx(qp, dev, init);
	err = rxe_qp_init_ep(qp, dev);
	if (err)
		goto err_destroy_rings;
	err = rxe_ep_publish(qp->ep, qp, init->qp_type == IB_QPT_GSI ? RXE_GSI_QPN : 0);
	if (err)
		goto err_free_ep;
	smp_mb(); /* pairs with smp_mb() in rxe_removal_begin() */
	if (READ_ONCE(dev->removed))
		err = -EIO;
	else if (udata)
		err = ib_copy_to_udata(udata, &resp, sizeof(resp));
	if (err)
		goto err_kill_ep;
	ibqp->qp_num = qp->ep->transport.qpn;
	init->cap = qp->cap;
	return 0;

err_kill_ep:
	rxe_ep_destroy(qp->ep);
err_free_ep:
	rxe_ep_free(qp->ep);
err_destroy_rings:
	rxe_qp_destroy_rings(qp);
	return err;
}

int rxe_destroy_qp(struct ib_qp *ibqp, struct ib_udata *udata)
{
	struct rxe_qp *qp = to_rxe_qp(ibqp);
	struct rxe_ep *ep = qp->ep;

	/* Also on exit of the process and removal of the device: ib_core calls this for each QP. */
	if (READ_ONCE(to_rxe_dev(ibqp->device)->removed))
		rxe_removal_flush_all(ep);
	rxe_ep_destroy(ep);
	rxe_mw_unbind_qp(&qp->mem_ctx);
	rxe_qp_destroy_rings(qp);
	/* Resource tracking may look at the QP until ib_core frees it: see rxe_qp_lock_ep(). */
	WRITE_ONCE(qp->ep, NULL);
	rxe_ep_free(ep);
	return 0;
}
