// SPDX-License-Identifier: GPL-2.0
/* Shared receive queues (SRQ): WQEs, limit event, resizing. */
#include <linux/uaccess.h>
#include <rdma/rdma_user_rxe.h>
#include <rdma/uverbs_ioctl.h>

#include "base/device.h"
#include "qp/srq.h"

/* WQEs in the ring: masked, so that no user index makes it more than the capacity. */
static u32 rxe_srq_left(const struct rxe_srq *srq)
{
	return (rxe_ring_user_producer(&srq->rq) - srq->rq.index) & srq->rq.mask;
}

static void rxe_srq_limit_work(struct work_struct *work)
{
	struct rxe_srq *srq = container_of(work, struct rxe_srq, limit_work);
	struct ib_srq *ibsrq = &srq->ibsrq;
	struct ib_event event = {
		.device = ibsrq->device,
		.element.srq = ibsrq,
		.event = IB_EVENT_SRQ_LIMIT_REACHED,
	};
	u32 n;

	spin_lock_irq(&srq->lock);
	n = srq->limit_events;
	srq->limit_events = 0;
	spin_unlock_irq(&srq->lock);
	for (; n && ibsrq->event_handler; n--)
		ibsrq->event_handler(&event, ibsrq->srq_context);
}

int rxe_srq_pop(struct rxe_srq *srq, struct roce_recv_wqe *wqe)
{
	struct rxe_ring *rq = &srq->rq;
	unsigned long flags;
	int err = -ENOENT;
	u32 left;

	spin_lock_irqsave(&srq->lock, flags);
	left = rxe_srq_left(srq);
	if (left) {
		err = rxe_recv_wqe_from_user(rxe_ring_elem(rq, rq->index), &srq->rules, wqe);
		rq->index++;
		/* Before the CQE: a consumer that has polled it may reuse the slot at once. */
		rxe_ring_publish_consumer(rq);
		left--;
		/* The event disarms the limit (IBTA 10.2.9.3). */
		if (left < srq->limit) {
			WRITE_ONCE(srq->limit, 0); /* rxe_srq_check_modify() takes no lock */
			srq->limit_events++;
			queue_work(system_dfl_wq, &srq->limit_work);
		}
	}
	spin_unlock_irqrestore(&srq->lock, flags);
	return err;
}

static int rxe_srq_check_attr(struct rxe_dev *dev, const struct ib_srq_attr *attr)
{
	if (attr->max_wr < 1 || attr->max_wr > RXE_MAX_SRQ_WR) {
		ibdev_dbg(&dev->ibdev, "an SRQ of %u WQEs, not 1 to %u\n", attr->max_wr,
			  RXE_MAX_SRQ_WR);
		return -EINVAL;
	}
	if (attr->max_sge > RXE_MAX_SGE) {
		ibdev_dbg(&dev->ibdev, "an SRQ of %u SGEs, not %u at most\n", attr->max_sge,
			  RXE_MAX_SGE);
		return -EINVAL;
	}
	return 0;
}

static u32 rxe_srq_max_wr(const struct rxe_ring *rq)
{
	return min_t(u32, rxe_ring_capacity(rq), RXE_MAX_SRQ_WR);
}

