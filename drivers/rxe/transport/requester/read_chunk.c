// SPDX-License-Identifier: GPL-2.0
/* READ chunks of a READ in progress, when the path becomes congested. */
#include "transport/requester/ooo_read.h"
#include "transport/requester/read_chunk.h"

static u32 offset(const struct roce_send_wqe *wqe, u32 psn)
{
	return roce_psn_before(psn, wqe->first_psn) ? 0 : (psn - wqe->first_psn) & ROCE_PSN_MASK;
}

/* Chunks that end before response @done. */
static u32 ended(const struct roce_send_wqe *wqe, u32 done)
{
	u32 size = wqe->read_chunk, growth = wqe->read_growth, n = 0;

	for (; growth && done / size > 1; growth--, n++)
		size *= 2;
	return n + done / size;
}

/* Chunks that end in [snd.una, snd.max). */
static u32 outstanding(const struct roce_req *req, const struct roce_send_wqe *wqe)
{
	return ended(wqe, offset(wqe, req->snd.max)) - ended(wqe, offset(wqe, req->snd.una));
}

/* The largest chunks are halved: those of slow start are smaller, and no more than them. */
static bool halve(struct roce_send_wqe *wqe)
{
	if (wqe->read_growth)
		wqe->read_growth--;
	else if (wqe->read_chunk % 2)
		return false;
	else
		wqe->read_chunk /= 2;
	return true;
}

/*
 * A chunk that has been requested must end with one of the new size. As it may be requested again,
 * in chunks of that size, these must not be more than the initiator depth allows.
 */
static bool try_to_halve(struct roce_qp *qp, struct roce_send_wqe *wqe)
{
	struct roce_send_wqe smaller = { .first_psn = wqe->first_psn,
					 .read_chunk = wqe->read_chunk,
					 .read_growth = wqe->read_growth };
	struct roce_req *req = &qp->req;
	u32 others = req->snd.read_chunks - outstanding(req, wqe), parts;

	if (!halve(&smaller))
		return false;
	parts = outstanding(req, &smaller);
	if (req->snd.rd_atomic_inflight + others + parts > roce_read_depth(qp))
		return false;
	wqe->read_chunk = smaller.read_chunk;
	wqe->read_growth = smaller.read_growth;
	req->snd.read_chunks = others + parts;
	if (roce_psn_after(req->snd.max, req->hole.split_end))
		req->hole.split_end = req->snd.max;
	req->hole.halved_end = req->snd.max;
	return true;
}

void roce_read_chunk_reduce(struct roce_qp *qp, struct roce_send_wqe *wqe)
{
	u32 wanted = roce_read_chunk_size(&qp->req, roce_read_depth(qp),
					  offset(wqe, wqe->last_psn) + 1);

	while ((wqe->read_chunk << wqe->read_growth) / 2 >= wanted && try_to_halve(qp, wqe))
		;
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
