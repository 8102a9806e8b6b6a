/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Send WQE: its state, and classes of opcodes.
 */
#ifndef ROCE_SEND_WQE_H
#define ROCE_SEND_WQE_H

#include <roce/qp.h>

enum roce_wqe_state {
	ROCE_WQE_POSTED,	/* not started */
	ROCE_WQE_STARTED,	/* has PSNs; packets may have been sent */
	ROCE_WQE_DONE,		/* local operation that has been executed */
};

static inline bool roce_wqe_is_read_or_atomic(const struct roce_send_wqe *wqe)
{
	return wqe->opcode == ROCE_WR_READ ||
	       wqe->opcode == ROCE_WR_COMPARE_SWAP ||
	       wqe->opcode == ROCE_WR_FETCH_ADD;
}

/* FLUSH or ATOMIC WRITE (IBTA A19), which an empty READ response answers. */
static inline bool roce_wqe_is_mpe(const struct roce_send_wqe *wqe)
{
	return wqe->opcode == ROCE_WR_FLUSH || wqe->opcode == ROCE_WR_ATOMIC_WRITE;
}

/* Completed by a response, until which it occupies a responder resource of the peer. */
static inline bool roce_wqe_needs_response(const struct roce_send_wqe *wqe)
{
	return roce_wqe_is_read_or_atomic(wqe) || roce_wqe_is_mpe(wqe);
}

static inline bool roce_wqe_is_local(const struct roce_send_wqe *wqe)
{
	return wqe->opcode == ROCE_WR_LOCAL_INV ||
	       wqe->opcode == ROCE_WR_REG_MR || wqe->opcode == ROCE_WR_BIND_MW;
}

/* Packets of a message or of the response to a READ; @length up to 2 GiB. */
static inline u32 roce_npkts(u32 length, u32 mtu)
{
	return length ? (length + mtu - 1) / mtu : 1;
}

#endif
