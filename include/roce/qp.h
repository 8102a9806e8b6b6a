/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A queue pair of the transport core: reliable connection (IBTA 9.7), unreliable
 * connection (9.8.2) and unreliable datagram (9.8.3).
 *
 * The core does no I/O. Parsed packets and the time go in; runs of packets to
 * send, completions, events and a deadline come out. It takes no lock, sleeps
 * nowhere, allocates nothing and reads no clock: the caller serialises all calls
 * on one QP, provides the memory, and says what time it is.
 *
 *   posted WQEs ──roce_post──▶ requester ──roce_tx──▶ packets to send
 *   packets ──roce_rx──▶ completer (responses), responder (requests)
 *                              └──▶ ops: memory, receive WQEs, completions
 *   roce_deadline ──▶ the caller's timer ──▶ roce_timeout
 *
 * Time is in nanoseconds of any monotonic clock that does not start near zero.
 */
#ifndef ROCE_QP_H
#define ROCE_QP_H

#include <linux/stddef.h>
#include <linux/types.h>
#include <roce/packet.h>

struct roce_qp;

#define ROCE_NEVER	(~0ull)

/* QP states (IBTA 10.3.1), in the order of the verbs API. */
enum roce_state {
	ROCE_RESET,
	ROCE_INIT,
	ROCE_RTR,
	ROCE_RTS,
	ROCE_SQD,
	ROCE_SQE,
	ROCE_ERR,
};

/* Access rights, as bits of the verbs API. */
#define ROCE_ACCESS_LOCAL_WRITE		(1u << 0)
#define ROCE_ACCESS_REMOTE_WRITE	(1u << 1)
#define ROCE_ACCESS_REMOTE_READ		(1u << 2)
#define ROCE_ACCESS_REMOTE_ATOMIC	(1u << 3)
#define ROCE_ACCESS_FLUSH_GLOBAL	(1u << 8)
#define ROCE_ACCESS_FLUSH_PERSISTENT	(1u << 9)

/* What a FLUSH makes of the data: globally visible, persistent; as in the verbs API. */
#define ROCE_FLUSH_GLOBAL		(1u << 0)
#define ROCE_FLUSH_PERSISTENT		(1u << 1)

/* And of which data: those of a range, or of all of the memory region. */
#define ROCE_FLUSH_RANGE		0
#define ROCE_FLUSH_MR			1

/* Work request opcodes, numbered as in the verbs API, but for REG_MR. */
enum roce_wr_opcode {
	ROCE_WR_WRITE,
	ROCE_WR_WRITE_IMM,
	ROCE_WR_SEND,
	ROCE_WR_SEND_IMM,
	ROCE_WR_READ,
	ROCE_WR_COMPARE_SWAP,
	ROCE_WR_FETCH_ADD,
	ROCE_WR_LOCAL_INV,
	ROCE_WR_BIND_MW,
	ROCE_WR_SEND_INV,
	ROCE_WR_REG_MR,
	ROCE_WR_FLUSH = 14,
	ROCE_WR_ATOMIC_WRITE,
	ROCE_WR_OPCODES
};

/* Work request flags, as bits of the verbs API. */
#define ROCE_WR_FENCE		(1u << 0)
#define ROCE_WR_SIGNALED	(1u << 1)
#define ROCE_WR_SOLICITED	(1u << 2)
#define ROCE_WR_INLINE		(1u << 3)

/* Completion status, numbered as in the verbs API. */
enum roce_status {
	ROCE_SUCCESS,
	ROCE_LOC_LEN_ERR,
	ROCE_LOC_QP_OP_ERR,
	ROCE_LOC_EEC_OP_ERR,
	ROCE_LOC_PROT_ERR,
	ROCE_WR_FLUSH_ERR,
	ROCE_MW_BIND_ERR,
	ROCE_BAD_RESP_ERR,
	ROCE_LOC_ACCESS_ERR,
	ROCE_REM_INV_REQ_ERR,
	ROCE_REM_ACCESS_ERR,
	ROCE_REM_OP_ERR,
	ROCE_RETRY_EXC_ERR,
	ROCE_RNR_RETRY_EXC_ERR,
};

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
 * struct roce_sge - a piece of local memory
 * @addr: address in the MR's address space
 * @length: bytes
 * @lkey: local key
 */
