/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Direct transmit: from the route to the transmit queue (txq) of the interface, without IP output,
 * netfilter, neighbour, tc and qdisc. Of a VLAN interface, its own txq, whose driver queues to the
 * qdisc of the lower interface: see rxe_txq_find() for that one.
 */
#ifndef RXE_DIRECT_H
#define RXE_DIRECT_H

#include <linux/types.h>

#include "ip/bypass.h"

struct rxe_dev;
struct rxe_tx_drops;
struct sk_buff_head;

/**
 * rxe_direct_send() - transmit the first buffers of a list directly on their interface
 * @dev: device, for the counters
 * @skbs: list, not empty; each buffer has a route, and skb->data at the IP header, which lacks only
 *	the IPv4 checksum
 * @inline_veto: why a veth peer may not receive the buffers inline, RXE_BYPASS_OK if it may
 * @drops: packets that a security module, the interface or a qdisc below has dropped are added
 *
 * Consumes the first buffer and those directly after it with the same route, neighbour and transmit
 * queue. They are one batch: the queue is locked once, and the hardware is notified once.
 *
 * Context: bottom halves off, RCU read lock held, no endpoint's lock held.
 * Return: true; false if the buffers have to go through the network stack, with @skbs unchanged.
 * The conditions are listed in ip/bypass.h.
 */
bool rxe_direct_send(struct rxe_dev *dev, struct sk_buff_head *skbs,
		     enum rxe_bypass_veto inline_veto, struct rxe_tx_drops *drops);

#endif
