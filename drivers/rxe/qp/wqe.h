/* SPDX-License-Identifier: GPL-2.0 */
/*
 * WQE parser: converts ring elements written by a user library to work requests of the transport.
 *
 * Ring elements are in memory that the user may change at any time: each byte is read at most once,
 * and the private copy is validated. Pure functions over memory, which the fuzzer in user space
 * links as well. Context of all functions: any.
 */
#ifndef RXE_WQE_H
#define RXE_WQE_H

#include <linux/types.h>
#include <rdma/rdma_user_rxe.h>
#include <roce/qp.h>

/**
 * struct rxe_wqe_limits - limits of the WQEs of a QP; constant after its creation
 * @max_send_sge: maximum SGEs of a send WQE, not more than a ring element has room for
 * @max_inline: maximum inline data, bytes, not more than a ring element has room for
 * @max_recv_sge: maximum SGEs of a receive WQE, not more than a ring element has room for
 * @signal_all: every send WQE completes with a CQE (IB_SIGNAL_ALL_WR)
 * @service: ROCE_OP_RC, ROCE_OP_UC, ROCE_OP_UD or ROCE_RAW
 * @unsupported_ops: bit mask, 1 << opcode, of the opcodes that ib_core of this kernel does not have
 */
struct rxe_wqe_limits {
	u32 max_send_sge;
	u32 max_inline;
	u32 max_recv_sge;
	bool signal_all;
	u8 service;
	u32 unsupported_ops;
};

/**
 * struct rxe_wqe_flush - operands of FLUSH, in the union wr of struct rxe_send_wr
 * @remote_addr: virtual address of the first byte
 * @length: length, bytes
 * @rkey: remote key
 * @type: bit mask of ROCE_FLUSH_GLOBAL, ROCE_FLUSH_PERSISTENT
 * @level: ROCE_FLUSH_RANGE or ROCE_FLUSH_MR
 *
 * Defined here, because rdma_user_rxe.h of older kernels lacks it.
 */
struct rxe_wqe_flush {
	u64 remote_addr;
	u32 length;
	u32 rkey;
	u8 type;
	u8 level;
};

/*
 * Return the size of a ring element, bytes, before the ring rounds it up to a power of two. A send
 * element has room for at least the 8 bytes of an ATOMIC WRITE.
 */
u32 rxe_wqe_send_elem_size(u32 max_sge, u32 max_inline);
u32 rxe_wqe_recv_elem_size(u32 max_sge);

/* Return the size of a send WQE of the transport (roce_sq.stride), bytes, a multiple of 8. */
u32 rxe_wqe_stride(const struct rxe_wqe_limits *rules);

/**
 * rxe_wqe_from_user() - convert a send WQE from a user's ring
 * @elem: ring element, struct rxe_send_wqe; not trusted
 * @rules: limits of the QP
 * @wqe: result, rxe_wqe_stride() bytes
 *
 * @wqe is valid for the transport whatever @elem contains. If @elem is not valid, @wqe->status is
 * the error with which the transport completes it, see rxe_wqe_set_failed().
 */
void rxe_wqe_from_user(const void *elem, const struct rxe_wqe_limits *rules,
		       struct roce_send_wqe *wqe);

/**
 * rxe_wqe_check() - validate a send WQE
 * @wqe: all fields before @sge and the SGEs or inline data are set; @length only with inline data
 *	or FLUSH. The caller has checked @num_sge against the limit of the QP
 *
 * Removes empty SGEs and sets @wqe->length to the sum of the others.
 *
 * Return: ROCE_SUCCESS, or the status with which the WQE has to complete.
 */
enum roce_status rxe_wqe_check(struct roce_send_wqe *wqe);

/* Return true if @service supports @opcode, which may be any value (IBTA table 72). */
bool rxe_wqe_on_service(u32 opcode, u8 service);

/*
 * Turn @wqe into one that the transport completes with the error @status, after the WQEs before it,
 * without sending.
 */
void rxe_wqe_set_failed(struct roce_send_wqe *wqe, enum roce_status status);

/**
 * struct rxe_wqe_dest - destination of a datagram, as the user posted it
 * @ah_num: AH number; 0: none, @av is the address
 * @dest_qpn: destination QPN, 24 bits
 * @qkey: Q_Key
 * @av: address vector, valid only if @ah_num is 0
 */
struct rxe_wqe_dest {
	u32 ah_num;
	u32 dest_qpn;
	u32 qkey;
	struct rxe_av av;
};

/* Copy the destination from @elem, a ring element of a UD QP; not trusted. */
void rxe_wqe_dest_from_user(const void *elem, struct rxe_wqe_dest *dest);

/**
 * rxe_recv_wqe_from_user() - convert a receive WQE from a ring
 * @elem: ring element, struct rxe_recv_wqe; not trusted
 * @rules: limits of the QP or SRQ
 * @wqe: result, room for @rules->max_recv_sge SGEs
 *
 * Return: 0, or -EINVAL: too many SGEs or bytes; only @wqe->wr_id is valid then.
 */
int rxe_recv_wqe_from_user(const void *elem, const struct rxe_wqe_limits *rules,
			   struct roce_recv_wqe *wqe);

#endif
