// SPDX-License-Identifier: GPL-2.0
/*
 * READ responses received out of order: placement in memory, and the bitmap of their PSNs.
 */
#include <linux/build_bug.h>
#include <linux/errno.h>

#include "transport/requester/ooo_read.h"
#include "transport/requester/read_chunk.h"
#include "transport/common/send_wqe.h"

/*
 * The bit of a PSN is its remainder. As the PSN space is a multiple of the window, two PSNs of the
 * window never share a bit, not even where PSNs wrap around.
 */
static_assert(!((ROCE_PSN_MASK + 1) % ROCE_OOO_READ_WINDOW));
static_assert(!(ROCE_OOO_READ_WINDOW % 64));

bool roce_ooo_read_consume(struct roce_req *req)
{
	u32 i = req->snd.una % ROCE_OOO_READ_WINDOW;

	if (!roce_ooo_read_received(req, req->snd.una))
		return false;
	req->hole.ooo_bitmap[i / 64] &= ~(1ull << i % 64);
	req->hole.ooo_count--;
	return true;
}

static bool begins_by(const struct roce_qp *qp, u32 index, u32 psn)
{
	const struct roce_send_wqe *wqe = roce_sq_wqe(qp, index);

	return index - qp->sq.cons < qp->sq.prod - qp->sq.cons &&
	       wqe->state == ROCE_WQE_STARTED && !roce_psn_before(psn, wqe->first_psn);
}

/*
 * @psn is in flight. Responses mostly arrive in ascending order, so the search starts at the WQE of
 * the previous one. At worst it visits ROCE_OOO_READ_WINDOW WQEs of one packet each, and the local
 * operations between them.
 */
static struct roce_send_wqe *wqe_of_psn(struct roce_qp *qp, u32 psn)
{
	u32 i = begins_by(qp, qp->req.hole.ooo_wqe_hint, psn) ? qp->req.hole.ooo_wqe_hint :
								qp->sq.cons;

	while (roce_sq_wqe(qp, i)->state == ROCE_WQE_DONE ||
	       roce_psn_after(psn, roce_sq_wqe(qp, i)->last_psn))
		i++;
	qp->req.hole.ooo_wqe_hint = i;
	return roce_sq_wqe(qp, i);
}

bool roce_ooo_read_place(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	struct roce_req *req = &qp->req;
	u32 i = pkt->psn % ROCE_OOO_READ_WINDOW;
	struct roce_send_wqe *wqe;
	int err;

	if (((pkt->psn - req->snd.una) & ROCE_PSN_MASK) >= ROCE_OOO_READ_WINDOW ||
	    roce_ooo_read_received(req, pkt->psn))
		return true;
	wqe = wqe_of_psn(qp, pkt->psn);
	if (wqe->opcode != ROCE_WR_READ || !roce_read_response_fits(qp, wqe, pkt))
		return true;
	err = qp->ops->scatter(qp, wqe->sge, wqe->num_sge, roce_read_offset(qp, wqe, pkt->psn),
			       pkt);
	if (err)
		return err != -EAGAIN;
	req->hole.ooo_bitmap[i / 64] |= 1ull << i % 64;
	req->hole.ooo_count++;
	return true;
}
