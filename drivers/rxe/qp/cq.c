// SPDX-License-Identifier: GPL-2.0
/* Completion queues (CQ): CQEs, notification, overflow, resizing. */
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/if_vlan.h>
#include <linux/sched.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/ib_verbs.h>
#include <rdma/restrack.h>
#include <rdma/uverbs_ioctl.h>
#include <roce/qp.h>

#include "base/counters.h"
#include "base/device.h"
#include "ip/pkt.h"
#include "qp/cq.h"

/* enum ibv_wc_flags of libibverbs, which the kernel's headers lack. */
#define RXE_USER_WC_GRH	     (1u << 0)
#define RXE_USER_WC_WITH_IMM (1u << 1)
#define RXE_USER_WC_WITH_INV (1u << 3)

static_assert(ROCE_SUCCESS == (int)IB_WC_SUCCESS);
static_assert(ROCE_LOC_PROT_ERR == (int)IB_WC_LOC_PROT_ERR);
static_assert(ROCE_RNR_RETRY_EXC_ERR == (int)IB_WC_RNR_RETRY_EXC_ERR);

static const u8 rxe_wc_opcode_of[ROCE_WR_OPCODES] = {
	[ROCE_WR_WRITE] = IB_WC_RDMA_WRITE,
	[ROCE_WR_WRITE_IMM] = IB_WC_RDMA_WRITE,
	[ROCE_WR_SEND] = IB_WC_SEND,
	[ROCE_WR_SEND_IMM] = IB_WC_SEND,
	[ROCE_WR_SEND_INV] = IB_WC_SEND,
	[ROCE_WR_READ] = IB_WC_RDMA_READ,
	[ROCE_WR_COMPARE_SWAP] = IB_WC_COMP_SWAP,
	[ROCE_WR_FETCH_ADD] = IB_WC_FETCH_ADD,
	[ROCE_WR_LOCAL_INV] = IB_WC_LOCAL_INV,
	[ROCE_WR_BIND_MW] = IB_WC_BIND_MW,
	[ROCE_WR_REG_MR] = IB_WC_REG_MR,
	[ROCE_WR_FLUSH] = IB_WC_FLUSH,
	[ROCE_WR_ATOMIC_WRITE] = IB_WC_ATOMIC_WRITE,
};

static enum ib_wc_opcode rxe_wc_opcode(const struct roce_wc *wc)
{
	if (!wc->is_recv)
		return rxe_wc_opcode_of[wc->opcode];
	return wc->opcode == ROCE_WR_WRITE_IMM ? IB_WC_RECV_RDMA_WITH_IMM : IB_WC_RECV;
}

static void rxe_fill_user_cqe(struct ib_uverbs_wc *cqe, struct ib_qp *ibqp,
			      const struct roce_wc *wc)
{
	struct ib_uverbs_wc uwc = {
		.wr_id = wc->wr_id,
		.status = wc->status,
		.opcode = rxe_wc_opcode(wc),
		.byte_len = wc->byte_len,
		.qp_num = ibqp->qp_num,
		.port_num = 1,
	};

	if (wc->has_imm) {
		uwc.ex.imm_data = wc->imm;
		uwc.wc_flags = RXE_USER_WC_WITH_IMM;
	} else if (wc->has_inv) {
		uwc.ex.invalidate_rkey = wc->inv_rkey;
		uwc.wc_flags = RXE_USER_WC_WITH_INV;
	}
	if (wc->pkt) {
		uwc.src_qp = wc->src_qpn;
		uwc.wc_flags |= RXE_USER_WC_GRH;
	}
	*cqe = uwc;
}

/*
 * The entry of a datagram's destination GID. Several interfaces may have the same link-local
 * address: prefer the entry of the interface that has received the datagram.
 */
static const struct ib_gid_attr *rxe_find_gid(struct ib_device *ibdev, const union ib_gid *gid,
					      struct net_device *ndev)
{
	const struct ib_gid_attr *attr;

	attr = rdma_find_gid_by_port(ibdev, gid, IB_GID_TYPE_ROCE_UDP_ENCAP, 1, ndev);
	return IS_ERR(attr) ?
		       rdma_find_gid_by_port(ibdev, gid, IB_GID_TYPE_ROCE_UDP_ENCAP, 1, NULL) :
		       attr;
}

