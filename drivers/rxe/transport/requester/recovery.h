/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loss detection and recovery of the requester, one function for each loss signal. They decide, and
 * the functions of hole.h do where a response is missing; those of rewind.h retransmit. recovery.c
 * describes signals, timers and states.
 *
 * Context of all: the caller serialises the calls on a QP. @now is the time in ns.
 */
#ifndef ROCE_RECOVERY_H
#define ROCE_RECOVERY_H

#include <linux/minmax.h>
#include <roce/qp.h>
#include "transport/requester/rto.h"

/* Initialise retries and RTO when the QP enters RTS, with nothing in flight. */
void roce_loss_start(struct roce_qp *qp, u64 now);

/**
 * roce_loss_on_progress() - process an advance of snd.una
 * @qp: the QP; the acknowledged WQEs have been completed
 * @now: time
 * @prior_una: snd.una before the advance
 */
void roce_loss_on_progress(struct roce_qp *qp, u64 now, u32 prior_una);

/**
 * roce_loss_on_nak() - process an RNR NAK or sequence NAK
 * @qp: the QP
 * @now: time
 * @psn: PSN of the NAK; in flight. All packets before it have been acknowledged, except for READ
 *	responses that are missing.
 * @syndrome: AETH syndrome
 */
void roce_loss_on_nak(struct roce_qp *qp, u64 now, u32 psn, u8 syndrome);

/**
 * roce_loss_on_peer_request() - process a request's arrival as a sign that the peer is alive
 * @qp: the QP; packets are in flight
 * @now: time
 *
 * If the loss timers were last started 1.5 SRTT or more ago although the peer is alive, a packet or
 * its ACK was probably lost: send a tail loss probe now, instead of after the PTO.
 */
void roce_loss_on_peer_request(struct roce_qp *qp, u64 now);

/**
 * roce_loss_on_timeout() - process expired timers of the requester
 * @qp: the QP, in RTS or SQD
 * @now: time; before roce_loss_deadline(), the call has no effect
 */
void roce_loss_on_timeout(struct roce_qp *qp, u64 now);

/* Restore the RNR retries. */
static inline void roce_loss_restore_rnr_retries(struct roce_qp *qp)
{
	qp->req.loss.rnr_retries_left = qp->attr.rnr_retry;
}

/* Return the expiry of the requester's earliest timer, ns; ROCE_NEVER if no timer runs. */
static inline u64 roce_loss_deadline(const struct roce_req *req)
{
	return req->loss.rnr_expires ? req->loss.rnr_expires :
					 min(roce_rto_deadline(req), req->hole.timer);
}

#endif
