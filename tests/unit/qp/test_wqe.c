// SPDX-License-Identifier: GPL-2.0
/* Ring elements as a user may write them, and what becomes of them. */
#include "unit.h"
#include <linux/errno.h>
#include <asm/byteorder.h>
#include <rdma/rdma_user_rxe.h>
#include <roce/wire.h>
#include "mem/local_op.h"
#include "qp/wqe.h"

#define SGES   3u
#define INLINE 64u

static const struct rxe_wqe_limits rules = {
	.max_send_sge = SGES,
	.max_inline = INLINE,
	.max_recv_sge = SGES,
};

/* An element of a user's send ring, with its SGEs or data. */
struct elem {
	struct rxe_send_wqe wqe;
	u8 tail[INLINE];
};

struct row {
	const char *name;
	u32 opcode, flags, num_sge, dma_len;
	u32 len[SGES]; /* of the SGEs */
	/* what becomes of it */
	u8 status;
	u32 length;
	u8 out_sges;
};

static u8 *guard;

/* The element ends where memory ends. */
static void *put(const struct row *row)
{
	struct elem e = { 0 };
	u32 i;

	e.wqe.wr.wr_id = 0x1122334455667788;
	e.wqe.wr.opcode = row->opcode;
	e.wqe.wr.send_flags = row->flags;
	e.wqe.dma.num_sge = row->num_sge;
	e.wqe.dma.length = row->dma_len;
	if (row->flags & ROCE_WR_INLINE || row->opcode == ROCE_WR_ATOMIC_WRITE)
		for (i = 0; i < INLINE; i++)
			e.tail[i] = i;
	else
		for (i = 0; i < SGES; i++)
			((struct rxe_sge *)e.tail)[i] = (struct rxe_sge){
				.addr = 0x1000 * i, .length = row->len[i], .lkey = i
			};
	assert_int_equal(rxe_wqe_send_elem_size(SGES, INLINE), sizeof(e));
	return guard_put(guard, &e, sizeof(e));
}

