/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Corking: small sends are held back while ACKs are outstanding, and then sent together (as TCP
 * autocorking), with one AckReq for all of them.
 */
#ifndef ROCE_CORK_H
#define ROCE_CORK_H

#include "transport/requester/ackreq.h"

/* Packets in flight from which on small sends are corked. */
#define ROCE_CORK_MIN_INFLIGHT	16u
/* Maximum corked WQEs: with this many unsent WQEs, all are sent. */
#define ROCE_CORK_MAX_WQES	32u

/*
 * Return true if the packets being sent must ask for an ACK, so that the next sends can be corked
 * until it arrives: corked WQEs have just been released. If ACKs arrive before the next message is
 * posted, no WQE is corked, and this returns false.
 */
static inline bool roce_cork_needs_ack(const struct roce_req *req)
{
	return req->cork.active && roce_ackreq_none_outstanding(req) &&
	       roce_req_inflight(req) >= ROCE_CORK_MIN_INFLIGHT;
}

/**
 * roce_cork_small_sends() - cork the unsent WQEs until the next ACK, if all are small
 * @qp: the QP
 *
 * Return: true if all WQEs that have not been sent are corked.
 */
bool roce_cork_small_sends(struct roce_qp *qp);

#endif
