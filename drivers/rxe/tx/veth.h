/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The other end of a veth pair, which is on this host.
 */
#ifndef RXE_PEER_H
#define RXE_PEER_H

#include <linux/types.h>

struct net_device;
struct sk_buff;

/**
 * rxe_peer_find() - where what an interface sends is received
 * @ndev: interface
 *
 * Context: RCU read lock held.
 * Return: the other end, if @ndev is one of a veth pair that takes packets from no queue of its
 * own, and no softirq is being served; NULL otherwise.
 */
struct net_device *rxe_peer_find(struct net_device *ndev);

/**
 * rxe_veth_rx_inline() - have a buffer received at once
 * @ndev: interface that it is sent on
 * @peer: its other end
 * @skb: the buffer, as @ndev would be given it
 *
 * What the receiver sends in turn may be received at once as well, but not what follows from that:
 * calls nest no deeper than a request and its acknowledgement.
 *
 * Context: bottom halves off, interrupts on, RCU read lock held; no lock held that a receiver or a
 * completion handler takes.
 * Return: true: the buffer is gone; false: it has to be transmitted.
 */
bool rxe_veth_rx_inline(struct net_device *ndev, struct net_device *peer, struct sk_buff *skb);

#endif
