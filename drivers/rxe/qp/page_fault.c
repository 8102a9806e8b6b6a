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
	fault->range = *range;
	fault->pending = true;
	rxe_ep_count(ep, RXE_CNT_PAGE_FAULT, 1);
	rxe_page_in_start(&fault->page_in, paging);
	return -EAGAIN;
}

/*
 * 0 also if the key is invalid by now, or names a region without that range: rxe_mem_get() finds
 * out when the request is retried.
 */
static int rxe_page_fault_page_in(struct rxe_dev *dev, const struct rxe_mem_range *range)
{
	struct rxe_mem *mem = rxe_mem_get_odp_ref(dev, range->key);
	int err = 0;

	if (!mem)
		return 0;
	if (rxe_mem_covers(mem, range->addr, range->len))
		err = rxe_odp_fault_in(mem->odp, range->addr, range->len,
				       range->write ? RXE_ODP_WRITE : RXE_ODP_READ);
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
	err = rxe_page_fault_page_in(ep->flow.dev, &ep->fault.range);
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
