// SPDX-License-Identifier: GPL-2.0
/* Page faults of an endpoint: page-in by a work item, deferred packets. */
#include <linux/ktime.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <roce/qp.h>

#include "base/counters.h"
#include "base/device.h"
#include "ip/pkt.h"
#include "mem/mem.h"
#include "mem/odp.h"
#include "mem/paging.h"
#include "qp/ep.h"
#include "qp/page_fault.h"
#include "qp/qp.h"

/* Deferred packets per endpoint: at most 2 MiB of payload, at a path MTU of 4096 bytes. */
#define RXE_MAX_DEFERRED_PKTS 512

/*
 * Fault-around: with the range, all resident pages of the process in the aligned block of this many
 * bytes are paged in. The same size as fault_around_bytes of the kernel.
 */
#define RXE_FAULT_AROUND SZ_64K

/*
 * Read-ahead: while the page faults of an endpoint go through a region in ascending order, more is
 * paged in behind the range: RXE_FAULT_AROUND first, then twice as much each time, up to this many
 * bytes; for writing, not beyond the work request. WRITEs of 1 MiB to untouched memory, path MTU
 * 1024, on User-Mode Linux: 256 page faults a MiB and 23 to 64 MB/s without it; 28 page faults if
 * it stays at 64 KiB; 2 page faults and 90 to 431 MB/s with 512 KiB. If it were longer, the peer
 * could send more than RXE_MAX_DEFERRED_PKTS.
 */
#define RXE_FAULT_AHEAD_MAX SZ_512K

/**
 * struct rxe_deferred_pkt - a deferred packet
 * @node: in rxe_page_fault.deferred
 * @pkt: the packet; its buffer is retained
 */
struct rxe_deferred_pkt {
	struct list_head node;
	struct roce_pkt pkt;
};

static void rxe_page_fault_drop(struct rxe_ep *ep, struct rxe_deferred_pkt *deferred)
{
	list_del(&deferred->node);
	ep->fault.ndeferred--;
	rxe_pkt_release(ep->flow.dev, &deferred->pkt);
	kfree(deferred);
}

static bool rxe_page_fault_defer_one(struct rxe_ep *ep, const struct roce_pkt *pkt)
{
	struct rxe_page_fault *fault = &ep->fault;
	struct rxe_deferred_pkt *deferred;

	if (fault->ndeferred == RXE_MAX_DEFERRED_PKTS)
		return false;
	deferred = kmalloc(sizeof(*deferred), GFP_ATOMIC | __GFP_NOWARN);
	if (!deferred || !rxe_pkt_retain(ep->flow.dev, &deferred->pkt, pkt)) {
		kfree(deferred);
		return false;
	}
	list_add_tail(&deferred->node, &fault->deferred);
	fault->ndeferred++;
	return true;
}

void rxe_page_fault_defer(struct rxe_ep *ep, const struct roce_pkt *pkts, u32 n)
{
	for (; n; n--, pkts++)
		if (pkts->payload_len > ep->transport.attr.mtu ||
		    !rxe_page_fault_defer_one(ep, pkts))
			break;
	if (n)
		rxe_ep_count(ep, RXE_CNT_DROP_NO_MEM, n);
}

void rxe_page_fault_purge(struct rxe_ep *ep)
{
	struct rxe_deferred_pkt *deferred, *next;

	list_for_each_entry_safe(deferred, next, &ep->fault.deferred, node)
		rxe_page_fault_drop(ep, deferred);
	ep->fault.err = 0;
}

static bool rxe_mem_range_covers(const struct rxe_mem_range *all,
				 const struct rxe_mem_range *part)
{
	return all->key == part->key && all->write == part->write && part->addr >= all->addr &&
	       part->len <= all->len && part->addr - all->addr <= all->len - part->len;
}

/* True if @range begins in the memory that was paged in last, or on the page behind. */
static bool rxe_page_fault_continues(const struct rxe_page_fault *fault,
				     const struct rxe_mem_range *range)
{
	return range->key == fault->range.key && range->write == fault->range.write &&
	       range->addr > fault->range.addr && range->addr < fault->next + PAGE_SIZE;
}

static u32 rxe_page_fault_ahead(const struct rxe_page_fault *fault,
				const struct rxe_mem_range *range)
{
	if (!rxe_page_fault_continues(fault, range))
		return 0;
	return clamp(2 * fault->ahead, (u32)RXE_FAULT_AROUND, (u32)RXE_FAULT_AHEAD_MAX);
}

/* Bytes of [addr, addr + len) behind @range, which begins in there; 0 if it does not. */
static u64 rxe_mem_range_rest(const struct rxe_mem_range *range, u64 addr, u64 len)
{
	u64 end = range->addr - addr + range->len;

	return range->addr - addr < len && end < len ? len - end : 0;
}

static u64 rxe_sges_rest(const struct rxe_mem_range *range, const struct roce_sge *sge, u32 num_sge)
{
	u64 rest = 0;

	for (; num_sge && !rest; num_sge--, sge++)
		if (sge->lkey == range->key)
			rest = rxe_mem_range_rest(range, sge->addr, sge->length);
	return rest;
}

/*
 * How much the peer, or this end, may write behind @range by the same work request: more must not
 * be paged in for writing, because that changes files. Context: the endpoint's lock held.
 */
