// SPDX-License-Identifier: GPL-2.0
/*
 * WQE parser: opcode table, validation and conversion of send and receive WQEs.
 */
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <rdma/rdma_user_rxe.h>
#include <roce/qp.h>
#include <roce/wire.h>

#include "mem/local_op.h"
#include "qp/wqe.h"

/* SGEs of the user ABI are copied to the transport without conversion. */
static_assert(sizeof(struct roce_sge) == sizeof(struct rxe_sge));
static_assert(offsetof(struct roce_sge, addr) == offsetof(struct rxe_sge, addr));
static_assert(offsetof(struct roce_sge, length) == offsetof(struct rxe_sge, length));
static_assert(offsetof(struct roce_sge, lkey) == offsetof(struct rxe_sge, lkey));

/* The operands of FLUSH fit into the union of the other operations' operands. */
static_assert(sizeof(struct rxe_wqe_flush) <= sizeof_field(struct rxe_send_wr, wr));

/* Properties of an opcode: callers, operands, data. An opcode without any is not supported. */
enum wqe_kind {
	WQE_FROM_USER = 1u << 0, /* users may post it */
	WQE_MAY_INLINE = 1u << 1,
	WQE_RDMA = 1u << 2,   /* remote address and key */
	WQE_ATOMIC = 1u << 3, /* remote address, key and atomic operands */
	WQE_IMM = 1u << 4,
	WQE_INV = 1u << 5,
	WQE_LOCAL = 1u << 6, /* local operation: no packet, no data */
	WQE_FROM_KERNEL = 1u << 7, /* only kernel consumers may post it */
	WQE_FLUSH = 1u << 8, /* operands of FLUSH, no data */
	WQE_WORD = 1u << 9, /* 8 bytes of inline data, inline flag or not */
};

static const u16 wqe_kinds[ROCE_WR_OPCODES] = {
	[ROCE_WR_WRITE] = WQE_FROM_USER | WQE_MAY_INLINE | WQE_RDMA,
	[ROCE_WR_WRITE_IMM] = WQE_FROM_USER | WQE_MAY_INLINE | WQE_RDMA | WQE_IMM,
	[ROCE_WR_SEND] = WQE_FROM_USER | WQE_MAY_INLINE,
	[ROCE_WR_SEND_IMM] = WQE_FROM_USER | WQE_MAY_INLINE | WQE_IMM,
	[ROCE_WR_SEND_INV] = WQE_FROM_USER | WQE_MAY_INLINE | WQE_INV,
	[ROCE_WR_READ] = WQE_FROM_USER | WQE_RDMA,
	[ROCE_WR_COMPARE_SWAP] = WQE_FROM_USER | WQE_ATOMIC,
	[ROCE_WR_FETCH_ADD] = WQE_FROM_USER | WQE_ATOMIC,
	[ROCE_WR_LOCAL_INV] = WQE_FROM_USER | WQE_LOCAL,
	[ROCE_WR_BIND_MW] = WQE_FROM_USER | WQE_LOCAL,
	[ROCE_WR_REG_MR] = WQE_FROM_KERNEL | WQE_LOCAL,
	[ROCE_WR_FLUSH] = WQE_FROM_USER | WQE_FLUSH,
	[ROCE_WR_ATOMIC_WRITE] = WQE_FROM_USER | WQE_MAY_INLINE | WQE_RDMA | WQE_WORD,
};

#define WQE_FLAGS (ROCE_WR_FENCE | ROCE_WR_SIGNALED | ROCE_WR_SOLICITED | ROCE_WR_INLINE)

/* Bytes behind the head: SGEs or inline data, at least the 8 bytes of an ATOMIC WRITE. */
static u32 tail_size(u32 max_sge, u32 max_inline)
{
	return max3(max_sge * (u32)sizeof(struct rxe_sge), max_inline, (u32)sizeof(u64));
}

