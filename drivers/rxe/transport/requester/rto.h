/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loss timers of the requester: the retransmission timeout (RTO), the probe timeout (PTO), and the
 * period of the local ACK timeout (IBTA 9.7.6.1.3), each of which costs a retry. The list of all
 * timers is in recovery.c. Nothing else writes struct roce_rto. All times are in ns.
 */
#ifndef ROCE_RTO_H
#define ROCE_RTO_H

#include <linux/minmax.h>
#include <roce/qp.h>
#include "transport/common/send_queue.h"

/**
 * roce_rto_arm() - start RTO and PTO again
 * @qp: the QP; packets are in flight
 * @now: time
 */
void roce_rto_arm(struct roce_qp *qp, u64 now);

/* Start a retry period, RTO and PTO. */
void roce_rto_start(struct roce_qp *qp, u64 now);

/* The same with the relaxed PTO: no AckReq is outstanding, and the consumer does not wait. */
void roce_rto_start_relaxed(struct roce_qp *qp, u64 now);

/* New data has been acknowledged: restore the retries, start a retry period, compute the RTO. */
void roce_rto_on_progress(struct roce_qp *qp, u64 now);

/* Double the RTO after it has expired, up to the longer of local ACK timeout and estimate. */
void roce_rto_back_off(struct roce_qp *qp);

/* Double the PTO after it has expired, and start it again. */
void roce_rto_back_off_pto(struct roce_req *req, u64 now);

/* Return true if the PTO is longer than the RTT suggests: relaxed, or backed off after a probe. */
bool roce_rto_pto_extended(const struct roce_req *req);

/* Return true if the PTO is that before the first response and the first probe. */
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
 * Takes a retry if the retry period is over, and starts the next. A NAK within the period costs no
 * retry, as the peer that sends it is alive; but a packet that never arrives ends the connection
 * nevertheless.
 *
 * Return: false if no retry was left: the QP is in ERR.
 */
bool roce_rto_charge_retry(struct roce_qp *qp, u64 now);

/* Restore the transport retries: the peer is alive (IBTA 9.7.6.1). */
static inline void roce_rto_restore_retries(struct roce_qp *qp)
{
	qp->req.rto.retries_left = qp->attr.retry_cnt;
}

#endif
