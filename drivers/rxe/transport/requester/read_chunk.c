// SPDX-License-Identifier: GPL-2.0
/* READ chunks of a READ in progress, when the path becomes congested. */
#include "transport/requester/ooo_read.h"
#include "transport/requester/read_chunk.h"

static u32 offset(const struct roce_send_wqe *wqe, u32 psn)
{
	return roce_psn_before(psn, wqe->first_psn) ? 0 : (psn - wqe->first_psn) & ROCE_PSN_MASK;
}

/* Chunks of @size packets that end in [snd.una, snd.max). */
static u32 outstanding(const struct roce_req *req, const struct roce_send_wqe *wqe, u32 size)
{
	return offset(wqe, req->snd.max) / size - offset(wqe, req->snd.una) / size;
}

/*
 * A chunk that has been requested must end with one of the new size. As it may be requested again,
 * in chunks of that size, these must not be more than the initiator depth allows.
 */
static bool can_halve(const struct roce_qp *qp, const struct roce_send_wqe *wqe)
{
	u32 others = qp->req.snd.rd_atomic_inflight + qp->req.snd.read_chunks -
		     outstanding(&qp->req, wqe, wqe->read_chunk);

	return !(wqe->read_chunk % 2) &&
	       others + outstanding(&qp->req, wqe, wqe->read_chunk / 2) <= roce_read_depth(qp);
}

static void halve(struct roce_req *req, struct roce_send_wqe *wqe)
{
	req->snd.read_chunks -= outstanding(req, wqe, wqe->read_chunk);
	wqe->read_chunk /= 2;
	req->snd.read_chunks += outstanding(req, wqe, wqe->read_chunk);
	if (roce_psn_after(req->snd.max, req->hole.split_end))
		req->hole.split_end = req->snd.max;
	req->hole.halved_end = req->snd.max;
}

void roce_read_chunk_reduce(struct roce_qp *qp, struct roce_send_wqe *wqe)
{
	u32 wanted = roce_read_chunk_size(&qp->req, roce_read_depth(qp),
					  offset(wqe, wqe->last_psn) + 1);

	while (wqe->read_chunk / 2 >= wanted && can_halve(qp, wqe))
		halve(&qp->req, wqe);
}

/* A response of @wqe before snd.nxt is missing. */
static bool missing_before(const struct roce_req *req, const struct roce_send_wqe *wqe)
{
	u32 psn = roce_psn_after(wqe->first_psn, req->snd.una) ? wqe->first_psn : req->snd.una;

	for (; roce_psn_before(psn, req->snd.nxt); psn = roce_psn_add(psn, 1))
		if (!roce_ooo_read_received(req, psn))
			return true;
	return false;
}

bool roce_read_chunk_must_wait(const struct roce_qp *qp, const struct roce_send_wqe *wqe)
{
	const struct roce_req *req = &qp->req;

	if (req->snd.nxt == req->snd.max || req->loss.peer_buffers)
		return false;
	return roce_psn_before(req->snd.nxt, req->hole.halved_end) && missing_before(req, wqe);
}
