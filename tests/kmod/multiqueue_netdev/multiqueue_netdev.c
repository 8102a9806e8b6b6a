// SPDX-License-Identifier: GPL-2.0
/*
 * Three Ethernet interfaces with several transmit queues, which discard all frames. asked0 selects
 * the queue itself, by DSCP, and stores state in the skb for its own transmission, as a driver does
 * that forwards frames to another interface. For classes0 the stack selects the queue by the skb's
 * priority, for hashed0 by the flow hash alone. Counters record the queues and skbs of RoCE
 * packets.
 */
#include <linux/etherdevice.h>
#include <linux/hash.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/sch_generic.h>

#define QUEUES	  8u
#define CLASSES	  2u
#define PER_CLASS (QUEUES / CLASSES)
#define ROCE_PORT 4791

enum { ASKED, CLASSED, HASHED, INTERFACES };

static const char *const names[] = {
	[ASKED] = "asked0",
	[CLASSED] = "classes0",
	[HASHED] = "hashed0",
};

static struct net_device *interfaces[INTERFACES];

static int get_count(char *buffer, const struct kernel_param *param)
{
	return sysfs_emit(buffer, "%d\n", atomic_read(param->arg));
}

static int set_count(const char *value, const struct kernel_param *param)
{
	int n, err = kstrtoint(value, 0, &n);

	if (!err)
		atomic_set(param->arg, n);
	return err;
}

static const struct kernel_param_ops count_ops = {
	.set = set_count,
	.get = get_count,
};

#define COUNT(name, what)                               \
	static atomic_t name;                           \
	module_param_cb(name, &count_ops, &name, 0644); \
	MODULE_PARM_DESC(name, what)

COUNT(asked, "buffers that asked0 was to choose a queue for");
COUNT(unready, "those not shown to it as the stack shows them");
COUNT(unasked, "buffers given to asked0 without its own note");
COUNT(astray, "buffers in a queue which is not theirs");
COUNT(joined, "buffers that another follows at once");
COUNT(sent, "buffers");

static u32 queues;
module_param(queues, uint, 0644);
MODULE_PARM_DESC(queues, "the queues that they were in, a bit each");

static bool closed;

static int set_closed(const char *value, const struct kernel_param *param)
{
	int i, err = param_set_bool(value, param);

	for (i = 0; !err && i < INTERFACES; i++) {
		if (!interfaces[i])
			continue;
		if (closed)
			netif_tx_stop_all_queues(interfaces[i]);
		else
			netif_tx_wake_all_queues(interfaces[i]);
	}
	return err;
}

static const struct kernel_param_ops closed_ops = {
	.set = set_closed,
	.get = param_get_bool,
};

module_param_cb(closed, &closed_ops, &closed, 0644);
MODULE_PARM_DESC(closed, "they take no packets");

/* Classify by the IP header alone. */
static bool is_roce(const struct sk_buff *skb)
{
	u8 version = ip_hdr(skb)->version;

	if (version == 4 ? ip_hdr(skb)->protocol != IPPROTO_UDP :
			   version != 6 || ipv6_hdr(skb)->nexthdr != IPPROTO_UDP)
		return false;
	return skb_transport_header_was_set(skb) && udp_hdr(skb)->dest == htons(ROCE_PORT);
}

static bool is_ready(const struct sk_buff *skb, const struct net_device *ndev)
{
	__be16 protocol = htons(ip_hdr(skb)->version == 4 ? ETH_P_IP : ETH_P_IPV6);

#ifdef CONFIG_XPS
	if (!skb->sender_cpu)
		return false;
#endif
	return skb->protocol == protocol && skb->dev == ndev && skb_mac_header_was_set(skb) &&
	       skb_mac_header(skb) == skb->data && skb_network_offset(skb) == ETH_HLEN &&
	       eth_hdr(skb)->h_proto == protocol && !skb_get_queue_mapping(skb);
}

static u16 note(const struct sk_buff *skb)
{
	return hash_ptr((void *)skb, 16) | 1;
}

