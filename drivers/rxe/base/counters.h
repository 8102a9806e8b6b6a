/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of a device, kept per CPU, summed when read.
 */
#ifndef RXE_COUNTERS_H
#define RXE_COUNTERS_H

#include <linux/types.h>

#include "base/percpu.h"

struct ib_device;
struct rdma_hw_stats;

/*
 * The first 17 are those of the in-kernel driver, in its order, and the next 6 those
 * of its patched versions, since scripts know them; then our own.
 * counters.c names them in hw_counters/.
 */
enum rxe_counter {
	RXE_CNT_SENT_PKTS,
	RXE_CNT_RCVD_PKTS,
	RXE_CNT_DUP_REQ,
	RXE_CNT_OUT_OF_SEQ_REQ,
	RXE_CNT_RCV_RNR,
	RXE_CNT_SND_RNR,
	RXE_CNT_RCV_SEQ_ERR,
	RXE_CNT_ACK_DEFERRED, /* requests whose ACK was coalesced */
	RXE_CNT_RETRY_EXCEEDED,
	RXE_CNT_RNR_RETRY_EXCEEDED,
	RXE_CNT_COMP_RETRY,
	RXE_CNT_SEND_ERR, /* packets the stack did not take */
	RXE_CNT_LINK_DOWNED,
	RXE_CNT_RDMA_SEND,
	RXE_CNT_RDMA_RECV,
	RXE_CNT_SENT_BYTES,
	RXE_CNT_RCVD_BYTES,
	/* as patched drivers have them: why sends wait, and what direct transmission met */
	RXE_CNT_WAIT_PSN, /* window of unacknowledged packets full */
	RXE_CNT_WAIT_SKB, /* the same, where inflight_skbs_per_qp_high makes it smaller */
	RXE_CNT_WAIT_FENCE,
	RXE_CNT_WAIT_DEPTH, /* READs and atomics in flight */
	RXE_CNT_XMIT_HARD_FAIL, /* neighbour not known: buffers sent through the stack */
	RXE_CNT_XMIT_HARD_STALL, /* queue stopped: packets left to the queueing discipline */
	/* drop reasons and the like */
	RXE_CNT_TIMEOUT,
	RXE_CNT_SENT_TWICE,
	RXE_CNT_GHOST_ACK,
	RXE_CNT_HELD,
	RXE_CNT_DROP_ICRC,
	RXE_CNT_DROP_MALFORMED,
	RXE_CNT_DROP_PKEY,
	RXE_CNT_DROP_NO_QP,
	RXE_CNT_DROP_ADDR, /* not from or to the QP's addresses */
	RXE_CNT_DROP_STATE,
	RXE_CNT_DROP_BAD_DUP,
	RXE_CNT_DROP_NO_RECV,		/* UC, UD: no receive WQE */
	RXE_CNT_DROP_REQUEST,		/* UC, UD: what RC would NAK */
	RXE_CNT_DROP_QKEY,		/* UD: another Q_Key */
	RXE_CNT_DROP_NO_MEM, /* no skb: counts as loss on the wire */
	RXE_CNT_PAGE_FAULT, /* memory that had to be brought in */
	RXE_COUNTERS
};

struct rxe_counters {
	u64 v[RXE_COUNTERS];
};

struct rxe_dev;

/* Count what belongs to packets. Context: bottom halves off. */
static inline void rxe_counters_add_bh(struct rxe_counters __percpu *counters,
				       enum rxe_counter what, u64 n)
{
	rxe_percpu_add_bh(counters->v[what], n);
}

/* Context: any but hard interrupts. */
void rxe_count(struct rxe_dev *dev, enum rxe_counter what, u64 n);

/* Of all CPUs. */
u64 rxe_counters_sum(const struct rxe_counters __percpu *counters, enum rxe_counter what);
u64 rxe_counter_sum(struct rxe_dev *dev, enum rxe_counter what);

struct rdma_hw_stats *rxe_alloc_hw_port_stats(struct ib_device *ibdev, u32 port);
int rxe_get_hw_stats(struct ib_device *ibdev, struct rdma_hw_stats *stats, u32 port, int index);

#endif