static void sends(void **state)
{
	static const struct row rows[] = {
		{ "SEND", ROCE_WR_SEND, 0, 2, 0, { 10, 20 }, ROCE_SUCCESS, 30, 2 },
		{ "SEND, the user's length is wrong",
		  ROCE_WR_SEND,
		  0,
		  2,
		  7,
		  { 10, 20 },
		  ROCE_SUCCESS,
		  30,
		  2 },
		{ "SEND of nothing", ROCE_WR_SEND, 0, 0, 0, { 0 }, ROCE_SUCCESS, 0, 0 },
		{ "empty SGEs name no memory",
		  ROCE_WR_SEND,
		  0,
		  3,
		  0,
		  { 0, 5, 0 },
		  ROCE_SUCCESS,
		  5,
		  1 },
		{ "as many SGEs as agreed", ROCE_WR_WRITE, 0, 3, 0, { 1, 2, 3 }, ROCE_SUCCESS, 6, 3 },
		{ "one SGE more", ROCE_WR_WRITE, 0, 4, 0, { 1, 2, 3 }, ROCE_LOC_QP_OP_ERR, 0, 0 },
		{ "SGEs without end",
		  ROCE_WR_WRITE,
		  0,
		  0xffffffff,
		  0,
		  { 1, 2, 3 },
		  ROCE_LOC_QP_OP_ERR,
		  0,
		  0 },
		{ "SGEs whose count is 256 more than it looks",
		  ROCE_WR_WRITE,
		  0,
		  0x101,
		  0,
		  { 1 },
		  ROCE_LOC_QP_OP_ERR,
		  0,
		  0 },
		{ "2 GiB", ROCE_WR_READ, 0, 2, 0, { 0x7fffffff, 1 }, ROCE_SUCCESS, 0x80000000, 2 },
		{ "a byte more than 2 GiB",
		  ROCE_WR_READ,
		  0,
		  2,
		  0,
		  { 0x80000000, 1 },
		  ROCE_LOC_LEN_ERR,
		  0,
		  0 },
		{ "a sum of SGEs that wraps",
		  ROCE_WR_WRITE,
		  0,
		  3,
		  0,
		  { 0xffffffff, 0xffffffff, 2 },
		  ROCE_LOC_LEN_ERR,
		  0,
		  0 },
		{ "inline", ROCE_WR_SEND, ROCE_WR_INLINE, 1, 13, { 0 }, ROCE_SUCCESS, 13, 0 },
		{ "inline, all there is room for",
		  ROCE_WR_WRITE_IMM,
		  ROCE_WR_INLINE,
		  0,
		  INLINE,
		  { 0 },
		  ROCE_SUCCESS,
		  INLINE,
		  0 },
		{ "inline, one byte more",
		  ROCE_WR_WRITE,
		  ROCE_WR_INLINE,
		  0,
		  INLINE + 1,
		  { 0 },
		  ROCE_LOC_LEN_ERR,
		  0,
		  0 },
		{ "inline without end",
		  ROCE_WR_SEND_INV,
		  ROCE_WR_INLINE,
		  0,
		  0xffffffff,
		  { 0 },
		  ROCE_LOC_LEN_ERR,
		  0,
		  0 },
		{ "inline with any SGE count",
		  ROCE_WR_SEND,
		  ROCE_WR_INLINE,
		  0xffff,
		  3,
		  { 0 },
		  ROCE_SUCCESS,
		  3,
		  0 },
		{ "inline READ", ROCE_WR_READ, ROCE_WR_INLINE, 0, 8, { 0 }, ROCE_LOC_QP_OP_ERR, 0, 0 },
		{ "inline atomic",
		  ROCE_WR_FETCH_ADD,
		  ROCE_WR_INLINE,
		  0,
		  8,
		  { 0 },
		  ROCE_LOC_QP_OP_ERR,
		  0,
		  0 },
		{ "atomic", ROCE_WR_COMPARE_SWAP, 0, 1, 0, { 8 }, ROCE_SUCCESS, 8, 1 },
		{ "atomic with more room than it needs",
		  ROCE_WR_FETCH_ADD,
		  0,
		  1,
		  0,
		  { 64 },
		  ROCE_SUCCESS,
		  8,
		  1 },
		{ "atomic with an empty SGE before its own",
		  ROCE_WR_FETCH_ADD,
		  0,
		  2,
		  0,
		  { 0, 8 },
		  ROCE_SUCCESS,
		  8,
		  1 },
		{ "atomic with no room", ROCE_WR_FETCH_ADD, 0, 1, 0, { 7 }, ROCE_LOC_LEN_ERR, 0, 0 },
		{ "atomic over two SGEs",
		  ROCE_WR_COMPARE_SWAP,
		  0,
		  2,
		  0,
		  { 4, 4 },
		  ROCE_LOC_LEN_ERR,
		  0,
		  0 },
		{ "atomic without an SGE",
		  ROCE_WR_COMPARE_SWAP,
		  0,
		  0,
		  0,
		  { 0 },
		  ROCE_LOC_LEN_ERR,
		  0,
		  0 },
		{ "REG_MR is the kernel's", ROCE_WR_REG_MR, 0, 0, 0, { 0 }, ROCE_LOC_QP_OP_ERR, 0, 0 },
		{ "LOCAL_INV has no data", ROCE_WR_LOCAL_INV, 0, 2, 7, { 10, 20 }, ROCE_SUCCESS, 0, 0 },
		{ "BIND_MW with SGEs without end",
		  ROCE_WR_BIND_MW,
		  0,
		  0xffffffff,
		  0xffffffff,
		  { 1 },
		  ROCE_SUCCESS,
		  0,
		  0 },
		{ "ATOMIC WRITE, without the flag", ROCE_WR_ATOMIC_WRITE, 0, 0, 8, { 0 }, ROCE_SUCCESS, 8, 0 },
		{ "ATOMIC WRITE, with it",
		  ROCE_WR_ATOMIC_WRITE,
		  ROCE_WR_INLINE,
		  0xffffffff,
		  8,
		  { 0 },
		  ROCE_SUCCESS,
		  8,
		  0 },
		{ "ATOMIC WRITE of less", ROCE_WR_ATOMIC_WRITE, 0, 0, 7, { 0 }, ROCE_LOC_LEN_ERR, 0, 0 },
		{ "ATOMIC WRITE of more",
		  ROCE_WR_ATOMIC_WRITE,
		  ROCE_WR_INLINE,
		  0,
		  9,
		  { 0 },
		  ROCE_LOC_LEN_ERR,
		  0,
		  0 },
		{ "ATOMIC WRITE without end",
		  ROCE_WR_ATOMIC_WRITE,
		  0,
		  0xffffffff,
		  0xffffffff,
		  { 0 },
		  ROCE_LOC_LEN_ERR,
		  0,
		  0 },
		{ "a FLUSH of no kind", ROCE_WR_FLUSH, 0, 1, 8, { 8 }, ROCE_LOC_QP_OP_ERR, 0, 0 },
		{ "the first opcode beyond",
		  ROCE_WR_OPCODES,
		  0,
		  1,
		  0,
		  { 1 },
		  ROCE_LOC_QP_OP_ERR,
		  0,
		  0 },
		{ "an opcode that is another one modulo 256",
		  0x100 + ROCE_WR_SEND,
		  0,
		  1,
		  0,
		  { 1 },
		  ROCE_LOC_QP_OP_ERR,
		  0,
		  0 },
		{ "the last opcode", 0xffffffff, 0, 1, 0, { 1 }, ROCE_LOC_QP_OP_ERR, 0, 0 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];
		u8 out[256] __aligned(8);
		struct roce_send_wqe *wqe = (void *)out;

		assert_true(rxe_wqe_stride(&rules) < sizeof(out));
		memset(out, 0xa5, sizeof(out));
		rxe_wqe_from_user(put(row), &rules, wqe);
		row_equal(row->name, wqe->wr_id, 0x1122334455667788);
		row_equal(row->name, wqe->status, row->status);
		row_equal(row->name, wqe->length, row->length);
		row_equal(row->name, wqe->num_sge, row->out_sges);
		row_check(row->name, wqe->opcode < ROCE_WR_OPCODES);
		row_equal(row->name, wqe->opcode,
			  row->status == ROCE_SUCCESS ? row->opcode : ROCE_WR_SEND);
		row_equal(row->name, out[rxe_wqe_stride(&rules)], 0xa5);
		if (wqe->status == ROCE_SUCCESS && row->flags & ROCE_WR_INLINE)
			row_equal(row->name, wqe->data[wqe->length - 1], wqe->length - 1);
	}
}

