// SPDX-License-Identifier: GPL-2.0
/*
 * struct roce_ops of the module: how the transport accesses memory, receive queues, completion
 * queues and packet buffers. <roce/ops.h> has the contract of each function.
 *
 * Context of all functions: the endpoint's lock held, RCU read lock held, bottom halves off.
 */
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <rdma/ib_verbs.h>

#include "base/counters.h"
#include "base/device.h"
#include "ip/pkt.h"
#include "mem/frmr.h"
#include "mem/invalidate.h"
#include "mem/mem.h"
#include "mem/mw.h"
#include "qp/cq.h"
#include "qp/ep.h"
#include "qp/qp.h"
#include "qp/srq.h"
#include "qp/trace.h"

static_assert(ROCE_ACCESS_LOCAL_WRITE == (u32)IB_ACCESS_LOCAL_WRITE);
static_assert(ROCE_ACCESS_REMOTE_WRITE == (u32)IB_ACCESS_REMOTE_WRITE);
static_assert(ROCE_ACCESS_REMOTE_READ == (u32)IB_ACCESS_REMOTE_READ);
static_assert(ROCE_ACCESS_REMOTE_ATOMIC == (u32)IB_ACCESS_REMOTE_ATOMIC);
static_assert(ROCE_ACCESS_FLUSH_GLOBAL == (u32)IB_ACCESS_FLUSH_GLOBAL);
static_assert(ROCE_ACCESS_FLUSH_PERSISTENT == (u32)IB_ACCESS_FLUSH_PERSISTENT);

static int rxe_check_mem(struct rxe_ep *ep, u32 key, u64 addr, u32 len, u32 access)
{
	/* With @uses_odp, the transport asks payload_resident() before it sends. */
	return rxe_mem_cache_check(&ep->mem_cache, key, addr, len, access, &ep->transport.uses_odp);
}

/**
 * struct sge_cursor - position in a list of SGEs
 * @sge: current SGE
 * @num: SGEs left, @sge included
 * @offset: bytes to skip, from the start of @sge; may exceed its length
 * @access: access that the L_Keys must grant
 */
struct sge_cursor {
	const struct roce_sge *sge;
	u32 num;
	u32 offset;
	u32 access;
};

/* A cursor for writing: to the buffers of a receive WQE, or of a READ or atomic send WQE. */
static struct sge_cursor sge_cursor_begin(const struct roce_qp *transport,
					  const struct roce_sge *sge, u32 num_sge, u32 offset)
{
	u32 access = IB_ACCESS_LOCAL_WRITE | RXE_ACCESS_LOCAL;

	if (sge == transport->resp.recv_wqe->sge)
		access |= RXE_ACCESS_RECV;
	return (struct sge_cursor){ sge, num_sge, offset, access };
}

/*
 * Get the memory of the next bytes, at most *@len and all of one SGE. Sets *@addr and *@len to
 * them. Returns as rxe_mem_cache_get(); -EACCES if the SGEs have ended.
 */
static struct rxe_mem *sge_cursor_next(struct rxe_ep *ep, struct sge_cursor *c, u64 *addr, u32 *len)
{
	while (c->num && c->offset >= c->sge->length) {
		c->offset -= c->sge->length;
		c->sge++;
		c->num--;
	}
	if (!c->num)
		return ERR_PTR(-EACCES);
	*addr = c->sge->addr + c->offset;
	*len = min(*len, c->sge->length - c->offset);
	c->offset += *len;
	return rxe_mem_cache_get(&ep->mem_cache, c->sge->lkey, *addr, *len, c->access);
}

static int rxe_op_check_sges(struct roce_qp *transport, const struct roce_sge *sge, u32 num_sge,
			     u32 access)
{
	struct rxe_ep *ep = to_rxe_ep(transport);
	int err = 0;
	u32 i;

	for (i = 0; i < num_sge && !err; i++)
		err = rxe_check_mem(ep, sge[i].lkey, sge[i].addr, sge[i].length,
				    access | RXE_ACCESS_LOCAL);
	return err;
}

