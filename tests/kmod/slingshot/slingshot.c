// SPDX-License-Identifier: GPL-2.0
/*
 * Emulation of Slingshot adapters, as far as other drivers and rxectl can see them: four
 * interfaces,
 * a wire from hsn0 to hsn2 and one from hsn1 to hsn3, the driver name and private flag, an ICRC
 * that
 * is filled in at transmission and checked at reception while the flag is on, and the descriptor
 * bits
 * that report this for a received packet.
 *
 * The parameters make the adapters deliver packets that only a driver that trusts them accepts.
 */
#include <linux/crc32.h>
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>
#include <linux/udp.h>
#include <net/ip.h>

#define ROCE_PORT  4791
#define BTH_LEN	   12
#define ICRC_LEN   4
#define QUEUES	   16
#define IFACES	   4
#define ROCE_OPT   5 /* the private flag */
#define UNCHECKED  BIT(6)
#define STRIPPED   BIT(7)
#define SMALL	   65 /* frames below may have a wrong ICRC */

static bool strip;
module_param(strip, bool, 0644);
MODULE_PARM_DESC(strip, "take the ICRC off what is received");

static bool corrupt;
module_param(corrupt, bool, 0644);
MODULE_PARM_DESC(corrupt, "spoil the ICRC of what has been checked");

static bool corrupt_small;
module_param(corrupt_small, bool, 0644);
MODULE_PARM_DESC(corrupt_small, "spoil the ICRC of what is too small to be checked");

static uint filled;
module_param(filled, uint, 0644);
MODULE_PARM_DESC(filled, "packets sent whose ICRC was filled in");

static uint stripped;
module_param(stripped, uint, 0644);
MODULE_PARM_DESC(stripped, "packets received whose ICRC was taken off");

static uint unchecked;
module_param(unchecked, uint, 0644);
MODULE_PARM_DESC(unchecked, "packets received and marked as not checked");

static uint bad;
module_param(bad, uint, 0644);
MODULE_PARM_DESC(bad, "packets received with a wrong ICRC");

static struct net_device *ifaces[IFACES];

/**
 * struct iface - one end of a wire
 * @peer: the other end
 * @flags: private flags
 */
struct iface {
	struct net_device *peer;
	u32 flags;
};

static bool roce_opt(const struct net_device *ndev)
{
	const struct iface *iface = netdev_priv(ndev);

	return iface->flags & BIT(ROCE_OPT);
}

/* Length of the IP header of an unfragmented RoCE packet, else 0. @skb is linear. */
static u32 roce_ip_len(const struct sk_buff *skb)
{
	u32 len = skb->len - skb_network_offset(skb), ip_len = 0;
	const u8 *ip = skb_network_header(skb);
	__be16 protocol = vlan_get_protocol(skb);

	if (protocol == htons(ETH_P_IP) && len > 20 && ip[0] == 0x45 && ip[9] == IPPROTO_UDP)
		ip_len = 20;
	else if (protocol == htons(ETH_P_IPV6) && len > 40 && ip[6] == IPPROTO_UDP)
		ip_len = 40;
	if (!ip_len || len < ip_len + sizeof(struct udphdr) + BTH_LEN + ICRC_LEN)
		return 0;
	return ((struct udphdr *)(ip + ip_len))->dest == htons(ROCE_PORT) ? ip_len : 0;
}

static u8 *end_of(struct sk_buff *skb)
{
	return skb_tail_pointer(skb) - ICRC_LEN;
}

/* Mutable fields count as ones (IBTA A17.3.3). */
static u32 icrc(struct sk_buff *skb, u32 ip_len)
{
	u8 head[8 + 40 + sizeof(struct udphdr) + BTH_LEN], *ip = head + 8, *udp = ip + ip_len;
	u32 len = ip_len + sizeof(struct udphdr) + BTH_LEN;
	u8 *body = skb_network_header(skb) + len;

	memset(head, 0xff, 8);
	memcpy(ip, skb_network_header(skb), len);
	if (ip_len == 20) {
		ip[1] = 0xff;
		ip[8] = 0xff;
		memset(ip + 10, 0xff, 2);
	} else {
		ip[0] |= 0x0f;
		memset(ip + 1, 0xff, 3);
		ip[7] = 0xff;
	}
	memset(udp + 6, 0xff, 2);
	udp[8 + 4] = 0xff;
	return ~crc32_le(crc32_le(~0, head, 8 + len), body, end_of(skb) - body);
}

