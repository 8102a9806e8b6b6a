/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Corking: small sends are held back while ACKs are outstanding, and leave as one batch (as TCP
 * autocorking). A batch of them costs both ends little more than one packet.
 */
#ifndef ROCE_CORK_H
#define ROCE_CORK_H

#include "transport/requester/ackreq.h"

/* Packets in flight from which on small sends are corked. */
#define ROCE_CORK_MIN_INFLIGHT	16u
/* Corked WQEs at most: when there are more, all are sent. */
#define ROCE_CORK_MAX_WQES	32u

/*
 * Return true if the packets being sent must ask for an ACK, for the next sends to be corked behind
 * it: an ACK has just released corked WQEs. Nothing is corked where ACKs arrive before the next
 * message is posted.
 */
static inline bool roce_cork_needs_ack(const struct roce_req *req)
{
	return req->cork.active && roce_ackreq_none_outstanding(req) &&
	       roce_req_inflight(req) >= ROCE_CORK_MIN_INFLIGHT;
}

/**
 * roce_cork_small_sends() - decide whether posted WQEs wait for the next ACK
 * @qp: the QP
 *
 * Return: true if all WQEs that have not been sent are corked.
 */
bool roce_cork_small_sends(struct roce_qp *qp);

#endif
