/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The send queue, of whatever service: how its WQEs begin and end.
 */
#ifndef ROCE_SENDQUEUE_H
#define ROCE_SENDQUEUE_H

#include <roce/qp.h>

/* Complete the oldest WQE. */
void roce_sq_complete(struct roce_qp *qp, enum roce_status status);

/* Flush the oldest WQE; a local operation that has been executed completes well. */
void roce_sq_flush_oldest(struct roce_qp *qp);

/* Complete the oldest WQE with an error, and bring the QP to ERR; UC and UD to SQE. */
void roce_sq_fail(struct roce_qp *qp, enum roce_status status);

/* Complete the local operations that have become the oldest WQEs. */
void roce_sq_retire_local(struct roce_qp *qp);

/* Raise the SQ drained event if that is due. */
void roce_sq_check_drained(struct roce_qp *qp);

/*
 * Starting the WQE at sq.next, which nobody has transmitted from. False if it is
 * not to be gone on with for now.
 */

/* It fails when all before it have completed, so that they complete well. */
bool roce_sq_fail_ordered(struct roce_qp *qp, struct roce_send_wqe *wqe, enum roce_status status);

/* REG_MR takes effect in its turn, LOCAL_INV when nothing can need the key. */
bool roce_sq_start_local(struct roce_qp *qp, struct roce_send_wqe *wqe);

/* May its local memory be used? */
bool roce_sq_sges_ok(struct roce_qp *qp, struct roce_send_wqe *wqe);

#endif
