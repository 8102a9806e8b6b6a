/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ICRC offload: adapters that compute and check the ICRC in hardware. HPE Slingshot adapters do if
 * the ethtool private flag "roce-opt" of their interface is on:
 *
 * - Transmit: the packet has 4 bytes for the ICRC at its end, and CHECKSUM_PARTIAL from the UDP
 *   header on. The adapter fills in the ICRC and the UDP checksum.
 * - Receive: the adapter has checked the ICRC. Its driver sets bits in skb_shinfo()->flags, which
 *   the kernel does not use, on packets that were not checked or whose ICRC was stripped.
 *
 * A packet itself does not show whether its ICRC was offloaded. A wrong guess would accept damaged
 * packets or send packets without an ICRC. So offload is decided for each device, again at each
 * netdev event of its interface, and applies only to packets through that interface and its VLANs.
 */
#ifndef RXE_ICRC_OFFLOAD_H
#define RXE_ICRC_OFFLOAD_H

#include <linux/jump_label.h>
#include <linux/skbuff.h>

struct dst_entry;
struct net;
struct rxe_dev;

/* Enabled while at least one device has ICRC offload. */
DECLARE_STATIC_KEY_FALSE(rxe_hw_icrc_key);

/**
 * enum rxe_hw_icrc - ICRC status of a received packet
 * @RXE_HW_ICRC_NONE: not checked by the adapter; software has to
 * @RXE_HW_ICRC_GOOD: checked by the adapter and correct
 * @RXE_HW_ICRC_STRIPPED: checked, correct and removed; the IP and UDP lengths do not include it
 */
enum rxe_hw_icrc { RXE_HW_ICRC_NONE, RXE_HW_ICRC_GOOD, RXE_HW_ICRC_STRIPPED };

/**
 * rxe_hw_icrc_update() - detect ICRC offload, at registration and at each netdev event
 * @dev: device
 * @ndev: its interface
 *
 * Context: RTNL held.
 */
void rxe_hw_icrc_update(struct rxe_dev *dev, struct net_device *ndev);

/* Turn ICRC offload of @dev off, at its removal. Context: process; no update runs or follows. */
void rxe_hw_icrc_forget(struct rxe_dev *dev);

bool __rxe_hw_icrc_fills(struct rxe_dev *dev, struct dst_entry *dst, bool v6);
enum rxe_hw_icrc __rxe_hw_icrc_of(struct net *net, struct sk_buff *skb);

/**
 * rxe_icrc_tx_offload() - decide whether the adapter fills in the ICRC of packets
 * @dev: device that sends
 * @dst: route; may lead out of another interface than the device's
 * @v6: IPv6 packets, else IPv4
 *
 * Context: RCU read lock held.
 * Return: true if the adapter does; false if software has to.
 */
static inline bool rxe_icrc_tx_offload(struct rxe_dev *dev, struct dst_entry *dst, bool v6)
{
	return static_branch_unlikely(&rxe_hw_icrc_key) && __rxe_hw_icrc_fills(dev, dst, v6);
}

/* Return the ICRC status of @skb, one packet received in @net. Context: RCU read lock held. */
static inline enum rxe_hw_icrc rxe_icrc_rx_status(struct net *net, struct sk_buff *skb)
{
	return static_branch_unlikely(&rxe_hw_icrc_key) ? __rxe_hw_icrc_of(net, skb) :
							  RXE_HW_ICRC_NONE;
}

#endif
