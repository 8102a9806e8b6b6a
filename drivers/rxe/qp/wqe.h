/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From ring elements, which a user writes, to the transport's work requests.
 *
 * Pure functions over memory: they build in user space too, where a fuzzer feeds
 * them elements. An element lies in memory that its owner may change at any
 * time, so that every byte of it is read at most once, and judged on the copy.
 */
#ifndef RXE_WQE_H
#define RXE_WQE_H

#include <linux/types.h>
#include <rdma/rdma_user_rxe.h>
#include <roce/qp.h>

/**
 * struct rxe_wqe_limits - what a QP takes
 * @max_send_sge: SGEs of a send WQE; a ring element has room for as many
 * @max_inline: bytes of inline data; a ring element has room for as many
 * @max_recv_sge: SGEs of a receive WQE; likewise
 * @signal_all: every send WQE completes with a CQE
 * @service: ROCE_OP_RC, ROCE_OP_UC, ROCE_OP_UD or ROCE_RAW
 * @unsupported_ops: a bit for each opcode that this kernel's RDMA core knows nothing of
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
 * struct rxe_wqe_flush - the fields of a FLUSH in struct rxe_send_wr's @wr
 * @remote_addr: first byte
 * @length: bytes
 * @rkey: remote key
 * @type: ROCE_FLUSH_GLOBAL, ROCE_FLUSH_PERSISTENT
 * @level: ROCE_FLUSH_RANGE or ROCE_FLUSH_MR
 *
 * A user may post one whatever the kernel's headers know of it.
 */
struct rxe_wqe_flush {
	u64 remote_addr;
	u32 length;
	u32 rkey;
	u8 type;
	u8 level;
};

/* Bytes of a ring element, before the ring rounds them up; 8 of data are always room for. */
u32 rxe_wqe_send_elem_size(u32 max_sge, u32 max_inline);
u32 rxe_wqe_recv_elem_size(u32 max_sge);

/* Bytes of one of the transport's send WQEs under @rules. */
u32 rxe_wqe_stride(const struct rxe_wqe_limits *rules);

/**
 * rxe_wqe_from_user() - take a send WQE from a user's ring
 * @elem: ring element, struct rxe_send_wqe; hostile
 * @rules: the QP's
 * @wqe: result, rxe_wqe_stride() bytes
 *
 * Whatever @elem holds, @wqe comes out fit for the transport: if it was not to
 * be executed, with @wqe->status telling why.
 */
void rxe_wqe_from_user(const void *elem, const struct rxe_wqe_limits *rules,
		       struct roce_send_wqe *wqe);

/**
 * rxe_wqe_check() - check a send WQE but for its SGE count, which bounds @wqe->sge
 * @wqe: all fields up to @status and the SGEs or inline data are set; @length
 *	only with inline data, or of a FLUSH
 *
 * Leaves out empty SGEs, and sets @wqe->length from those that remain.
 *
 * Return: ROCE_SUCCESS, or the status that the WQE is to fail with.
 */
enum roce_status rxe_wqe_check(struct roce_send_wqe *wqe);

/* Does a service have the operation? @opcode is any value (IBTA table 72). */
bool rxe_wqe_on_service(u32 opcode, u8 service);

/* Make of a send WQE one that fails with @status in its turn. */
void rxe_wqe_set_failed(struct roce_send_wqe *wqe, enum roce_status status);

/**
 * struct rxe_wqe_dest - what a user says of where a datagram goes
 * @ah_num: number of an address handle; 0: @av tells
 * @dest_qpn: 24 bits
 * @qkey: as posted
 * @av: only with @ah_num 0
 */
struct rxe_wqe_dest {
	u32 ah_num;
	u32 dest_qpn;
	u32 qkey;
	struct rxe_av av;
};

/* Take that from a ring element of a UD QP, which is as hostile as ever. */
void rxe_wqe_dest_from_user(const void *elem, struct rxe_wqe_dest *dest);

/**
 * rxe_recv_wqe_from_user() - take a receive WQE from a ring
 * @elem: ring element, struct rxe_recv_wqe; hostile
 * @rules: the QP's
 * @wqe: result, room for @rules->max_recv_sge SGEs
 *
 * Return: 0, or -EINVAL with nothing but @wqe->wr_id of use.
 */
int rxe_recv_wqe_from_user(const void *elem, const struct rxe_wqe_limits *rules,
			   struct roce_recv_wqe *wqe);

#endif