static void operands(void **state)
{
	struct elem e = { .wqe.wr = { .send_flags = 0xffffffe0 } };
	u8 out[256] __aligned(8);
	struct roce_send_wqe *wqe = (void *)out;
	struct rxe_wqe_limits all = rules;

	(void)state;
	e.wqe.wr.opcode = ROCE_WR_COMPARE_SWAP;
	e.wqe.wr.wr.atomic.remote_addr = 1;
	e.wqe.wr.wr.atomic.compare_add = 2;
	e.wqe.wr.wr.atomic.swap = 3;
	e.wqe.wr.wr.atomic.rkey = 4;
	e.wqe.dma.num_sge = 1;
	((struct rxe_sge *)e.tail)->length = 8;
	rxe_wqe_from_user(&e, &rules, wqe);
	assert_int_equal(wqe->status, ROCE_SUCCESS);
	assert_int_equal(wqe->flags, 0);
	assert_true(wqe->remote_addr == 1 && wqe->compare == 2 && wqe->swap_add == 3);
	assert_int_equal(wqe->rkey, 4);

	e.wqe.wr.opcode = ROCE_WR_FETCH_ADD;
	rxe_wqe_from_user(&e, &rules, wqe);
	assert_true(wqe->remote_addr == 1 && wqe->compare == 0 && wqe->swap_add == 2);

	e.wqe.wr.opcode = ROCE_WR_WRITE_IMM;
	e.wqe.wr.wr.rdma.rkey = 5;
	e.wqe.wr.ex.imm_data = cpu_to_be32(6);
	all.signal_all = true;
	rxe_wqe_from_user(&e, &all, wqe);
	assert_true(wqe->remote_addr == 1 && wqe->imm == cpu_to_be32(6) && !wqe->inv_rkey);
	assert_int_equal(wqe->rkey, 5);
	assert_int_equal(wqe->flags, ROCE_WR_SIGNALED);

	e.wqe.wr.opcode = ROCE_WR_SEND_INV;
	e.wqe.wr.ex.invalidate_rkey = 7;
	rxe_wqe_from_user(&e, &rules, wqe);
	assert_true(wqe->inv_rkey == 7 && !wqe->imm && !wqe->rkey && !wqe->remote_addr);
}