/* Select the queue by DSCP, as adapters in trust-DSCP mode do. */
static u16 queue_of_dscp(const struct sk_buff *skb)
{
	if (skb->protocol == htons(ETH_P_IP))
		return ipv4_get_dsfield(ip_hdr(skb)) >> 5;
	if (skb->protocol == htons(ETH_P_IPV6))
		return ipv6_get_dsfield(ipv6_hdr(skb)) >> 5;
	return 0;
}

static u16 select_queue(struct net_device *ndev, struct sk_buff *skb, struct net_device *sb_dev)
{
	struct qdisc_skb_cb *cb = qdisc_skb_cb(skb);

	/* No other layer may misread skb->cb. */
	memset(cb->data, 0xff, sizeof(cb->data));
	cb->slave_dev_queue_mapping = note(skb);
	if (is_roce(skb)) {
		atomic_inc(&asked);
		if (!is_ready(skb, ndev))
			atomic_inc(&unready);
	}
	return queue_of_dscp(skb);
}

static bool is_astray(struct sk_buff *skb, const struct net_device *ndev)
{
	u16 queue = skb_get_queue_mapping(skb);

	if (ndev == interfaces[ASKED])
		return queue != queue_of_dscp(skb);
	if (ndev == interfaces[CLASSED])
		return queue / PER_CLASS != netdev_get_prio_tc_map(ndev, skb->priority);
	return queue != reciprocal_scale(skb_get_hash(skb), QUEUES);
}

static netdev_tx_t transmit(struct sk_buff *skb, struct net_device *ndev)
{
	if (is_roce(skb)) {
		atomic_inc(&sent);
		WRITE_ONCE(queues, queues | BIT(skb_get_queue_mapping(skb)));
		if (netdev_xmit_more())
			atomic_inc(&joined);
		if (is_astray(skb, ndev))
			atomic_inc(&astray);
		if (ndev == interfaces[ASKED] &&
		    qdisc_skb_cb(skb)->slave_dev_queue_mapping != note(skb))
			atomic_inc(&unasked);
	}
	consume_skb(skb);
	return NETDEV_TX_OK;
}

static int open(struct net_device *ndev)
{
	netif_tx_start_all_queues(ndev);
	return 0;
}

static int stop(struct net_device *ndev)
{
	netif_tx_stop_all_queues(ndev);
	return 0;
}

static const struct net_device_ops asked_ops = {
	.ndo_open = open,
	.ndo_stop = stop,
	.ndo_start_xmit = transmit,
	.ndo_select_queue = select_queue,
};

static const struct net_device_ops other_ops = {
	.ndo_open = open,
	.ndo_stop = stop,
	.ndo_start_xmit = transmit,
};

/* All priorities but the lowest map to the second class. */
static int set_classes(struct net_device *ndev)
{
	int i, err = netdev_set_num_tc(ndev, CLASSES);

	for (i = 0; !err && i < CLASSES; i++)
		err = netdev_set_tc_queue(ndev, i, PER_CLASS, i * PER_CLASS);
	for (i = 0; !err && i <= TC_BITMASK; i++)
		err = netdev_set_prio_tc_map(ndev, i, !!i);
	return err;
}

static int add(int i)
{
	struct net_device *ndev = alloc_etherdev_mq(0, QUEUES);
	int err = 0;

	if (!ndev)
		return -ENOMEM;
	strscpy(ndev->name, names[i], IFNAMSIZ);
	ndev->netdev_ops = i == ASKED ? &asked_ops : &other_ops;
	eth_hw_addr_random(ndev);
	if (i == CLASSED)
		err = set_classes(ndev);
	if (!err)
		err = register_netdev(ndev);
	if (err)
		free_netdev(ndev);
	else
		interfaces[i] = ndev;
	return err;
}

static void queues_exit(void)
{
	int i;

	for (i = 0; i < INTERFACES; i++) {
		if (!interfaces[i])
			continue;
		unregister_netdev(interfaces[i]);
		free_netdev(interfaces[i]);
	}
}

static int __init queues_init(void)
{
	int i, err = 0;

	for (i = 0; !err && i < INTERFACES; i++)
		err = add(i);
	if (err)
		queues_exit();
	return err;
}

module_init(queues_init);
module_exit(queues_exit);
MODULE_DESCRIPTION("Interfaces that watch how their transmit queues are chosen");
MODULE_LICENSE("GPL");
