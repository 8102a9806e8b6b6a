// SPDX-License-Identifier: GPL-2.0
/*
 * QP state: the transition to ERR by the QP itself, and the RNR NAK timer values, which requester
 * and responder share.
 */
#include "transport/common/reorder.h"
#include "transport/common/state.h"

/* IBTA table 45, in units of 10 us. */
static const u32 rnr_10us[32] = {
	65536, 1,    2,	   3,	 4,    6,    8,	   12,	 16,   24,   32,
	48,    64,   96,   128,	 192,  256,  384,  512,	 768,  1024, 1536,
	2048,  3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152,
};

u64 roce_rnr_ns(u8 code)
{
	return rnr_10us[code & ROCE_AETH_VALUE] * 10000ull;
}

void roce_qp_to_err(struct roce_qp *qp)
{
	qp->state = ROCE_ERR;
	qp->resp.ack.pending = false;
	qp->resp.ack.delack_expires = ROCE_NEVER;
	qp->resp.nak_delay.expires = ROCE_NEVER;
	roce_reorder_purge(qp);
}
