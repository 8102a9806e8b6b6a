/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operations table of the transport: how it reaches memory, receive WQEs and the consumer, and what
 * it counts.
 */
#ifndef ROCE_OPS_H
#define ROCE_OPS_H

#include <linux/types.h>
#include <roce/packet.h>
#include <roce/wqe.h>

struct roce_qp;

/* Affiliated asynchronous events (IBTA 11.6.3). */
enum roce_event {
	ROCE_EVENT_COMM_EST,
	ROCE_EVENT_SQ_DRAINED,
	ROCE_EVENT_QP_FATAL,
	ROCE_EVENT_REQ_ERR,
	ROCE_EVENT_ACCESS_ERR,
	ROCE_EVENT_LAST_WQE,
};

/* Events that the transport reports to ops->count. New ones go to the end. */
enum roce_count {
	ROCE_COUNT_DUP_REQUEST,		/* duplicate requests answered again */
	ROCE_COUNT_OUT_OF_SEQ,		/* requests received out of order */
	ROCE_COUNT_RCVD_RNR,		/* RNR NAKs received */
	ROCE_COUNT_SENT_RNR,		/* RNR NAKs sent */
	ROCE_COUNT_RCVD_SEQ_NAK,	/* PSN sequence NAKs received */
	ROCE_COUNT_RETRY_EXC,		/* WQEs failed: no transport retries left */
	ROCE_COUNT_RNR_RETRY_EXC,	/* WQEs failed: no RNR retries left */
	ROCE_COUNT_REWIND,		/* retransmissions started: NAK, hole or RTO */
	ROCE_COUNT_TIMEOUT,		/* retransmissions started: RTO */
	ROCE_COUNT_TAIL_DUP,		/* tail packets duplicated after a loss */
	ROCE_COUNT_GHOST_ACK,		/* responses to PSNs that were not sent */
	ROCE_COUNT_SENDS,		/* SENDs completed by the requester */
	ROCE_COUNT_RECVS,		/* receive WQEs completed by the responder */
	ROCE_COUNT_BAD_STATE,		/* packets refused in this state or service */
	ROCE_COUNT_BAD_DUP,		/* duplicate requests that have no response */
	ROCE_COUNT_ACK_COALESCED,	/* AckReqs answered by the ACK of a later one */
	ROCE_COUNT_NO_RECV,		/* UC, UD: messages dropped, no receive WQE */
	ROCE_COUNT_BAD_REQUEST,		/* UC, UD: messages dropped that RC would NAK */
	ROCE_COUNT_BAD_QKEY,		/* UD: packets with a wrong Q_Key */
	ROCE_COUNT_WAIT_PSN,		/* sending stalled: congestion window full */
	ROCE_COUNT_WAIT_FENCE,		/* sending stalled: fence behind READs, atomics */
	ROCE_COUNT_WAIT_DEPTH,		/* sending stalled: READ, atomic: depth or window */
	ROCE_COUNT_CE,			/* packets received with a CE mark */
	ROCE_COUNT_SENT_CNP,		/* CNPs sent */
	ROCE_COUNT_CNP_HANDLED,		/* CNPs that the QP has reacted to */
	ROCE_COUNT_CNP_IGNORED,		/* CNPs of services without congestion control */
	ROCE_COUNTS
};

