// SPDX-License-Identifier: GPL-2.0
/*
 * An Ethernet interface, held0, that stops its queues on request, or for a while after a number of
 * packets, as an interface does whose wire is slower than the machine. Packets are discarded. The
 * limit is the same for each queue.
 */
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/workqueue.h>

#define HELD_QUEUES 8

static struct net_device *held;
static bool closed;
static unsigned int per_tick;
static unsigned int queues = 1;
static unsigned int taken[HELD_QUEUES];

static void held_go_on(struct work_struct *work)
{
	netif_tx_lock_bh(held);
	memset(taken, 0, sizeof(taken));
	netif_tx_unlock_bh(held);
	if (!closed)
		netif_tx_wake_all_queues(held);
}

static DECLARE_DELAYED_WORK(tick, held_go_on);

static int set_closed(const char *value, const struct kernel_param *param)
{
	int err = param_set_bool(value, param);

	if (err || !held)
		return err;
	if (closed)
		netif_tx_stop_all_queues(held);
	else
		netif_tx_wake_all_queues(held);
	return 0;
}

static const struct kernel_param_ops closed_ops = {
	.set = set_closed,
	.get = param_get_bool,
};

module_param_cb(closed, &closed_ops, &closed, 0644);
MODULE_PARM_DESC(closed, "takes no packets");
module_param(per_tick, uint, 0644);
MODULE_PARM_DESC(per_tick, "packets that a queue takes in a tick of the clock; 0: any number");
module_param(queues, uint, 0444);
MODULE_PARM_DESC(queues, "transmit queues, 1 to 8");

static int held_open(struct net_device *ndev)
{
	netif_tx_start_all_queues(ndev);
	return 0;
}

static int held_stop(struct net_device *ndev)
{
	cancel_delayed_work_sync(&tick);
	netif_tx_stop_all_queues(ndev);
	return 0;
}

/* Context: the queue's lock held. */
static netdev_tx_t held_xmit(struct sk_buff *skb, struct net_device *ndev)
{
	u16 queue = skb_get_queue_mapping(skb);

	ndev->stats.tx_packets++;
	consume_skb(skb);
	if (per_tick && ++taken[queue] >= per_tick) {
		netif_stop_subqueue(ndev, queue);
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

	if (!queues || queues > HELD_QUEUES)
		return -EINVAL;
	held = alloc_etherdev_mq(0, queues);
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