struct roce_sge {
	u64 addr;
	u32 length;
	u32 lkey;
};

/**
 * struct roce_send_wqe - a send work request: the core's own copy
 * @wr_id: comes back in the completion
 * @remote_addr: WRITE, READ, atomics, FLUSH, ATOMIC_WRITE
 * @compare: COMPARE_SWAP
 * @swap_add: COMPARE_SWAP, FETCH_ADD
 * @cookie: the caller's, for local operations
 * @rkey: as @remote_addr; LOCAL_INV: the key to invalidate
 * @inv_rkey: SEND_INV
 * @length: bytes of all SGEs, or of the inline data; READ: to be read; FLUSH: to be
 *	flushed; atomics and ATOMIC_WRITE 8
 * @imm: WRITE_IMM, SEND_IMM; wire order
 * @av: UD: the caller's address vector, which the core only passes on
 * @dest_qpn: UD: 24 bits
 * @qkey: UD: the Q_Key to send; the caller has replaced a controlled one (IBTA 10.2.5)
 * @flush_type: FLUSH: ROCE_FLUSH_GLOBAL, ROCE_FLUSH_PERSISTENT
 * @flush_level: FLUSH: ROCE_FLUSH_RANGE or ROCE_FLUSH_MR
 * @opcode: enum roce_wr_opcode
 * @flags: ROCE_WR_*; ATOMIC_WRITE has its 8 bytes inline or in SGEs
 * @num_sge: valid entries of @sge, 0 with ROCE_WR_INLINE
 * @status: ROCE_SUCCESS, or an error found when it was posted: the WQE then
 *          fails with it when its turn comes
 * @first_psn: core's: PSN of the first packet
 * @last_psn: core's: PSN of the last packet, of READ the last response's
 * @state: core's: enum roce_wqe_state
 * @sge: where the data is
 * @data: ROCE_WR_INLINE: the data itself
 *
 * The caller fills the fields up to @status, @sge or @data, before roce_post().
 * Between roce_post() and the completion, only the core writes to it.
 */
struct roce_send_wqe {
	u64 wr_id;
	u64 remote_addr;
	u64 compare;
	u64 swap_add;
	void *cookie;
	u32 rkey;
	u32 inv_rkey;
	u32 length;
	__be32 imm;
	const void *av;
	u32 dest_qpn;
	u32 qkey;
	u8 flush_type;
	u8 flush_level;
	u8 opcode;
	u8 flags;
	u8 num_sge;
	u8 status;
	u32 first_psn;
	u32 last_psn;
	u8 state;
	union {
		DECLARE_FLEX_ARRAY(struct roce_sge, sge);
		DECLARE_FLEX_ARRAY(u8, data);
	};
};

/**
 * struct roce_recv_wqe - a receive work request: the core's own copy
 * @wr_id: comes back in the completion
 * @length: bytes of all SGEs
 * @num_sge: entries of @sge
 * @sge: where the data goes
 */
struct roce_recv_wqe {
	u64 wr_id;
	u32 length;
	u32 num_sge;
	struct roce_sge sge[];
};

/**
 * struct roce_wc - a work completion
 * @wr_id: of the WQE
 * @status: enum roce_status
 * @opcode: of a send WQE: enum roce_wr_opcode; of a receive WQE: ROCE_WR_SEND
 *          or ROCE_WR_WRITE_IMM, by what consumed it
 * @is_recv: the receive queue's
 * @solicited: wakes a consumer that waits for solicited completions: the
 *             message asked for it, or the status is an error
 * @has_imm: @imm is valid
 * @has_inv: @inv_rkey is valid
 * @byte_len: receive: bytes of the message; READ and atomics: bytes received
 * @imm: wire order
 * @inv_rkey: key that the message invalidated
 * @src_qpn: UD receive: the sender's
 * @pkt: UD receive: the packet, valid during the call; else NULL
 */