static int rxe_op_scatter(struct roce_qp *transport, const struct roce_sge *sge, u32 num_sge,
			  u32 offset, const struct roce_pkt *pkt)
{
	struct sge_cursor c = sge_cursor_begin(transport, sge, num_sge, offset);
	u32 done, len;
	struct rxe_mem *mem;
	u64 addr;

	for (done = 0; done < pkt->payload_len; done += len) {
		len = pkt->payload_len - done;
		mem = sge_cursor_next(to_rxe_ep(transport), &c, &addr, &len);
		if (IS_ERR(mem))
			return PTR_ERR(mem);
		rxe_mem_write_skb(mem, addr, rxe_pkt_skb(pkt), pkt->payload_off + done, len);
		rxe_mem_cache_put(&to_rxe_ep(transport)->mem_cache, mem);
	}
	return 0;
}

static int rxe_scatter_bytes(struct rxe_ep *ep, const struct roce_sge *sge, u32 num_sge,
			     const u8 *bytes, u32 total)
{
	struct sge_cursor c = sge_cursor_begin(&ep->transport, sge, num_sge, 0);
	struct rxe_mem *mem;
	u32 done, len;
	u64 addr;

	for (done = 0; done < total; done += len) {
		len = total - done;
		mem = sge_cursor_next(ep, &c, &addr, &len);
		if (IS_ERR(mem))
			return PTR_ERR(mem);
		rxe_mem_write(mem, addr, bytes + done, len);
		rxe_mem_cache_put(&ep->mem_cache, mem);
	}
	return 0;
}

static int rxe_op_scatter_u64(struct roce_qp *transport, const struct roce_sge *sge, u32 num_sge,
			      u64 value)
{
	return rxe_scatter_bytes(to_rxe_ep(transport), sge, num_sge, (const u8 *)&value,
				 sizeof(value));
}

static int rxe_op_scatter_grh(struct roce_qp *transport, const struct roce_sge *sge, u32 num_sge,
			      const struct roce_pkt *pkt)
{
	u8 grh[RXE_GRH_LEN];

	rxe_pkt_grh(pkt, grh);
	return rxe_scatter_bytes(to_rxe_ep(transport), sge, num_sge, grh, sizeof(grh));
}

static int rxe_op_check_rkey(struct roce_qp *transport, u32 rkey, u64 va, u32 len, u32 access)
{
	/* A request without data: the R_Key is not checked (IBTA 9.7.4.1.4, C9-88). */
	return len ? rxe_check_mem(to_rxe_ep(transport), rkey, va, len, access) : 0;
}

static int rxe_op_write(struct roce_qp *transport, u32 rkey, u64 va, const struct roce_pkt *pkt)
{
	struct rxe_mem *mem;

	if (!pkt->payload_len)
		return 0;
	mem = rxe_mem_cache_get(&to_rxe_ep(transport)->mem_cache, rkey, va, pkt->payload_len,
				IB_ACCESS_REMOTE_WRITE);
	if (IS_ERR(mem))
		return PTR_ERR(mem);
	rxe_mem_write_skb(mem, va, rxe_pkt_skb(pkt), pkt->payload_off, pkt->payload_len);
	rxe_mem_cache_put(&to_rxe_ep(transport)->mem_cache, mem);
	return 0;
}

static int rxe_op_atomic(struct roce_qp *transport, const struct roce_pkt *pkt, u64 *old)
{
	struct rxe_mem *mem;
	int err;

	if (!IS_ALIGNED(pkt->va, sizeof(u64)))
		return -EINVAL;
	mem = rxe_mem_cache_get(&to_rxe_ep(transport)->mem_cache, pkt->rkey, pkt->va, sizeof(u64),
				IB_ACCESS_REMOTE_ATOMIC);
	if (IS_ERR(mem))
		return PTR_ERR(mem);
	err = rxe_mem_atomic(mem, pkt->va, pkt->opcode == ROCE_COMPARE_SWAP, pkt->compare,
			     pkt->swap_add, old);
	rxe_mem_cache_put(&to_rxe_ep(transport)->mem_cache, mem);
	return err;
}

