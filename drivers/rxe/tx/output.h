/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Output: from built socket buffers to the interface.
 */
#ifndef RXE_OUTPUT_H
#define RXE_OUTPUT_H

#include <linux/types.h>

struct rxe_tx_flow;
struct sk_buff_head;

/**
 * rxe_output() - transmit socket buffers, directly or through the network stack
 * @flow: flow of the endpoint that has built them; the endpoint may have been destroyed since, and
 *	is kept by RCU
 * @skbs: buffers; empty on return
 * @ordered: they must not be received before, or after, other packets of the endpoint (order.h);
 *	false for ACKs and CNPs alone
 *
 * A packet that the stack does not accept is lost and counted; the transport retransmits it.
 *
 * Context: bottom halves off, RCU read lock held, no endpoint's lock held: packets for this host
 * may be received before this returns.
 *
 * Return: true if a queue of this host dropped packets (NET_XMIT_DROP, NET_XMIT_CN, ENOBUFS).
 */
bool rxe_output(struct rxe_tx_flow *flow, struct sk_buff_head *skbs, bool ordered);

#endif