static u64 rxe_page_fault_request_rest(const struct rxe_ep *ep, const struct rxe_mem_range *range)
{
	const struct roce_resp *resp = &ep->transport.resp;
	const struct roce_send_wqe *wqe = roce_sq_wqe(&ep->transport, ep->transport.sq.cons);
	u64 rest = 0;

	if (range->key == resp->rkey)
		rest = rxe_mem_range_rest(range, resp->va, resp->length);
	if (!rest && resp->has_recv)
		rest = rxe_sges_rest(range, resp->recv_wqe->sge, resp->recv_wqe->num_sge);
	if (!rest && ep->transport.sq.cons != ep->transport.sq.prod && wqe->opcode == ROCE_WR_READ)
		rest = rxe_sges_rest(range, wqe->sge, wqe->num_sge);
	return rest;
}

int rxe_page_fault_raise(const struct rxe_mem_ctx *ctx, const struct rxe_mem_range *range,
			 struct rxe_paging *paging)
{
	struct rxe_ep *ep = container_of(ctx, struct rxe_qp, mem_ctx)->ep;
	struct rxe_page_fault *fault = &ep->fault;
	int err = fault->err;

	lockdep_assert_held(&ep->lock);
	if (fault->pending)
		return -EAGAIN;
	fault->err = 0;
	if (err && rxe_mem_range_covers(&fault->range, range))
		return err;
	fault->ahead = rxe_page_fault_ahead(fault, range);
	fault->rest = range->write ? rxe_page_fault_request_rest(ep, range) : U64_MAX;
	fault->range = *range;
	fault->pending = true;
	rxe_ep_count(ep, RXE_CNT_PAGE_FAULT, 1);
	rxe_page_in_start(&fault->page_in, paging);
	return -EAGAIN;
}

/* The block of RXE_FAULT_AROUND bytes with the start of the range, as far as the region reaches. */
static void rxe_page_in_around(const struct rxe_mem *mem, struct rxe_page_fault *fault)
{
	u64 first = fault->range.addr & ~(u64)(RXE_FAULT_AROUND - 1);
	u64 last = first + RXE_FAULT_AROUND - 1;

	first = max(first, mem->iova);
	last = min(last, mem->iova + mem->length - 1);
	rxe_odp_fault_in(mem->odp, first, last - first + 1, RXE_ODP_NO_FAULT);
	fault->next = max(fault->range.addr + fault->range.len, last + 1);
}

static void rxe_page_in_ahead(const struct rxe_mem *mem, struct rxe_page_fault *fault,
			      enum rxe_odp_how how)
{
	u64 end = fault->range.addr + fault->range.len;
	u64 len = min3((u64)fault->ahead, fault->rest, mem->iova + mem->length - end);

	rxe_odp_fault_in(mem->odp, end, len, how);
	fault->next = end + len;
}

/* Errors are ignored: the rest is paged in when it is accessed. */
static void rxe_page_in_more(const struct rxe_mem *mem, struct rxe_page_fault *fault,
			     enum rxe_odp_how how)
{
	if (fault->ahead)
		rxe_page_in_ahead(mem, fault, how);
	else
		rxe_page_in_around(mem, fault);
}

/*
 * 0 also if the key is invalid by now, or names a region without that range: rxe_mem_get() finds
 * out when the request is retried.
 */
static int rxe_page_fault_page_in(struct rxe_dev *dev, struct rxe_page_fault *fault)
{
	const struct rxe_mem_range *range = &fault->range;
	enum rxe_odp_how how = range->write ? RXE_ODP_WRITE : RXE_ODP_READ;
	struct rxe_mem *mem = rxe_mem_get_odp_ref(dev, range->key);
	int err = 0;

	if (!mem)
		return 0;
	if (rxe_mem_covers(mem, range->addr, range->len)) {
		err = rxe_odp_fault_in(mem->odp, range->addr, range->len, how);
		if (!err)
			rxe_page_in_more(mem, fault, how);
	}
	rxe_mem_put_ref(mem);
	return err;
}

void rxe_page_fault_finish(struct rxe_ep *ep, int err)
{
	struct rxe_deferred_pkt *deferred, *next;

	lockdep_assert_held(&ep->lock);
	ep->fault.pending = false;
	ep->fault.err = err;
	list_for_each_entry_safe(deferred, next, &ep->fault.deferred, node) {
		if (!roce_rx(&ep->transport, ktime_get_ns(), &deferred->pkt, 1))
			break;
		rxe_page_fault_drop(ep, deferred);
	}
}

static void rxe_page_fault_work(struct work_struct *work)
{
	struct rxe_ep *ep = container_of(work, struct rxe_ep, fault.page_in.work);
	int err;

	/*
	 * No lock: queue_work() orders the writes of rxe_page_fault_raise() before this, and
	 * nothing changes the range while @pending. rxe_ep_destroy() waits for this work item,
	 * which keeps the device.
	 */
	err = rxe_page_fault_page_in(ep->flow.dev, &ep->fault);
	/* Before @pending is reset: then it may be started again. */
	rxe_page_in_end(&ep->fault.page_in);
	ep->fault.done(&ep->fault, err);
}

void rxe_page_fault_init(struct rxe_ep *ep, void (*done)(struct rxe_page_fault *fault, int err))
{
	rxe_page_in_init(&ep->fault.page_in, rxe_page_fault_work);
	INIT_LIST_HEAD(&ep->fault.deferred);
	ep->fault.done = done;
}

void rxe_page_fault_cancel(struct rxe_ep *ep)
{
	rxe_page_in_cancel(&ep->fault.page_in);
}