/* Packets that request the UDP checksum get both. */
static void send_offload(const struct net_device *ndev, struct sk_buff *skb)
{
	u32 ip_len = roce_ip_len(skb);

	if (skb->ip_summed != CHECKSUM_PARTIAL)
		return;
	if (roce_opt(ndev) && ip_len &&
	    skb_checksum_start_offset(skb) == skb_network_offset(skb) + (int)ip_len) {
		put_unaligned_le32(icrc(skb, ip_len), end_of(skb));
		filled++;
	}
	skb_checksum_help(skb);
}

static void strip_icrc(struct sk_buff *skb, u32 ip_len)
{
	struct udphdr *udp = (struct udphdr *)(skb_network_header(skb) + ip_len);

	skb_trim(skb, skb->len - ICRC_LEN);
	be16_add_cpu(&udp->len, -ICRC_LEN);
	if (ip_len == 20) {
		be16_add_cpu(&ip_hdr(skb)->tot_len, -ICRC_LEN);
		ip_send_check(ip_hdr(skb));
	} else {
		be16_add_cpu(&ipv6_hdr(skb)->payload_len, -ICRC_LEN);
	}
	skb_shinfo(skb)->flags |= STRIPPED;
	stripped++;
}

static void receive_offload(const struct net_device *ndev, struct sk_buff *skb)
{
	u32 ip_len = roce_ip_len(skb);
	bool small = skb->len < SMALL;

	if (!ip_len)
		return;
	/* The packet has changed since its UDP checksum was computed. */
	skb->ip_summed = CHECKSUM_UNNECESSARY;
	if (roce_opt(ndev) && get_unaligned_le32(end_of(skb)) != icrc(skb, ip_len))
		bad++;
	if (small ? corrupt_small : corrupt)
		end_of(skb)[0] ^= 0xff;
	if (!roce_opt(ndev))
		return;
	if (small) {
		skb_shinfo(skb)->flags |= UNCHECKED;
		unchecked++;
	} else if (strip) {
		strip_icrc(skb, ip_len);
	}
}

static netdev_tx_t iface_xmit(struct sk_buff *skb, struct net_device *ndev)
{
	const struct iface *iface = netdev_priv(ndev);
	struct sk_buff *copy = skb_copy(skb, GFP_ATOMIC);

	consume_skb(skb);
	if (!copy) {
		ndev->stats.tx_dropped++;
		return NETDEV_TX_OK;
	}
	skb_reset_mac_header(copy);
	send_offload(ndev, copy);
	receive_offload(iface->peer, copy);
	ndev->stats.tx_packets++;
	if (dev_forward_skb(iface->peer, copy) == NET_RX_DROP)
		ndev->stats.tx_dropped++;
	return NETDEV_TX_OK;
}

static const struct net_device_ops iface_ops = {
	.ndo_start_xmit = iface_xmit,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
};

static int get_sset_count(struct net_device *ndev, int set)
{
	return set == ETH_SS_PRIV_FLAGS ? ROCE_OPT + 1 : -EOPNOTSUPP;
}

static void get_strings(struct net_device *ndev, u32 set, u8 *data)
{
	u32 i;

	for (i = 0; set == ETH_SS_PRIV_FLAGS && i <= ROCE_OPT; i++)
		snprintf(data + i * ETH_GSTRING_LEN, ETH_GSTRING_LEN,
			 i == ROCE_OPT ? "roce-opt" : "flag-%u", i);
}

static u32 get_priv_flags(struct net_device *ndev)
{
	return ((struct iface *)netdev_priv(ndev))->flags;
}

static int set_priv_flags(struct net_device *ndev, u32 flags)
{
	((struct iface *)netdev_priv(ndev))->flags = flags;
	return 0;
}

static void get_channels(struct net_device *ndev, struct ethtool_channels *channels)
{
	channels->max_rx = QUEUES;
	channels->max_tx = QUEUES;
	channels->rx_count = ndev->real_num_rx_queues;
	channels->tx_count = ndev->real_num_tx_queues;
}

