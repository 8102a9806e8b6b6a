/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inline receive on the veth peer: the other end of a veth pair on this host.
 */
#ifndef RXE_VETH_H
#define RXE_VETH_H

#include <linux/types.h>

#include "ip/bypass.h"

struct net_device;
struct sk_buff;

/**
 * rxe_veth_peer() - find the interface that can receive inline what another one sends
 * @ndev: interface that sends
 * @veto: RXE_BYPASS_OK, or a condition that the sender has not met
 *
 * Context: RCU read lock held.
 * Return: the other end of the veth pair; NULL if @ndev is no veth (such as a VLAN interface above
 * one), or if a condition of the table in ip/bypass.h is not met.
 */
struct net_device *rxe_veth_peer(struct net_device *ndev, enum rxe_bypass_veto veto);

/**
 * rxe_veth_rx_inline() - receive a buffer on the veth peer
 * @ndev: interface that sends
 * @peer: its other end
 * @skb: buffer, as it would be given to @ndev; consumed on success
 *
 * Packets that the receiver sends in response may be received inline, too. Deeper nested calls
 * return false.
 *
 * Context: bottom halves off, interrupts on, RCU read lock held; no lock held that a receiver or a
 * completion handler takes. HARD_TX_LOCK() of @ndev may surround the call: veth is a device without
 * a transmit lock (LLTX), for which it takes none.
 * Return: true; false if the buffer has to be transmitted.
 */
bool rxe_veth_rx_inline(struct net_device *ndev, struct net_device *peer, struct sk_buff *skb);

#endif
