/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From runs of packets to socket buffers to the wire.
 */
#ifndef RXE_XMIT_H
#define RXE_XMIT_H

#include <linux/skbuff.h>
#include <roce/packet.h>
#include <roce/qp.h>

struct rxe_ep;

/**
 * rxe_xmit_build() - turn a batch into socket buffers, payload and ICRC included
 * @ep: endpoint; its lock is held
 * @batch: from roce_tx()
 * @skbs: list to append to
 *
 * A failed allocation loses the packets concerned, which the transport repairs.
 * Memory that has gone away is told to roce_tx_failed().
 */
void rxe_xmit_build(struct rxe_ep *ep, const struct roce_tx_batch *batch,
		    struct sk_buff_head *skbs);

/**
 * rxe_xmit_send() - give socket buffers to the network stack
 * @ep: whose they are, dead or not
 * @skbs: emptied
 *
 * Context: bottom halves off, RCU read lock held, no endpoint's lock held.
 * Whatever the stack answers, a packet not sent is a packet lost.
 */
void rxe_xmit_send(struct rxe_ep *ep, struct sk_buff_head *skbs);

#endif