/* The VLAN of a datagram is the VLAN of the interface that has its destination address. */
static void rxe_fill_vlan(struct ib_wc *cqe, struct ib_device *ibdev, const union ib_gid *dgid,
			  struct net_device *ndev)
{
	const struct ib_gid_attr *attr = rxe_find_gid(ibdev, dgid, ndev);
	u16 vlan = VLAN_N_VID;

	if (IS_ERR(attr))
		return;
	if (!rdma_read_gid_l2_fields(attr, &vlan, NULL) && vlan < VLAN_N_VID) {
		cqe->vlan_id = vlan;
		cqe->wc_flags |= IB_WC_WITH_VLAN;
	}
	rdma_put_gid_attr(attr);
}

/* Set the fields that ib_init_ah_attr_from_wc() needs for a reply to a datagram. */
static void rxe_fill_address(struct ib_wc *cqe, struct ib_device *ibdev, const struct roce_wc *wc)
{
	const struct sk_buff *skb = rxe_pkt_skb(wc->pkt);
	union ib_gid dgid;
	bool v6;

	v6 = rxe_pkt_dgid(wc->pkt, &dgid);
	cqe->src_qp = wc->src_qpn;
	cqe->network_hdr_type = v6 ? RDMA_NETWORK_IPV6 : RDMA_NETWORK_IPV4;
	cqe->wc_flags |= IB_WC_GRH | IB_WC_WITH_NETWORK_HDR_TYPE;
	rxe_fill_vlan(cqe, ibdev, &dgid, skb->dev);
	if (skb_mac_header_was_set(skb) && skb->dev->type == ARPHRD_ETHER) {
		ether_addr_copy(cqe->smac, eth_hdr(skb)->h_source);
		cqe->wc_flags |= IB_WC_WITH_SMAC;
	}
}

static void rxe_fill_kernel_cqe(struct ib_wc *cqe, struct ib_qp *ibqp, const struct roce_wc *wc)
{
	*cqe = (struct ib_wc){
		.wr_id = wc->wr_id,
		.status = (enum ib_wc_status)wc->status,
		.opcode = rxe_wc_opcode(wc),
		.byte_len = wc->byte_len,
		.qp = ibqp,
		.port_num = 1,
	};
	if (wc->has_imm) {
		cqe->ex.imm_data = wc->imm;
		cqe->wc_flags = IB_WC_WITH_IMM;
	} else if (wc->has_inv) {
		cqe->ex.invalidate_rkey = wc->inv_rkey;
		cqe->wc_flags = IB_WC_WITH_INVALIDATE;
	}
	if (wc->pkt)
		rxe_fill_address(cqe, ibqp->device, wc);
}

static u32 rxe_cqe_size(bool user)
{
	return user ? sizeof(struct ib_uverbs_wc) : sizeof(struct ib_wc);
}

/* CQEs that the consumer has not polled, by its index, which user space may set to any value. */
static u32 rxe_cq_unread(const struct rxe_cq *cq)
{
	return (cq->ring.index - rxe_ring_user_consumer(&cq->ring)) & cq->ring.mask;
}

static void rxe_cq_insert(struct rxe_cq *cq, struct ib_qp *ibqp, const struct roce_wc *wc)
{
	void *cqe = rxe_ring_elem(&cq->ring, cq->ring.index);

	if (rxe_cq_is_user(cq))
		rxe_fill_user_cqe(cqe, ibqp, wc);
	else
		rxe_fill_kernel_cqe(cqe, ibqp, wc);
	cq->ring.index = (cq->ring.index + 1) & cq->ring.mask;
	rxe_ring_publish_producer(&cq->ring);
	cq->produced++;
	if (wc->solicited || wc->status != ROCE_SUCCESS)
		cq->produced_solicited = cq->produced;
}

/* @produced at the last CQE that is an event for the armed CQ. */
static u32 rxe_cq_produced_awaited(const struct rxe_cq *cq)
{
	return cq->armed & IB_CQ_NEXT_COMP ? cq->produced : cq->produced_solicited;
}

static void rxe_cq_disarm(struct rxe_cq *cq)
{
	cq->armed = 0;
	/* The tasklet takes it without the lock. */
	WRITE_ONCE(cq->comp_pending, true);
	cq->produced_at_event = cq->produced;
	cq->consumer_at_event = rxe_ring_user_consumer(&cq->ring);
}

