/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loss recovery of the requester. Each loss signal is one function below; only these functions, and
 * roce_taildup_prepare(), move snd.nxt back. recovery.c describes signals, timers and states.
 *
 * Context of all: the calls on the QP are serialised by the caller. @now is the time in ns.
 */
#ifndef ROCE_RECOVERY_H
#define ROCE_RECOVERY_H

#include <linux/minmax.h>
#include <roce/qp.h>
#include "transport/requester/rto.h"

/* Start: the QP enters RTS, with nothing in flight. */
void roce_loss_start(struct roce_qp *qp, u64 now);

/**
 * roce_loss_on_ack() - snd.una has moved
 * @qp: the QP
 * @now: time
 * @prior_una: snd.una before; the acknowledged WQEs have been completed
 */
void roce_loss_on_ack(struct roce_qp *qp, u64 now, u32 prior_una);

/**
 * roce_loss_on_nak() - an RNR NAK or sequence NAK has arrived
 * @qp: the QP
 * @now: time
 * @psn: PSN of the NAK; in flight. All packets before it have been acknowledged, except for READ
 *	responses that are missing.
 * @syndrome: AETH syndrome
 */
void roce_loss_on_nak(struct roce_qp *qp, u64 now, u32 psn, u8 syndrome);

/**
 * roce_loss_on_response_beyond() - a response has arrived although earlier ones are missing
 * @qp: the QP
 * @now: time
 * @end: one past the last PSN that the peer has responded to, after snd.una
 */
void roce_loss_on_response_beyond(struct roce_qp *qp, u64 now, u32 end);

/**
 * roce_loss_on_peer_request() - a request from the peer has arrived
 * @qp: the QP; packets are in flight
 * @now: time
 *
 * The request shows that the peer is alive. If the loss timers were last started more than 1.5 SRTT
 * ago, a packet or its ACK was probably lost: send a tail loss probe now, instead of after the PTO.
 */
void roce_loss_on_peer_request(struct roce_qp *qp, u64 now);

/**
 * roce_loss_on_timeout() - the deadline may have passed
 * @qp: the QP, in RTS or SQD
 * @now: time; nothing happens before roce_loss_deadline()
 */
void roce_loss_on_timeout(struct roce_qp *qp, u64 now);

/* Restore the RNR retries. */
static inline void roce_loss_restore_rnr_retries(struct roce_qp *qp)
{
	qp->req.loss.rnr_retries_left = qp->attr.rnr_retry;
}

/* Return the time of the next timeout of the requester, ns; ROCE_NEVER if no timer runs. */
static inline u64 roce_loss_deadline(const struct roce_req *req)
{
	return req->loss.rnr_expires ? req->loss.rnr_expires :
					 min(roce_rto_deadline(req), req->hole.reo_timer);
}

#endif
