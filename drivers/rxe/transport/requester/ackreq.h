/* SPDX-License-Identifier: GPL-2.0 */
/*
 * AckReq policy of the requester: which packets ask the responder for an ACK.
 *
 * All means by which a QP delays or saves ACKs:
 *
 * AckReq interval (here): the last packet of each @interval packets asks, and so does the last
 *	packet that can be sent for now. Saves the ACKs of the others.
 * AckReq deferral (here): the last packet does not ask if only unsignaled messages would be
 *	acknowledged. Ends with a signaled WQE, 1/4 of the send queue, 1/2 of the window, a
 *	LOCAL_INV that waits for earlier WQEs, state SQD, or the relaxed PTO of 1 ms or more.
 * Quick mode (here): no deferral for ROCE_ACKREQ_QUICK_COUNT AckReqs after that PTO had to expire.
 * Corking (cork.h): small unsignaled messages are not sent while an AckReq is outstanding: until
 *	the next ACK, one RTT; 32 messages at most. One AckReq for all of them.
 * ACK coalescing (responder): one ACK for all packets of a roce_rx() call. Delays nothing.
 * Delayed ACK (responder/delack.h): the ACK of a single-packet message waits for a request of this
 *	side, to leave together with it: SRTT/2, 1 ms at most.
 */
#ifndef ROCE_ACKREQ_H
#define ROCE_ACKREQ_H

#include <linux/minmax.h>
#include <roce/qp.h>
#include <roce/psn.h>
#include "transport/common/send_queue.h"
#include "transport/requester/rtt.h"

/*
 * Length of quick mode, AckReqs. A consumer that posted so seldom that the PTO expired will
 * probably do so again; each time, deferral would cost a probe and 1 ms or more, to save one ACK.
 */
#define ROCE_ACKREQ_QUICK_COUNT		32u

/* Set the AckReq interval to @pkts packets, 1..ROCE_ACKREQ_MAX_INTERVAL. */
static inline void roce_ackreq_set_interval(struct roce_req *req, u32 pkts)
{
	if (likely(req->ackreq.interval == pkts))
		return;
	req->ackreq.interval = pkts;
	/* The requester relies on at least one packet being left in the interval. */
	req->ackreq.pkts_since = min(req->ackreq.pkts_since, req->ackreq.interval - 1);
}

/* Return true if no AckReq is outstanding: all packets in flight were sent after the last one. */
static inline bool roce_ackreq_none_outstanding(const struct roce_req *req)
{
	return roce_req_inflight(req) <= req->ackreq.pkts_since;
}

/* Ask for an ACK of all packets up to the last one of @run, which is timed. */
static inline void roce_ackreq_set(struct roce_req *req, u64 now, struct roce_tx_run *run)
{
	run->ack_last = true;
	if (req->ackreq.is_new)
		roce_rtt_start_sample(req, now, roce_psn_add(run->psn, run->npkts));
	req->ackreq.pkts_since = 0;
	req->ackreq.wanted = false;
}

/* Account for the packets of @run; @wanted: the consumer waits for their completion. */
static inline void roce_ackreq_on_sent(struct roce_req *req, u64 now, struct roce_tx_run *run,
					bool wanted)
{
	req->ackreq.pkts_since += run->npkts;
	req->ackreq.wanted |= wanted;
	if (req->ackreq.pkts_since >= req->ackreq.interval)
		roce_ackreq_set(req, now, run);
}

/* Reset the count of the interval, as all packets have been acknowledged. */
static inline void roce_ackreq_on_all_acked(struct roce_req *req)
{
	req->ackreq.pkts_since = 0;
	req->ackreq.wanted = false;
}

/* Forbid deferral as go-back-N begins: the retransmitted packets must ask for an ACK. */
static inline void roce_ackreq_on_go_back_n(struct roce_req *req)
{
	req->ackreq.pkts_since = 0;
	req->ackreq.wanted = true;
}

/* Have the next packets, a probe, ask for an ACK. Enter quick mode if no AckReq is outstanding. */
static inline void roce_ackreq_on_tlp(struct roce_req *req)
{
	if (req->ackreq.pkts_since && roce_ackreq_none_outstanding(req))
		req->ackreq.quick = ROCE_ACKREQ_QUICK_COUNT;
	req->ackreq.pkts_since = 0;
	req->ackreq.wanted = true;
}

/**
 * roce_ackreq_finish() - set AckReq in the last packet of a batch, or defer that
 * @qp: the QP; packets have been sent since the last AckReq, and no more can be sent now
 * @now: time, ns
 * @run: the last run of the batch
 */
void roce_ackreq_finish(struct roce_qp *qp, u64 now, struct roce_tx_run *run);

#endif