/* True if the consumer has requested notification of the last CQE. Disarms the CQ. */
static bool rxe_cq_should_notify(struct rxe_cq *cq)
{
	bool wakes = cq->armed && rxe_cq_produced_awaited(cq) == cq->produced;

	if (wakes)
		rxe_cq_disarm(cq);
	return wakes;
}

/*
 * A user has armed the CQ. True, and the CQ is disarmed, if there is an unread CQE that the user
 * waits for, and CQEs were inserted or polled since the last event. Programs depend on this event
 * that arm, poll a fixed number of CQEs, and wait for the next event, as perftest does. Programs
 * accept an event without a CQE (ibv_get_cq_event(3)), which it is if they poll all.
 *
 * A program that waits for one message at a time arms before it polls the CQE of the last event.
 * It gets no second event for that CQE: ib_send_lat would take it for the next message.
 */
static bool rxe_cq_should_notify_armed(struct rxe_cq *cq)
{
	u32 age = cq->produced - rxe_cq_produced_awaited(cq);
	bool changed = age < cq->produced - cq->produced_at_event ||
		       rxe_ring_user_consumer(&cq->ring) != cq->consumer_at_event;
	bool wakes = age < rxe_cq_unread(cq) && changed;

	if (wakes)
		rxe_cq_disarm(cq);
	return wakes;
}

static void rxe_cq_call_comp(struct rxe_cq *cq)
{
	if (cq->ibcq.comp_handler)
		cq->ibcq.comp_handler(&cq->ibcq, cq->ibcq.cq_context);
}

static void rxe_cq_call_overflow(struct rxe_cq *cq)
{
	struct ib_event event = {
		.device = cq->ibcq.device,
		.element.cq = &cq->ibcq,
		.event = IB_EVENT_CQ_ERR,
	};

	if (cq->ibcq.event_handler)
		cq->ibcq.event_handler(&event, cq->ibcq.cq_context);
}

/* CQs of ib_alloc_cq() have an array for polling, those of ib_create_cq() have not. */
static bool rxe_cq_is_polled_by_core(const struct ib_cq *ibcq)
{
	return ibcq->wc && ibcq->poll_ctx != IB_POLL_DIRECT;
}

/*
 * Tasklet: kernel consumers post and poll in their handlers, so that no lock of ours may be held.
 * It is scheduled after the flags are set; xchg() clears each before the handler runs, so that a
 * completion during the handler sets it again.
 */
static void rxe_cq_notify(struct tasklet_struct *tasklet)
{
	struct rxe_cq *cq = from_tasklet(cq, tasklet, notify);

	if (xchg(&cq->overflow_pending, false))
		rxe_cq_call_overflow(cq);
	if (xchg(&cq->comp_pending, false))
		rxe_cq_call_comp(cq);
}

static unsigned long rxe_cq_lock(struct rxe_cq *cq) __acquires(&cq->lock)
{
	unsigned long flags = 0;

	if (cq->polled_anywhere)
		spin_lock_irqsave(&cq->lock, flags);
	else
		spin_lock_bh(&cq->lock);
	return flags;
}

static void rxe_cq_unlock(struct rxe_cq *cq, unsigned long flags) __releases(&cq->lock)
{
	if (cq->polled_anywhere)
		spin_unlock_irqrestore(&cq->lock, flags);
	else
		spin_unlock_bh(&cq->lock);
}

/* Bottom halves are off, or interrupts, where spin_unlock_bh() is not allowed. */
static unsigned long rxe_cq_lock_to_post(struct rxe_cq *cq) __acquires(&cq->lock)
{
	unsigned long flags = 0;

	if (cq->polled_anywhere)
		spin_lock_irqsave(&cq->lock, flags);
	else
		spin_lock(&cq->lock);
	return flags;
}

static void rxe_cq_unlock_to_post(struct rxe_cq *cq, unsigned long flags) __releases(&cq->lock)
{
	if (cq->polled_anywhere)
		spin_unlock_irqrestore(&cq->lock, flags);
	else
		spin_unlock(&cq->lock);
}

