/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When an acknowledgement is sent (IBTA 9.7.5.1.2). A message that has mostly been answered by one
 * of ours at once has its acknowledgement wait for that, and go in front of it, so that both are
 * one notice to the interface.
 */
#ifndef ROCE_ACK_H
#define ROCE_ACK_H

#include <roce/qp.h>

/* As a number of messages: an acknowledgement of them does not wait. */
#define ROCE_ACK_IMMEDIATE 2u

/* What has arrived is to be acknowledged at once. */
static inline void roce_ack_now(struct roce_resp *resp)
{
	resp->ack.pending = true;
	resp->ack.batch_reqs = ROCE_ACK_IMMEDIATE;
}

/* The batch in which resp.ack.batch_reqs has been counted ends. */
void roce_delack_schedule(struct roce_qp *qp, u64 now);

/* Requests have been sent. */
void roce_delack_piggybacked(struct roce_qp *qp, u64 now);

#endif
