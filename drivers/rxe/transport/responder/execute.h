/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Execution of SEND and WRITE requests, for all services. Each packet gets a verdict, which the
 * responder of the service turns into a NAK, an error or a silent drop.
 */
#ifndef ROCE_EXECUTE_H
#define ROCE_EXECUTE_H

#include <roce/qp.h>

enum roce_exec {
	ROCE_EXEC_OK,
	ROCE_NO_RECV,		/* no receive WQE is posted */
	ROCE_INVALID,		/* protocol violation, or wrong length */
	ROCE_EXEC_ACCESS,	/* invalid key, out of bounds or not permitted */
	ROCE_TOO_LONG,		/* longer than the receive WQE, which has been taken */
	ROCE_INV_FAILED,	/* invalid key to invalidate; the receive WQE has been taken */
	ROCE_RECV_MALFORMED,	/* the receive WQE is malformed */
	ROCE_RECV_FAULT,	/* the memory of the receive WQE must not be written */
	ROCE_EXEC_AGAIN,	/* memory is not resident: the packet must be redelivered */
	ROCE_VERDICTS
};

/* The status with which @verdict fails the receive WQE, or ROCE_SUCCESS if it does not. */
enum roce_status roce_verdict_status(enum roce_exec verdict);

/*
 * Check that the QP accepts requests in its state, and raise COMM_EST with the first. A refused
 * packet is counted.
 */
bool roce_request_admit(struct roce_qp *qp);

/*
 * Take a receive WQE into resp.recv_wqe unless there is one. Return: ROCE_EXEC_OK, ROCE_NO_RECV or
 * ROCE_RECV_MALFORMED.
 */
enum roce_exec roce_recv_get(struct roce_qp *qp);

/* True if the QP and the key of the RETH grant @access to its range. */
bool roce_request_check_access(struct roce_qp *qp, const struct roce_pkt *pkt, u32 access);

/*
 * Execute one packet, whose opcode may follow the previous one. The last packet of a message
 * advances the MSN, and completes the receive WQE if the opcode uses one.
 */
enum roce_exec roce_request_send(struct roce_qp *qp, const struct roce_pkt *pkt);
enum roce_exec roce_request_write(struct roce_qp *qp, const struct roce_pkt *pkt);

/**
 * roce_request_drop() - drop the message of a packet that was not executed, UC and UD
 * @qp: the QP
 * @verdict: neither ROCE_EXEC_OK nor ROCE_EXEC_AGAIN
 *
 * Local errors fail the receive WQE and move the QP to ERR (IBTA 9.9.3, class E). Errors of the
 * peer drop the message, and the next one uses the receive WQE (class D). A receive WQE of a shared
 * queue that is too short fails (class E), or this QP might keep it forever.
 */
void roce_request_drop(struct roce_qp *qp, enum roce_exec verdict);

/* The message ends: advance the MSN. */
void roce_msg_complete(struct roce_resp *resp);

/* Complete the receive WQE with the message of @len bytes that ends with @pkt. */
void roce_request_complete(struct roce_qp *qp, const struct roce_pkt *pkt, u32 len);

/* Complete the receive WQE with an error. */
void roce_recv_fail(struct roce_qp *qp, enum roce_status status);

/* Complete the receive WQE with @wc, whose wr_id and is_recv are set here. */
void roce_recv_complete(struct roce_qp *qp, struct roce_wc *wc);

#endif