static void local_operands(void **state)
{
	struct elem e = { .wqe.wr = { .send_flags = ROCE_WR_INLINE | ROCE_WR_FENCE } };
	u8 out[256] __aligned(8);
	struct roce_send_wqe *wqe = (void *)out;
	struct rxe_bind bind;

	(void)state;
	e.wqe.wr.opcode = ROCE_WR_LOCAL_INV;
	e.wqe.wr.ex.invalidate_rkey = 8;
	rxe_wqe_from_user(&e, &rules, wqe);
	assert_int_equal(wqe->status, ROCE_SUCCESS);
	assert_int_equal(wqe->rkey, 8);
	assert_int_equal(wqe->flags, ROCE_WR_FENCE);

	e.wqe.wr.opcode = ROCE_WR_BIND_MW;
	e.wqe.wr.wr.mw.addr = 0x1111111122222222;
	e.wqe.wr.wr.mw.length = 0x3333333344444444;
	e.wqe.wr.wr.mw.mr_lkey = 0xfffffff5;
	e.wqe.wr.wr.mw.mw_rkey = 6;
	e.wqe.wr.wr.mw.rkey = 7;
	e.wqe.wr.wr.mw.access = 0x80000008;
	rxe_wqe_from_user(&e, &rules, wqe);
	assert_int_equal(wqe->status, ROCE_SUCCESS);
	rxe_bind_unpack(wqe, &bind);
	assert_true(bind.addr == 0x1111111122222222 && bind.length == 0x3333333344444444);
	assert_true(bind.lkey == 0xfffffff5 && bind.access == 0x80000008);
	assert_true(bind.old_rkey == 6 && bind.new_rkey == 7);
}

/* The rules leave room for nothing else: the eight bytes have it all the same. */
static void atomic_write(void **state)
{
	static const struct rxe_wqe_limits least = { .service = ROCE_OP_RC };
	struct {
		struct rxe_send_wqe wqe;
		u64 word;
	} e = { .wqe.wr = { .opcode = ROCE_WR_ATOMIC_WRITE,
			    .wr.rdma = { .remote_addr = 8, .rkey = 9 } },
		.wqe.dma.length = 8,
		.word = 0x1122334455667788 };
	u8 out[256] __aligned(8);
	struct roce_send_wqe *wqe = (void *)out;

	(void)state;
	assert_int_equal(rxe_wqe_send_elem_size(0, 0), sizeof(e));
	memset(out, 0xa5, sizeof(out));
	rxe_wqe_from_user(guard_put(guard, &e, sizeof(e)), &least, wqe);
	assert_int_equal(wqe->status, ROCE_SUCCESS);
	assert_true(wqe->remote_addr == 8 && wqe->rkey == 9);
	assert_int_equal(wqe->flags, ROCE_WR_INLINE);
	assert_memory_equal(wqe->data, &e.word, sizeof(e.word));
	assert_int_equal(out[rxe_wqe_stride(&least)], 0xa5);
}

