/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Congestion notification (RoCEv2 congestion management, IBTA A17.9): a receiver of packets that a
 * switch has marked CE sends CNPs, and the sender of the packets reduces its rate. Compatible with
 * adapters that run DCQCN: the receiver is its notification point, the sender its reaction point.
 */
#ifndef ROCE_CNP_H
#define ROCE_CNP_H

#include <roce/qp.h>

/* Shortest time from one CNP of a QP to the next, ns: 50 us, as DCQCN has it. */
#define ROCE_CNP_INTERVAL_NS	(50 * 1000ull)

/*
 * Process a packet with a CE mark: send a CNP, unless one has been sent just before. Not for ACKs,
 * whose sender could not send fewer. A marked READ response reduces the congestion window of the
 * requester, too.
 */
void roce_cnp_on_ce(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt);

/*
 * Process a CNP, or a packet with BECN: reduce the rates of requests, and of READ responses unless
 * the requester does that. BECN of a READ request shows that it does.
 */
void roce_becn_rx(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt);

/* React to a packet that a queue of this host has dropped: reduce both rates. */
void roce_congestion_react(struct roce_qp *qp, u64 now);

/* Add the CNP that is pending, if any, to @batch. */
void roce_cnp_tx(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch);

#endif