int rxe_create_srq(struct ib_srq *ibsrq, struct ib_srq_init_attr *init, struct ib_udata *udata)
{
	struct rxe_srq *srq = to_rxe_srq(ibsrq);
	struct rxe_create_srq_resp resp = {};
	u32 room;
	int err;

	if (init->srq_type != IB_SRQT_BASIC)
		return -EOPNOTSUPP;
	if (udata && udata->outlen < sizeof(resp))
		return -EINVAL;
	err = rxe_srq_check_attr(to_rxe_dev(ibsrq->device), &init->attr);
	if (err)
		return err;
	err = rxe_ring_init(&srq->rq, init->attr.max_wr, rxe_wqe_recv_elem_size(init->attr.max_sge),
			    rxe_udata_ucontext(udata), &resp.mi);
	if (err)
		return err;
	spin_lock_init(&srq->lock);
	mutex_init(&srq->resize);
	INIT_WORK(&srq->limit_work, rxe_srq_limit_work);
	room = (1u << srq->rq.log2_elem) - sizeof(struct rxe_recv_wqe);
	srq->rules.max_recv_sge = min_t(u32, room / sizeof(struct rxe_sge), RXE_MAX_SGE);
	init->attr.max_wr = rxe_srq_max_wr(&srq->rq);
	init->attr.max_sge = srq->rules.max_recv_sge;
	if (udata) {
		/* resp.srq_num stays 0: only XRC, which is not supported, uses it. */
		err = ib_copy_to_udata(udata, &resp, sizeof(resp));
		if (err)
			rxe_ring_destroy(&srq->rq);
	}
	return err;
}

int rxe_destroy_srq(struct ib_srq *ibsrq, struct ib_udata *udata)
{
	struct rxe_srq *srq = to_rxe_srq(ibsrq);
	struct rxe_ring rq;

	/* No QP uses the SRQ any more, so that the work is not queued again. */
	cancel_work_sync(&srq->limit_work);
	spin_lock_irq(&srq->lock);
	rq = rxe_ring_detach(&srq->rq);
	spin_unlock_irq(&srq->lock);
	rxe_ring_destroy(&rq);
	return 0;
}

/**
 * struct rxe_srq_move - posted WQEs being copied to a new ring
 * @to: the new ring
 * @from: index in the old ring of the first WQE that was copied
 * @count: WQEs copied
 */
struct rxe_srq_move {
	struct rxe_ring to;
	u32 from;
	u32 count;
};

/* Copy WQEs until the new ring has @left. */
static int rxe_srq_copy_unread(struct rxe_srq *srq, struct rxe_srq_move *move, u32 left)
{
	if (left > rxe_ring_capacity(&move->to))
		return -EINVAL;
	for (; move->count < left; move->count++)
		memcpy(rxe_ring_elem(&move->to, move->count),
		       rxe_ring_elem(&srq->rq, move->from + move->count),
		       (size_t)1 << move->to.log2_elem);
	return 0;
}

/*
 * Switch to the new ring. Context: locked. While it was not, QPs may have popped WQEs, and a kernel
 * consumer may have posted some.
 */
static int rxe_srq_finish_move(struct rxe_srq *srq, struct rxe_srq_move *move)
{
	u32 taken = srq->rq.index - move->from;
	int err = 0;

	/* A user must not post during the call: such WQEs are lost. */
	if (!rxe_ring_is_user(&srq->rq))
		err = rxe_srq_copy_unread(srq, move, taken + rxe_srq_left(srq));
	if (err)
		return err;
	move->to.index = min(taken, move->count);
	rxe_ring_publish_consumer(&move->to);
	smp_store_release(&move->to.buf->producer_index, move->count & move->to.mask);
	swap(srq->rq, move->to);
	return 0;
}

/*
 * Copy without the lock, as rxe_cq_replace_ring() does, so that QPs do not wait for a large ring.
 */
static int rxe_srq_replace_ring(struct rxe_srq *srq, struct rxe_srq_move *move)
{
	u32 left;
	int err;

	spin_lock_irq(&srq->lock);
	move->from = srq->rq.index;
	left = rxe_srq_left(srq);
	spin_unlock_irq(&srq->lock);
	err = rxe_srq_copy_unread(srq, move, left);
	if (err)
		return err;

	spin_lock_irq(&srq->lock);
	err = rxe_srq_finish_move(srq, move);
	spin_unlock_irq(&srq->lock);
	return err;
}

/*
 * The user's library expects the location of the ring at an address of its own, not in the
 * response.
 */