static void flushes(void **state)
{
	static const struct {
		const char *name;
		u8 type, level;
		u32 length;
		u8 status;
	} rows[] = {
		{ "a range", ROCE_FLUSH_GLOBAL, ROCE_FLUSH_RANGE, 100, ROCE_SUCCESS },
		{ "a region", ROCE_FLUSH_PERSISTENT, ROCE_FLUSH_MR, 0, ROCE_SUCCESS },
		{ "both kinds", ROCE_FLUSH_GLOBAL | ROCE_FLUSH_PERSISTENT, 0, 1, ROCE_SUCCESS },
		{ "no kind", 0, ROCE_FLUSH_RANGE, 100, ROCE_LOC_QP_OP_ERR },
		{ "another kind", 4, ROCE_FLUSH_RANGE, 100, ROCE_LOC_QP_OP_ERR },
		{ "another level", ROCE_FLUSH_GLOBAL, 2, 100, ROCE_LOC_QP_OP_ERR },
		{ "2 GiB", ROCE_FLUSH_GLOBAL, 0, 0x80000000, ROCE_SUCCESS },
		{ "a byte more", ROCE_FLUSH_GLOBAL, 0, 0x80000001, ROCE_LOC_LEN_ERR },
	};
	u8 out[256] __aligned(8);
	struct roce_send_wqe *wqe = (void *)out;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct rxe_wqe_flush flush = { 0x1000, rows[i].length, 7, rows[i].type,
					       rows[i].level };
		struct elem e = { .wqe.wr = { .opcode = ROCE_WR_FLUSH,
					      .send_flags = ROCE_WR_INLINE },
				  .wqe.dma = { .length = 0xffffffff, .num_sge = 0xffffffff } };
		bool good = rows[i].status == ROCE_SUCCESS;

		memcpy(&e.wqe.wr.wr, &flush, sizeof(flush));
		rxe_wqe_from_user(guard_put(guard, &e, sizeof(e)), &rules, wqe);
		row_equal(rows[i].name, wqe->status, rows[i].status);
		row_equal(rows[i].name, wqe->length, good ? rows[i].length : 0);
		row_equal(rows[i].name, wqe->flags, 0);
		row_equal(rows[i].name, wqe->num_sge, 0);
		if (!good)
			continue;
		row_equal(rows[i].name, wqe->remote_addr, 0x1000);
		row_equal(rows[i].name, wqe->rkey, 7);
		row_equal(rows[i].name, wqe->flush_type, rows[i].type);
		row_equal(rows[i].name, wqe->flush_level, rows[i].level);
	}
}

/* What the kernel's RDMA core does not have fails, and nothing else does. */
static void absent(void **state)
{
	static const struct rxe_wqe_limits old = {
		.unsupported_ops = 1u << ROCE_WR_ATOMIC_WRITE,
	};
	struct rxe_wqe_flush flush = { 0x1000, 8, 7, ROCE_FLUSH_GLOBAL, ROCE_FLUSH_RANGE };
	struct elem e = { .wqe.dma.length = 8 };
	u8 out[256] __aligned(8);
	struct roce_send_wqe *wqe = (void *)out;

	(void)state;
	e.wqe.wr.opcode = ROCE_WR_ATOMIC_WRITE;
	rxe_wqe_from_user(&e, &rules, wqe);
	assert_int_equal(wqe->status, ROCE_SUCCESS);
	rxe_wqe_from_user(&e, &old, wqe);
	assert_int_equal(wqe->status, ROCE_LOC_QP_OP_ERR);
	assert_int_equal(wqe->length, 0);

	memcpy(&e.wqe.wr.wr, &flush, sizeof(flush));
	e.wqe.wr.opcode = ROCE_WR_FLUSH;
	rxe_wqe_from_user(&e, &old, wqe);
	assert_int_equal(wqe->status, ROCE_SUCCESS);
}

