/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What brings the requester back to an earlier PSN, and what keeps it waiting.
 */
#ifndef ROCE_RETRANSMIT_H
#define ROCE_RETRANSMIT_H

#include <roce/qp.h>
#include "transport/requester/cc.h"

/* A scheduler tick of the peer's must not look like a loss, ns. */
#define ROCE_RTO_MIN	(2 * 1000 * 1000ull)

/* How often asking again in vain doubles the time until the next. */
#define ROCE_REWIND_BACKOFF_MAX	16u

/*
 * Something is in flight: probe after a round trip, retransmit after the
 * interval, count after the timeout.
 */
void roce_rto_arm(struct roce_qp *qp, u64 now);

/* The same for what no acknowledgement has been asked for, as nobody waits for it. */
void roce_rto_arm_relaxed(struct roce_qp *qp, u64 now);

/* Something new has been acknowledged. */
void roce_loss_on_progress(struct roce_qp *qp, u64 now);

/* Bring the requester to the oldest unacknowledged PSN, or to what has not been sent yet. */
void roce_snd_rewind(struct roce_qp *qp);
void roce_snd_fast_forward(struct roce_qp *qp);

/* Send again from the oldest unacknowledged PSN on. */
void roce_loss_go_back_n(struct roce_qp *qp, u64 now);

/* The same for what was lost. The peer may hold what follows, and tell so after a few packets. */
void roce_loss_retransmit(struct roce_qp *qp, u64 now);

/*
 * Going back once more: take a retry if the local ACK timeout has passed since
 * the last one was taken. A NAK alone takes none, since the peer that sends it is
 * there; but a packet that never gets through ends the connection nevertheless.
 * False, and the QP has failed, if there is none left.
 */
bool roce_loss_charge_retry(struct roce_qp *qp, u64 now);

/* Something waits for acknowledgements that have not been asked for: a probe asks at once. */
void roce_rto_expire_pto(struct roce_qp *qp);

/*
 * The peer has sent a request. If what is unacknowledged was sent a round trip and a half ago, its
 * acknowledgement should have come before, and is lost, or what it was to answer is: ask without
 * waiting for the deadline, of which there is one.
 */
void roce_loss_on_peer_request(struct roce_qp *qp, u64 now);

/*
 * If nothing is left to be sent, and the last packet sent is of a SEND or WRITE and has not been
 * repeated, bring the requester back to it. Returns whether that is so.
 */
bool roce_taildup_prepare(struct roce_qp *qp);

/* The time is past req.loss.deadline. */
void roce_loss_on_timeout(struct roce_qp *qp, u64 now);

/* How long an answer takes, as far as is known, ns. */
static inline u64 roce_rtt_srtt_or_default(const struct roce_req *req)
{
	return req->rtt.srtt ? req->rtt.srtt : ROCE_RTO_MIN;
}

/* Is no acknowledgement on its way? What was put off may have come along with one. */
static inline bool roce_ackreq_none_outstanding(const struct roce_req *req)
{
	return roce_req_inflight(req) <= req->ackreq.pkts_since;
}

#endif
