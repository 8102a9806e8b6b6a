/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Raw packet QPs: each send WQE is a complete Ethernet frame, which leaves the interface unchanged.
 * ib_core requires CAP_NET_RAW to create such a QP, because it can send with any source address.
 * Flow steering is not supported, so a raw QP receives nothing.
 */
#ifndef RXE_RAW_H
#define RXE_RAW_H

#include <linux/skbuff.h>
#include <roce/qp.h>

struct rxe_dev;
struct rxe_tx_flow;

/* Return true if the interface has Ethernet frames; a tunnel has none. Context: any. */
bool rxe_raw_has_frames(struct rxe_dev *dev);

/* Return true if a frame of @len bytes, VLAN tag included, fits the interface MTU. Context: any. */
bool rxe_raw_length_ok(struct rxe_dev *dev, u32 len);

/**
 * rxe_raw_build() - build the socket buffers of a batch of frames
 * @flow: flow of the endpoint
 * @batch: from roce_tx()
 * @skbs: list to append to
 * @err: set to the error of the failed frame, -EAGAIN if its memory has been paged out
 *
 * A failed allocation loses the frame and is counted.
 *
 * Context: the endpoint's lock held, bottom halves off; RCU read lock held until rxe_raw_send(),
 * because the buffers hold no reference on the interface.
 * Return: the run whose payload could not be read; NULL if there is none.
 */
const struct roce_tx_run *rxe_raw_build(struct rxe_tx_flow *flow, const struct roce_tx_batch *batch,
					struct sk_buff_head *skbs, int *err);

/* Transmit frames: rxe_output() of a raw QP. Context: as rxe_output(). */
void rxe_raw_send(struct rxe_tx_flow *flow, struct sk_buff_head *skbs);

#endif
