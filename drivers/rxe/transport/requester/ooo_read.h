/* SPDX-License-Identifier: GPL-2.0 */
/*
 * READ responses that arrive ahead of their turn. Where their bytes go depends on no other, so
 * they are stored at once, and a bit says that they are there; what they overtook, or what was
 * lost before them, is all that is missing then (gap.h).
 */
#ifndef ROCE_EARLY_H
#define ROCE_EARLY_H

#include <roce/psn.h>
#include <roce/qp.h>

/* Is the response of @psn, which is not before req.snd.una, there already? */
static inline bool roce_ooo_read_received(const struct roce_req *req, u32 psn)
{
	u32 i = psn % ROCE_OOO_READ_WINDOW;

	return ((psn - req->snd.una) & ROCE_PSN_MASK) < ROCE_OOO_READ_WINDOW &&
	       req->hole.ooo_bitmap[i / 64] >> i % 64 & 1;
}

/* If the response of req.snd.una is there, forget that, and return true: it is in its turn now. */
bool roce_ooo_read_consume(struct roce_req *req);

/*
 * Store the READ response @pkt, ahead of req.snd.una but in flight. One that is not as it should be
 * is not there, and its turn will tell. Return: false if it must be redelivered.
 */
bool roce_ooo_read_place(struct roce_qp *qp, const struct roce_pkt *pkt);

#endif
