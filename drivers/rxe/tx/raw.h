/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Raw packet QPs: what is sent is a whole Ethernet frame, which goes out of the interface as
 * it is. Who makes such a QP may send as anybody, which the RDMA core keeps for CAP_NET_RAW.
 * No flow can be steered to one, so that it receives nothing.
 */
#ifndef RXE_RAW_H
#define RXE_RAW_H

#include <linux/skbuff.h>
#include <roce/qp.h>

struct rxe_dev;
struct rxe_tx_flow;

/* Is that a frame that the interface takes now, a VLAN tag perhaps included? Context: any. */
bool rxe_raw_length_ok(struct rxe_dev *dev, u32 len);

/**
 * rxe_raw_build() - turn a batch of frames into socket buffers
 * @flow: flow of the endpoint, whose lock is held
 * @batch: from roce_tx()
 * @skbs: list to append to
 * @gone: set if memory of the failed frame has been paged out since
 *
 * Context: bottom halves off, RCU read lock held until rxe_raw_send(), which keeps the
 * interface.
 *
 * Return: the run whose payload could not be read, or NULL. A failed allocation loses the frame.
 */
const struct roce_tx_run *rxe_raw_build(struct rxe_tx_flow *flow, const struct roce_tx_batch *batch,
					struct sk_buff_head *skbs, bool *gone);

/* rxe_output() of frames. */
void rxe_raw_send(struct rxe_tx_flow *flow, struct sk_buff_head *skbs);

#endif