struct roce_wc {
	u64 wr_id;
	u8 status;
	u8 opcode;
	bool is_recv;
	bool solicited;
	bool has_imm;
	bool has_inv;
	u32 byte_len;
	__be32 imm;
	u32 inv_rkey;
	u32 src_qpn;
	const struct roce_pkt *pkt;
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
 * @recv_wqe: take the next receive WQE into @wqe (qp->resp.recv). 0; -ENOENT:
 *	there is none; -EINVAL: there was one, malformed (@wqe->wr_id is set).
 * @local_op: execute REG_MR, LOCAL_INV or BIND_MW. Returns enum roce_status.
 * @hold: keep a packet that arrived ahead of its turn: a copy of *@pkt, whose
 *	payload the other operations find as they find @pkt's, until @release; @qp->resp.held
 *	is provided then. NULL: it cannot be kept, and counts as lost. NULL for the operation itself
 *	to hold nothing; @release is then not needed either.
 * @release: a packet that @hold has returned is not needed any more.
 * @complete: a WQE has completed, in order of its queue.
 * @event: an affiliated event.
 * @count: @n more of what.
 * @ready: only with qp->paged: are the @len bytes of an outgoing payload in memory? If
 *	not, they are asked for again by a later roce_tx().
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
	int (*recv_wqe)(struct roce_qp *qp, struct roce_recv_wqe *wqe);
	enum roce_status (*local_op)(struct roce_qp *qp,
				     struct roce_send_wqe *wqe);
	struct roce_pkt *(*hold)(struct roce_qp *qp, const struct roce_pkt *pkt);
	void (*release)(struct roce_qp *qp, struct roce_pkt *pkt);
	void (*complete)(struct roce_qp *qp, const struct roce_wc *wc);
	void (*event)(struct roce_qp *qp, enum roce_event event);
	void (*count)(struct roce_qp *qp, enum roce_count what, u32 n);
	bool (*ready)(struct roce_qp *qp, const struct roce_payload *payload, u32 len);
};

/**
 * struct roce_attr - attributes as roce_modify() takes them
 * @state: enum roce_state
 * @access: ROCE_ACCESS_REMOTE_* and ROCE_ACCESS_FLUSH_* that the QP grants
 * @pkey: host order
 * @dest_qpn: 24 bits
 * @rq_psn: first PSN expected
 * @sq_psn: first PSN sent
 * @mtu: path MTU in bytes: 256, 512, 1024, 2048 or 4096; UD: the port's, which is
 *	the largest message that is sent
 * @timeout: local ACK timeout 4.096 us << @timeout, 0 is for ever; 0..31
 * @retry_cnt: 0..7, all of them finite
 * @rnr_retry: 0..7, 7 is for ever
 * @min_rnr_timer: code of IBTA table 45, 0..31
 * @max_rd_atomic: READs and atomics in flight as requester, 0 forbids them
 * @qkey: UD: what packets to the QP must carry
 */
struct roce_attr {
	u8 state;
	u8 timeout;
	u8 retry_cnt;
	u8 rnr_retry;
	u8 min_rnr_timer;
	u8 max_rd_atomic;
	u16 pkey;
	u32 access;
	u32 dest_qpn;
	u32 rq_psn;
	u32 sq_psn;
	u32 mtu;
	u32 qkey;
};