/*
 * The packets before have been stored by this CPU, or by another one that held the endpoint's lock
 * before us: they are visible to all CPUs already. Those to persistent memory have been written
 * back from the caches, too (mem/pmem.h).
 */
static int rxe_op_flush(struct roce_qp *transport, const struct roce_pkt *pkt)
{
	bool range = pkt->flush_level == ROCE_FLUSH_RANGE;
	u32 access = 0;
	int err;

	if (pkt->flush_type & ROCE_FLUSH_GLOBAL)
		access |= IB_ACCESS_FLUSH_GLOBAL;
	if (pkt->flush_type & ROCE_FLUSH_PERSISTENT)
		access |= IB_ACCESS_FLUSH_PERSISTENT;
	/* If the whole region is flushed, only the key is checked. */
	err = rxe_check_mem(to_rxe_ep(transport), pkt->rkey, pkt->va, range ? pkt->dma_len : 0,
			       access);
	if (err)
		return err;
	/*
	 * Make the stores visible to devices, too, before the response is sent. Pairs with whatever
	 * orders the access of the device or program that learns of the response.
	 */
	wmb();
	return 0;
}

static int rxe_op_atomic_write(struct roce_qp *transport, const struct roce_pkt *pkt)
{
	struct rxe_mem *mem;
	u64 value;
	int err;

	if (!IS_ALIGNED(pkt->va, sizeof(u64)) ||
	    skb_copy_bits(rxe_pkt_skb(pkt), pkt->payload_off, &value, sizeof(value)))
		return -EINVAL;
	mem = rxe_mem_cache_get(&to_rxe_ep(transport)->mem_cache, pkt->rkey, pkt->va, sizeof(u64),
				IB_ACCESS_REMOTE_WRITE);
	if (IS_ERR(mem))
		return PTR_ERR(mem);
	err = rxe_mem_store(mem, pkt->va, value);
	rxe_mem_cache_put(&to_rxe_ep(transport)->mem_cache, mem);
	return err;
}

/*
 * False: page-in has been started. True also if the memory cannot be accessed: the request fails
 * when its payload is read, by another rxe_mem_get(). A failed page-in is reported once only, so
 * that the error is put back for that call.
 */
static bool rxe_payload_resident(struct rxe_ep *ep, u32 key, u64 addr, u32 len, u32 access)
{
	struct rxe_mem *mem = rxe_mem_cache_get(&ep->mem_cache, key, addr, len, access);

	if (!IS_ERR(mem))
		rxe_mem_cache_put(&ep->mem_cache, mem);
	else if (!rxe_mem_is_paging(mem) && mem != ERR_PTR(-EACCES))
		ep->fault.err = PTR_ERR(mem);
	return !rxe_mem_is_paging(mem);
}

static bool rxe_sges_resident(struct rxe_ep *ep, const struct roce_send_wqe *wqe, u32 offset,
			      u32 len)
{
	const struct roce_sge *sge = wqe->sge, *end = sge + wqe->num_sge;
	u32 n;

	for (; len && sge < end; sge++) {
		if (offset >= sge->length) {
			offset -= sge->length;
			continue;
		}
		n = min(len, sge->length - offset);
		if (!rxe_payload_resident(ep, sge->lkey, sge->addr + offset, n, RXE_ACCESS_LOCAL))
			return false;
		len -= n;
		offset = 0;
	}
	return true;
}

