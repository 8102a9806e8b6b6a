// SPDX-License-Identifier: GPL-2.0
/*
 * An Ethernet interface, held0, that stops taking packets when it is told to, or when it has taken
 * some, for a while: as one does whose wire is slower than the machine. What it takes goes nowhere.
 */
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/workqueue.h>

static struct net_device *held;
static bool closed;
static unsigned int per_tick;
static unsigned int taken;

static void held_go_on(struct work_struct *work)
{
	taken = 0;
	if (!closed)
		netif_wake_queue(held);
}

static DECLARE_DELAYED_WORK(tick, held_go_on);

static int set_closed(const char *value, const struct kernel_param *param)
{
	int err = param_set_bool(value, param);

	if (err || !held)
		return err;
	if (closed)
		netif_stop_queue(held);
	else
		netif_wake_queue(held);
	return 0;
}

static const struct kernel_param_ops closed_ops = {
	.set = set_closed,
	.get = param_get_bool,
};

module_param_cb(closed, &closed_ops, &closed, 0644);
MODULE_PARM_DESC(closed, "takes no packets");
module_param(per_tick, uint, 0644);
MODULE_PARM_DESC(per_tick, "packets that it takes in a tick of the clock; 0: any number");

static int held_open(struct net_device *ndev)
{
	netif_start_queue(ndev);
	return 0;
}

static int held_stop(struct net_device *ndev)
{
	cancel_delayed_work_sync(&tick);
	netif_stop_queue(ndev);
	return 0;
}

/* Context: the queue's lock held, and it takes packets: the work has come to its end. */
static netdev_tx_t held_xmit(struct sk_buff *skb, struct net_device *ndev)
{
	ndev->stats.tx_packets++;
	consume_skb(skb);
	if (per_tick && ++taken >= per_tick) {
		netif_stop_queue(ndev);
		schedule_delayed_work(&tick, 1);
	}
	return NETDEV_TX_OK;
}

static const struct net_device_ops held_ops = {
	.ndo_open = held_open,
	.ndo_stop = held_stop,
	.ndo_start_xmit = held_xmit,
};

static int __init held_init(void)
{
	int err;

	held = alloc_etherdev(0);
	if (!held)
		return -ENOMEM;
	strscpy(held->name, "held0", IFNAMSIZ);
	held->netdev_ops = &held_ops;
	eth_hw_addr_random(held);
	err = register_netdev(held);
	if (err)
		free_netdev(held);
	return err;
}

static void __exit held_exit(void)
{
	unregister_netdev(held);
	free_netdev(held);
}

module_init(held_init);
module_exit(held_exit);
MODULE_DESCRIPTION("An interface that can be told to take no packets");
MODULE_LICENSE("GPL");
