// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <rdma/ib_verbs.h>

#include "base/counters.h"
#include "base/device.h"

static const struct rdma_stat_desc rxe_counter_descs[RXE_COUNTERS] = {
	[RXE_CNT_SENT_PKTS].name = "sent_pkts",
	[RXE_CNT_RCVD_PKTS].name = "rcvd_pkts",
	[RXE_CNT_DUP_REQ].name = "duplicate_request",
	[RXE_CNT_OUT_OF_SEQ_REQ].name = "out_of_seq_request",
	[RXE_CNT_RCV_RNR].name = "rcvd_rnr_err",
	[RXE_CNT_SND_RNR].name = "send_rnr_err",
	[RXE_CNT_RCV_SEQ_ERR].name = "rcvd_seq_err",
	[RXE_CNT_ACK_DEFERRED].name = "ack_deferred",
	[RXE_CNT_RETRY_EXCEEDED].name = "retry_exceeded_err",
	[RXE_CNT_RNR_RETRY_EXCEEDED].name = "retry_rnr_exceeded_err",
	[RXE_CNT_COMP_RETRY].name = "completer_retry_err",
	[RXE_CNT_SEND_ERR].name = "send_err",
	[RXE_CNT_LINK_DOWNED].name = "link_downed",
	[RXE_CNT_RDMA_SEND].name = "rdma_sends",
	[RXE_CNT_RDMA_RECV].name = "rdma_recvs",
	[RXE_CNT_SENT_BYTES].name = "sent_bytes",
	[RXE_CNT_RCVD_BYTES].name = "rcvd_bytes",
	[RXE_CNT_WAIT_PSN].name = "wait_psn",
	[RXE_CNT_WAIT_SKB].name = "wait_skb",
	[RXE_CNT_WAIT_FENCE].name = "wait_fence",
	[RXE_CNT_WAIT_DEPTH].name = "wait_depth",
	[RXE_CNT_XMIT_HARD_FAIL].name = "xmit_hard_fail",
	[RXE_CNT_XMIT_HARD_STALL].name = "xmit_hard_stall",
	[RXE_CNT_TIMEOUT].name = "timeout_retry",
	[RXE_CNT_SENT_TWICE].name = "sent_twice",
	[RXE_CNT_GHOST_ACK].name = "drop_ghost_ack",
	[RXE_CNT_HELD].name = "held_request",
	[RXE_CNT_DROP_ICRC].name = "drop_icrc",
	[RXE_CNT_DROP_MALFORMED].name = "drop_malformed",
	[RXE_CNT_DROP_PKEY].name = "drop_pkey",
	[RXE_CNT_DROP_NO_QP].name = "drop_no_qp",
	[RXE_CNT_DROP_ADDR].name = "drop_address",
	[RXE_CNT_DROP_STATE].name = "drop_qp_state",
	[RXE_CNT_DROP_BAD_DUP].name = "drop_bad_duplicate",
	[RXE_CNT_DROP_NO_RECV].name = "drop_no_receive",
	[RXE_CNT_DROP_REQUEST].name = "drop_request",
	[RXE_CNT_DROP_QKEY].name = "drop_qkey",
	[RXE_CNT_DROP_NO_MEM].name = "drop_no_memory",
	[RXE_CNT_PAGE_FAULT].name = "page_fault",
};

void rxe_count(struct rxe_dev *dev, enum rxe_counter what, u64 n)
{
	this_cpu_add(dev->counters->v[what], n);
}

struct rdma_hw_stats *rxe_alloc_hw_port_stats(struct ib_device *ibdev, u32 port)
{
	return rdma_alloc_hw_stats_struct(rxe_counter_descs, RXE_COUNTERS,
					  RDMA_HW_STATS_DEFAULT_LIFESPAN);
}

u64 rxe_counters_sum(const struct rxe_counters __percpu *counters, enum rxe_counter what)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(counters, cpu)->v[what]);
	return sum;
}

u64 rxe_counter_sum(struct rxe_dev *dev, enum rxe_counter what)
{
	return rxe_counters_sum(dev->counters, what);
}

int rxe_get_hw_stats(struct ib_device *ibdev, struct rdma_hw_stats *stats, u32 port, int index)
{
	int i;

	/* Port 0 stands for the device, which has no counters of its own. */
	if (!port || !stats)
		return -EINVAL;
	for (i = 0; i < RXE_COUNTERS; i++)
		stats->value[i] = rxe_counter_sum(to_rxe_dev(ibdev), i);
	return RXE_COUNTERS;
}
