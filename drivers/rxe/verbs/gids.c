// SPDX-License-Identifier: GPL-2.0
/*
 * GIDs of addresses that an interface holds twice. ib_core maintains the GID table by events. It
 * deletes the GID of an address when the address is removed with one prefix, although the interface
 * may still have it with another one. So the interfaces are scanned for missing GIDs after each
 * change of the table. A scan that adds nothing causes no event.
 */
#include <linux/jiffies.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>

#include "base/device.h"
#include "verbs/gids.h"

/* Jiffies: a script that changes many addresses causes few scans. */
#define RXE_GIDS_DELAY (HZ / 10)

/* ib_core adds and deletes GIDs of addresses under RTNL, as the scan does, in order. */
static void rxe_gids_scan(struct work_struct *work)
{
	struct rxe_dev *dev = container_of(to_delayed_work(work), struct rxe_dev, gids_scan);

	rdma_roce_rescan_device(&dev->ibdev);
}

static void rxe_gids_event(struct ib_event_handler *handler, struct ib_event *event)
{
	struct rxe_dev *dev = container_of(handler, struct rxe_dev, gids_handler);

	if (event->event == IB_EVENT_GID_CHANGE)
		queue_delayed_work(system_dfl_wq, &dev->gids_scan, RXE_GIDS_DELAY);
}

void rxe_gids_watch(struct rxe_dev *dev)
{
	INIT_DELAYED_WORK(&dev->gids_scan, rxe_gids_scan);
	INIT_IB_EVENT_HANDLER(&dev->gids_handler, &dev->ibdev, rxe_gids_event);
	ib_register_event_handler(&dev->gids_handler);
}

void rxe_gids_unwatch(struct rxe_dev *dev)
{
	ib_unregister_event_handler(&dev->gids_handler);
	cancel_delayed_work_sync(&dev->gids_scan);
}
