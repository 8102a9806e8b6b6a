// SPDX-License-Identifier: GPL-2.0
/*
 * ICRC offload: detection of Slingshot adapters, and the ICRC status of their packets.
 */
#include <linux/device.h>
#include <linux/ethtool.h>
#include <linux/if_vlan.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/dst.h>

#include "base/device.h"
#include "ip/icrc_offload.h"
#include "ip/path.h"
#include "ip/pernet.h"
#include "ip/vrf.h"

#define DRIVER_PREFIX "cxi_ss1"
#define PRIV_ROCE_OPT BIT(5)

/* Bits of skb_shinfo()->flags that the driver sets; the kernel uses bits 0 to 4 (SKBFL_*). */
#define FLAG_UNCHECKED BIT(6)
#define FLAG_STRIPPED  BIT(7)

DEFINE_STATIC_KEY_FALSE(rxe_hw_icrc_key);

static bool rxe_hw_icrc_detect(struct net_device *ndev)
{
	const struct ethtool_ops *ops = ndev->ethtool_ops;
	const struct device *parent = ndev->dev.parent;

	ASSERT_RTNL();
	return parent && parent->driver &&
	       !strncmp(parent->driver->name, DRIVER_PREFIX, strlen(DRIVER_PREFIX)) && ops &&
	       ops->get_priv_flags && (ops->get_priv_flags(ndev) & PRIV_ROCE_OPT);
}

/* Packets in flight during a change may be lost: they have no ICRC, or a wrong one. */
static void rxe_hw_icrc_set(struct rxe_dev *dev, bool on)
{
	if (dev->hw_icrc == on)
		return;
	WRITE_ONCE(dev->hw_icrc, on);
	if (on)
		static_branch_inc(&rxe_hw_icrc_key);
	else
		static_branch_dec(&rxe_hw_icrc_key);
}

void rxe_hw_icrc_update(struct rxe_dev *dev, struct net_device *ndev)
{
	bool on = rxe_hw_icrc_detect(ndev);

	if (on != dev->hw_icrc)
		netdev_info(ndev, "RoCE: the ICRC is computed and checked by %s\n",
			    on ? "the adapter" : "software");
	rxe_hw_icrc_set(dev, on);
}

void rxe_hw_icrc_forget(struct rxe_dev *dev)
{
	rxe_hw_icrc_set(dev, false);
}

/* A VLAN counts, too: the device's GIDs include the addresses of VLANs on its interface. */
static bool rxe_hw_icrc_carries(const struct rxe_dev *dev, struct net_device *ndev)
{
	const struct net_device *own = rcu_access_pointer(dev->ndev);

	return READ_ONCE(dev->hw_icrc) &&
	       (ndev == own || (is_vlan_dev(ndev) && vlan_dev_real_dev(ndev) == own));
}

/*
 * The adapter fills in the ICRC of packets with CHECKSUM_PARTIAL. Without checksum offload, the
 * stack computes the UDP checksum in software and clears that mark. IPsec encrypts the packet
 * before the adapter sees it, also one that waits for an SA now.
 */
bool __rxe_hw_icrc_fills(struct rxe_dev *dev, struct dst_entry *dst, bool v6)
{
	netdev_features_t csum = NETIF_F_HW_CSUM | (v6 ? NETIF_F_IPV6_CSUM : NETIF_F_IP_CSUM);
	struct net_device *ndev = dst_dev(dst);

	return rxe_hw_icrc_carries(dev, ndev) && !rxe_dst_has_ipsec(dst) &&
	       (READ_ONCE(ndev->features) & csum);
}

/* FLAG_UNCHECKED wins: if the ICRC was stripped as well, the software check fails and drops. */
enum rxe_hw_icrc __rxe_hw_icrc_of(struct net *net, struct sk_buff *skb)
{
	u8 flags = rxe_skb_flags(skb);
	struct rxe_net_member *member;
	struct net_device *ndev;

	if (flags & FLAG_UNCHECKED)
		return RXE_HW_ICRC_NONE;
	ndev = rxe_vrf_ingress(skb);
	list_for_each_entry_rcu(member, rxe_net_members(net), net_node)
		if (rxe_hw_icrc_carries(member->dev, ndev))
			return flags & FLAG_STRIPPED ? RXE_HW_ICRC_STRIPPED : RXE_HW_ICRC_GOOD;
	return RXE_HW_ICRC_NONE;
}
