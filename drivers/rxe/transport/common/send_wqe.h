/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A send WQE: how far it has come, and what kind of work it is.
 */
#ifndef ROCE_SEND_WQE_H
#define ROCE_SEND_WQE_H

#include <roce/qp.h>

enum roce_wqe_state {
	ROCE_WQE_POSTED,	/* not looked at yet */
	ROCE_WQE_STARTED,	/* has PSNs; some packets may have been sent */
	ROCE_WQE_DONE,		/* a local operation, executed */
};

static inline bool roce_wqe_is_read_or_atomic(const struct roce_send_wqe *wqe)
{
	return wqe->opcode == ROCE_WR_READ ||
	       wqe->opcode == ROCE_WR_COMPARE_SWAP ||
	       wqe->opcode == ROCE_WR_FETCH_ADD;
}

/* Executed where it is sent to before it is answered, by an empty READ response. */
static inline bool roce_wqe_is_mpe(const struct roce_send_wqe *wqe)
{
	return wqe->opcode == ROCE_WR_FLUSH || wqe->opcode == ROCE_WR_ATOMIC_WRITE;
}

/* Ends with a response of its own: takes one of the responder's resources until then. */
static inline bool roce_wqe_needs_response(const struct roce_send_wqe *wqe)
{
	return roce_wqe_is_read_or_atomic(wqe) || roce_wqe_is_mpe(wqe);
}

static inline bool roce_wqe_is_local(const struct roce_send_wqe *wqe)
{
	return wqe->opcode == ROCE_WR_LOCAL_INV ||
	       wqe->opcode == ROCE_WR_REG_MR || wqe->opcode == ROCE_WR_BIND_MW;
}

/* Packets of a message, or of the response to a READ; @length up to 2 GiB. */
static inline u32 roce_npkts(u32 length, u32 mtu)
{
	return length ? (length + mtu - 1) / mtu : 1;
}

#endif