u32 rxe_wqe_send_elem_size(u32 max_sge, u32 max_inline)
{
	return sizeof(struct rxe_send_wqe) + tail_size(max_sge, max_inline);
}

u32 rxe_wqe_recv_elem_size(u32 max_sge)
{
	return sizeof(struct rxe_recv_wqe) + max_sge * sizeof(struct rxe_sge);
}

u32 rxe_wqe_stride(const struct rxe_wqe_limits *rules)
{
	u32 tail = tail_size(rules->max_send_sge, rules->max_inline);

	return round_up(offsetof(struct roce_send_wqe, sge) + tail, 8u);
}

/*
 * Copy from memory that the user may be writing to. The barrier, with no pair, keeps the compiler
 * from reading @src a second time in place of @dst after the copy has been validated.
 */
static void read_once(void *dst, const void *src, size_t len)
{
	memcpy(dst, src, len);
	barrier();
}

static bool rxe_wqe_has_inline(const struct roce_send_wqe *wqe)
{
	return wqe->flags & ROCE_WR_INLINE;
}

/* Remove empty SGEs, whose keys must not be checked; return the sum of the others, bytes. */
static u64 rxe_wqe_pack_sges(struct roce_send_wqe *wqe)
{
	u64 sum = 0;
	u32 i, n = 0;

	for (i = 0; i < wqe->num_sge; i++) {
		if (!wqe->sge[i].length)
			continue;
		sum += wqe->sge[i].length;
		wqe->sge[n++] = wqe->sge[i];
	}
	wqe->num_sge = n;
	return sum;
}

static void rxe_wqe_drop_data(struct roce_send_wqe *wqe)
{
	wqe->flags &= ~ROCE_WR_INLINE;
	wqe->num_sge = 0;
	wqe->length = 0;
}

static enum roce_status rxe_wqe_check_atomic(struct roce_send_wqe *wqe)
{
	if (wqe->num_sge != 1 || wqe->sge[0].length < sizeof(u64))
		return ROCE_LOC_LEN_ERR;
	wqe->sge[0].length = sizeof(u64);
	wqe->length = sizeof(u64);
	return ROCE_SUCCESS;
}

static enum roce_status rxe_wqe_check_flush(struct roce_send_wqe *wqe)
{
	u32 length = wqe->length;

	rxe_wqe_drop_data(wqe);
	if (!wqe->flush_type ||
	    wqe->flush_type & ~(ROCE_FLUSH_GLOBAL | ROCE_FLUSH_PERSISTENT) ||
	    wqe->flush_level > ROCE_FLUSH_MR)
		return ROCE_LOC_QP_OP_ERR;
	if (length > ROCE_MAX_MSG)
		return ROCE_LOC_LEN_ERR;
	wqe->length = length;
	return ROCE_SUCCESS;
}

enum roce_status rxe_wqe_check(struct roce_send_wqe *wqe)
{
	u16 kind = wqe->opcode < ROCE_WR_OPCODES ? wqe_kinds[wqe->opcode] : 0;
	u64 sum;

	if (!kind)
		return ROCE_LOC_QP_OP_ERR;
	if (kind & WQE_LOCAL) {
		rxe_wqe_drop_data(wqe);
		return ROCE_SUCCESS;
	}
	if (kind & WQE_FLUSH)
		return rxe_wqe_check_flush(wqe);
	if (rxe_wqe_has_inline(wqe))
		return kind & WQE_MAY_INLINE ? ROCE_SUCCESS : ROCE_LOC_QP_OP_ERR;
	sum = rxe_wqe_pack_sges(wqe);
	if (kind & WQE_ATOMIC)
		return rxe_wqe_check_atomic(wqe);
	if (sum > ROCE_MAX_MSG)
		return ROCE_LOC_LEN_ERR;
	wqe->length = sum;
	return ROCE_SUCCESS;
}

