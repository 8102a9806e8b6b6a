// SPDX-License-Identifier: GPL-2.0
/*
 * Retransmission and probe timeouts from the RTT (as RFC 6298 and RFC 8985), within the local ACK
 * timeout and the retry counter (IBTA 9.7.6.1.3).
 */
#include <linux/minmax.h>

#include "transport/common/send_queue.h"
#include "transport/requester/rto.h"

/* Minimum RTO, 2 ms: a delay of one scheduler tick at the peer must not count as a loss. */
#define ROCE_RTO_MIN_NS		(2 * 1000 * 1000ull)
/* RTO before the first RTT sample, 50 ms. */
#define ROCE_RTO_INITIAL_NS	(50 * 1000 * 1000ull)
/* Maximum RTO, 4 s; and the retry period of NAKs and holes if the local ACK timeout is infinite. */
#define ROCE_RTO_MAX_NS		(4 * 1000 * 1000 * 1000ull)
/* Minimum PTO, 100 us. It is below the minimum RTO, as a spurious probe costs only one packet. */
#define ROCE_PTO_MIN_NS		(100 * 1000ull)
/* PTO before the first RTT sample, 1 ms. */
#define ROCE_PTO_INITIAL_NS	(1000 * 1000ull)
/* Minimum PTO while no AckReq is outstanding, 1 ms: the consumer does not wait for the ACK. */
#define ROCE_PTO_RELAXED_NS	(1000 * 1000ull)
/* Minimum retry period, 250 ms; less if four local ACK timeouts are shorter. */
#define ROCE_RETRY_PERIOD_MIN_NS	(250 * 1000 * 1000ull)

/* ROCE_NEVER if infinite. */
static u64 local_ack_timeout(const struct roce_qp *qp)
{
	return qp->attr.timeout ? 4096ull << qp->attr.timeout : ROCE_NEVER;
}

static u64 rto_from_rtt(const struct roce_req *req)
{
	return min(2 * req->rtt.srtt + 4 * req->rtt.rttvar, ROCE_RTO_MAX_NS);
}

/*
 * The specification permits a period of one to four local ACK timeouts (IBTA 9.7.6.1.3). Short
 * timeouts are extended to ROCE_RETRY_PERIOD_MIN_NS, or to four timeouts if these are shorter: a
 * peer in software may not be scheduled for longer than a short timeout. The RTO repairs losses
 * within the period.
 */
static u64 retry_period(const struct roce_qp *qp)
{
	u64 timeout = local_ack_timeout(qp);

	if (timeout >= ROCE_RETRY_PERIOD_MIN_NS)
		return timeout;
	return min(4 * timeout, ROCE_RETRY_PERIOD_MIN_NS);
}

static u64 max_rto(const struct roce_qp *qp)
{
	return min(max(local_ack_timeout(qp), rto_from_rtt(&qp->req)), ROCE_RTO_MAX_NS);
}

static u64 estimated_rto(const struct roce_qp *qp)
{
	const struct roce_req *req = &qp->req;
	u64 rto = req->rtt.srtt ? max(rto_from_rtt(req), ROCE_RTO_MIN_NS) : ROCE_RTO_INITIAL_NS;

	return min(rto, max_rto(qp));
}

static u64 pto_interval(const struct roce_req *req)
{
	if (!req->rtt.srtt)
		return ROCE_PTO_INITIAL_NS;
	return max(req->rtt.srtt + max(4 * req->rtt.rttvar, req->rtt.srtt / 2), ROCE_PTO_MIN_NS);
}

void roce_rto_arm(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;
	u64 period = retry_period(qp);

	req->rto.expires = now + req->rto.timeout;
	if (period != ROCE_NEVER)
		req->rto.expires = min(req->rto.expires, req->rto.retry_period_start + period);
	req->rto.pto = pto_interval(req);
	req->rto.base = now;
	req->rto.pto_expired = false;
}

static void start_period(struct roce_req *req, u64 now)
{
	req->rto.retry_period_start = now;
	req->rto.sent = false;
}

void roce_rto_start(struct roce_qp *qp, u64 now)
{
	start_period(&qp->req, now);
	roce_rto_arm(qp, now);
}

void roce_rto_start_relaxed(struct roce_qp *qp, u64 now)
{
	struct roce_req *req = &qp->req;

	roce_rto_start(qp, now);
	req->rto.pto = max(req->rto.pto, ROCE_PTO_RELAXED_NS);
}

void roce_rto_on_progress(struct roce_qp *qp, u64 now)
{
	roce_rto_restore_retries(qp);
	start_period(&qp->req, now);
	qp->req.rto.timeout = estimated_rto(qp);
}

void roce_rto_back_off(struct roce_qp *qp)
{
	qp->req.rto.timeout = min(qp->req.rto.timeout * 2, max_rto(qp));
}

void roce_rto_back_off_pto(struct roce_req *req, u64 now)
{
	req->rto.pto *= 2;
	req->rto.base = now;
	req->rto.pto_expired = false;
}

void roce_rto_hasten_pto(struct roce_req *req)
{
	req->rto.pto = min(req->rto.pto, max(req->rtt.srtt / 2, ROCE_PTO_MIN_NS));
}

bool roce_rto_pto_extended(const struct roce_req *req)
{
	return req->rto.pto > pto_interval(req);
}

bool roce_rto_pto_is_initial(const struct roce_req *req)
{
	return !req->rtt.srtt && req->rto.pto == ROCE_PTO_INITIAL_NS;
}

void roce_rto_expire_by(struct roce_req *req, u64 when)
{
	req->rto.expires = min(req->rto.expires, when);
}

void roce_rto_expire_pto(struct roce_qp *qp)
{
	if (qp->req.ackreq.pkts_since)
		qp->req.rto.pto_expired = true;
}

static bool consume_retry(struct roce_qp *qp)
{
	if (qp->req.rto.retries_left) {
		qp->req.rto.retries_left--;
		return true;
	}
	qp->ops->count(qp, ROCE_COUNT_RETRY_EXC, 1);
	roce_sq_fail(qp, ROCE_RETRY_EXC_ERR);
	return false;
}

static bool period_over(const struct roce_qp *qp, u64 now)
{
	u64 period = retry_period(qp);

	if (period == ROCE_NEVER)
		period = ROCE_RTO_MAX_NS;
	return now - qp->req.rto.retry_period_start >= period;
}

bool roce_rto_charge_retry(struct roce_qp *qp, u64 now)
{
	if (!period_over(qp, now))
		return true;
	start_period(&qp->req, now);
	return consume_retry(qp);
}

void roce_rto_waive_retry(struct roce_qp *qp, u64 now)
{
	if (period_over(qp, now))
		start_period(&qp->req, now);
}
