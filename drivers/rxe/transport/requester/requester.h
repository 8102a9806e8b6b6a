/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The requester: from posted WQEs to request packets.
 */
#ifndef ROCE_REQUESTER_H
#define ROCE_REQUESTER_H

#include <roce/qp.h>

/* Add request packets to @batch. */
void roce_req_tx(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch);

/* It is certain that roce_req_tx() would do nothing. */
bool roce_req_idle(struct roce_qp *qp);

#endif