static void rxe_wqe_copy_bind(const struct rxe_send_wr *wr, struct roce_send_wqe *wqe)
{
	struct rxe_bind bind = {
		.addr = wr->wr.mw.addr,
		.length = wr->wr.mw.length,
		.lkey = wr->wr.mw.mr_lkey,
		.access = wr->wr.mw.access,
		.old_rkey = wr->wr.mw.mw_rkey,
		.new_rkey = wr->wr.mw.rkey,
	};

	rxe_bind_pack(&bind, wqe);
}

static void rxe_wqe_copy_flush(const struct rxe_send_wr *wr, struct roce_send_wqe *wqe)
{
	struct rxe_wqe_flush flush;

	memcpy(&flush, &wr->wr, sizeof(flush));
	wqe->remote_addr = flush.remote_addr;
	wqe->rkey = flush.rkey;
	wqe->length = flush.length;
	wqe->flush_type = flush.type;
	wqe->flush_level = flush.level;
}

static void rxe_wqe_copy_operands(const struct rxe_send_wr *wr, u16 kind, struct roce_send_wqe *wqe)
{
	if (kind & WQE_RDMA) {
		wqe->remote_addr = wr->wr.rdma.remote_addr;
		wqe->rkey = wr->wr.rdma.rkey;
	}
	if (kind & WQE_ATOMIC) {
		wqe->remote_addr = wr->wr.atomic.remote_addr;
		wqe->rkey = wr->wr.atomic.rkey;
	}
	if (kind & WQE_IMM)
		wqe->imm = wr->ex.imm_data;
	if (kind & WQE_INV)
		wqe->inv_rkey = wr->ex.invalidate_rkey;
	/* The ABI passes the addend of FETCH ADD in compare_add. */
	if (wqe->opcode == ROCE_WR_COMPARE_SWAP) {
		wqe->compare = wr->wr.atomic.compare_add;
		wqe->swap_add = wr->wr.atomic.swap;
	} else if (wqe->opcode == ROCE_WR_FETCH_ADD) {
		wqe->swap_add = wr->wr.atomic.compare_add;
	}
	if (wqe->opcode == ROCE_WR_LOCAL_INV)
		wqe->rkey = wr->ex.invalidate_rkey;
	if (wqe->opcode == ROCE_WR_BIND_MW)
		rxe_wqe_copy_bind(wr, wqe);
	if (kind & WQE_FLUSH)
		rxe_wqe_copy_flush(wr, wqe);
}

/* ATOMIC WRITE: user libraries do not set the inline flag, nor check max_inline_data. */
static enum roce_status rxe_wqe_copy_word(const struct rxe_dma_info *dma, const void *tail,
					  struct roce_send_wqe *wqe)
{
	if (dma->length != sizeof(u64))
		return ROCE_LOC_LEN_ERR;
	wqe->flags |= ROCE_WR_INLINE;
	wqe->length = sizeof(u64);
	read_once(wqe->data, tail, sizeof(u64));
	return rxe_wqe_check(wqe);
}

/*
 * Take the inline data or SGEs behind the head. User libraries do not clear num_sge of an inline
 * WQE, and some compute dma.length wrongly for several SGEs. So the length is used only for inline
 * data, and num_sge only without.
 */
static enum roce_status rxe_wqe_copy_data(const struct rxe_dma_info *dma, const void *tail,
					  const struct rxe_wqe_limits *rules,
					  struct roce_send_wqe *wqe)
{
	if (wqe_kinds[wqe->opcode] & (WQE_LOCAL | WQE_FLUSH))
		return rxe_wqe_check(wqe);
	if (wqe_kinds[wqe->opcode] & WQE_WORD)
		return rxe_wqe_copy_word(dma, tail, wqe);
	if (rxe_wqe_has_inline(wqe)) {
		if (dma->length > rules->max_inline)
			return ROCE_LOC_LEN_ERR;
		wqe->length = dma->length;
		read_once(wqe->data, tail, wqe->length);
	} else {
		if (dma->num_sge > rules->max_send_sge)
			return ROCE_LOC_QP_OP_ERR;
		wqe->num_sge = dma->num_sge;
		read_once(wqe->sge, tail, wqe->num_sge * sizeof(wqe->sge[0]));
	}
	return rxe_wqe_check(wqe);
}

