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
 * The responder still answers READs and atomics that it has accepted, so that they do not fail
 * because of a later request, and still sends a NAK that it has raised. Nothing else is sent or
 * accepted. roce_flush() completes the posted WQEs.
 */
void roce_qp_to_err(struct roce_qp *qp);

#endif