/* The owner is a program, or a kernel module, which is called process 0. */
static void rxe_cq_report_overflow(struct rxe_cq *cq)
{
	const struct rdma_restrack_entry *res = &cq->ibcq.res;
	struct ib_device *ibdev = cq->ibcq.device;

	rxe_count(to_rxe_dev(ibdev), RXE_CNT_CQ_OVERFLOW, 1);
	ibdev_warn_ratelimited(ibdev, "CQ %u of %s (process %d) overflowed at %u entries\n",
			       res->id, res->task ? res->task->comm : res->kern_name,
			       res->task ? task_pid_nr(res->task) : 0, cq->ibcq.cqe);
}

bool rxe_cq_post(struct rxe_cq *cq, struct ib_qp *ibqp, const struct roce_wc *wc)
{
	bool wakes = false, overflows = false, lost;
	unsigned long flags;

	flags = rxe_cq_lock_to_post(cq);
	if (!cq->overflowed && rxe_cq_unread(cq) < rxe_ring_capacity(&cq->ring)) {
		rxe_cq_insert(cq, ibqp, wc);
		wakes = rxe_cq_should_notify(cq);
	} else if (!cq->overflowed) {
		cq->overflowed = true;
		WRITE_ONCE(cq->overflow_pending, true);
		overflows = true;
	}
	lost = cq->overflowed;
	rxe_cq_unlock_to_post(cq, flags);

	if (overflows)
		rxe_cq_report_overflow(cq);
	if (!wakes && !overflows)
		return !lost;
	if (cq->polled_anywhere)
		tasklet_schedule(&cq->notify);
	else if (overflows)
		rxe_cq_call_overflow(cq);
	else
		rxe_cq_call_comp(cq);
	return !lost;
}

int rxe_req_notify_cq(struct ib_cq *ibcq, enum ib_cq_notify_flags flags)
{
	struct rxe_cq *cq = to_rxe_cq(ibcq);
	bool wakes = false;
	unsigned long irq;
	int missed;

	irq = rxe_cq_lock(cq);
	/* IB_CQ_NEXT_COMP stays armed if IB_CQ_SOLICITED is requested later (IBTA 11.4.2.2). */
	if (cq->armed != IB_CQ_NEXT_COMP)
		cq->armed = flags & IB_CQ_SOLICITED_MASK;
	missed = (flags & IB_CQ_REPORT_MISSED_EVENTS) && rxe_cq_unread(cq);
	if (rxe_cq_is_user(cq))
		wakes = rxe_cq_should_notify_armed(cq);
	rxe_cq_unlock(cq, irq);
	if (wakes)
		rxe_cq_call_comp(cq);
	return missed;
}

/* Kernel consumers only: user space reads the ring. */
int rxe_poll_cq(struct ib_cq *ibcq, int n, struct ib_wc *wc)
{
	struct rxe_cq *cq = to_rxe_cq(ibcq);
	unsigned long flags;
	u32 i, count, from;

	if (rxe_cq_is_user(cq))
		return -EOPNOTSUPP;

	flags = rxe_cq_lock(cq);
	count = min_t(u32, max(n, 0), rxe_cq_unread(cq));
	from = rxe_ring_user_consumer(&cq->ring);
	for (i = 0; i < count; i++)
		wc[i] = *(struct ib_wc *)rxe_ring_elem(&cq->ring, from + i);
	smp_store_release(&cq->ring.buf->consumer_index, (from + count) & cq->ring.mask);
	rxe_cq_unlock(cq, flags);
	return count;
}

int rxe_peek_cq(struct ib_cq *ibcq, int n)
{
	struct rxe_cq *cq = to_rxe_cq(ibcq);
	unsigned long flags;
	u32 unread;

	flags = rxe_cq_lock(cq);
	unread = rxe_cq_unread(cq);
	rxe_cq_unlock(cq, flags);
	return min_t(u32, max(n, 0), unread);
}

/* Create a ring; its offset for mmap() goes to the user. */
static int rxe_cq_ring_init(struct rxe_ring *ring, u32 cqe, struct ib_udata *udata)
{
	struct rxe_create_cq_resp resp = {};
	int err;

	if (cqe < 1 || cqe > RXE_MAX_CQE)
		return -EINVAL;
	if (udata && udata->outlen < sizeof(resp))
		return -EINVAL;
	err = rxe_ring_init(ring, cqe, rxe_cqe_size(udata), rxe_udata_ucontext(udata), &resp.mi);
	if (err || !udata)
		return err;
	err = ib_copy_to_udata(udata, &resp, sizeof(resp));
	if (err)
		rxe_ring_destroy(ring);
	return err;
}

