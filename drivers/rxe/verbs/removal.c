// SPDX-License-Identifier: GPL-2.0
/*
 * Removal of a device under user programs: ib_client whose callback flushes their work requests.
 *
 * A program that only polls its CQs never learns of IB_EVENT_DEVICE_FATAL. It has to find an error
 * among its completions, so its WRs are flushed into the rings that it has mapped. This must be
 * done before ib_uverbs destroys the QPs, after which nothing writes to the rings, and after the
 * removal has become irrevocable. ib_core removes the clients of a device in the reverse order of
 * their registration, and this module loads after ib_uverbs, whose symbols it uses.
 *
 *	1. rxe_removal_begin(): no QP is created or leaves ERR; user QPs enter ERR, WRs are flushed
 *	2. ib_uverbs: IB_EVENT_DEVICE_FATAL; commands, also doorbells, fail with EIO
 *	3. ib_uverbs: rxe_destroy_qp() flushes WRs posted since; rings lose their owner
 *	4. munmap() or exit of the program: frees the memory of the rings
 */
#include <linux/ktime.h>
#include <linux/rcupdate.h>
#include <linux/xarray.h>
#include <rdma/ib_verbs.h>

#include "base/device.h"
#include "qp/ep.h"
#include "qp/trace.h"
#include "verbs/gids.h"
#include "verbs/removal.h"

/* WQEs flushed with softirqs off. */
#define RXE_REMOVAL_BATCH 256

/*
 * Batches flushed for a QP: those of two full rings of RXE_MAX_QP_WR. A program may post receives
 * as fast as they are flushed.
 */
#define RXE_REMOVAL_BATCHES (2 * RXE_MAX_QP_WR / RXE_REMOVAL_BATCH)

static void rxe_removal_enter_err(struct rxe_ep *ep)
{
	u8 state = ep->transport.state;

	if (state == ROCE_ERR)
		return;
	roce_modify(&ep->transport, ktime_get_ns(), &(struct roce_attr){ .state = ROCE_ERR },
		    ROCE_QP_STATE);
	rxe_page_fault_purge(ep);
	trace_rxe_qp_state(ep, state);
}

/*
 * Flush one batch. Return true if WRs are left. WRs of an SRQ, which otherwise stay for other QPs,
 * are flushed to the CQ of the first of its QPs.
 */
static bool rxe_removal_flush(struct rxe_ep *ep)
{
	bool more;

	rxe_ep_lock_bh(ep);
	if (ep->dead || !ep->flow.user) {
		rxe_ep_unlock_bh(ep);
		return false;
	}
	rxe_removal_enter_err(ep);
	ep->transport.srq = false;
	more = roce_flush(&ep->transport, RXE_REMOVAL_BATCH);
	rxe_ep_run_bh(ep);
	return more;
}

void rxe_removal_flush_all(struct rxe_ep *ep)
{
	u32 batches = RXE_REMOVAL_BATCHES;

	while (rxe_removal_flush(ep) && --batches)
		cond_resched();
}

/* Without a reference to the endpoint: it is looked up again for each batch. */
static void rxe_removal_flush_eps(struct rxe_dev *dev)
{
	unsigned long qpn = 0, last = 0;
	struct rxe_ep *ep;
	u32 batches = 0;
	bool more;

	for (;;) {
		rcu_read_lock();
		ep = xa_find(&dev->eps, &qpn, ULONG_MAX, XA_PRESENT);
		more = ep && rxe_removal_flush(ep);
		rcu_read_unlock();
		if (!ep)
			return;
		batches = qpn == last ? batches + 1 : 1;
		last = qpn;
		if (!more || batches >= RXE_REMOVAL_BATCHES)
			qpn++;
		cond_resched();
	}
}

static void rxe_removal_begin(struct ib_device *ibdev, void *client_data)
{
	struct rxe_dev *dev = to_rxe_dev(ibdev);

	rxe_gids_unwatch(dev);
	WRITE_ONCE(dev->removed, true);
	/* Pairs with smp_mb() in rxe_create_qp(): it sees @removed, or the search finds its QP. */
	smp_mb();
	rxe_removal_flush_eps(dev);
}

/*
 * ib_core calls rxe_removal_begin() for the devices that this function accepts. In the exclusive
 * mode, it also removes a device and adds it again to move it to another namespace ("rdma dev set").
 */
static int rxe_removal_add(struct ib_device *ibdev)
{
	if (ibdev->ops.driver_id != RDMA_DRIVER_RXE)
		return -EOPNOTSUPP;
	WRITE_ONCE(to_rxe_dev(ibdev)->removed, false);
	rxe_gids_watch(to_rxe_dev(ibdev));
	return 0;
}

static struct ib_client rxe_removal_client = {
	.name = "rdma_rxe",
	.add = rxe_removal_add,
	.remove = rxe_removal_begin,
	.no_kverbs_req = true,
};

int rxe_removal_init(void)
{
	return ib_register_client(&rxe_removal_client);
}

void rxe_removal_exit(void)
{
	ib_unregister_client(&rxe_removal_client);
}
