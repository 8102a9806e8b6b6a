/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tail duplication: for a while after a loss, the last packet of a flight is sent twice. If the end
 * of the flight is lost, a NAK reports it after one RTT, instead of a probe after one PTO.
 */
#ifndef ROCE_TAILDUP_H
#define ROCE_TAILDUP_H

#include <roce/qp.h>

/* Tail packets duplicated after a loss. */
#define ROCE_TAILDUP_BUDGET	255u

/* A loss has been detected. */
static inline void roce_taildup_on_loss(struct roce_req *req)
{
	req->taildup.budget = ROCE_TAILDUP_BUDGET;
}

/* Go-back-N begins: the tail is retransmitted anyway. */
static inline void roce_taildup_on_go_back_n(struct roce_req *req)
{
	req->taildup.last_max = req->snd.max;
}

/**
 * roce_taildup_prepare() - move snd.nxt back to the tail packet, to send it a second time
 * @qp: the QP
 *
 * Return: false if there is nothing to duplicate: more packets can be sent, the tail has been
 * duplicated or retransmitted, it needs a response of its own, or READ responses are missing.
 */
bool roce_taildup_prepare(struct roce_qp *qp);

/* The duplicate is @run. */
void roce_taildup_on_sent(struct roce_qp *qp, struct roce_tx_run *run);

/**
 * roce_taildup_is_nak() - does the duplicate explain a NAK?
 * @req: the requester
 * @now: time
 *
 * Both copies of the tail cause a NAK when a packet before them is lost. The second NAK must not
 * cause another rewind: packets retransmitted after the first take one RTT to be refused.
 *
 * Return: true for the second NAK, once.
 */
bool roce_taildup_is_nak(struct roce_req *req, u64 now);

#endif