/**
 * struct roce_ops - operations that the transport calls for memory, WQEs and completions
 * @check_sges: check that the QP may access local SGEs. Called when a WQE is first transmitted.
 *	@access is 0 or ROCE_ACCESS_LOCAL_WRITE.
 * @scatter: copy the packet's payload to local SGEs, from byte @offset of their total length on.
 *	Checks the keys for ROCE_ACCESS_LOCAL_WRITE.
 * @scatter_u64: the same for the 8 bytes of an atomic's result, host byte order
 * @scatter_grh: UD: the same for the 40 bytes of GRH before the payload, made from the packet's IP
 *	header (IBTA 11.4.1.2, A17.4.5)
 * @check_rkey: check that the peer may access @len bytes at @va. Called once for each request.
 *	@access is one of ROCE_ACCESS_REMOTE_*.
 * @write: copy the packet's payload to @va. Checks key and range again.
 * @atomic: execute a compare-and-swap or fetch-and-add, as @pkt's opcode says, on the 8 bytes at
 *	the packet's VA, atomically for all CPUs. Stores the original value in *@old.
 * @flush: execute a FLUSH: make the range of the packet's RETH visible or persistent, as its FETH
 *	says. Checks key, range and ROCE_ACCESS_FLUSH_*. NULL: FLUSH is not supported.
 * @atomic_write: store the 8 bytes of the packet's payload at its VA, which is aligned, in one
 *	access. Checks key and range. NULL: ATOMIC WRITE is not supported.
 * @invalidate: invalidate @rkey for a SEND with Invalidate of the peer
 * @get_recv_wqe: remove the next receive WQE from its queue and copy it to @wqe, which is
 *	qp->resp.recv_wqe. Returns -ENOENT if the queue is empty; -EINVAL if the WQE was
 *	malformed, and only @wqe->wr_id is valid.
 * @local_op: execute REG_MR, LOCAL_INV or BIND_MW. Returns enum roce_status.
 * @retain_pkt: copy *@pkt, a request that arrived out of order. The other operations find the
 *	payload of the copy as that of @pkt, until @release_pkt. Provides qp->resp.reorder.pkts.
 *	Returns NULL if the packet cannot be retained: it counts as lost. May be NULL: nothing is
 *	retained, and @release_pkt is not called.
 * @release_pkt: free a packet that @retain_pkt returned
 * @complete: a WQE has completed. Called in the order of its queue.
 * @event: raise an affiliated asynchronous event
 * @count: add @n to the counter @what
 * @payload_resident: return true if the @len bytes of an outgoing payload are resident. If not, a
 *	later roce_tx() builds the packets. Called only if qp->uses_odp is set.
 *
 * Those that return int return 0, or -errno. @scatter, @scatter_u64, @scatter_grh, @write, @atomic
 * and @atomic_write return -EAGAIN if the memory is not resident and page-in has been started. They
 * may have copied part of the payload then; the packet is redelivered, and copied again.
 *
 * Context: called from within roce_*() calls, with the locks that their caller holds. Must not call
 * the transport.
 */
struct roce_ops {
	int (*check_sges)(struct roce_qp *qp, const struct roce_sge *sge,
			  u32 num_sge, u32 access);
	int (*scatter)(struct roce_qp *qp, const struct roce_sge *sge,
		       u32 num_sge, u32 offset, const struct roce_pkt *pkt);
	int (*scatter_u64)(struct roce_qp *qp, const struct roce_sge *sge,
			   u32 num_sge, u64 value);
	int (*scatter_grh)(struct roce_qp *qp, const struct roce_sge *sge,
			   u32 num_sge, const struct roce_pkt *pkt);
	int (*check_rkey)(struct roce_qp *qp, u32 rkey, u64 va, u32 len,
			  u32 access);
	int (*write)(struct roce_qp *qp, u32 rkey, u64 va,
		     const struct roce_pkt *pkt);
	int (*atomic)(struct roce_qp *qp, const struct roce_pkt *pkt, u64 *old);
	int (*flush)(struct roce_qp *qp, const struct roce_pkt *pkt);
	int (*atomic_write)(struct roce_qp *qp, const struct roce_pkt *pkt);
	int (*invalidate)(struct roce_qp *qp, u32 rkey);
	int (*get_recv_wqe)(struct roce_qp *qp, struct roce_recv_wqe *wqe);
	enum roce_status (*local_op)(struct roce_qp *qp,
				     struct roce_send_wqe *wqe);
	struct roce_pkt *(*retain_pkt)(struct roce_qp *qp, const struct roce_pkt *pkt);
	void (*release_pkt)(struct roce_qp *qp, struct roce_pkt *pkt);
	void (*complete)(struct roce_qp *qp, const struct roce_wc *wc);
	void (*event)(struct roce_qp *qp, enum roce_event event);
	void (*count)(struct roce_qp *qp, enum roce_count what, u32 n);
	bool (*payload_resident)(struct roce_qp *qp, const struct roce_payload *payload, u32 len);
};

#endif
