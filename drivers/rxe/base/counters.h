/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of a device ("hw_counters" in sysfs, "rdma statistic"): per-CPU, summed when read.
 *
 * RXE_COUNTER_TABLE is the only list of the driver. The enum, the names in hw_counters/, the
 * counter of each ROCE_COUNT_* and the texts of the trace event rxe_loss are generated from it.
 */
#ifndef RXE_COUNTERS_H
#define RXE_COUNTERS_H

#include <linux/percpu.h>
#include <linux/types.h>
#include <rdma/ib_verbs.h>
#include <roce/ops.h>

struct rxe_dev;

/*
 * One row per counter. Its kind is the component that counts:
 *
 *	COUNTER(id, name)			the driver, by rxe_count() or rxe_counters_add_bh()
 *	TRANSPORT(id, name, count)		the transport, as ROCE_COUNT_<count>
 *	LOSS(id, name, count, text)		the same; rxe_loss is traced with this text
 *
 * RXE_CNT_<id> is the index. The name is user-visible and must not change, nor may the order: the
 * first 17 are the counters of the in-kernel driver and the next 6 those of its patched versions,
 * both in their order, because scripts depend on them. New rows are added at the end, and the row
 * before gets a backslash.
 */
/* clang-format off */
#define RXE_COUNTER_TABLE(COUNTER, TRANSPORT, LOSS)                                                \
	/* the in-kernel driver's */                                                               \
	COUNTER(SENT_PKTS, "sent_pkts")                                                            \
	COUNTER(RCVD_PKTS, "rcvd_pkts")                                                            \
	LOSS(DUP_REQ, "duplicate_request", DUP_REQUEST, "duplicate request")                       \
	LOSS(OUT_OF_SEQ_REQ, "out_of_seq_request", OUT_OF_SEQ, "request out of sequence")          \
	LOSS(RCV_RNR, "rcvd_rnr_err", RCVD_RNR, "RNR NAK received")                                \
	LOSS(SND_RNR, "send_rnr_err", SENT_RNR, "RNR NAK sent")                                    \
	LOSS(RCV_SEQ_ERR, "rcvd_seq_err", RCVD_SEQ_NAK, "sequence NAK received")                   \
	TRANSPORT(ACK_DEFERRED, "ack_deferred", ACK_COALESCED)                                     \
	LOSS(RETRY_EXCEEDED, "retry_exceeded_err", RETRY_EXC, "retries exceeded")                  \
	LOSS(RNR_RETRY_EXCEEDED, "retry_rnr_exceeded_err", RNR_RETRY_EXC, "RNR retries exceeded")  \
	LOSS(REWIND, "completer_retry_err", REWIND, "rewind")                                      \
	COUNTER(SEND_ERR, "send_err")		/* packets that the stack or device refused */     \
	COUNTER(LINK_DOWNED, "link_downed")                                                        \
	TRANSPORT(RDMA_SEND, "rdma_sends", SENDS)                                                  \
	TRANSPORT(RDMA_RECV, "rdma_recvs", RECVS)                                                  \
	COUNTER(SENT_BYTES, "sent_bytes")                                                          \
	COUNTER(RCVD_BYTES, "rcvd_bytes")                                                          \
	/* its patched versions': why sending stopped, exceptions of direct transmission */        \
	TRANSPORT(WAIT_PSN, "wait_psn", WAIT_PSN)                                                  \
	COUNTER(WAIT_SKB, "wait_skb")		/* WAIT_PSN while ep->cwnd_limited_by_txq */       \
	TRANSPORT(WAIT_FENCE, "wait_fence", WAIT_FENCE)                                            \
	TRANSPORT(WAIT_DEPTH, "wait_depth", WAIT_DEPTH)                                            \
	COUNTER(XMIT_HARD_FAIL, "xmit_hard_fail")	/* sent by the stack: no neighbour */     \
	COUNTER(XMIT_HARD_STALL, "xmit_hard_stall")	/* packets queued: txq stopped */          \
	/* our own */                                                                              \
	LOSS(TIMEOUT, "timeout_retry", TIMEOUT, "timeout")                                         \
	LOSS(SENT_TWICE, "sent_twice", TAIL_DUP, "tail duplicate")                                 \
	TRANSPORT(GHOST_ACK, "drop_ghost_ack", GHOST_ACK)                                          \
	COUNTER(HELD, "held_request")		/* requests buffered in the reorder queue */       \
	COUNTER(DROP_ICRC, "drop_icrc")                                                            \
	COUNTER(DROP_MALFORMED, "drop_malformed")                                                  \
	COUNTER(DROP_PKEY, "drop_pkey")                                                            \
	COUNTER(DROP_NO_QP, "drop_no_qp")                                                          \
	COUNTER(DROP_ADDR, "drop_address")	/* not from or to the QP's addresses */            \
	TRANSPORT(DROP_STATE, "drop_qp_state", BAD_STATE)                                          \
	TRANSPORT(DROP_BAD_DUP, "drop_bad_duplicate", BAD_DUP)                                     \
	TRANSPORT(DROP_NO_RECV, "drop_no_receive", NO_RECV)                                        \
	TRANSPORT(DROP_REQUEST, "drop_request", BAD_REQUEST)                                       \
	TRANSPORT(DROP_QKEY, "drop_qkey", BAD_QKEY)                                                \
	COUNTER(DROP_NO_MEM, "drop_no_memory")	/* no skb: the peer sees a lost packet */          \
	COUNTER(PAGE_FAULT, "page_fault")	/* faults on ODP regions */                       \
	/* congestion notification, by the names of mlx5 */                                        \
	TRANSPORT(CE, "np_ecn_marked_roce_packets", CE)                                            \
	TRANSPORT(SENT_CNP, "np_cnp_sent", SENT_CNP)                                               \
	TRANSPORT(CNP_HANDLED, "rp_cnp_handled", CNP_HANDLED)                                      \
	TRANSPORT(CNP_IGNORED, "rp_cnp_ignored", CNP_IGNORED)                                      \
	/* drops, paths and CQs of the driver */                                                   \
	COUNTER(DROP_BYTES, "drop_bytes")	/* of packets that reached no QP */                \
	COUNTER(CQ_OVERFLOW, "cq_overflow")	/* CQs that had no room for a completion */        \
	COUNTER(GSO_FALLBACK, "gso_fallback")	/* paths with one packet a buffer */               \
	COUNTER(XMIT_STACK, "xmit_stack")	/* packets not sent directly: see rxe_dev.xmit_veto */ \
	COUNTER(RCVD_TOO_BIG, "rcvd_too_big")	/* ICMP: exceeds the MTU of a link */
