/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How much may be unacknowledged: the window, and what it follows from.
 */
#ifndef ROCE_WINDOW_H
#define ROCE_WINDOW_H

#include <linux/minmax.h>
#include <roce/psn.h>
#include <roce/qp.h>

/* The window that a QP begins with, and one that no loss has limited. */
#define ROCE_CC_INIT_CWND	256u
#define ROCE_CC_SSTHRESH_INFINITE	0xffffffffu

/* If what has been answered, up to @end, ends a round trip that is being measured, take it. */
void roce_rtt_update(struct roce_req *req, u64 now, u32 end);

/* Something was lost, or seems to be. What else is lost until it is repaired counts as one. */
void roce_cc_on_loss(struct roce_req *req);

/*
 * Of what was lost, send a few packets again and no more: the peer may hold what follows, and
 * tell so.
 */
void roce_loss_enter_fast_retransmit(struct roce_req *req);

/*
 * Something new has been acknowledged. After a loss that decides how to go on: all of it, and the
 * loss is repaired; less, and either the peer holds nothing or more than a packet was lost. Then
 * all is sent again, and for the next losses as well, at once.
 */
void roce_cc_on_ack(struct roce_req *req);

/* PSNs sent and not acknowledged, at most ROCE_MAX_INFLIGHT. */
static inline u32 roce_req_inflight(const struct roce_req *req)
{
	return (req->snd.max - req->snd.una) & ROCE_PSN_MASK;
}

/* Packets that may be sent before something is acknowledged. */
static inline u32 roce_cc_send_allowance(const struct roce_req *req)
{
	u32 used = (req->snd.nxt - req->snd.una) & ROCE_PSN_MASK;
	u32 window = min(req->cc.cwnd_clamp, req->cc.cwnd);

	return used < window ? window - used : 0;
}

#endif