static void services(void **state)
{
	static const struct {
		u32 opcode;
		bool uc, ud;
	} rows[] = {
		{ ROCE_WR_SEND, true, true },
		{ ROCE_WR_SEND_IMM, true, true },
		{ ROCE_WR_WRITE, true, false },
		{ ROCE_WR_WRITE_IMM, true, false },
		{ ROCE_WR_SEND_INV, false, false },
		{ ROCE_WR_READ, false, false },
		{ ROCE_WR_COMPARE_SWAP, false, false },
		{ ROCE_WR_FETCH_ADD, false, false },
		{ ROCE_WR_FLUSH, false, false },
		{ ROCE_WR_ATOMIC_WRITE, false, false },
		{ 0xffffffff, false, false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(rxe_wqe_on_service(rows[i].opcode, ROCE_OP_UC), rows[i].uc);
		assert_int_equal(rxe_wqe_on_service(rows[i].opcode, ROCE_OP_UD), rows[i].ud);
		assert_true(rxe_wqe_on_service(rows[i].opcode, ROCE_OP_RC));
	}
}

static void operation_of_another_service(void **state)
{
	struct elem e = { .wqe.wr = { .wr_id = 8, .opcode = ROCE_WR_READ } };
	struct rxe_wqe_limits ud = rules;
	u8 out[256] __aligned(8);
	struct roce_send_wqe *wqe = (void *)out;

	(void)state;
	ud.service = ROCE_OP_UD;
	rxe_wqe_from_user(&e, &ud, wqe);
	assert_true(wqe->wr_id == 8 && wqe->status == ROCE_LOC_QP_OP_ERR);
	assert_int_equal(wqe->opcode, ROCE_WR_SEND);
}

static void destinations(void **state)
{
	struct rxe_send_wqe e = { .wr.wr.ud = { .remote_qpn = 0xff123456,
						.remote_qkey = 7,
						.ah_num = 9,
						.av.grh.sgid_index = 3 } };
	struct rxe_wqe_dest to = { .av.grh.sgid_index = 5 };

	(void)state;
	rxe_wqe_dest_from_user(guard_put(guard, &e, sizeof(e)), &to);
	assert_int_equal(to.dest_qpn, 0x123456);
	assert_int_equal(to.qkey, 7);
	assert_int_equal(to.ah_num, 9);
	assert_int_equal(to.av.grh.sgid_index, 5);

	/* Without an address handle, the vector counts. */
	e.wr.wr.ud.ah_num = 0;
	rxe_wqe_dest_from_user(guard_put(guard, &e, sizeof(e)), &to);
	assert_int_equal(to.ah_num, 0);
	assert_int_equal(to.av.grh.sgid_index, 3);
}

static void receives(void **state)
{
	static const struct {
		const char *name;
		u32 num_sge;
		u32 len[SGES];
		int err;
		u32 length;
	} rows[] = {
		{ "no SGE", 0, { 0 }, 0, 0 },
		{ "as many as agreed", 3, { 1, 2, 3 }, 0, 6 },
		{ "one more", 4, { 1, 2, 3 }, -EINVAL, 0 },
		{ "without end", 0xffffffff, { 1 }, -EINVAL, 0 },
		{ "2 GiB", 2, { 0x80000000, 0 }, 0, 0x80000000 },
		{ "a byte more", 2, { 0x80000000, 1 }, -EINVAL, 0 },
		{ "a sum that wraps", 2, { 0xffffffff, 2 }, -EINVAL, 0 },
	};
	size_t i, k;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct {
			struct rxe_recv_wqe wqe;
			struct rxe_sge sge[SGES];
		} e = { .wqe = { .wr_id = 42, .dma.num_sge = rows[i].num_sge } };
		struct {
			struct roce_recv_wqe wqe;
			struct roce_sge sge[SGES];
		} out;

		for (k = 0; k < SGES; k++)
			e.sge[k].length = rows[i].len[k];
		assert_int_equal(rxe_wqe_recv_elem_size(SGES), sizeof(e));
		row_check(rows[i].name,
			  rxe_recv_wqe_from_user(guard_put(guard, &e, sizeof(e)), &rules,
						 &out.wqe) == rows[i].err);
		row_equal(rows[i].name, out.wqe.wr_id, 42);
		if (rows[i].err)
			continue;
		row_equal(rows[i].name, out.wqe.length, rows[i].length);
		row_equal(rows[i].name, out.wqe.num_sge, rows[i].num_sge);
	}
}

static int setup(void **state)
{
	guard_setup(state);
	guard = *state;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sends),
		cmocka_unit_test(operands),
		cmocka_unit_test(local_operands),
		cmocka_unit_test(atomic_write),
		cmocka_unit_test(flushes),
		cmocka_unit_test(absent),
		cmocka_unit_test(services),
		cmocka_unit_test(operation_of_another_service),
		cmocka_unit_test(destinations),
		cmocka_unit_test(receives),
	};

	return cmocka_run_group_tests(tests, setup, guard_teardown);
}
