/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What SEND and WRITE requests do, whatever the service: the verdict on each packet,
 * from which the responder of the service makes a NAK, an error or silence.
 */
#ifndef ROCE_REQUEST_H
#define ROCE_REQUEST_H

#include <roce/qp.h>

enum roce_exec {
	ROCE_EXEC_OK,
	ROCE_NO_RECV,		/* there is no receive WQE */
	ROCE_INVALID,		/* against the protocol, or longer than announced */
	ROCE_EXEC_ACCESS,		/* key, bounds or rights */
	ROCE_TOO_LONG,		/* for the receive WQE, which is at hand */
	ROCE_INV_FAILED,	/* the key to invalidate; the receive WQE is at hand */
	ROCE_RECV_MALFORMED,	/* the receive WQE is */
	ROCE_RECV_FAULT,	/* the memory of the receive WQE may not be written */
	ROCE_EXEC_AGAIN,		/* memory is to be brought in: the packet will come again */
	ROCE_VERDICTS
};

/* The completion status of a receive WQE at which the verdict finds fault, else ROCE_SUCCESS. */
enum roce_status roce_verdict_status(enum roce_exec verdict);

/* A packet for the QP: false, and counted, if the state takes none. Raises COMM_EST. */
bool roce_request_admit(struct roce_qp *qp);

/* Have a receive WQE at hand: ROCE_EXEC_OK, ROCE_NO_RECV or ROCE_RECV_MALFORMED. */
enum roce_exec roce_recv_get(struct roce_qp *qp);

/* May the peer reach what the packet's RETH names? */
bool roce_request_check_access(struct roce_qp *qp, const struct roce_pkt *pkt, u32 access);

/*
 * Execute a packet that follows the one before. Those that are the last of their
 * message end it, and complete the receive WQE if they use one.
 */
enum roce_exec roce_request_send(struct roce_qp *qp, const struct roce_pkt *pkt);
enum roce_exec roce_request_write(struct roce_qp *qp, const struct roce_pkt *pkt);

/*
 * UC, UD: a packet that was not accepted. Faults of this side's own end the QP (class E of
 * IBTA 9.9.3), the peer's only the message (class D); a receive WQE at hand is kept. One of a
 * shared queue that is too short is not: it might be kept from others for good (class E).
 */
void roce_request_drop(struct roce_qp *qp, enum roce_exec verdict);

/* A message has ended. */
void roce_msg_complete(struct roce_resp *resp);

/* Complete the receive WQE in use: by the message that @pkt ends, of @len bytes. */
void roce_request_complete(struct roce_qp *qp, const struct roce_pkt *pkt, u32 len);
void roce_recv_fail(struct roce_qp *qp, enum roce_status status);
void roce_recv_complete(struct roce_qp *qp, struct roce_wc *wc);

#endif