/* Which attributes roce_modify() is to take; bits as in the verbs API. */
#define ROCE_QP_STATE			(1u << 0)
#define ROCE_QP_ACCESS			(1u << 3)
#define ROCE_QP_PKEY			(1u << 4)
#define ROCE_QP_QKEY			(1u << 6)
#define ROCE_QP_PATH_MTU		(1u << 8)
#define ROCE_QP_TIMEOUT			(1u << 9)
#define ROCE_QP_RETRY_CNT		(1u << 10)
#define ROCE_QP_RNR_RETRY		(1u << 11)
#define ROCE_QP_RQ_PSN			(1u << 12)
#define ROCE_QP_MAX_RD_ATOMIC		(1u << 13)
#define ROCE_QP_MIN_RNR_TIMER		(1u << 15)
#define ROCE_QP_SQ_PSN			(1u << 16)
#define ROCE_QP_DEST_QPN		(1u << 20)

/* Enough for the largest READ: 2 GiB at a path MTU of 256 bytes. */
#define ROCE_MAX_INFLIGHT	0x800000u

/* Packets held because they arrived ahead of their turn; a power of two. */
#define ROCE_REORDER_SLOTS		128u

/* How far ahead of its turn a READ response may arrive to be stored at once; a power of two. */
#define ROCE_OOO_READ_WINDOW		2048u

/**
 * struct roce_rsrc - a READ, atomic, FLUSH or ATOMIC WRITE that has been accepted
 *
 * Kept until its slot is needed, so that a duplicate request is answered from
 * the record (IBTA 9.7.5.1.3): a READ by reading memory again, an atomic by the
 * value saved when it was executed, the others by an empty READ response.
 */
struct roce_rsrc {
	u64 va;
	u64 orig;
	u32 rkey;
	u32 length;
	u32 first_psn;
	u32 last_psn;
	u32 next_psn;	/* of the response to send next, while pending */
	u32 end_psn;	/* of the last response to send, while pending */
	u32 msn;
	bool valid;
	u8 kind;	/* enum roce_res_kind */
	bool pending;
	bool answered;	/* all responses have been sent once */
	bool again;	/* and were asked for again since */
	bool restart;	/* the next response begins a (re)started READ */
};

/**
 * struct roce_sq - the send queue
 * @wqes: 2^n slots of @stride bytes
 * @mask: slots - 1
 * @stride: bytes of a slot
 * @prod: WQEs ever posted
 * @cons: WQEs ever completed
 * @next: the WQE to transmit from
 *
 * The indices run freely; @cons <= @next <= @prod.
 */
struct roce_sq {
	void *wqes;
	u32 mask;
	u32 stride;
	u32 prod;
	u32 cons;
	u32 next;
};

