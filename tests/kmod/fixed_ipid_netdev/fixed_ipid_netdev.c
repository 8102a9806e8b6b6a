// SPDX-License-Identifier: GPL-2.0
/*
 * A wire between two Ethernet interfaces, seg0 and seg1, that segment UDP. With fixed=1, all
 * segments of a buffer get the IPv4 identification of the first one.
 */
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <net/ip.h>
#if __has_include(<net/gso.h>)
#include <net/gso.h>
#endif

#define SEG_FEATURES (NETIF_F_SG | NETIF_F_HW_CSUM)

static bool fixed;
module_param(fixed, bool, 0644);
static uint buffers;
module_param(buffers, uint, 0444);
MODULE_PARM_DESC(buffers, "buffers of several packets that have been sent");

static struct net_device *ends[2];

static void seg_forward(struct net_device *ndev, struct sk_buff *skb, int id)
{
	if (id >= 0) {
		ip_hdr(skb)->id = htons(id);
		ip_send_check(ip_hdr(skb));
	}
	if (skb->ip_summed == CHECKSUM_PARTIAL)
		skb_checksum_help(skb);
	dev_forward_skb(ends[ndev == ends[0]], skb);
}

static netdev_tx_t seg_xmit(struct sk_buff *skb, struct net_device *ndev)
{
	struct sk_buff *segs, *next;
	int id = -1;

	if (!skb_is_gso(skb)) {
		seg_forward(ndev, skb, -1);
		return NETDEV_TX_OK;
	}
	buffers++;
	if (fixed && skb->protocol == htons(ETH_P_IP))
		id = ntohs(ip_hdr(skb)->id);
	segs = __skb_gso_segment(skb, SEG_FEATURES, true);
	if (IS_ERR_OR_NULL(segs)) {
		kfree_skb(skb);
		return NETDEV_TX_OK;
	}
	consume_skb(skb);
	for (skb = segs; skb; skb = next) {
		next = skb->next;
		skb_mark_not_on_list(skb);
		seg_forward(ndev, skb, id);
	}
	return NETDEV_TX_OK;
}

static const struct net_device_ops seg_ops = {
	.ndo_start_xmit = seg_xmit,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
};

static void seg_setup(struct net_device *ndev)
{
	ether_setup(ndev);
	ndev->netdev_ops = &seg_ops;
	ndev->max_mtu = 9000;
	ndev->priv_flags |= IFF_LIVE_ADDR_CHANGE;
	ndev->hw_features = SEG_FEATURES | NETIF_F_GSO_UDP_L4;
	ndev->features = ndev->hw_features;
}

static void seg_remove(void)
{
	int i;

	for (i = 0; i < 2 && ends[i]; i++) {
		unregister_netdev(ends[i]);
		free_netdev(ends[i]);
	}
}

static int __init seg_init(void)
{
	struct net_device *ndev;
	int i, err;

	for (i = 0; i < 2; i++) {
		ndev = alloc_netdev(0, "seg%d", NET_NAME_ENUM, seg_setup);
		err = ndev ? 0 : -ENOMEM;
		if (ndev) {
			eth_hw_addr_random(ndev);
			err = register_netdev(ndev);
		}
		if (err) {
			if (ndev)
				free_netdev(ndev);
			seg_remove();
			return err;
		}
		ends[i] = ndev;
	}
	return 0;
}

module_init(seg_init);
module_exit(seg_remove);
MODULE_DESCRIPTION("interfaces that segment UDP");
MODULE_LICENSE("GPL");
