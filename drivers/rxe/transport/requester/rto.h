/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loss timers of the requester: the retransmission timeout (RTO), the probe timeout (PTO), and the
 * retry period, which is the local ACK timeout or a multiple (IBTA 9.7.6.1.3): each period without
 * progress costs a retry. recovery.c lists all timers. Only rto.[ch] writes struct roce_rto. All
 * times are in ns.
 */
#ifndef ROCE_RTO_H
#define ROCE_RTO_H

#include <linux/minmax.h>
#include <roce/qp.h>
#include "transport/common/send_queue.h"

/**
 * roce_rto_arm() - restart RTO and PTO
 * @qp: the QP; packets are in flight
 * @now: time
 */
void roce_rto_arm(struct roce_qp *qp, u64 now);

/* Start a retry period, RTO and PTO. */
void roce_rto_start(struct roce_qp *qp, u64 now);

/* The same with the relaxed PTO: no AckReq is outstanding, and the consumer does not wait. */
void roce_rto_start_relaxed(struct roce_qp *qp, u64 now);

/* Restore the retries, start a retry period, compute the RTO: in RTS, and when snd.una advances. */
void roce_rto_on_progress(struct roce_qp *qp, u64 now);

/* Double the RTO after it has expired, up to the longer of local ACK timeout and estimate. */
void roce_rto_back_off(struct roce_qp *qp);

/* Double the PTO after it has expired, and start it again. */
void roce_rto_back_off_pto(struct roce_req *req, u64 now);

/* Return true if the PTO is longer than the RTT suggests: relaxed, or backed off after a probe. */
bool roce_rto_pto_extended(const struct roce_req *req);

/* Return true if there is no RTT sample, and no probe was sent since the timers were started. */
bool roce_rto_pto_is_initial(const struct roce_req *req);

/* Make the RTO expire at @when at the latest. */
void roce_rto_expire_by(struct roce_req *req, u64 when);

/* Return the earlier of RTO and PTO expiry, ns; ROCE_NEVER if nothing is in flight. */
static inline u64 roce_rto_deadline(const struct roce_req *req)
{
	if (!roce_req_inflight(req))
		return ROCE_NEVER;
	return req->rto.pto_expired ? 0 : min(req->rto.expires, req->rto.base + req->rto.pto);
}

/* Make the PTO expire at once if packets have been sent since the last AckReq. */
void roce_rto_expire_pto(struct roce_qp *qp);

/**
 * roce_rto_charge_retry() - charge a retransmission to the retry counter
 * @qp: the QP
 * @now: time
 *
 * If the retry period is over, consumes a retry and starts the next period. Retransmissions within
 * the period cost no retry: a NAK shows that the peer is alive. If a packet never arrives, the
 * retries are used up nevertheless, one per period.
 *
 * Return: false if no retry was left: the QP is in ERR.
 */
bool roce_rto_charge_retry(struct roce_qp *qp, u64 now);

/* The same without a charge: the requester has not been allowed to send in the retry period. */
void roce_rto_waive_retry(struct roce_qp *qp, u64 now);

/* Shorten the PTO: if the responses in flight have not been lost, they arrive at once. */
void roce_rto_hasten_pto(struct roce_req *req);

/* Account for packets sent. */
static inline void roce_rto_on_sent(struct roce_req *req)
{
	req->rto.sent = true;
}

/* Restore the transport retries: the peer is alive (IBTA 9.7.6.1). */
static inline void roce_rto_restore_retries(struct roce_qp *qp)
{
	qp->req.rto.retries_left = qp->attr.retry_cnt;
}

#endif