/**
 * struct roce_req - requester and completer
 * @psn: of the packet to send next
 * @max_psn: one past the highest PSN ever sent
 * @una: oldest PSN not acknowledged; within a READ the response awaited
 * @window: PSNs that may be unacknowledged at most, at least 1
 * @cwnd: the same at present, as it suits the path; @window may be less
 * @ssthresh: what @cwnd was set to by the latest loss, from where on it grows slowly
 * @credit: PSNs acknowledged since it last grew slowly
 * @recover: @max_psn when the latest loss was noticed
 * @acked: @una when progress was last made
 * @ack_interval: packets between AckReqs, at least 1
 * @since_ack: packets sent since the last AckReq
 * @awaited: somebody waits for their acknowledgement
 * @gathers: send WQEs wait for an acknowledgement, or have until now
 * @gather_from: the first of them
 * @gather_to: one past the last
 * @impatient: so many AckReqs are not put off, as it has been in vain
 * @lossy: so many more last packets are sent twice, as some have been lost of late
 * @doubled: not the one before that, which has been, or was sent again in any case
 * @rd_atomic: READs and atomics in flight
 * @read_pieces: requests in flight for pieces of READs, but for the last of each
 * @sample_psn: its acknowledgement ends the round trip being measured
 * @retries: retries left
 * @rnr_retries: RNR retries left
 * @resend_all: losses for which all is sent again, as the peer seems to hold nothing
 * @rewound: went back to @una, and @una has not moved since
 * @recovering: @una is still short of @recover
 * @timed_out: @rewound by a timeout, which may prove to have been too soon
 * @doubtful: what is being measured may have been lost and sent again
 * @probing: what is at @psn is to be sent as a probe, and then nothing else again
 * @narrow: of what has been lost, only the beginning is being sent again
 * @rnr_wait: waiting for @rnr_until to pass
 * @drained: the SQ drained event has been raised
 * @rewound_at: when it last went back
 * @repeated_at: when it last went back or probed
 * @rnr_until: no request is sent before
 * @rto: current retransmission interval, ns
 * @srtt: smoothed round trip, ns; 0 before the first sample
 * @rttvar: its variation, ns
 * @twice: the last packet has been sent twice, and so may be refused twice
 * @echoed: since it went back, the peer has told again that something was lost
 * @in_vain: how often it has gone back on that, less how often something came of it, until the
 *	loss is repaired
 * @guessed: @srtt is of what may have been lost and sent again
 * @sure_srtt: what it was before, 0 without any
 * @sure_rttvar: likewise
 * @rtt_min: shortest round trip, ns; 0 before the first sample
 * @sample_at: when @sample_psn was sent, 0 if none is being measured
 * @attempt_at: when the present attempt (counted against retry_cnt) began
 * @resend_at: when to go back, if a response is awaited
 * @armed_at: when something was last sent first of all, acknowledged, or asked for
 * @probe_after: how long to wait from then on before the last packet is sent again, ns
 * @deadline: the sooner of the two, or ROCE_NEVER
 * @gap_to: what lies before has been answered, and from @una on something of it is missing
 * @asked_to: what is missing before has been asked for again
 * @parts_to: READs have been asked for again in parts before, which may end anywhere
 * @early_wqe: the WQE that an early response was last stored for
 * @nearly: responses that are there ahead of their turn
 * @asked: how often what is missing has been asked for, since @una last moved
 * @asking: what is sent is what is missing before @asked_to
 * @beyond: what is beyond @gap_to is to be sent again as well
 * @gap_at: when the response of @una was overtaken, or earlier
 * @later_from: what is missing from there on was overtaken
 * @later_at: at that time at the earliest
 * @ask_at: when to ask for what is missing; ROCE_NEVER: nothing is known to be
 * @answered: what was missing, was asked for and has come; ROCE_PSN_NONE: nothing that is not known
 *	to have been lost
 * @answered_late: how long after others, ns
 * @tolerance: how long a response may be late that others overtake, ns
 * @early: responses that are there, by PSN, @una to one less than @una + ROCE_OOO_READ_WINDOW
 *
 * @una <= @psn <= @max_psn. @psn == @max_psn unless packets are being sent again.
 */
struct roce_req {
	u32 psn;
	u32 max_psn;
	u32 una;
	u32 window;
	u32 cwnd;
	u32 ssthresh;
	u32 credit;
	u32 recover;
	u32 acked;
	u32 ack_interval;
	u32 since_ack;
	u32 gather_from;
	u32 gather_to;
	u32 doubled;
	u32 rd_atomic;
	u32 read_pieces;
	u32 sample_psn;
	u8 retries;
	u8 rnr_retries;
	u8 resend_all;
	u8 impatient;
	u8 lossy;
	bool awaited;
	bool gathers;
	bool rewound;
	bool recovering;
	bool timed_out;
	bool doubtful;
	bool guessed;
	bool twice;
	bool echoed;
	u8 in_vain;
	bool probing;
	bool narrow;
	bool rnr_wait;
	bool drained;
	u64 rewound_at;
	u64 repeated_at;
	u64 rnr_until;
	u64 rto;
	u64 srtt;
	u64 rttvar;
	u64 sure_srtt;
	u64 sure_rttvar;
	u64 rtt_min;
	u64 sample_at;
	u64 attempt_at;
	u64 resend_at;
	u64 armed_at;
	u64 probe_after;
	u64 deadline;
	u32 gap_to;
	u32 asked_to;
	u32 parts_to;
	u32 early_wqe;
	u32 nearly;
	u32 answered;
	u8 asked;
	bool asking;
	bool beyond;
	u32 later_from;
	u64 gap_at;
	u64 later_at;
	u64 ask_at;
	u64 answered_late;
	u64 tolerance;
	u64 early[ROCE_OOO_READ_WINDOW / 64];
};

