/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Work requests and completions: the send and receive WQE that the transport executes, and the
 * work completion that it reports (IBTA 10.8, 11.4).
 */
#ifndef ROCE_WQE_H
#define ROCE_WQE_H

#include <linux/stddef.h>
#include <linux/types.h>

struct roce_pkt;

/* Access rights, as bits of the verbs API. */
#define ROCE_ACCESS_LOCAL_WRITE		(1u << 0)
#define ROCE_ACCESS_REMOTE_WRITE	(1u << 1)
#define ROCE_ACCESS_REMOTE_READ		(1u << 2)
#define ROCE_ACCESS_REMOTE_ATOMIC	(1u << 3)
#define ROCE_ACCESS_FLUSH_GLOBAL	(1u << 8)
#define ROCE_ACCESS_FLUSH_PERSISTENT	(1u << 9)

/* Placement types of a FLUSH: data becomes globally visible, persistent; as in the verbs API. */
#define ROCE_FLUSH_GLOBAL		(1u << 0)
#define ROCE_FLUSH_PERSISTENT		(1u << 1)

/* Selectivity levels of a FLUSH: an address range, or the whole memory region. */
#define ROCE_FLUSH_RANGE		0
#define ROCE_FLUSH_MR			1

/* Work request opcodes, numbered as in the verbs API except REG_MR. */
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

/**
 * struct roce_sge - scatter-gather element: a range of local memory
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
 * struct roce_send_wqe - send WQE, copied from the consumer's
 * @wr_id: returned in the completion
 * @remote_addr: WRITE, READ, atomics, FLUSH, ATOMIC_WRITE
 * @compare: COMPARE_SWAP
 * @swap_add: COMPARE_SWAP, FETCH_ADD
 * @cookie: private to the caller, for local operations
 * @rkey: as @remote_addr; LOCAL_INV: the key to invalidate
 * @inv_rkey: SEND_INV
 * @length: bytes of all SGEs, or of the inline data; FLUSH: bytes to flush; atomics and
 *	ATOMIC_WRITE: 8
 * @imm: WRITE_IMM, SEND_IMM; wire order
 * @av: UD: address vector, private to the caller
 * @dest_qpn: UD: destination QP, 24 bits
 * @qkey: UD: the Q_Key to send, after the caller has handled controlled ones (IBTA 10.2.5)
 * @flush_type: FLUSH: ROCE_FLUSH_GLOBAL, ROCE_FLUSH_PERSISTENT
 * @flush_level: FLUSH: ROCE_FLUSH_RANGE or ROCE_FLUSH_MR
 * @opcode: enum roce_wr_opcode
 * @flags: ROCE_WR_*; ATOMIC_WRITE has its 8 bytes inline or in SGEs
 * @num_sge: valid entries of @sge, 0 with ROCE_WR_INLINE
 * @status: ROCE_SUCCESS, or an error found at posting, with which the WQE fails after the WQEs
 *	before it have completed
 * @first_psn: PSN of the first packet; set by the transport
 * @last_psn: PSN of the last packet; READ: of the last response; set by the transport
 * @read_chunk: READ: response packets per request; set by the transport
 * @read_growth: READ: how often the requests of slow start double; set by the transport
 * @state: enum roce_wqe_state; set by the transport
 * @sge: local memory
 * @data: ROCE_WR_INLINE: the data
 *
 * The caller sets the fields up to @status, and @sge or @data, before roce_post(). Between
 * roce_post() and the completion, only the transport writes to the WQE.
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
	u32 read_chunk;
	u8 read_growth;
	u8 state;
	union {
		DECLARE_FLEX_ARRAY(struct roce_sge, sge);
		DECLARE_FLEX_ARRAY(u8, data);
	};
};

/**
 * struct roce_recv_wqe - receive WQE, copied from the consumer's
 * @wr_id: returned in the completion
 * @length: bytes of all SGEs
 * @num_sge: entries of @sge
 * @sge: local memory
 */
struct roce_recv_wqe {
	u64 wr_id;
	u32 length;
	u32 num_sge;
	struct roce_sge sge[];
};

/**
 * struct roce_wc - work completion
 * @wr_id: wr_id of the WQE
 * @status: enum roce_status
 * @opcode: send WQE: enum roce_wr_opcode; receive WQE: ROCE_WR_SEND or ROCE_WR_WRITE_IMM, the
 *	message that consumed it
 * @is_recv: completion of a receive WQE
 * @solicited: notifies a consumer that has requested solicited completions only: the message was
 *	solicited, or the status is an error
 * @has_imm: @imm is valid
 * @has_inv: @inv_rkey is valid
 * @byte_len: receive: bytes of the message; READ and atomics: bytes received
 * @imm: immediate data, wire order
 * @inv_rkey: key that the message invalidated
 * @src_qpn: UD receive: source QP, 24 bits
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

#endif
