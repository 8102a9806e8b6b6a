/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Delayed ACK (IBTA 9.7.5.1.2 allows it). If the consumer usually replies to a message at once, the
 * ACK waits for the reply and is sent before it, in the same batch: one doorbell instead of two.
 */
#ifndef ROCE_DELACK_H
#define ROCE_DELACK_H

#include <roce/qp.h>

/* AckReqs in a batch from which on the ACK is not delayed. */
#define ROCE_ACK_IMMEDIATE 2u

/* Send an ACK after this batch, without delay. */
static inline void roce_ack_now(struct roce_resp *resp, u32 *ack_reqs)
{
	resp->ack.pending = true;
	*ack_reqs = ROCE_ACK_IMMEDIATE;
}

/**
 * roce_delack_schedule() - decide whether the pending ACK is delayed, after a batch of packets
 * @qp: the QP
 * @now: time, ns
 * @ack_reqs: AckReqs in the batch, at least 1; one that must not be delayed counts as
 *	ROCE_ACK_IMMEDIATE
 */
void roce_delack_schedule(struct roce_qp *qp, u64 now, u32 ack_reqs);

/* Requests have been sent, and the pending ACK before them, if there was one. */
void roce_delack_piggybacked(struct roce_qp *qp, u64 now);

#endif
