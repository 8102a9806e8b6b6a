/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ROCE_RESPONDER_H
#define ROCE_RESPONDER_H

#include <roce/qp.h>

/* Take one request packet. */
void roce_resp_rx(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt);

/* Add responses to @batch: READ and atomic responses, then one ACK or NAK. */
void roce_resp_tx(struct roce_qp *qp, struct roce_tx_batch *batch);

/* It would do nothing. */
bool roce_resp_idle(const struct roce_qp *qp);

/* The memory of the READ at @psn could not be read any more. */
void roce_resp_tx_failed(struct roce_qp *qp, u32 psn);

/* Repeat the last ACK in @batch, as it may have been lost: see roce_final_ack(). */
void roce_resp_final_ack(const struct roce_qp *qp, struct roce_tx_batch *batch);

#endif
