/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Socket buffers from the packets of the transport: as few and as large as possible, with UDP
 * segmentation offload (GSO).
 */
#ifndef RXE_SKB_BUILD_H
#define RXE_SKB_BUILD_H

#include <linux/skbuff.h>
#include <roce/packet.h>
#include <roce/qp.h>

struct rxe_tx_flow;

/**
 * rxe_skb_build() - build the socket buffers of a batch, payload and ICRC included
 * @flow: flow of the endpoint
 * @batch: from roce_tx()
 * @skbs: list to append to
 *
 * Packets are lost and counted if an allocation fails, or if their payload has been paged out since
 * the batch was made; the transport retransmits them.
 *
 * Context: the endpoint's lock held, bottom halves off, RCU read lock held until rxe_output().
 * Return: the run whose payload could not be read because its memory is no longer accessible, for
 * roce_tx_failed(); the packets before it are in @skbs. NULL if there is none.
 */
const struct roce_tx_run *rxe_skb_build(struct rxe_tx_flow *flow, const struct roce_tx_batch *batch,
					struct sk_buff_head *skbs);

#endif
