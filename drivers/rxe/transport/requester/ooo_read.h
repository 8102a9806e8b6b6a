/* SPDX-License-Identifier: GPL-2.0 */
/*
 * READ responses received out of order. The PSN of a response determines the address of its data,
 * so the data is placed at once (direct data placement), and a bitmap records the PSN. hole.h
 * re-requests the missing responses.
 */
#ifndef ROCE_OOO_READ_H
#define ROCE_OOO_READ_H

#include <roce/psn.h>
#include <roce/qp.h>

/* Return true if the response of @psn, snd.una or later, has been received. */
static inline bool roce_ooo_read_received(const struct roce_req *req, u32 psn)
{
	u32 i = psn % ROCE_OOO_READ_WINDOW;

	return ((psn - req->snd.una) & ROCE_PSN_MASK) < ROCE_OOO_READ_WINDOW &&
	       req->hole.ooo_bitmap[i / 64] >> i % 64 & 1;
}

/* Clear the bit of snd.una, which is in order now. Return false if it was not set. */
bool roce_ooo_read_consume(struct roce_req *req);

/**
 * roce_ooo_read_place() - place the data of an out-of-order READ response
 * @qp: the QP
 * @pkt: the response; its PSN is in flight and after snd.una
 *
 * Ignores responses ROCE_OOO_READ_WINDOW or more PSNs after snd.una, duplicates, and malformed
 * responses: these fail the READ when they arrive in order.
 *
 * Return: false if the packet must be redelivered, as its memory is not resident.
 */
bool roce_ooo_read_place(struct roce_qp *qp, const struct roce_pkt *pkt);

#endif