/**
 * struct roce_resp - responder
 * @psn: expected next
 * @msn: messages completed, 24 bits
 * @msg: class of the message being received, 0 between messages
 * @offset: bytes of it received
 * @length: WRITE: bytes announced by the RETH
 * @rkey: WRITE
 * @va: WRITE: where the next packet goes
 * @recv: the receive WQE in use; the caller provides it, as large as needed
 * @has_recv: @recv holds a WQE
 * @ack_due: acknowledge everything before @psn
 * @asks: so many messages of one packet have asked for it in the batch at hand, or more than one if
 *	it is not to wait
 * @ack_by: the acknowledgement that is due waits until then for a request to go with, ns;
 *	ROCE_NEVER: it does not, or none is due
 * @asked_at: when a message came that asks for one and has not been answered by a request; 0: none
 * @answers: so many such messages in a row have been answered at once
 * @gap: a NAK for @psn has been raised: no other before @psn arrives, or before
 *	the requester is seen to have gone back without reaching @psn
 * @comm_est: the communication established event has been raised
 * @last_wqe: the last WQE reached event has been raised
 * @nak: syndrome of a NAK to be sent, 0 if none
 * @nak_psn: its PSN
 * @gap_psn: the latest PSN that arrived ahead of @psn
 * @dup_next: one past the duplicate SEND or WRITE that came last, ROCE_PSN_NONE before
 * @held: packets ahead of @psn by less than ROCE_REORDER_SLOTS, by PSN, else NULL. An array of
 *	ROCE_REORDER_SLOTS, which the caller provides, zeroed, when it first holds a packet at the
 *	latest
 * @nheld: how many
 * @held_until: when they are released at the latest, ns
 * @res: ring of @res_size records
 * @res_head: slot for the next record
 * @pend: slots whose responses are to be sent, in order, @pend_count from @pend_head on
 */
struct roce_resp {
	u32 psn;
	u32 msn;
	u32 msg;
	u32 offset;
	u32 length;
	u32 rkey;
	u64 va;
	struct roce_recv_wqe *recv;
	bool has_recv;
	bool ack_due;
	u8 answers;
	bool gap;
	bool comm_est;
	bool last_wqe;
	u8 nak;
	u32 nak_psn;
	u32 gap_psn;
	u32 dup_next;
	u32 nheld;
	u32 asks;
	u64 ack_by;
	u64 asked_at;
	u64 held_until;
	struct roce_pkt **held;
	struct roce_rsrc *res;
	u8 *pend;
	u16 res_size;
	u16 res_head;
	u16 pend_head;
	u16 pend_count;
};

/**
 * struct roce_qp - a queue pair
 *
 * @service: ROCE_OP_RC, ROCE_OP_UC or ROCE_OP_UD, the upper bits of all its opcodes; or ROCE_RAW
 * @srq: receive WQEs come from a queue shared with others: those that the QP has
 *	not begun are not its to flush, and LAST_WQE_REACHED is raised instead
 * @paged: payloads may have to be brought into memory first: ops->ready tells
 * @stalled: for roce_rx(): the packet at hand is to come again
 * @moderate_acks: an acknowledgement that nobody waits for need not be asked for at once
 * @hold_answers: READ responses wait, see roce_pause_responses()
 *
 * Embedded in the caller's own; all fields are protected by the caller's
 * serialisation of the calls.
 */
struct roce_qp {
	const struct roce_ops *ops;
	u32 qpn;
	u8 state;
	u8 service;
	bool srq;
	bool paged;
	bool stalled;
	bool moderate_acks;
	bool hold_answers;
	struct roce_attr attr;
	struct roce_sq sq;
	struct roce_req req;
	struct roce_resp resp;
};

/* Runs in a batch, and packets if the caller wants as many as possible. */
#define ROCE_TX_RUNS	16
#define ROCE_TX_PKTS	128

