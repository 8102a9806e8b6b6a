/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The requester of the unreliable services, UC (IBTA 9.8.2) and UD (9.8.3), and of
 * raw frames.
 */
#ifndef ROCE_UNRELIABLE_H
#define ROCE_UNRELIABLE_H

#include <roce/qp.h>

/* Complete what the batch before carried; add packets to @batch. */
void roce_unreliable_tx(struct roce_qp *qp, struct roce_tx_batch *batch);

/* The payload of @wqe, of the batch before, could not be read. */
void roce_unreliable_tx_failed(struct roce_qp *qp, const struct roce_send_wqe *wqe);

#endif
