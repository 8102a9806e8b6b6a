/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Responder of the reliable connection: request packets in, responses and ACKs out.
 */
#ifndef ROCE_RESPONDER_H
#define ROCE_RESPONDER_H

#include <roce/qp.h>

/**
 * roce_resp_rx() - handle a request packet
 * @qp: the QP
 * @now: time, ns
 * @pkt: the packet
 * @ack_reqs: AckReqs of the batch, see roce_delack_schedule(); those of @pkt are added
 *
 * Return: false if the packet must be redelivered, as its memory is not resident.
 */
bool roce_resp_rx(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt, u32 *ack_reqs);

/* Raise the NAK whose delay is over. */
void roce_resp_nak_delayed(struct roce_qp *qp, u64 now);

/* Add READ and atomic responses to @batch; behind the last one, an ACK or NAK if one is due. */
void roce_resp_tx(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch);

/* True if roce_resp_tx() would add nothing. */
bool roce_resp_idle(const struct roce_qp *qp);

/* The memory of the READ with a response at @psn cannot be read: NAK it. */
void roce_resp_tx_failed(struct roce_qp *qp, u32 psn);

/* Add a repetition of the last ACK to @batch, see roce_final_ack(). */
void roce_resp_final_ack(const struct roce_qp *qp, struct roce_tx_batch *batch);

#endif