static bool rxe_op_payload_resident(struct roce_qp *transport, const struct roce_payload *payload,
				    u32 len)
{
	struct rxe_ep *ep = to_rxe_ep(transport);

	if (!payload->wqe)
		return rxe_payload_resident(ep, payload->rkey, payload->va, len,
					    IB_ACCESS_REMOTE_READ);
	return payload->wqe->flags & ROCE_WR_INLINE ||
	       rxe_sges_resident(ep, payload->wqe, payload->offset, len);
}

/* Invalidation waits for all references, so that the endpoint's own must be put first. */
static int rxe_op_invalidate(struct roce_qp *transport, u32 rkey)
{
	rxe_mem_cache_drop(&to_rxe_ep(transport)->mem_cache);
	return rxe_mem_invalidate(&to_rxe_ep(transport)->qp->mem_ctx, rkey, true);
}

static int rxe_op_get_recv_wqe(struct roce_qp *transport, struct roce_recv_wqe *wqe)
{
	struct rxe_qp *qp = to_rxe_ep(transport)->qp;
	struct rxe_ring *rq = &qp->rq;
	int err;

	if (qp->srq)
		return rxe_srq_pop(qp->srq, wqe);
	if (rxe_ring_user_producer(rq) == (rq->index & rq->mask))
		return -ENOENT;
	err = rxe_recv_wqe_from_user(rxe_ring_elem(rq, rq->index), &qp->rules, wqe);
	rq->index++;
	/*
	 * Release, before the CQE: a consumer that has polled the CQE may reuse the slot at once.
	 * Pairs with the acquire in the consumer's library.
	 */
	rxe_ring_publish_consumer(rq);
	return err;
}

static enum roce_status rxe_op_bind(struct rxe_qp *qp, const struct roce_send_wqe *wqe)
{
	struct rxe_bind bind;

	rxe_bind_unpack(wqe, &bind);
	return rxe_mw_bind(&qp->mem_ctx, &bind) ? ROCE_MW_BIND_ERR : ROCE_SUCCESS;
}

static enum roce_status rxe_op_register(struct rxe_qp *qp, const struct roce_send_wqe *wqe)
{
	struct rxe_reg reg;

	rxe_reg_unpack(wqe, &reg);
	return rxe_frmr_register(&qp->mem_ctx, &reg) ? ROCE_LOC_QP_OP_ERR : ROCE_SUCCESS;
}

static enum roce_status rxe_op_local_op(struct roce_qp *transport, struct roce_send_wqe *wqe)
{
	struct rxe_qp *qp = to_rxe_ep(transport)->qp;

	/* Local operations wait for all references: see rxe_op_invalidate(). */
	rxe_mem_cache_drop(&to_rxe_ep(transport)->mem_cache);
	/* UD and raw packet QPs cannot access memory by R_Key. */
	if (transport->service == ROCE_OP_UD || transport->service == ROCE_RAW)
		return ROCE_LOC_QP_OP_ERR;
	switch (wqe->opcode) {
	case ROCE_WR_BIND_MW:
		return rxe_op_bind(qp, wqe);
	case ROCE_WR_REG_MR:
		return rxe_op_register(qp, wqe);
	default:
		return rxe_mem_invalidate(&qp->mem_ctx, wqe->rkey, false) ? ROCE_LOC_QP_OP_ERR :
									    ROCE_SUCCESS;
	}
}

/* Allocated when the first packet arrives out of order: most QPs never need it. */
static bool rxe_alloc_reorder_queue(struct roce_resp *resp)
{
	if (!resp->reorder.pkts)
		resp->reorder.pkts = kcalloc(ROCE_REORDER_SLOTS, sizeof(*resp->reorder.pkts),
					     GFP_ATOMIC | __GFP_NOWARN);
	return resp->reorder.pkts;
}

static struct roce_pkt *rxe_op_retain_pkt(struct roce_qp *transport, const struct roce_pkt *pkt)
{
	struct rxe_ep *ep = to_rxe_ep(transport);
	struct roce_pkt *held;

