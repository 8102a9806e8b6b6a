/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Send queue, of all services: start and completion of WQEs.
 */
#ifndef ROCE_SEND_QUEUE_H
#define ROCE_SEND_QUEUE_H

#include <roce/psn.h>
#include <roce/qp.h>

/* Return the PSNs sent and not acknowledged, at most ROCE_MAX_INFLIGHT. */
static inline u32 roce_req_inflight(const struct roce_req *req)
{
	return (req->snd.max - req->snd.una) & ROCE_PSN_MASK;
}

/* Complete the oldest WQE. */
void roce_sq_complete(struct roce_qp *qp, enum roce_status status);

/* Flush the oldest WQE; a local operation that has been executed completes successfully. */
void roce_sq_flush_oldest(struct roce_qp *qp);

/* Fail the oldest WQE, and move an RC QP to ERR, a UC or UD QP to SQE. */
void roce_sq_fail(struct roce_qp *qp, enum roce_status status);

/* Complete executed local operations at the head of the queue. */
void roce_sq_retire_local(struct roce_qp *qp);

/* Raise SQ_DRAINED in state SQD, once no WQE is in progress. */
void roce_sq_check_drained(struct roce_qp *qp);

/*
 * Fail the WQE at sq.next, which has not been started, with @status: at once if it is the oldest,
 * else after the WQEs before it have completed. Return: false, as there is nothing to transmit.
 */
bool roce_sq_fail_ordered(struct roce_qp *qp, struct roce_send_wqe *wqe, enum roce_status status);

/*
 * Execute the local operation at sq.next: LOCAL_INV after all earlier WQEs have completed, as they
 * may use the key; REG_MR and BIND_MW at once. Return: false if it must wait or has failed.
 */
bool roce_sq_start_local(struct roce_qp *qp, struct roce_send_wqe *wqe);

/* True if the QP may access the SGEs of @wqe as its opcode requires. */
bool roce_sq_sges_ok(struct roce_qp *qp, struct roce_send_wqe *wqe);

#endif
