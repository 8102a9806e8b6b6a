// SPDX-License-Identifier: GPL-2.0
/*
 * Trace events of packets: rxe_tx and rxe_rx.
 */
#include <linux/string.h>
#include <roce/psn.h>
#include <roce/wire.h>

#define CREATE_TRACE_POINTS
#include "qp/trace.h"

/* A run stores the headers of its first packet; roce_run_header() derives those of the others. */
static void rxe_trace_tx_run(const struct rxe_ep *ep, const struct roce_tx_run *run)
{
	u8 hdr[ROCE_MAX_HDR];
	u32 i;

	for (i = 0; i < run->npkts; i++) {
		const struct roce_bth *bth = (const void *)hdr;

		roce_run_header(run, i, hdr);
		trace_rxe_tx(ep, bth->opcode, be32_to_cpu(bth->qpn) & ROCE_BTH_QPN,
			     be32_to_cpu(bth->psn) & ROCE_PSN_MASK,
			     be32_to_cpu(bth->psn) & ROCE_BTH_ACKREQ, run->seg_len);
	}
}

void rxe_trace_tx(const struct rxe_ep *ep, const struct roce_tx_batch *batch)
{
	u32 i;

	/* Raw frames have no BTH. */
	if (ep->transport.service == ROCE_RAW)
		return;
	for (i = 0; i < batch->nruns; i++)
		rxe_trace_tx_run(ep, &batch->run[i]);
}

void rxe_trace_rx(const struct rxe_ep *ep, const struct roce_pkt *pkts, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		trace_rxe_rx(ep, pkts[i].opcode, pkts[i].qpn, pkts[i].psn, pkts[i].ack_req,
			     pkts[i].payload_len);
}