	if (!rxe_alloc_reorder_queue(&transport->resp))
		return NULL;
	held = kmalloc(sizeof(*held), GFP_ATOMIC | __GFP_NOWARN);
	if (held && rxe_pkt_retain(ep->flow.dev, held, pkt)) {
		rxe_ep_count(ep, RXE_CNT_HELD, 1);
		return held;
	}
	rxe_ep_count(ep, RXE_CNT_DROP_NO_MEM, 1);
	kfree(held);
	return NULL;
}

static void rxe_op_release_pkt(struct roce_qp *transport, struct roce_pkt *pkt)
{
	rxe_pkt_release(to_rxe_ep(transport)->flow.dev, pkt);
	kfree(pkt);
}

static void rxe_flush_local_op(struct rxe_qp *qp, const struct roce_send_wqe *wqe)
{
	struct rxe_bind bind;

	/* These functions lock the memory: see struct rxe_mem_cache. */
	rxe_mem_cache_drop(&qp->ep->mem_cache);
	if (wqe->opcode == ROCE_WR_REG_MR || wqe->opcode == ROCE_WR_LOCAL_INV) {
		rxe_frmr_flushed(&qp->mem_ctx, wqe->rkey);
	} else if (wqe->opcode == ROCE_WR_BIND_MW) {
		rxe_bind_unpack(wqe, &bind);
		rxe_mw_flushed(&qp->mem_ctx, &bind);
	}
}

static void rxe_op_complete(struct roce_qp *transport, const struct roce_wc *wc)
{
	struct rxe_qp *qp = to_rxe_ep(transport)->qp;

	if (!wc->is_recv)
		rxe_qp_publish_sq(qp);
	if (unlikely(wc->status == ROCE_WR_FLUSH_ERR && !wc->is_recv))
		rxe_flush_local_op(qp, roce_sq_wqe(transport, transport->sq.cons - 1));
	if (!rxe_cq_post(wc->is_recv ? qp->rcq : qp->scq, &qp->ibqp, wc))
		qp->ep->cq_full = true;
}

static void rxe_op_event(struct roce_qp *transport, enum roce_event event)
{
	struct rxe_ep *ep = to_rxe_ep(transport);

	if (event == ROCE_EVENT_SQ_DRAINED && !ep->qp->sqd_notify)
		return;
	__set_bit(event, &ep->events);
}

static void rxe_op_count(struct roce_qp *transport, enum roce_count what, u32 n)
{
	struct rxe_ep *ep = to_rxe_ep(transport);
	enum rxe_counter counter = rxe_counter_of_roce[what];

	trace_rxe_loss(ep, what);
	if (what == ROCE_COUNT_WAIT_PSN && ep->cwnd_limited_by_txq)
		counter = RXE_CNT_WAIT_SKB;
	if (what == ROCE_COUNT_RCVD_RNR)
		rxe_gso_watch_rnr(ep->flow.gso_watch);
	rxe_ep_count(ep, counter, n);
}

const struct roce_ops rxe_ep_ops = {
	.check_sges = rxe_op_check_sges,
	.scatter = rxe_op_scatter,
	.scatter_u64 = rxe_op_scatter_u64,
	.scatter_grh = rxe_op_scatter_grh,
	.check_rkey = rxe_op_check_rkey,
	.write = rxe_op_write,
	.atomic = rxe_op_atomic,
	.flush = RXE_CORE_FLUSH ? rxe_op_flush : NULL,
	.atomic_write = RXE_CORE_ATOMIC_WRITE ? rxe_op_atomic_write : NULL,
	.invalidate = rxe_op_invalidate,
	.get_recv_wqe = rxe_op_get_recv_wqe,
	.local_op = rxe_op_local_op,
	.retain_pkt = rxe_op_retain_pkt,
	.release_pkt = rxe_op_release_pkt,
	.complete = rxe_op_complete,
	.event = rxe_op_event,
	.count = rxe_op_count,
	.payload_resident = rxe_op_payload_resident,
};
