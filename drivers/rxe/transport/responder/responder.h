/* SPDX-License-Identifier: GPL-2.0 */
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

/* Add responses to @batch: READ and atomic responses, then one ACK or NAK. */
void roce_resp_tx(struct roce_qp *qp, struct roce_tx_batch *batch);

/* It would do nothing. */
bool roce_resp_idle(const struct roce_qp *qp);

/* The memory of the READ at @psn could not be read any more. */
void roce_resp_tx_failed(struct roce_qp *qp, u32 psn);

/* Repeat the last ACK in @batch, as it may have been lost: see roce_final_ack(). */
void roce_resp_final_ack(const struct roce_qp *qp, struct roce_tx_batch *batch);

#endif
