/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requester of the unreliable services, UC (IBTA 9.8.2) and UD (9.8.3), and of raw frames.
 */
#ifndef ROCE_REQUESTER_UNRELIABLE_H
#define ROCE_REQUESTER_UNRELIABLE_H

#include <roce/qp.h>

/**
 * roce_unreliable_tx() - complete the WQEs sent before, and add packets to a batch
 * @qp: a UC, UD or raw QP; the caller has copied the payloads of its previous batch
 * @batch: the batch, empty
 */
void roce_unreliable_tx(struct roce_qp *qp, struct roce_tx_batch *batch);

/**
 * roce_unreliable_tx_failed() - fail a WQE whose payload cannot be read
 * @qp: a UC, UD or raw QP
 * @wqe: a WQE of the previous batch; those before it complete successfully
 *
 * The QP enters SQE. No effect in states other than RTS and SQD.
 */
void roce_unreliable_tx_failed(struct roce_qp *qp, const struct roce_send_wqe *wqe);

#endif
