/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The requester: from posted WQEs to request packets, and what brings it back to
 * an earlier PSN.
 */
#ifndef ROCE_REQUESTER_H
#define ROCE_REQUESTER_H

#include <roce/psn.h>
#include <roce/qp.h>

/* A scheduler tick of the peer's must not look like a loss, ns. */
#define ROCE_RTO_MIN	(2 * 1000 * 1000ull)

/* The window that a QP begins with, and one that no loss has limited. */
#define ROCE_WINDOW_INITIAL		256u
#define ROCE_WINDOW_NONE	0xffffffffu

enum roce_wqe_state {
	ROCE_WQE_POSTED,	/* not looked at yet */
	ROCE_WQE_STARTED,	/* has PSNs; some packets may have been sent */
	ROCE_WQE_DONE,		/* a local operation, executed */
};

/* Add request packets to @batch. */
void roce_req_tx(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch);

/* Send again from the oldest unacknowledged PSN on. */
void roce_req_rewind(struct roce_qp *qp, u64 now);

/*
 * The same for what was lost. Unless it has to be @all that follows as well: the peer may
 * hold that, and tell so after a few packets.
 */
void roce_req_resend(struct roce_qp *qp, u64 now, bool all);

/* Something new has been acknowledged. */
void roce_req_progress(struct roce_qp *qp, u64 now);

/* Complete the oldest WQE. */
void roce_req_complete(struct roce_qp *qp, enum roce_status status);

/* Flush the oldest WQE; a local operation that has been executed completes well. */
void roce_req_flush_oldest(struct roce_qp *qp);

/* Complete the oldest WQE with an error, and bring the QP to ERR; UC and UD to SQE. */
void roce_req_fail(struct roce_qp *qp, enum roce_status status);

/* Take one of the retries; false, and the QP has failed, if there is none left. */
bool roce_req_retry(struct roce_qp *qp);

/*
 * Going back once more: take a retry if the local ACK timeout has passed since
 * the last one was taken. A NAK alone takes none, since the peer that sends it is
 * there; but a packet that never gets through ends the connection nevertheless.
 */
bool roce_req_count_attempt(struct roce_qp *qp, u64 now);

/* Complete the local operations that have become the oldest WQEs. */
void roce_req_retire_done(struct roce_qp *qp);

/* Raise the SQ drained event if that is due. */
void roce_req_check_drained(struct roce_qp *qp);

/* Something waits for acknowledgements that have not been asked for: a probe asks at once. */
void roce_req_hurry(struct roce_qp *qp);

void roce_req_timeout(struct roce_qp *qp, u64 now);

/*
 * Starting the WQE at sq.next, which nobody has transmitted from. False if it is
 * not to be gone on with for now.
 */

/* It fails when all before it have completed, so that they complete well. */
bool roce_req_fail_in_turn(struct roce_qp *qp, struct roce_send_wqe *wqe, enum roce_status status);

/* REG_MR takes effect in its turn, LOCAL_INV when nothing can need the key. */
bool roce_req_start_local(struct roce_qp *qp, struct roce_send_wqe *wqe);

/* May its local memory be used? */
bool roce_req_sges_ok(struct roce_qp *qp, struct roce_send_wqe *wqe);

/* Is @psn the last of a piece in which READ @wqe was asked for, but not of the READ? */
bool roce_req_ends_piece(const struct roce_send_wqe *wqe, u32 psn);

static inline bool roce_wqe_is_read_or_atomic(const struct roce_send_wqe *wqe)
{
	return wqe->opcode == ROCE_WR_READ ||
	       wqe->opcode == ROCE_WR_COMPARE_SWAP ||
	       wqe->opcode == ROCE_WR_FETCH_ADD;
}

/* Executed where it is sent to before it is answered, by an empty READ response. */
static inline bool roce_wqe_is_placed(const struct roce_send_wqe *wqe)
{
	return wqe->opcode == ROCE_WR_FLUSH || wqe->opcode == ROCE_WR_ATOMIC_WRITE;
}

/* Ends with a response of its own: takes one of the responder's resources until then. */
static inline bool roce_wqe_is_answered(const struct roce_send_wqe *wqe)
{
	return roce_wqe_is_read_or_atomic(wqe) || roce_wqe_is_placed(wqe);
}

static inline bool roce_wqe_is_local(const struct roce_send_wqe *wqe)
{
	return wqe->opcode == ROCE_WR_LOCAL_INV ||
	       wqe->opcode == ROCE_WR_REG_MR || wqe->opcode == ROCE_WR_BIND_MW;
}

/* PSNs sent and not acknowledged, at most ROCE_MAX_INFLIGHT. */
static inline u32 roce_req_inflight(const struct roce_req *req)
{
	return (req->max_psn - req->una) & ROCE_PSN_MASK;
}

/* Packets of a message, or of the response to a READ; @length up to 2 GiB. */
static inline u32 roce_npkts(u32 length, u32 mtu)
{
	return length ? (length + mtu - 1) / mtu : 1;
}

#endif