/**
 * struct roce_tx_batch - packets to send, in order
 * @max_pkts: caller's limit on @npkts
 * @npkts: packets in all runs
 * @nruns: valid entries of @run
 * @run: the packets
 */
struct roce_tx_batch {
	u16 max_pkts;
	u16 npkts;
	u16 nruns;
	struct roce_tx_run run[ROCE_TX_RUNS];
};

/**
 * roce_qp_init() - a QP in state RESET
 * @qp: zeroed; the caller has set @ops, @qpn, @service, @srq, @moderate_acks, @sq.wqes, @sq.mask,
 *      @sq.stride and @resp.recv
 */
void roce_qp_init(struct roce_qp *qp);

/**
 * roce_set_limits() - upper bounds of what the requester chooses by itself
 * @qp: the QP, in any state
 * @window: PSNs that may be unacknowledged, at least 1
 * @ack_interval: packets between AckReqs, at least 1
 *
 * They hold for what is sent from now on, and survive a reset.
 */
void roce_set_limits(struct roce_qp *qp, u32 window, u32 ack_interval);

/**
 * roce_pause_responses() - may READs and atomics be answered for the moment?
 * @qp: the QP
 * @hold: false: they may
 *
 * The window is the requester's, and does not bound what others ask for here. What comes behind
 * such a request is not acknowledged before it has been answered.
 */
static inline void roce_pause_responses(struct roce_qp *qp, bool hold)
{
	qp->hold_answers = hold;
}

/**
 * roce_set_resources() - memory for the records of READs and atomics
 * @qp: the QP
 * @res: zeroed array of @n, the responder's depth; NULL if 0
 * @pend: array of @n
 * @n: 0..255; 0 refuses READs and atomics
 *
 * Records that fit are kept. May be called in any state.
 *
 * Return: the array used before, for the caller to free, with *@pend replaced
 * by the one that goes with it.
 */
struct roce_rsrc *roce_set_resources(struct roce_qp *qp, struct roce_rsrc *res,
				    u8 **pend, u32 n);

/**
 * roce_modify() - change attributes and state
 * @qp: the QP
 * @now: time
 * @attr: the values
 * @mask: which of them: ROCE_QP_*
 *
 * The caller has checked the transition against the table of the specification
 * (IBTA 11.2.5.2, ib_modify_qp_is_ok()). Going to RESET forgets all work
 * without completions; going to ERR leaves the flushing to roce_flush(). From SQE
 * to RTS, send WQEs that are still to be flushed are.
 */
void roce_modify(struct roce_qp *qp, u64 now, const struct roce_attr *attr,
		 u32 mask);

/* The send WQE of index @i; any u32, taken modulo the ring. */
static inline struct roce_send_wqe *roce_sq_wqe(const struct roce_qp *qp, u32 i)
{
	return qp->sq.wqes + (size_t)(i & qp->sq.mask) * qp->sq.stride;
}

/* Free slots in the send queue. */
static inline u32 roce_sq_room(const struct roce_qp *qp)
{
	return qp->sq.mask + 1 - (qp->sq.prod - qp->sq.cons);
}

/**
 * roce_post() - the next @n slots from sq.prod on hold new WQEs
 * @qp: the QP
 * @n: at most roce_sq_room()
 *
 * They may be posted in any state from RTR on; in SQE and ERR they wait for
 * roce_flush().
 */
void roce_post(struct roce_qp *qp, u32 n);

/**
 * roce_rx() - take received packets
 * @qp: the QP
 * @now: time
 * @pkts: in order of arrival, all for this QP, ICRC and P_Key checked
 * @n: how many
 *
 * Payload is copied, or the packet held, before the call returns. At most one ACK will be sent for
 * all of them; it, and whatever else they made possible, is fetched by roce_tx().
 *
 * Return: packets taken. Fewer than @n if an op returned -EAGAIN: the rest is to be handed in
 * again, before any other packet, when the memory is there.
 */