static int rxe_srq_report_ring(struct ib_udata *udata, const struct mminfo *mi)
{
	struct rxe_modify_srq_cmd cmd;
	int err;

	if (udata->inlen < sizeof(cmd))
		return -EINVAL;
	err = ib_copy_from_udata(&cmd, udata, sizeof(cmd));
	if (err)
		return err;
	return copy_to_user(u64_to_user_ptr(cmd.mmap_info_addr), mi, sizeof(*mi)) ? -EFAULT : 0;
}

static int rxe_srq_resize(struct rxe_srq *srq, u32 max_wr, struct ib_udata *udata)
{
	struct rxe_srq_move move = {};
	struct mminfo mi = {};
	int err;

	err = rxe_ring_init(&move.to, max_wr, rxe_wqe_recv_elem_size(srq->rules.max_recv_sge),
			    rxe_udata_ucontext(udata), &mi);
	if (err)
		return err;
	if (udata)
		err = rxe_srq_report_ring(udata, &mi);
	if (!err)
		err = rxe_srq_replace_ring(srq, &move);
	/* The old ring, or after an error the new one. A user may still have the old one mapped. */
	rxe_ring_destroy(&move.to);
	return err;
}

static int rxe_srq_check_modify(struct rxe_srq *srq, const struct ib_srq_attr *attr,
				enum ib_srq_attr_mask mask)
{
	struct ib_srq_attr next = {
		.max_wr = mask & IB_SRQ_MAX_WR ? attr->max_wr : rxe_srq_max_wr(&srq->rq),
		.srq_limit = mask & IB_SRQ_LIMIT ? attr->srq_limit : READ_ONCE(srq->limit),
	};

	if (next.srq_limit > next.max_wr) {
		ibdev_dbg(srq->ibsrq.device, "a limit of %u in an SRQ of %u WQEs\n",
			  next.srq_limit, next.max_wr);
		return -EINVAL;
	}
	return rxe_srq_check_attr(to_rxe_dev(srq->ibsrq.device), &next);
}

int rxe_modify_srq(struct ib_srq *ibsrq, struct ib_srq_attr *attr, enum ib_srq_attr_mask mask,
		   struct ib_udata *udata)
{
	struct rxe_srq *srq = to_rxe_srq(ibsrq);
	int err;

	if (mask & ~(IB_SRQ_MAX_WR | IB_SRQ_LIMIT))
		return -EINVAL;
	mutex_lock(&srq->resize);
	err = rxe_srq_check_modify(srq, attr, mask);
	if (!err && (mask & IB_SRQ_MAX_WR))
		err = rxe_srq_resize(srq, attr->max_wr, udata);
	if (!err && (mask & IB_SRQ_LIMIT)) {
		spin_lock_irq(&srq->lock);
		WRITE_ONCE(srq->limit, attr->srq_limit);
		spin_unlock_irq(&srq->lock);
	}
	mutex_unlock(&srq->resize);
	return err;
}

int rxe_query_srq(struct ib_srq *ibsrq, struct ib_srq_attr *attr)
{
	struct rxe_srq *srq = to_rxe_srq(ibsrq);

	spin_lock_irq(&srq->lock);
	attr->max_wr = rxe_srq_max_wr(&srq->rq);
	attr->max_sge = srq->rules.max_recv_sge;
	attr->srq_limit = srq->limit;
	spin_unlock_irq(&srq->lock);
	return 0;
}

int rxe_post_srq_recv(struct ib_srq *ibsrq, const struct ib_recv_wr *wr,
		      const struct ib_recv_wr **bad_wr)
{
	struct rxe_srq *srq = to_rxe_srq(ibsrq);
	unsigned long flags;
	int err = 0;

	spin_lock_irqsave(&srq->lock, flags);
	if (rxe_ring_is_user(&srq->rq))
		err = -EOPNOTSUPP;
	for (; !err && wr; wr = wr->next) {
		err = rxe_ring_insert_recv(&srq->rq, wr, srq->rules.max_recv_sge);
		if (err)
			break;
	}
	spin_unlock_irqrestore(&srq->lock, flags);
	if (err)
		*bad_wr = wr;
	return err;
}
