/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reorder queue of the responder. Out-of-order requests are buffered and executed once the hole is
 * filled, so the requester need not retransmit them. Invisible on the wire: retransmissions of
 * buffered packets are treated as duplicates.
 */
#ifndef ROCE_REORDER_H
#define ROCE_REORDER_H

#include <roce/qp.h>

/**
 * roce_reorder_insert() - buffer a packet, if possible
 * @qp: the QP
 * @now: time, ns
 * @pkt: its PSN is after resp.epsn
 *
 * A packet ROCE_REORDER_SLOTS or more ahead, one that is buffered already, and one that
 * ops->retain_pkt cannot retain are treated as lost.
 */
void roce_reorder_insert(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt);

/* True if the packet at @psn, which is after resp.epsn, is buffered. */
bool roce_reorder_contains(const struct roce_resp *resp, u32 psn);

/* Remove the packet at resp.epsn, for the caller to release; NULL if it is not buffered. */
struct roce_pkt *roce_reorder_pop(struct roce_resp *resp);

/* Release the packets before resp.epsn. */
void roce_reorder_trim(struct roce_qp *qp);

/* Release all packets. */
void roce_reorder_purge(struct roce_qp *qp);

#endif
