/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tail duplication: after a loss, the last packet of each of the next ROCE_TAILDUP_BUDGET flights
 * is sent twice. If packets at the end of the flight are lost, the duplicate causes a NAK after one
 * RTT; without it, a tail loss probe would have to find the loss, after one PTO.
 */
#ifndef ROCE_TAILDUP_H
#define ROCE_TAILDUP_H

#include <roce/qp.h>

/* Tail packets duplicated after a loss; the most that roce_taildup.budget can hold. */
#define ROCE_TAILDUP_BUDGET	255u

/* A loss has been detected: duplicate the tails of the next flights. */
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

/* Account for the duplicate, the only packet of @run: it asks for an ACK, in an skb of its own. */
void roce_taildup_on_sent(struct roce_qp *qp, u64 now, struct roce_tx_run *run);

/**
 * roce_taildup_is_nak() - test for a NAK caused by the duplicate
 * @req: the requester, which has received a NAK
 * @now: time, ns
 *
 * If a packet before the tail is lost, both copies of the tail cause a NAK. The second must not
 * cause another rewind. It arrives within one SRTT of the rewind that the first caused; a NAK of
 * the packets retransmitted by that rewind takes at least one RTT.
 *
 * Return: true for the second NAK, once for each duplicate.
 */
bool roce_taildup_is_nak(struct roce_req *req, u64 now);

#endif
