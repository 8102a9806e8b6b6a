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

/* What the core counts; the caller keeps the counters. */
enum roce_count {
	ROCE_COUNT_DUP_REQUEST,		/* duplicate requests answered again */
	ROCE_COUNT_OUT_OF_SEQ,		/* requests ahead of the expected PSN */
	ROCE_COUNT_RCVD_RNR,		/* RNR NAKs received */
	ROCE_COUNT_SENT_RNR,		/* RNR NAKs sent */
	ROCE_COUNT_RCVD_SEQ_NAK,	/* PSN sequence NAKs received */
	ROCE_COUNT_RETRY_EXC,		/* WQEs failed: retry count used up */
	ROCE_COUNT_RNR_RETRY_EXC,	/* WQEs failed: RNR retry count used up */
	ROCE_COUNT_REWIND,		/* rewinds: NAK, implied NAK or timeout */
	ROCE_COUNT_TIMEOUT,		/* rewinds: timeout alone */
	ROCE_COUNT_TAIL_DUP,		/* last packets, as some have been lost of late */
	ROCE_COUNT_GHOST_ACK,		/* responses outside of what is in flight */
	ROCE_COUNT_SENDS,		/* SENDs completed by the requester */
	ROCE_COUNT_RECVS,		/* receive WQEs completed by the responder */
	ROCE_COUNT_BAD_STATE,		/* packets that the QP's state does not take */
	ROCE_COUNT_BAD_DUP,		/* duplicate READs or atomics matching no record */
	ROCE_COUNT_ACK_COALESCED,	/* acknowledgements that one ACK spared */
	ROCE_COUNT_NO_RECV,		/* UC, UD: messages dropped, no receive WQE */
	ROCE_COUNT_BAD_REQUEST,		/* UC, UD: messages dropped that RC would NAK */
	ROCE_COUNT_BAD_QKEY,		/* UD: packets with another Q_Key */
	ROCE_COUNT_WAIT_PSN,		/* sending stopped: window full */
	ROCE_COUNT_WAIT_FENCE,		/* the same: READs or atomics before a fence */
	ROCE_COUNT_WAIT_DEPTH,		/* the same: READs and atomics in flight */
	ROCE_COUNTS
};

/**
 * struct roce_ops - how the core reaches memory and its consumer
 * @check_sges: may the QP use these local SGEs? Called when a WQE is first
 *	transmitted. @access is 0 or ROCE_ACCESS_LOCAL_WRITE. 0, or -errno.
 * @scatter: copy the packet's payload into local SGEs, from byte @offset of
 *	their sum on; keys are checked for ROCE_ACCESS_LOCAL_WRITE. 0, or -errno.
 * @scatter_u64: the same for the 8 bytes of an atomic's result, CPU order.
 * @scatter_grh: UD: the same for the 40 bytes in front of the payload, made from
 *	the packet's IP header (IBTA 11.4.1.2, A17.4.5). 0, or -errno.
 * @check_rkey: may the peer reach @len bytes at @va so? @access is one of
 *	ROCE_ACCESS_REMOTE_*. 0, or -errno. Called once for each request.
 * @write: copy the packet's payload to @va, checking key and range anew. 0, or -errno.
 * @atomic: compare-and-swap (@pkt's opcode) or fetch-and-add of 8 bytes at the
 *	packet's VA, atomic against the CPU; stores the old value. 0, or -errno.
 * @flush: a FLUSH: make what the packet's RETH and FETH name visible or persistent,
 *	checking key, range and ROCE_ACCESS_FLUSH_*. 0, or -errno. May be NULL: not
 *	supported.
 * @atomic_write: store the 8 bytes of the packet's payload at its VA, which is
 *	aligned, in one piece, checking key and range. 0, or -errno. May be NULL.
 * @invalidate: invalidate @rkey on behalf of the peer. 0, or -errno.
 * @get_recv_wqe: take the next receive WQE into @wqe (qp->resp.recv_wqe). 0; -ENOENT:
 *	there is none; -EINVAL: there was one, malformed (@wqe->wr_id is set).
 * @local_op: execute REG_MR, LOCAL_INV or BIND_MW. Returns enum roce_status.
 * @retain_pkt: keep a packet that arrived ahead of its turn: a copy of *@pkt, whose
 *	payload the other operations find as they find @pkt's, until @release_pkt;
 *	@qp->resp.reorder.pkts is provided then. NULL: it cannot be kept, and counts as lost. NULL
 *	for the operation itself to hold nothing; @release_pkt is then not needed either.
 * @release_pkt: a packet that @retain_pkt has returned is not needed any more.
 * @complete: a WQE has completed, in order of its queue.
 * @event: an affiliated event.
 * @count: @n more of what.
 * @payload_resident: only with qp->uses_odp: are the @len bytes of an outgoing payload in memory?
 *	If not, they are asked for again by a later roce_tx().
 *
 * Memory may be there, but not now: @scatter, @scatter_u64, @scatter_grh, @write, @atomic and
 * @atomic_write say so by -EAGAIN, having done nothing that doing it again would spoil.
 *
 * All are called from within roce_*() calls, with whatever lock the caller
 * holds, and must not call back into the core.
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
