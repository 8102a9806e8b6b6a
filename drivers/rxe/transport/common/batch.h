/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Transmit batch: appending runs of packets.
 */
#ifndef ROCE_BATCH_H
#define ROCE_BATCH_H

#include <linux/minmax.h>
#include <linux/string.h>
#include <roce/qp.h>

/* Packets that a further run may have; 0 if the batch is full. */
static inline u32 roce_batch_room(const struct roce_tx_batch *batch)
{
	if (batch->nruns == ROCE_TX_RUNS)
		return 0;
	return batch->max_pkts - batch->npkts;
}

/**
 * roce_batch_add() - append a run
 * @batch: has room for @npkts
 * @hdr: header fields of the first packet; @hdr->pad is set from @seg_len
 * @npkts: packets
 * @seg_len: payload bytes of each
 *
 * Return: the run; the caller fills in its payload.
 */
static inline struct roce_tx_run *roce_batch_add(struct roce_tx_batch *batch,
						 struct roce_hdr *hdr,
						 u32 npkts, u32 seg_len)
{
	struct roce_tx_run *run = &batch->run[batch->nruns++];

	hdr->pad = -seg_len & 3;
	run->hdr_len = roce_build(hdr, run->hdr);
	run->pad = hdr->pad;
	run->ack_last = false;
	run->new_skb = false;
	run->cnp = false;
	run->npkts = npkts;
	run->psn = hdr->psn;
	run->seg_len = seg_len;
	memset(&run->payload, 0, sizeof(run->payload));
	batch->npkts += npkts;
	return run;
}

/* Append an Ethernet frame of @len bytes, all of them payload (ROCE_RAW). */
static inline struct roce_tx_run *roce_batch_add_frame(struct roce_tx_batch *batch, u32 len)
{
	struct roce_tx_run *run = &batch->run[batch->nruns++];

	memset(run, 0, sizeof(*run));
	run->npkts = 1;
	run->seg_len = len;
	batch->npkts++;
	return run;
}

/**
 * roce_batch_commit() - keep the last run if its payload is resident
 * @qp: the QP
 * @batch: the payload of its last run has been filled in
 *
 * Return: false if the payload is not resident; the run has been removed.
 */
static inline bool roce_batch_commit(struct roce_qp *qp, struct roce_tx_batch *batch)
{
	const struct roce_tx_run *run = &batch->run[batch->nruns - 1];

	if (!qp->uses_odp || !run->seg_len ||
	    qp->ops->payload_resident(qp, &run->payload, run->npkts * run->seg_len))
		return true;
	batch->npkts -= run->npkts;
	batch->nruns--;
	return false;
}

#endif
