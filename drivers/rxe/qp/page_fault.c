// SPDX-License-Identifier: GPL-2.0
#include <linux/ktime.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <roce/qp.h>

#include "base/counters.h"
#include "base/device.h"
#include "qp/ep.h"
#include "qp/page_fault.h"
#include "mem/mem.h"
#include "mem/odp.h"
#include "ip/pkt.h"
#include "qp/qp.h"

/* Packets that an endpoint keeps: two windows of a peer like this. */
#define RXE_MAX_PARKED 512

/**
 * struct rxe_parked - a packet that waits
 * @node: in the endpoint's list
 * @pkt: the packet, which holds its buffer
 */
struct rxe_parked {
	struct list_head node;
	struct roce_pkt pkt;
};

static struct workqueue_struct *rxe_fault_wq;

/* Page faults need memory: no use in promising to get on without. */
int rxe_fault_start(void)
{
	rxe_fault_wq = alloc_workqueue("rdma_rxe_fault", WQ_UNBOUND, 0);
	return rxe_fault_wq ? 0 : -ENOMEM;
}

void rxe_fault_stop(void)
{
	destroy_workqueue(rxe_fault_wq);
}

static void rxe_fault_unpark(struct rxe_ep *ep, struct rxe_parked *parked)
{
	list_del(&parked->node);
	ep->fault.nparked--;
	rxe_pkt_release(ep->dev, &parked->pkt);
	kfree(parked);
}

static bool rxe_fault_park_one(struct rxe_ep *ep, const struct roce_pkt *pkt)
{
	struct rxe_fault *fault = &ep->fault;
	struct rxe_parked *parked;

	if (fault->nparked == RXE_MAX_PARKED)
		return false;
	parked = kmalloc(sizeof(*parked), GFP_ATOMIC | __GFP_NOWARN);
	if (!parked || !rxe_pkt_retain(ep->dev, &parked->pkt, pkt)) {
		kfree(parked);
		return false;
	}
	list_add_tail(&parked->node, &fault->parked);
	fault->nparked++;
	return true;
}

void rxe_page_fault_defer(struct rxe_ep *ep, const struct roce_pkt *pkts, u32 n)
{
	for (; n; n--, pkts++)
		if (pkts->payload_len > ep->core.attr.mtu ||
		    !rxe_fault_park_one(ep, pkts))
			break;
	if (n)
		rxe_ep_count(ep, RXE_CNT_DROP_NO_MEM, n);
}

void rxe_page_fault_purge(struct rxe_ep *ep)
{
	struct rxe_parked *parked, *next;

	list_for_each_entry_safe(parked, next, &ep->fault.parked, node)
		rxe_fault_unpark(ep, parked);
	ep->fault.err = 0;
}

/* Is @part, which is not there, some of what could not be brought in? */
static bool rxe_fault_covers(const struct rxe_mem_range *all, const struct rxe_mem_range *part)
{
	return all->key == part->key && all->write == part->write && part->addr >= all->addr &&
	       part->len <= all->len && part->addr - all->addr <= all->len - part->len;
}

int rxe_page_fault_raise(const struct rxe_mem_ctx *ctx, const struct rxe_mem_range *want)
{
	struct rxe_ep *ep = container_of(ctx, struct rxe_qp, mem_ctx)->ep;
	struct rxe_fault *fault = &ep->fault;
	int err = fault->err;

	lockdep_assert_held(&ep->lock);
	if (fault->pending)
		return -EAGAIN;
	fault->err = 0;
	if (err && rxe_fault_covers(&fault->want, want))
		return err;
	fault->want = *want;
	fault->pending = true;
	rxe_ep_count(ep, RXE_CNT_PAGE_FAULT, 1);
	queue_work(rxe_fault_wq, &fault->work);
	return -EAGAIN;
}

/*
 * A region that has gone meanwhile is found out by who looks for it again, as is another that has
 * got its key.
 */
static int rxe_fault_serve(struct rxe_dev *dev, const struct rxe_mem_range *want)
{
	struct rxe_mem *mem = rxe_mem_pin_odp(dev, want->key);
	int err = 0;

	if (!mem)
		return 0;
	if (rxe_mem_covers(mem, want->addr, want->len))
		err = rxe_odp_fault_in(mem->odp, want->addr, want->len,
				    want->write ? RXE_ODP_WRITE : RXE_ODP_READ);
	rxe_mem_unpin(mem);
	return err;
}

/* Go on with the packets parked, until one has to wait again. Context: @ep locked. */
static void rxe_fault_resume(struct rxe_ep *ep)
{
	struct rxe_parked *parked, *next;

	list_for_each_entry_safe(parked, next, &ep->fault.parked, node) {
		if (!roce_rx(&ep->core, ktime_get_ns(), &parked->pkt, 1))
			break;
		rxe_fault_unpark(ep, parked);
	}
}

static void rxe_fault_work(struct work_struct *work)
{
	struct rxe_ep *ep = container_of(work, struct rxe_ep, fault.work);
	struct rxe_mem_range want;
	int err;

	/* While the fault is pending, nobody changes what is wanted. */
	rxe_ep_lock_bh(ep);
	want = ep->fault.want;
	rxe_ep_unlock_bh(ep);

	/* rxe_ep_destroy() waits for this work item, and so keeps the device here. */
	err = rxe_fault_serve(ep->dev, &want);

	rxe_ep_lock_bh(ep);
	if (ep->dead) {
		rxe_ep_unlock_bh(ep);
		return;
	}
	ep->fault.pending = false;
	ep->fault.err = err;
	rxe_fault_resume(ep);
	rxe_ep_run_bh(ep);
}

void rxe_fault_init(struct rxe_ep *ep)
{
	INIT_WORK(&ep->fault.work, rxe_fault_work);
	INIT_LIST_HEAD(&ep->fault.parked);
}

void rxe_fault_cancel(struct rxe_ep *ep)
{
	cancel_work_sync(&ep->fault.work);
}
