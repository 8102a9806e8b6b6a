/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Snapshot of a QP's state for observers (as TCP's tcp_info): resource tracking, trace events, log
 * messages.
 */
#ifndef ROCE_INFO_H
#define ROCE_INFO_H

#include <roce/qp.h>

/**
 * struct roce_qp_info - state of a QP
 * @srtt: smoothed RTT, ns; 0 before the first sample
 * @rto: retransmission timeout in force, ns
 * @sq_posted: send WQEs posted and not completed
 * @sq_unsent: send WQEs that have packets to send
 * @nxt: PSN of the next packet to send
 * @una: oldest unacknowledged PSN
 * @max: one past the highest PSN sent
 * @window: effective congestion window, packets
 * @rd_atomic: READs and atomics in flight as requester
 * @epsn: expected PSN of the responder
 * @msn: messages completed by the responder, 24 bits
 * @reorder_count: packets in the reorder queue
 * @responses_scheduled: accepted READs, atomics, FLUSHes and ATOMIC WRITEs with responses to send
 * @retries_left: transport retries left
 * @rnr_retries_left: RNR retries left
 * @rnr_wait: the RNR timer is running
 */
struct roce_qp_info {
	u64 srtt;
	u64 rto;
	u32 sq_posted;
	u32 sq_unsent;
	u32 nxt;
	u32 una;
	u32 max;
	u32 window;
	u32 rd_atomic;
	u32 epsn;
	u32 msn;
	u32 reorder_count;
	u32 responses_scheduled;
	u8 retries_left;
	u8 rnr_retries_left;
	bool rnr_wait;
};

/**
 * roce_qp_get_info() - take a snapshot
 * @qp: the QP, in any state
 * @info: filled in
 *
 * Context: serialised with all other calls on the QP.
 */
void roce_qp_get_info(const struct roce_qp *qp, struct roce_qp_info *info);

/* Return the smoothed RTT, ns; 0 before the first sample. For callers that need it per packet. */
static inline u64 roce_qp_srtt(const struct roce_qp *qp)
{
	return qp->req.rtt.srtt;
}

#endif
