// SPDX-License-Identifier: GPL-2.0
/*
 * Module init and exit of rdma_rxe.
 *
 * Both follow one order: the objects that packets and user calls use are created before the first
 * device can be added, and destroyed after the last device is gone.
 */
#include <linux/module.h>
#include <rdma/rdma_netlink.h>

#include "base/crc.h"
#include "ip/pernet.h"
#include "ip/stack_events.h"
#include "qp/ep.h"
#include "rx/gro_bypass.h"
#include "tx/order.h"
#include "verbs/link.h"
#include "verbs/removal.h"
#include "mem/paging.h"

static int __init rxe_init(void)
{
	int err;

	rxe_crc_init();
	rxe_stack_events_init();
	rxe_gro_bypass_start();
	rxe_tx_order_start();
	err = rxe_ep_init();
	if (err)
		return err;
	err = rxe_paging_start();
	if (err)
		goto err_exit_ep;
	err = rxe_net_init();
	if (err)
		goto err_stop_paging;
	err = rxe_removal_init();
	if (err)
		goto err_exit_net;
	err = rxe_link_init();
	if (err)
		goto err_exit_removal;
	return 0;

err_exit_removal:
	rxe_removal_exit();
err_exit_net:
	rxe_net_exit();
err_stop_paging:
	rxe_paging_stop();
err_exit_ep:
	rxe_ep_exit();
	return err;
}

static void __exit rxe_exit(void)
{
	/* Unregisters all devices, which destroys their QPs and detaches them from interfaces. */
	rxe_link_exit();
	rxe_removal_exit();
	rxe_gro_bypass_stop();
	rxe_net_exit();
	rxe_paging_stop();
	/* Waits for the RCU callbacks that free endpoints: their code is in this module. */
	rxe_ep_exit();
	rxe_tx_order_stop();
}

module_init(rxe_init);
module_exit(rxe_exit);

MODULE_DESCRIPTION("RDMA over any Ethernet interface (RoCEv2)");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_VERSION);
MODULE_ALIAS_RDMA_LINK("rxe");
