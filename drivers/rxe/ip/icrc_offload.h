/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Adapters that compute and check the ICRC themselves. Slingshot's do, when the private flag
 * "roce-opt" of their interface is on:
 *
 * - A packet to send has room for the ICRC at its end, and asks for the UDP checksum
 *   (CHECKSUM_PARTIAL from the transport header on). The adapter fills in both.
 * - Of a received packet the adapter has checked the ICRC; it tells by bits of
 *   skb_shinfo()->flags, which the kernel does not use, where it could not, and where it took
 *   the ICRC off.
 *
 * Nothing in a packet tells of this, so who believes it of the wrong interface loses all
 * protection, or sends garbage. Hence it is decided for each device, again with each event of
 * its interface, and holds for packets through that interface alone.
 */
#ifndef RXE_HW_ICRC_H
#define RXE_HW_ICRC_H

#include <linux/jump_label.h>
#include <linux/skbuff.h>

struct dst_entry;
struct net;
struct rxe_dev;

/* Counts the devices whose adapters do it. */
DECLARE_STATIC_KEY_FALSE(rxe_hw_icrc_key);

/**
 * enum rxe_hw_icrc - what an adapter has done with the ICRC of a received packet
 * @RXE_HW_ICRC_NONE: nothing; it is to be checked
 * @RXE_HW_ICRC_GOOD: checked it, and found it good
 * @RXE_HW_ICRC_STRIPPED: so, and taken it off; the lengths in the headers say so, too
 */
enum rxe_hw_icrc { RXE_HW_ICRC_NONE, RXE_HW_ICRC_GOOD, RXE_HW_ICRC_STRIPPED };

/**
 * rxe_hw_icrc_update() - decide anew whether the adapter is to be believed
 * @dev: device
 * @ndev: its interface
 *
 * Context: RTNL held.
 */
void rxe_hw_icrc_update(struct rxe_dev *dev, struct net_device *ndev);

/* Undo, when the device goes. Context: process; no other update runs or follows. */
void rxe_hw_icrc_forget(struct rxe_dev *dev);

/* Is @changed the interface, or the one below the VLAN, that rxe_hw_icrc_update() looks at? */
bool rxe_hw_icrc_concerns(struct net_device *ndev, const struct net_device *changed);

bool __rxe_hw_icrc_fills(struct rxe_dev *dev, struct dst_entry *dst, bool v6);
enum rxe_hw_icrc __rxe_hw_icrc_of(struct net *net, const struct sk_buff *skb);

/**
 * rxe_icrc_tx_offload() - will the ICRC of packets be filled in on their way out?
 * @dev: device that sends
 * @dst: route; may lead elsewhere than over the device's interface
 * @v6: IPv6 packets, else IPv4
 *
 * Context: RCU read lock held.
 */
static inline bool rxe_icrc_tx_offload(struct rxe_dev *dev, struct dst_entry *dst, bool v6)
{
	return static_branch_unlikely(&rxe_hw_icrc_key) && __rxe_hw_icrc_fills(dev, dst, v6);
}

/* Of a received packet in a buffer of its own. Context: RCU read lock held. */
static inline enum rxe_hw_icrc rxe_icrc_rx_status(struct net *net, const struct sk_buff *skb)
{
	return static_branch_unlikely(&rxe_hw_icrc_key) ? __rxe_hw_icrc_of(net, skb) :
							  RXE_HW_ICRC_NONE;
}

#endif