static int set_channels(struct net_device *ndev, struct ethtool_channels *channels)
{
	if (netif_running(ndev))
		return -EBUSY;
	return netif_set_real_num_queues(ndev, channels->tx_count, channels->rx_count);
}

static int get_link_ksettings(struct net_device *ndev, struct ethtool_link_ksettings *settings)
{
	settings->base.speed = SPEED_200000;
	settings->base.duplex = DUPLEX_FULL;
	return 0;
}

static const struct ethtool_ops iface_ethtool_ops = {
	.get_link_ksettings = get_link_ksettings,
	.get_link = ethtool_op_get_link,
	.get_sset_count = get_sset_count,
	.get_strings = get_strings,
	.get_priv_flags = get_priv_flags,
	.set_priv_flags = set_priv_flags,
	.get_channels = get_channels,
	.set_channels = set_channels,
};

static void setup_iface(struct net_device *ndev)
{
	ether_setup(ndev);
	ndev->netdev_ops = &iface_ops;
	ndev->ethtool_ops = &iface_ethtool_ops;
	ndev->max_mtu = 9000;
	ndev->priv_flags |= IFF_LIVE_ADDR_CHANGE;
	ndev->hw_features = NETIF_F_SG | NETIF_F_HW_CSUM;
	ndev->features = ndev->hw_features;
	ndev->vlan_features = ndev->hw_features;
}

/* The vendor's address is used until the fabric's is assigned. */
static int add_iface(int i, struct device *parent)
{
	u8 mac[ETH_ALEN] = { 0x00, 0x40, 0xa6, 0x83, 0x00, i };
	struct net_device *ndev;
	int err;

	ndev = alloc_netdev_mqs(sizeof(struct iface), "hsn%d", NET_NAME_ENUM, setup_iface, QUEUES,
				QUEUES);
	if (!ndev)
		return -ENOMEM;
	SET_NETDEV_DEV(ndev, parent);
	eth_hw_addr_set(ndev, mac);
	netif_set_real_num_queues(ndev, QUEUES / 4, QUEUES / 4);
	ifaces[i] = ndev;
	err = register_netdev(ndev);
	if (err) {
		ifaces[i] = NULL;
		free_netdev(ndev);
	}
	return err;
}

static void remove_ifaces(void)
{
	int i;

	for (i = 0; i < IFACES; i++)
		if (ifaces[i])
			unregister_netdev(ifaces[i]);
	for (i = 0; i < IFACES; i++)
		if (ifaces[i])
			free_netdev(ifaces[i]);
}

/* The interfaces are still down: no packet is sent before the wires are connected. */
static void connect_ifaces(void)
{
	int i;

	for (i = 0; i < IFACES; i++)
		((struct iface *)netdev_priv(ifaces[i]))->peer = ifaces[i ^ 2];
}

static int probe(struct platform_device *pdev)
{
	return 0;
}

static struct platform_driver driver = {
	.probe = probe,
	.driver.name = "cxi_ss1_test",
};

static struct class cxi_class = {
	.name = "cxi",
};

static struct platform_device *adapter;

static int __init slingshot_init(void)
{
	int i, err;

	err = class_register(&cxi_class);
	if (err)
		return err;
	err = platform_driver_register(&driver);
	if (err)
		goto err_unregister_class;
	adapter = platform_device_register_simple("cxi_ss1_test", PLATFORM_DEVID_NONE, NULL, 0);
	err = PTR_ERR_OR_ZERO(adapter);
	if (err)
		goto err_unregister_driver;
	for (i = 0; i < IFACES && !err; i++)
		err = add_iface(i, &adapter->dev);
	if (err)
		goto err_remove_ifaces;
	connect_ifaces();
	return 0;

err_remove_ifaces:
	remove_ifaces();
	platform_device_unregister(adapter);
err_unregister_driver:
	platform_driver_unregister(&driver);
err_unregister_class:
	class_unregister(&cxi_class);
	return err;
}

static void __exit slingshot_exit(void)
{
	remove_ifaces();
	platform_device_unregister(adapter);
	platform_driver_unregister(&driver);
	class_unregister(&cxi_class);
}

module_init(slingshot_init);
module_exit(slingshot_exit);

MODULE_DESCRIPTION("Adapters that compute and check the ICRC");
MODULE_LICENSE("GPL");
