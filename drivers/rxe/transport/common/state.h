/* SPDX-License-Identifier: GPL-2.0 */
/*
 * QP state: states that accept requests, and the transition to ERR by the QP itself.
 */
#ifndef ROCE_STATE_H
#define ROCE_STATE_H

#include <roce/qp.h>

/* Return true if the responder accepts requests in the QP's state (IBTA 10.3.1). */
static inline bool roce_takes_requests(const struct roce_qp *qp)
{
	return qp->state == ROCE_RTR || qp->state == ROCE_RTS || qp->state == ROCE_SQD ||
	       qp->state == ROCE_SQE;
}

/**
 * roce_qp_to_err() - move a QP to state ERR after an error
 * @qp: the QP
 *
 * The responder still sends the responses to READs and atomics that it has accepted, which must not
 * fail because of a later request, and a NAK that it has raised. Other packets are neither sent nor
 * accepted. The caller flushes the posted WQEs with roce_flush().
 */
void roce_qp_to_err(struct roce_qp *qp);

#endif