/* clang-format on */

#define RXE_COUNTER_ENUM(id, ...) RXE_CNT_##id,

enum rxe_counter {
	RXE_COUNTER_TABLE(RXE_COUNTER_ENUM, RXE_COUNTER_ENUM, RXE_COUNTER_ENUM) RXE_COUNTERS
};

/* Expands to nothing, for the kinds of rows of RXE_COUNTER_TABLE that are to be left out. */
#define RXE_COUNTER_SKIP(...)

/**
 * struct rxe_counters - one CPU's counters
 * @v: values by enum rxe_counter; since the module was loaded or the counter set was allocated
 */
struct rxe_counters {
	u64 v[RXE_COUNTERS];
};

/* Counter of each event that the transport counts, except for RXE_CNT_WAIT_SKB. */
extern const u8 rxe_counter_of_roce[ROCE_COUNTS];

/*
 * Add @n to the per-CPU variable @pcp, which only contexts with bottom halves off modify. This
 * saves the architectures without a per-CPU add instruction from masking interrupts. On PREEMPT_RT
 * softirqs are preemptible, so disabling them does not exclude other writers.
 */
#define rxe_percpu_add_bh(pcp, n)                        \
	do {                                             \
		if (IS_ENABLED(CONFIG_PREEMPT_RT))       \
			this_cpu_add(pcp, n);            \
		else                                     \
			__this_cpu_add(pcp, n);          \
	} while (0)

/**
 * rxe_counters_add_bh() - add to a counter of the data path
 * @counters: counter set of a device or of bound QPs
 * @what: the counter
 * @n: increment
 *
 * Context: bottom halves off.
 */
static inline void rxe_counters_add_bh(struct rxe_counters __percpu *counters,
				       enum rxe_counter what, u64 n)
{
	rxe_percpu_add_bh(counters->v[what], n);
}

/**
 * rxe_count() - add to a counter of a device
 * @dev: the device
 * @what: the counter
 * @n: increment
 *
 * Context: any but hard interrupts.
 */
void rxe_count(struct rxe_dev *dev, enum rxe_counter what, u64 n);

/**
 * rxe_counters_sum() - sum a counter of a counter set over all CPUs
 * @counters: the set
 * @what: the counter
 *
 * Context: any. The sum is not a snapshot: other CPUs may be counting.
 * Return: the sum.
 */
u64 rxe_counters_sum(const struct rxe_counters __percpu *counters, enum rxe_counter what);

/**
 * rxe_counter_sum() - sum a counter of a device over all CPUs
 * @dev: the device
 * @what: the counter
 *
 * Context: any.
 * Return: the sum, without the QPs that are bound to a counter set of their own.
 */
u64 rxe_counter_sum(struct rxe_dev *dev, enum rxe_counter what);

/*
 * ib_device_ops: allocate and read the counters of the port. Context: process; may sleep.
 * Return: NULL if there is no memory; the number of counters, or -EINVAL for @port 0.
 */
struct rdma_hw_stats *rxe_alloc_hw_port_stats(struct ib_device *ibdev, rxe_port_t port);
int rxe_get_hw_stats(struct ib_device *ibdev, struct rdma_hw_stats *stats, rxe_port_t port,
		     int index);

#endif
