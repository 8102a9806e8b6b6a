/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requester of RC: makes request packets from send WQEs (IBTA 9.7.2 to 9.7.4).
 */
#ifndef ROCE_REQUESTER_H
#define ROCE_REQUESTER_H

#include <roce/qp.h>

/**
 * roce_req_tx() - add request packets to a batch
 * @qp: an RC QP
 * @now: time, ns
 * @batch: the batch; packets already in it stay
 */
void roce_req_tx(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch);

/**
 * roce_req_idle() - test whether roce_req_tx() can be omitted; corks small sends
 * @qp: an RC QP
 *
 * Return: true if roce_req_tx() would do nothing; false if it may do something.
 */
bool roce_req_idle(struct roce_qp *qp);

#endif
