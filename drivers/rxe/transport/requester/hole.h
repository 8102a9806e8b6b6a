/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The gap between the response that is awaited and what the peer has been seen to answer since:
 * how long it may be that others have overtaken it, and what is asked for again then. That is
 * what is missing, and no more: what lies beyond need not be sent again.
 */
#ifndef ROCE_GAP_H
#define ROCE_GAP_H

#include <roce/psn.h>
#include <roce/qp.h>

/* Is something missing before what has arrived? */
static inline bool roce_hole_exists(const struct roce_req *req)
{
	return req->hole.reo_timer != ROCE_NEVER;
}

/* What lies before @end, which is beyond req.snd.una, has been answered. */
void roce_hole_extend(struct roce_qp *qp, u64 now, u32 end);

/*
 * The peer has refused the request at @psn, beyond req.snd.una: what lies before has been answered,
 * and it is sent again together with what is missing of that.
 */
void roce_hole_on_nak(struct roce_qp *qp, u64 now, u32 psn);

/* A gap is known, and req.snd.una has moved on from @was. */
void roce_hole_on_progress(struct roce_qp *qp, u64 now, u32 was);

/* The response of req.hole.rexmit_arrived_psn has come once more. */
void roce_hole_on_duplicate(struct roce_req *req);

/* If it is time to, have what is missing asked for. */
void roce_hole_retransmit(struct roce_qp *qp, u64 now);

/*
 * A gap is known: bring the requester to what is to be sent, past responses that are there already
 * and, while req.hole.filling, to the next request that has a part in what is missing.
 */
void roce_hole_skip_received(struct roce_qp *qp);

/*
 * Responses to ask for at req.snd.nxt, up to the end of the piece of @wqe. Of what is asked for
 * again, the last ones that are there are left out; not those between, as there is one request for
 * a piece (read_piece.h).
 */
u32 roce_hole_request_len(struct roce_req *req, const struct roce_send_wqe *wqe);

/* A READ begins. What lies far behind would be taken for what lies ahead one day. */
static inline void roce_hole_reset_split(struct roce_req *req)
{
	if (!req->snd.rd_atomic_inflight || roce_psn_before(req->hole.split_end, req->snd.una))
		req->hole.split_end = req->snd.una;
}

#endif