void rxe_wqe_set_failed(struct roce_send_wqe *wqe, enum roce_status status)
{
	wqe->opcode = ROCE_WR_SEND;
	rxe_wqe_drop_data(wqe);
	wqe->status = status;
}

bool rxe_wqe_on_service(u32 opcode, u8 service)
{
	switch (opcode) {
	case ROCE_WR_SEND:
		return true;
	case ROCE_WR_SEND_IMM:
		return service != ROCE_RAW;
	case ROCE_WR_WRITE:
	case ROCE_WR_WRITE_IMM:
	case ROCE_WR_BIND_MW:
	case ROCE_WR_LOCAL_INV:
	case ROCE_WR_REG_MR:
		return service == ROCE_OP_RC || service == ROCE_OP_UC;
	default:
		return service == ROCE_OP_RC;
	}
}

void rxe_wqe_dest_from_user(const void *elem, struct rxe_wqe_dest *dest)
{
	const struct rxe_send_wqe *wqe = elem;
	struct rxe_send_wr wr;

	/* The AV is copied only if used: most WQEs name an AH. */
	read_once(&wr, &wqe->wr, offsetof(struct rxe_send_wr, wr.ud.av));
	dest->ah_num = wr.wr.ud.ah_num;
	dest->dest_qpn = wr.wr.ud.remote_qpn & ROCE_BTH_QPN;
	dest->qkey = wr.wr.ud.remote_qkey;
	if (!dest->ah_num)
		read_once(&dest->av, &wqe->wr.wr.ud.av, sizeof(dest->av));
}

void rxe_wqe_from_user(const void *elem, const struct rxe_wqe_limits *rules,
		       struct roce_send_wqe *wqe)
{
	enum roce_status status = ROCE_LOC_QP_OP_ERR;
	struct rxe_send_wqe head;
	u16 kind = 0;

	read_once(&head, elem, sizeof(head));
	memset(wqe, 0, offsetof(struct roce_send_wqe, sge));
	wqe->wr_id = head.wr.wr_id;
	wqe->flags = head.wr.send_flags & WQE_FLAGS;
	if (rules->signal_all)
		wqe->flags |= ROCE_WR_SIGNALED;

	if (head.wr.opcode < ROCE_WR_OPCODES)
		kind = wqe_kinds[head.wr.opcode];
	if (kind & WQE_FROM_USER && !(rules->unsupported_ops & 1u << head.wr.opcode) &&
	    rxe_wqe_on_service(head.wr.opcode, rules->service)) {
		wqe->opcode = head.wr.opcode;
		rxe_wqe_copy_operands(&head.wr, kind, wqe);
		status = rxe_wqe_copy_data(&head.dma, elem + sizeof(head), rules, wqe);
	}
	if (status != ROCE_SUCCESS)
		rxe_wqe_set_failed(wqe, status);
}

int rxe_recv_wqe_from_user(const void *elem, const struct rxe_wqe_limits *rules,
			   struct roce_recv_wqe *wqe)
{
	struct rxe_recv_wqe head;
	u64 sum = 0;
	u32 i;

	read_once(&head, elem, sizeof(head));
	wqe->wr_id = head.wr_id;
	wqe->num_sge = 0;
	wqe->length = 0;
	if (head.dma.num_sge > rules->max_recv_sge)
		return -EINVAL;
	wqe->num_sge = head.dma.num_sge;
	read_once(wqe->sge, elem + sizeof(head), wqe->num_sge * sizeof(wqe->sge[0]));

	for (i = 0; i < wqe->num_sge; i++)
		sum += wqe->sge[i].length;
	if (sum > ROCE_MAX_MSG)
		return -EINVAL;
	wqe->length = sum;
	return 0;
}
