/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ROCE_STATE_H
#define ROCE_STATE_H

#include <roce/qp.h>

static inline bool roce_takes_requests(const struct roce_qp *qp)
{
	return qp->state == ROCE_RTR || qp->state == ROCE_RTS || qp->state == ROCE_SQD ||
	       qp->state == ROCE_SQE;
}

/*
 * To state ERR by the QP's own doing. READs and atomics accepted before are still
 * answered, so that they do not fail for what came behind them, and a NAK already
 * raised will still be sent; nothing else is sent or accepted, and roce_flush()
 * completes what is posted.
 */
void roce_qp_to_err(struct roce_qp *qp);

#endif