int rxe_create_cq(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr, rxe_cq_attrs *attrs)
{
	struct ib_udata *udata = rxe_cq_udata(attrs);
	struct rxe_cq *cq = to_rxe_cq(ibcq);
	int err;

	if (attr->flags)
		return -EOPNOTSUPP;
	err = rxe_cq_ring_init(&cq->ring, attr->cqe, udata);
	if (err)
		return err;
	spin_lock_init(&cq->lock);
	mutex_init(&cq->resize);
	cq->polled_anywhere = !udata && !rxe_cq_is_polled_by_core(ibcq);
	tasklet_setup(&cq->notify, rxe_cq_notify);
	ibcq->cqe = rxe_ring_capacity(&cq->ring);
	return 0;
}

int rxe_destroy_cq(struct ib_cq *ibcq, struct ib_udata *udata)
{
	struct rxe_cq *cq = to_rxe_cq(ibcq);
	struct rxe_ring ring;

	/* No QP uses the CQ any more, so that the tasklet is not scheduled again. */
	tasklet_kill(&cq->notify);
	spin_lock_irq(&cq->lock);
	ring = rxe_ring_detach(&cq->ring);
	spin_unlock_irq(&cq->lock);
	rxe_ring_destroy(&ring);
	return 0;
}

/**
 * struct rxe_cq_move - unread CQEs being copied to a new ring
 * @to: the new ring
 * @from: the user's index at the start: the user must not poll during the call
 * @count: CQEs copied
 */
struct rxe_cq_move {
	struct rxe_ring to;
	u32 from;
	u32 count;
};

/* Copy CQEs up to the producer index @end. */
static int rxe_cq_copy_unread(struct rxe_cq *cq, struct rxe_cq_move *move, u32 end)
{
	u32 unread = (end - move->from) & cq->ring.mask;

	if (unread > rxe_ring_capacity(&move->to))
		return -EINVAL;
	for (; move->count < unread; move->count++)
		memcpy(rxe_ring_elem(&move->to, move->count),
		       rxe_ring_elem(&cq->ring, move->from + move->count),
		       (size_t)1 << move->to.log2_elem);
	return 0;
}

/*
 * Copy the ring without the lock, and then, with the lock held, the completions that have been
 * added since: softirqs wait for the lock, and a ring may have 2^19 CQEs.
 */
static int rxe_cq_replace_ring(struct rxe_cq *cq, struct rxe_cq_move *move)
{
	u32 end;
	int err;

	spin_lock_bh(&cq->lock);
	move->from = rxe_ring_user_consumer(&cq->ring);
	end = cq->ring.index;
	spin_unlock_bh(&cq->lock);
	err = rxe_cq_copy_unread(cq, move, end);
	if (err)
		return err;

	spin_lock_bh(&cq->lock);
	err = rxe_cq_copy_unread(cq, move, cq->ring.index);
	if (!err) {
		move->to.index = move->count;
		rxe_ring_publish_producer(&move->to);
		swap(cq->ring, move->to);
		/* The new ring's index of the consumer is 0. */
		cq->consumer_at_event = cq->consumer_at_event == move->from ? 0 :
									      RXE_CQ_POLLED_SINCE;
		cq->ibcq.cqe = rxe_ring_capacity(&cq->ring);
	}
	spin_unlock_bh(&cq->lock);
	return err;
}

int rxe_resize_cq(struct ib_cq *ibcq, rxe_cqe_t cqe, struct ib_udata *udata)
{
	struct rxe_cq *cq = to_rxe_cq(ibcq);
	struct rxe_cq_move move = {};
	int err;

	/* Kernel consumers do not resize CQs; newer RDMA cores have no call for it. */
	if (!udata)
		return -EOPNOTSUPP;
	err = rxe_cq_ring_init(&move.to, cqe, udata);
	if (err)
		return err;
	mutex_lock(&cq->resize);
	err = rxe_cq_replace_ring(cq, &move);
	mutex_unlock(&cq->resize);
	/*
	 * The old ring, or after an error the new one. The user may still have the old one mapped.
	 */
	rxe_ring_destroy(&move.to);
	return err;
}