u32 roce_rx(struct roce_qp *qp, u64 now, struct roce_pkt *pkts, u32 n);

/**
 * roce_tx() - fetch packets to send
 * @qp: the QP
 * @now: time
 * @batch: @max_pkts set, the rest is filled in
 *
 * Responses come before requests. What is in the batch counts as sent: if the
 * caller drops it, that is a loss like any other. The payload references are
 * valid until the next call on the QP.
 *
 * UC and UD: the send WQEs whose last packets were in a batch complete at the next
 * call, as their payload has been copied then. The caller goes on until it gets 0.
 *
 * Return: packets in the batch; 0 when there is nothing to send now.
 */
u32 roce_tx(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch);

/**
 * roce_tx_backlogged() - would there be something to send, if nothing limited it?
 * @qp: the QP
 *
 * Return: true if requests have not been sent yet, or READs and atomics not answered; also if it
 * is for their own reasons that they cannot be.
 */
bool roce_tx_backlogged(const struct roce_qp *qp);

/**
 * roce_tx_idle() - is it certain that roce_tx() would do nothing?
 * @qp: the QP
 *
 * A few comparisons, which save a caller that has posted what waits for more, fetched a batch, or
 * handed in an acknowledgement, most of the calls that return 0.
 *
 * Return: true if so; false of UC and UD, whose send WQEs complete at the next call.
 */
bool roce_tx_idle(struct roce_qp *qp);

/**
 * roce_tx_failed() - the payload of a run could not be read
 * @qp: the QP
 * @now: time
 * @run: a run of the batch fetched last
 *
 * The memory went away between the check and the copy. Fails the send WQE with
 * a local protection error, or NAKs the READ with a remote access error. Runs
 * before it have been copied.
 */
void roce_tx_failed(struct roce_qp *qp, u64 now, const struct roce_tx_run *run);

/**
 * roce_delack_pending() - does an acknowledgement wait for a request to go with?
 * @qp: the QP
 *
 * Then it is due at roce_deadline(), or earlier, and its peer may be waiting for it.
 */
static inline bool roce_delack_pending(const struct roce_qp *qp)
{
	return qp->resp.ack_by != ROCE_NEVER;
}

/**
 * roce_deadline() - when roce_timeout() is due
 * @qp: the QP
 *
 * Return: time, or ROCE_NEVER. May move either way with every other call.
 */
u64 roce_deadline(const struct roce_qp *qp);

/**
 * roce_timeout() - the deadline may have passed
 * @qp: the QP
 * @now: time; nothing happens if it is before the deadline
 */
void roce_timeout(struct roce_qp *qp, u64 now);

/**
 * roce_final_ack() - fetch what is to be sent before the QP is gone
 * @qp: the QP, in any state
 * @batch: filled in
 *
 * The last acknowledgement may have been lost, or is yet to be sent, and once the
 * QP is gone nobody can repeat it: the peer would fail a request that was carried
 * out. So it is repeated beforehand. A peer that has it already ignores it (IBTA
 * 9.7.5.1, ghost acknowledgements). The caller may send the packet more than once,
 * in buffers that are not lost together.
 *
 * Return: packets in the batch, 0 or 1.
 */
u32 roce_final_ack(const struct roce_qp *qp, struct roce_tx_batch *batch);

/**
 * roce_flush() - complete WQEs with flush errors
 * @qp: in state ERR: both queues; in SQE, where an error of a UC or UD send brings
 *	it (IBTA 10.3.1.6): the send queue; in another state nothing happens
 * @budget: completions at most
 *
 * With @qp->srq, a receive WQE is flushed only if a message has begun to use it.
 * ROCE_EVENT_LAST_WQE is raised once when it has been, or if there is none.
 *
 * Return: true if there may be more to flush.
 */
bool roce_flush(struct roce_qp *qp, u32 budget);

/* The RNR NAK timer of code 0..31 in nanoseconds (IBTA table 45). */
u64 roce_rnr_ns(u8 code);

#endif
