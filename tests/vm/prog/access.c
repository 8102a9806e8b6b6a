// SPDX-License-Identifier: GPL-2.0
/*
 * Test memory protection: every combination of access rights, bounds, protection domain, key and
 * operation on memory regions and on memory windows of type 1 and 2 must have the result that the
 * specification defines (IBTA 10.6, 10.7.3, 11.6.2).
 *
 *	access DEVICE_A GID_INDEX DEVICE_B GID_INDEX
 *
 * A accesses B's memory. Each row runs on its own pair of QPs.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair.h"
#include "uverbs.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define BUF	      16384u
#define LEN	      64u /* bytes of an operation other than an atomic */

#define LW IBV_ACCESS_LOCAL_WRITE
#define RW IBV_ACCESS_REMOTE_WRITE
#define RR IBV_ACCESS_REMOTE_READ
#define RA IBV_ACCESS_REMOTE_ATOMIC
#define MB IBV_ACCESS_MW_BIND
#define ZB IBV_ACCESS_ZERO_BASED

static struct side a, b;
static struct ibv_pd *other_pd;
static unsigned int tried;

static void connect_pair(void)
{
	struct pair_attr attr = { .mtu = IBV_MTU_1024, .timeout = 14, .psn = 0xfffffe };

	pair_create(&a, &b, &attr);
}

static void destroy_pair(void)
{
	pair_destroy(&a, &b);
}

/* The kind of memory of a row, and how it is accessed. */

enum kind { MR, MW1, MW2 };
static const char *const kind_name[] = { "region", "type 1 window", "type 2 window" };

enum op { SEND, RECV, WRITE, READ, CAS, FADD, OPS };
static const char *const op_name[] = { "SEND", "RECV", "WRITE", "READ", "CAS", "FADD" };

enum place { INSIDE, BEFORE, BEHIND, WRAP, FAR, NOTHING, ALL, PLACES };
static const char *const place_name[] = { "inside",  "one before", "one behind", "wrapped around",
					  "far away", "no bytes",	 "all of it" };

enum which { RIGHT, LOW_BYTE, INDEX, ZERO, STALE, OTHER_PD, WHICHS };
static const char *const which_name[] = { "right key", "wrong low byte", "wrong index",
					  "key 0",     "stale key",	 "other PD" };

/**
 * struct target - memory of B that a row accesses
 * @addr: address of its first byte, as remote requests give it
 */
struct target {
	struct ibv_mr *mr;
	struct ibv_mw *mw;
	uint64_t addr;
	uint32_t length;
	uint32_t key;
};

static uint32_t next_key(uint32_t key)
{
	return (key & ~0xffu) | ((key + 1) & 0xff);
}

static enum ibv_wc_status bind_type_2(struct side *s, struct ibv_mw *mw, uint32_t rkey,
				      const struct ibv_mw_bind_info *info)
{
	struct ibv_send_wr *bad, wr = {
		.opcode = IBV_WR_BIND_MW,
		.send_flags = IBV_SEND_SIGNALED,
		.bind_mw = { .mw = mw, .rkey = rkey, .bind_info = *info },
	};
	struct ibv_wc wc;

	if (ibv_post_send(s->qp, &wr, &bad))
		die("posting a bind failed: %m");
	side_wait(s, &wc);
	if (wc.status == IBV_WC_SUCCESS && wc.opcode != IBV_WC_BIND_MW)
		die("a bind completes as opcode %d", wc.opcode);
	return wc.status;
}

static enum ibv_wc_status bind_type_1(struct side *s, struct ibv_mw *mw,
				      const struct ibv_mw_bind_info *info)
{
	struct ibv_mw_bind bind = { .send_flags = IBV_SEND_SIGNALED, .bind_info = *info };
	struct ibv_mw as_type_2 = *mw;
	struct ibv_wc wc;

	if (!ibv_bind_mw(s->qp, mw, &bind)) {
		side_wait(s, &wc);
		return wc.status;
	}
	/*
	 * Set the type to bypass the checks of the library, so that the kernel checks the
	 * arguments.
	 */
	as_type_2.type = IBV_MW_TYPE_2;
	return bind_type_2(s, &as_type_2, next_key(mw->rkey), info);
}

/* Bind, and store the new key in the library's structure. */
static enum ibv_wc_status bind_window(struct side *s, struct ibv_mw *mw, uint32_t rkey,
				      const struct ibv_mw_bind_info *info)
{
	enum ibv_wc_status status;

	if (mw->type == IBV_MW_TYPE_1)
		return bind_type_1(s, mw, info);
	status = bind_type_2(s, mw, rkey, info);
	if (status == IBV_WC_SUCCESS)
		mw->rkey = rkey;
	return status;
}

static struct ibv_mr *reg(struct ibv_pd *pd, size_t from, size_t length, int access)
{
	struct ibv_mr *mr = ibv_reg_mr(pd, b.buf + from, length, access);

	if (!mr)
		die("registration for %#x failed: %m", access);
	return mr;
}

static struct ibv_mw *alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type)
{
	struct ibv_mw *mw = ibv_alloc_mw(pd, type);

	if (!mw)
		die("no window of type %d: %m", type);
	return mw;
}

/* Memory in the middle of B's buffer, unaligned except for atomics. */
static void open_target(struct target *t, enum kind kind, struct ibv_pd *pd, int access)
{
	const uint32_t from = 4096 - 256, length = 1024;
	struct ibv_mw_bind_info info;

	memset(t, 0, sizeof(*t));
	t->length = length;
	t->addr = (uintptr_t)b.buf + from;
	if (kind == MR) {
		t->mr = reg(pd, from, length, access & (RW | RA) ? access | LW : access);
		t->key = t->mr->rkey;
		return;
	}
	t->mr = reg(pd, 0, BUF, LW | RW | RR | RA | MB);
	t->mw = alloc_mw(pd, kind == MW1 ? IBV_MW_TYPE_1 : IBV_MW_TYPE_2);
	info = (struct ibv_mw_bind_info){ t->mr, t->addr, length, access & ~LW };
	if (bind_window(&b, t->mw, next_key(t->mw->rkey), &info))
		die("a %s cannot be bound for %#x", kind_name[kind], access);
	t->key = t->mw->rkey;
}

static void close_target(struct target *t)
{
	if (t->mw && ibv_dealloc_mw(t->mw))
		die("a window cannot be deallocated: %m");
	if (ibv_dereg_mr(t->mr))
		die("a region cannot be deregistered: %m");
}

static uint64_t place_addr(const struct target *t, enum place place, uint32_t *len)
{
	switch (place) {
	case INSIDE:
		return t->addr + 8;
	case BEFORE:
		return t->addr - (*len == 8 ? 8 : 1);
	case BEHIND:
		return t->addr + t->length - *len + (*len == 8 ? 8 : 1);
	case WRAP:
		return -(uint64_t)8;
	case FAR:
		return t->addr + (1ull << 40);
	case NOTHING:
		*len = 0;
		return t->addr + (1ull << 40);
	default:
		if (*len != 8)
			*len = t->length;
		return t->addr;
	}
}

static uint32_t wrong_key(const struct target *t, enum which which)
{
	switch (which) {
	case LOW_BYTE:
		return t->key ^ 1;
	case INDEX:
		return t->key ^ 0x10000;
	case ZERO:
		return 0;
	default:
		return t->key;
	}
}

/* Execute @op on @len bytes at @addr of B with @key: from A, or as B's own SEND or receive. */
static void post_recv(struct side *s, uint64_t addr, uint32_t len, uint32_t key)
{
	struct ibv_sge sge = { addr, len, key };
	struct ibv_recv_wr *bad, wr = { .wr_id = 2, .sg_list = &sge, .num_sge = 1 };

	if (ibv_post_recv(s->qp, &wr, &bad))
		die("posting a receive failed: %m");
}

static enum ibv_wc_status do_send(struct side *from, struct side *to, const struct ibv_sge *sge,
				  const struct ibv_sge *into, enum ibv_wc_status *at_receiver)
{
	struct ibv_send_wr *bad, wr = { .wr_id = 1,
					.sg_list = (struct ibv_sge *)sge,
					.num_sge = 1,
					.opcode = IBV_WR_SEND,
					.send_flags = IBV_SEND_SIGNALED };
	struct ibv_wc wc;

	post_recv(to, into->addr, into->length, into->lkey);
	if (ibv_post_send(from->qp, &wr, &bad))
		die("posting a SEND failed: %m");
	side_wait(from, &wc);
	if (at_receiver) {
		struct ibv_wc at;

		side_wait(to, &at);
		*at_receiver = at.status;
	}
	return wc.status;
}

static enum ibv_wc_status do_remote(enum op op, uint64_t addr, uint32_t len, uint32_t key)
{
	static const enum ibv_wr_opcode opcodes[OPS] = {
		[WRITE] = IBV_WR_RDMA_WRITE,
		[READ] = IBV_WR_RDMA_READ,
		[CAS] = IBV_WR_ATOMIC_CMP_AND_SWP,
		[FADD] = IBV_WR_ATOMIC_FETCH_AND_ADD,
	};
	struct ibv_sge sge = { (uintptr_t)a.buf, len, a.mr->lkey };
	struct ibv_send_wr *bad, wr = { .wr_id = 1,
					.sg_list = &sge,
					.num_sge = 1,
					.opcode = opcodes[op],
					.send_flags = IBV_SEND_SIGNALED };
	struct ibv_wc wc;

	if (op == WRITE || op == READ) {
		wr.wr.rdma.remote_addr = addr;
		wr.wr.rdma.rkey = key;
	} else {
		wr.wr.atomic.remote_addr = addr;
		wr.wr.atomic.rkey = key;
		wr.wr.atomic.swap = 1;
		wr.wr.atomic.compare_add = 1;
	}
	if (ibv_post_send(a.qp, &wr, &bad))
		die("posting a %s failed: %m", op_name[op]);
	side_wait(&a, &wc);
	return wc.status;
}

static enum ibv_wc_status do_op(enum op op, uint64_t addr, uint32_t len, uint32_t key)
{
	struct ibv_sge own = { (uintptr_t)a.buf, len, a.mr->lkey };
	struct ibv_sge its = { addr, len, key };
	enum ibv_wc_status at_receiver;

	switch (op) {
	case SEND:
		return do_send(&b, &a, &its, &own, NULL);
	case RECV:
		do_send(&a, &b, &own, &its, &at_receiver);
		return at_receiver;
	default:
		return do_remote(op, addr, len, key);
	}
}

static int rights_for(enum op op)
{
	static const int rights[OPS] = { 0, LW, RW, RR, RA, RA };

	return rights[op];
}

/* The result that the specification defines. */
static enum ibv_wc_status answer(enum kind kind, enum op op, int access, enum place place,
				 enum which which)
{
	bool local = op == SEND || op == RECV;
	bool ok = (access & rights_for(op)) == rights_for(op) && which == RIGHT &&
		  (place == INSIDE || place == ALL);

	/* A window has no L_Key. An operation of 0 bytes does not check the key. */
	if (local && kind != MR)
		ok = false;
	if (place == NOTHING)
		ok = true;
	if (ok)
		return IBV_WC_SUCCESS;
	return local ? IBV_WC_LOC_PROT_ERR : IBV_WC_REM_ACCESS_ERR;
}

/* The bytes around the target must not change, nor the target unless it is to be written. */
static uint64_t sum_of_b(void)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < BUF; i++)
		sum = sum * 31 + b.buf[i];
	return sum;
}

static void try(enum kind kind, enum op op, int access, enum place place, enum which which)
{
	bool atomic = op == CAS || op == FADD;
	uint32_t len = atomic ? 8 : LEN;
	enum ibv_wc_status status, want = answer(kind, op, access, place, which);
	struct target t;
	uint64_t before, addr;
	uint32_t key;

	if (atomic && place == NOTHING)
		return;
	connect_pair();
	open_target(&t, kind, which == OTHER_PD && kind == MR ? other_pd : b.pd, access);
	addr = place_addr(&t, place, &len);
	key = wrong_key(&t, which);
	if (which == STALE) {
		if (kind == MR)
			close_target(&t);
		else if (ibv_dealloc_mw(t.mw))
			die("a window cannot be deallocated: %m");
	}
	before = sum_of_b();
	memset(a.buf, 0x5a, BUF);
	status = do_op(op, addr, len, key);
	if (status != want)
		die("%s of a %s, rights %#x, %s, %s: %s, want %s", op_name[op], kind_name[kind],
		    access, place_name[place], which_name[which], ibv_wc_status_str(status),
		    ibv_wc_status_str(want));
	if ((status != IBV_WC_SUCCESS || !len) && sum_of_b() != before)
		die("%s of a %s, rights %#x, %s, %s: refused, and memory has changed", op_name[op],
		    kind_name[kind], access, place_name[place], which_name[which]);
	if (which != STALE)
		close_target(&t);
	else if (kind != MR && ibv_dereg_mr(t.mr))
		die("a region whose window is gone cannot be deregistered: %m");
	destroy_pair();
	tried++;
}

/* Try each operation with each set of access rights, bounds and keys. */
static void try_all(enum kind kind)
{
	static const int rights[] = { 0,       LW,	RW,	 RR,	  RA,	  LW | RR,
				      RW | RR, RW | RA, RR | RA, LW | RW, LW | RW | RR | RA };
	size_t i;
	int op, n;

	for (op = 0; op < OPS; op++) {
		for (i = 0; i < ARRAY_SIZE(rights); i++)
			try(kind, op, rights[i] | (kind == MR && rights[i] & (RW | RA) ? LW : 0),
			    INSIDE, RIGHT);
		for (n = 0; n < PLACES; n++)
			try(kind, op, LW | RW | RR | RA, n, RIGHT);
		for (n = 0; n < WHICHS; n++)
			if (n != OTHER_PD || kind == MR)
				try(kind, op, LW | RW | RR | RA, INSIDE, n);
	}
}

/*
 * Binds.
 */

/**
 * struct bind_row - bind of a window
 * @type: type of the window
 * @mr_access: access rights of the region
 * @access: access rights of the bind
 * @offset: of the window in the region, which has BUF bytes
 * @length: of the window
 * @foreign_mr: the region belongs to another PD
 * @foreign_mw: the window belongs to another PD
 * @key: added to the new key, on top of the required increment
 * @ok: the bind must succeed
 */
struct bind_row {
	const char *what;
	int type;
	int mr_access;
	int access;
	int64_t offset;
	uint64_t length;
	bool foreign_mr;
	bool foreign_mw;
	uint32_t key;
	bool ok;
};

#define FULL (LW | RW | RR | RA | MB)

static const struct bind_row bind_rows[] = {
	{ "all of the region", 1, FULL, RW | RR | RA, 0, BUF, false, false, 0, true },
	{ "all of the region", 2, FULL, RW | RR | RA, 0, BUF, false, false, 0, true },
	{ "no rights", 1, FULL, 0, 0, 8, false, false, 0, true },
	{ "no rights", 2, FULL, 0, 0, 8, false, false, 0, true },
	{ "the last byte", 2, FULL, RR, BUF - 1, 1, false, false, 0, true },
	{ "one byte before", 1, FULL, RR, -1, 8, false, false, 0, false },
	{ "one byte before", 2, FULL, RR, -1, 8, false, false, 0, false },
	{ "one byte behind", 1, FULL, RR, BUF - 7, 8, false, false, 0, false },
	{ "one byte behind", 2, FULL, RR, BUF - 7, 8, false, false, 0, false },
	{ "a byte too long", 2, FULL, RR, 0, BUF + 1, false, false, 0, false },
	{ "a length that wraps", 1, FULL, RR, 8, UINT64_MAX - 3, false, false, 0, false },
	{ "a length that wraps", 2, FULL, RR, 8, UINT64_MAX - 3, false, false, 0, false },
	{ "no bytes", 1, FULL, RR, 0, 0, false, false, 0, true },
	{ "no bytes", 2, FULL, RR, 0, 0, false, false, 0, false },
	{ "a region without the right to bind", 1, LW | RW, RW, 0, 8, false, false, 0, false },
	{ "a region without the right to bind", 2, LW | RW, RW, 0, 8, false, false, 0, false },
	{ "writing a read-only region", 1, RR | MB, RW, 0, 8, false, false, 0, false },
	{ "writing a read-only region", 2, RR | MB, RW, 0, 8, false, false, 0, false },
	{ "atomics in a read-only region", 2, RR | MB, RA, 0, 8, false, false, 0, false },
	{ "reading a read-only region", 2, RR | MB, RR, 0, 8, false, false, 0, true },
	/* The access rights of the window do not depend on the region's (IBTA 10.6.7.2.4). */
	{ "remote rights the region lacks", 2, LW | MB, RW | RR | RA, 0, 8, false, false, 0, true },
	{ "the right to bind windows to it", 2, FULL, RR | MB, 0, 8, false, false, 0, false },
	{ "on demand", 2, FULL, RR | IBV_ACCESS_ON_DEMAND, 0, 8, false, false, 0, false },
	{ "zero-based", 1, FULL, RR | ZB, 0, 8, false, false, 0, false },
	{ "zero-based", 2, FULL, RR | ZB, 64, 8, false, false, 0, true },
	{ "a region of another PD", 1, FULL, RR, 0, 8, true, false, 0, false },
	{ "a region of another PD", 2, FULL, RR, 0, 8, true, false, 0, false },
	{ "a window of another PD", 2, FULL, RR, 0, 8, false, true, 0, false },
	{ "both of another PD", 2, FULL, RR, 0, 8, true, true, 0, false },
	{ "another low byte", 2, FULL, RR, 0, 8, false, false, 5, true },
	{ "the same key again", 2, FULL, RR, 0, 8, false, false, 0xff, false },
	{ "another index", 2, FULL, RR, 0, 8, false, false, 0x100, false },
};

/* The new key of a row. The low byte and the index are computed separately. */
static uint32_t row_key(const struct bind_row *row, uint32_t rkey)
{
	return ((rkey & ~0xffu) + (row->key & ~0xffu)) | ((rkey + 1 + row->key) & 0xff);
}

static void test_bind_row(const struct bind_row *row)
{
	struct ibv_mr *mr = reg(row->foreign_mr ? other_pd : b.pd, 0, BUF, row->mr_access);
	struct ibv_mw *mw = alloc_mw(row->foreign_mw ? other_pd : b.pd,
				     row->type == 1 ? IBV_MW_TYPE_1 : IBV_MW_TYPE_2);
	struct ibv_mw_bind_info info = { mr, (uintptr_t)b.buf + row->offset, row->length,
					 row->access };
	enum ibv_wc_status status;

	connect_pair();
	status = bind_window(&b, mw, row_key(row, mw->rkey), &info);
	if (status != (row->ok ? IBV_WC_SUCCESS : IBV_WC_MW_BIND_ERR))
		die("binding, type %d, %s: %s", row->type, row->what, ibv_wc_status_str(status));
	if (row->ok && row->length && ibv_dereg_mr(mr) != EBUSY)
		die("a region with a window bound to it is deregistered");
	if (ibv_dealloc_mw(mw))
		die("a window cannot be deallocated: %m");
	if (ibv_dereg_mr(mr))
		die("type %d, %s: a region without windows cannot be deregistered: %m", row->type,
		    row->what);
	destroy_pair();
	tried++;
}

/*
 * Life cycle of windows.
 */

static enum ibv_wc_status local_invalidate(struct side *s, uint32_t key)
{
	struct ibv_send_wr *bad, wr = {
		.opcode = IBV_WR_LOCAL_INV,
		.send_flags = IBV_SEND_SIGNALED,
		.invalidate_rkey = key,
	};
	struct ibv_wc wc;

	if (ibv_post_send(s->qp, &wr, &bad))
		die("posting an invalidation failed: %m");
	side_wait(s, &wc);
	if (wc.status == IBV_WC_SUCCESS && wc.opcode != IBV_WC_LOCAL_INV)
		die("an invalidation completes as opcode %d", wc.opcode);
	return wc.status;
}

/* A sends to B with invalidate of B's @key. Returns A's completion status. */
static enum ibv_wc_status send_invalidate(uint32_t key, struct ibv_wc *at_b)
{
	struct ibv_sge sge = { (uintptr_t)a.buf, 8, a.mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND_WITH_INV,
		.send_flags = IBV_SEND_SIGNALED,
		.invalidate_rkey = key,
	};
	struct ibv_wc wc;

	post_recv(&b, (uintptr_t)b.buf, 8, b.mr->lkey);
	if (ibv_post_send(a.qp, &wr, &bad))
		die("posting a SEND with invalidate failed: %m");
	side_wait(&a, &wc);
	side_wait(&b, at_b);
	return wc.status;
}

static void want(const char *what, enum ibv_wc_status status, enum ibv_wc_status expected)
{
	if (status != expected)
		die("%s: %s, want %s", what, ibv_wc_status_str(status),
		    ibv_wc_status_str(expected));
	tried++;
}

/* Type 2: bind, use, invalidate, bind again. Binding a bound window fails. */
static void test_type_2_life(void)
{
	struct ibv_mw_bind_info info;
	struct target t;
	struct ibv_wc wc;
	uint32_t first;

	connect_pair();
	open_target(&t, MW2, b.pd, RW | RR);
	first = t.key;
	want("WRITE to a window", do_op(WRITE, t.addr, LEN, t.key), IBV_WC_SUCCESS);
	want("invalidating a window", local_invalidate(&b, t.key), IBV_WC_SUCCESS);
	want("invalidating it again", local_invalidate(&b, t.key), IBV_WC_SUCCESS);
	info = (struct ibv_mw_bind_info){ t.mr, t.addr, 128, RR };
	want("binding it anew", bind_window(&b, t.mw, next_key(first), &info), IBV_WC_SUCCESS);
	want("READ from it", do_op(READ, t.addr, LEN, t.mw->rkey), IBV_WC_SUCCESS);
	want("SEND with invalidate", send_invalidate(t.mw->rkey, &wc), IBV_WC_SUCCESS);
	if (!(wc.wc_flags & IBV_WC_WITH_INV) || wc.invalidated_rkey != t.mw->rkey)
		die("the receiver is not told that %#x is invalid", t.mw->rkey);
	if (ibv_dereg_mr(t.mr))
		die("a region whose window was invalidated cannot be deregistered: %m");
	t.mr = reg(b.pd, 0, BUF, FULL);
	info.mr = t.mr;
	want("binding it to another region",
	     bind_window(&b, t.mw, next_key(t.mw->rkey), &info), IBV_WC_SUCCESS);
	want("its stale key", do_op(READ, t.addr, LEN, first), IBV_WC_REM_ACCESS_ERR);
	destroy_pair();
	connect_pair();
	/* Destroying its QP removed the binding. */
	if (ibv_dereg_mr(t.mr))
		die("a region whose window's QP is gone cannot be deregistered: %m");
	t.mr = reg(b.pd, 0, BUF, FULL);
	info.mr = t.mr;
	want("binding it on another QP",
	     bind_window(&b, t.mw, next_key(t.mw->rkey), &info), IBV_WC_SUCCESS);
	want("binding what is bound",
	     bind_window(&b, t.mw, next_key(t.mw->rkey), &info), IBV_WC_MW_BIND_ERR);
	close_target(&t);
	destroy_pair();
}

/* Type 1: rebinding takes effect at once, a bind of length 0 unbinds, invalidation fails. */
/* A bind names the window by its current key, or by the key of the last failed bind. */
static void test_type_1_keys(struct target *t, struct ibv_mw_bind_info *info)
{
	struct ibv_mw named = *t->mw, before = *t->mw;
	struct ibv_mw_bind_info beyond = { t->mr, t->addr + BUF, 8, RR };

	/* The kernel checks the key even if the library takes the window for type 2. */
	named.type = IBV_MW_TYPE_2;
	before.type = IBV_MW_TYPE_2;
	before.rkey = (before.rkey & ~0xffu) | ((before.rkey - 1) & 0xff);
	want("a stale key", bind_type_2(&b, &before, next_key(named.rkey), info),
	     IBV_WC_MW_BIND_ERR);
	destroy_pair();
	connect_pair();
	want("no such bytes", bind_type_2(&b, &named, next_key(named.rkey), &beyond),
	     IBV_WC_MW_BIND_ERR);
	destroy_pair();
	connect_pair();
	want("the key from before still", do_op(READ, t->addr, LEN, named.rkey), IBV_WC_SUCCESS);
	before.rkey = next_key(named.rkey);
	want("the key that did not come about", bind_type_2(&b, &before, next_key(before.rkey), info),
	     IBV_WC_SUCCESS);
	t->mw->rkey = next_key(before.rkey);
	want("READ by the new key", do_op(READ, t->addr, LEN, t->mw->rkey), IBV_WC_SUCCESS);
}

static void test_type_1_life(void)
{
	struct ibv_mw_bind_info info;
	struct target t;
	uint32_t first;

	connect_pair();
	open_target(&t, MW1, b.pd, RW | RR);
	first = t.key;
	info = (struct ibv_mw_bind_info){ t.mr, t.addr + 4096, 128, RR };
	want("binding it elsewhere", bind_window(&b, t.mw, 0, &info), IBV_WC_SUCCESS);
	want("READ there", do_op(READ, t.addr + 4096, LEN, t.mw->rkey), IBV_WC_SUCCESS);
	want("the key from before", do_op(READ, t.addr, LEN, first), IBV_WC_REM_ACCESS_ERR);
	destroy_pair();
	connect_pair();
	want("READ on another QP", do_op(READ, t.addr + 4096, LEN, t.mw->rkey), IBV_WC_SUCCESS);
	info.length = 0;
	want("binding it to nothing", bind_window(&b, t.mw, 0, &info), IBV_WC_SUCCESS);
	if (ibv_dereg_mr(t.mr))
		die("a region whose window was unbound cannot be deregistered: %m");
	t.mr = reg(b.pd, 0, BUF, FULL);
	want("READ from nothing", do_op(READ, t.addr + 4096, LEN, t.mw->rkey),
	     IBV_WC_REM_ACCESS_ERR);
	destroy_pair();
	connect_pair();
	info = (struct ibv_mw_bind_info){ t.mr, t.addr, 128, RR };
	want("binding it again", bind_window(&b, t.mw, 0, &info), IBV_WC_SUCCESS);
	test_type_1_keys(&t, &info);
	want("invalidating it", local_invalidate(&b, t.mw->rkey), IBV_WC_LOC_QP_OP_ERR);
	close_target(&t);
	destroy_pair();
}

/* A type 2 window can only be accessed through the QP that it was bound on. */
static void test_type_2_qp(void)
{
	struct side a1, b1;
	struct target t;

	connect_pair();
	open_target(&t, MW2, b.pd, RW | RR);
	a1 = a;
	b1 = b;
	connect_pair();
	want("a type 2 window by another QP", do_op(READ, t.addr, LEN, t.key),
	     IBV_WC_REM_ACCESS_ERR);
	destroy_pair();
	connect_pair();
	want("invalidated by another QP", local_invalidate(&b, t.key), IBV_WC_LOC_QP_OP_ERR);
	destroy_pair();
	a.qp = a1.qp;
	b.qp = b1.qp;
	want("by its own", do_op(READ, t.addr, LEN, t.key), IBV_WC_SUCCESS);
	close_target(&t);
	destroy_pair();
}

static void test_zero_based(void)
{
	struct ibv_mw_bind_info info;
	struct ibv_mr *mr = reg(b.pd, 0, BUF, FULL);
	struct ibv_mw *mw = alloc_mw(b.pd, IBV_MW_TYPE_2);
	uint32_t i;

	connect_pair();
	for (i = 0; i < BUF; i++)
		b.buf[i] = i / 16;
	info = (struct ibv_mw_bind_info){ mr, (uintptr_t)b.buf + 4080, 256, RR | ZB };
	want("a zero-based bind", bind_window(&b, mw, next_key(mw->rkey), &info), IBV_WC_SUCCESS);
	want("READ of its end", do_op(READ, 256 - LEN, LEN, mw->rkey), IBV_WC_SUCCESS);
	if (memcmp(a.buf, b.buf + 4080 + 256 - LEN, LEN))
		die("a zero-based window shows other memory");
	want("READ behind it", do_op(READ, 256 - LEN + 1, LEN, mw->rkey), IBV_WC_REM_ACCESS_ERR);
	destroy_pair();
	if (ibv_dealloc_mw(mw) || ibv_dereg_mr(mr))
		die("cannot clean up: %m");
}

/*
 * An aligned remote address may map to unaligned memory: the word must not cross a page boundary.
 */
static void test_atomic_alignment(void)
{
	static const struct {
		uint32_t offset;
		enum ibv_wc_status status;
	} rows[] = {
		{ 4088, IBV_WC_SUCCESS },
		{ 4093, IBV_WC_REM_ACCESS_ERR },
		{ 4100, IBV_WC_REM_ACCESS_ERR },
	};
	struct ibv_mr *mr = reg(b.pd, 0, BUF, FULL);
	struct ibv_mw *mw = alloc_mw(b.pd, IBV_MW_TYPE_2);
	uint32_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibv_mw_bind_info info = { mr, (uintptr_t)b.buf + rows[i].offset, 64,
						 RA | ZB };

		connect_pair();
		memset(b.buf, 1, BUF);
		want("a zero-based bind", bind_window(&b, mw, next_key(mw->rkey), &info),
		     IBV_WC_SUCCESS);
		want("an atomic on its first word", do_op(FADD, 0, 8, mw->rkey), rows[i].status);
		if ((b.buf[rows[i].offset] != 1) != (rows[i].status == IBV_WC_SUCCESS))
			die("a word at offset %u: the atomic did not do as it answered",
			    rows[i].offset);
		destroy_pair();
	}
	if (ibv_dealloc_mw(mw) || ibv_dereg_mr(mr))
		die("cannot clean up: %m");
}

/* A user's region cannot be invalidated, nor can an invalid key. */
static void test_invalidate_others(void)
{
	struct ibv_mr *mr = reg(b.pd, 0, BUF, FULL);
	struct ibv_wc wc;

	connect_pair();
	want("invalidating a region", local_invalidate(&b, mr->lkey), IBV_WC_LOC_QP_OP_ERR);
	destroy_pair();
	connect_pair();
	want("invalidating nothing", local_invalidate(&b, 0), IBV_WC_LOC_QP_OP_ERR);
	destroy_pair();
	connect_pair();
	want("the peer invalidates a region", send_invalidate(mr->rkey, &wc),
	     IBV_WC_REM_ACCESS_ERR);
	destroy_pair();
	connect_pair();
	want("READ from it still", do_op(READ, (uintptr_t)b.buf, LEN, mr->rkey), IBV_WC_SUCCESS);
	destroy_pair();
	ibv_dereg_mr(mr);
}

/* The kernel reports this address and length of a region. */
static void expect_range(const struct ibv_mr *mr, const void *addr, uint64_t length)
{
	uint64_t got_length = 0, got_iova = 0;

	if (mr_query(mr->context, mr->handle, &got_length, &got_iova))
		die("a region cannot be queried");
	if (got_length != length || got_iova != (uintptr_t)addr)
		die("region of %llu bytes at %#llx, not %llu at %p",
		    (unsigned long long)got_length, (unsigned long long)got_iova,
		    (unsigned long long)length, addr);
}

/*
 * Give a region other memory, which Linux before 5.11 refuses. Return the offset of its memory in
 * the buffer.
 */
static size_t change_translation(struct ibv_mr *mr, bool possible)
{
	const size_t offset = 8192;
	uint64_t addr = (uintptr_t)b.buf;
	int err;

	err = mr_rereg(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, b.buf + offset, 4096, 0);
	if (!possible) {
		if (!err || errno != EOPNOTSUPP)
			die("change of translation: not EOPNOTSUPP but %m");
		expect_range(mr, b.buf, 4096);
		want("READ as before", do_op(READ, addr, LEN, mr->rkey), IBV_WC_SUCCESS);
		return 0;
	}
	if (err)
		die("change of translation: %m");
	expect_range(mr, b.buf + offset, 4096);
	memset(b.buf + offset, 0x77, LEN);
	want("READ of the new memory", do_op(READ, addr + offset, LEN, mr->rkey), IBV_WC_SUCCESS);
	if (a.buf[0] != 0x77 || a.buf[LEN - 1] != 0x77)
		die("a region shows other memory than it was given");
	want("READ of the old memory", do_op(READ, addr, LEN, mr->rkey), IBV_WC_REM_ACCESS_ERR);
	destroy_pair();
	connect_pair();
	return offset;
}

static void test_rereg(bool can_translate)
{
	uint64_t addr = (uintptr_t)b.buf;
	struct ibv_mw_bind_info info;
	struct ibv_mr *mr = reg(b.pd, 0, 4096, LW | RR | MB);
	struct ibv_mw *mw;

	connect_pair();
	want("READ", do_op(READ, addr, LEN, mr->rkey), IBV_WC_SUCCESS);
	if (mr_rereg(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, LW | RW | RR | MB))
		die("change of access: %m");
	want("WRITE with the new right", do_op(WRITE, addr, LEN, mr->rkey), IBV_WC_SUCCESS);
	/* A failed operation has no effect. */
	if (!mr_rereg(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, RW))
		die("remote write without local write is granted");
	if (!mr_rereg(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, (void *)4096, 4096, 0))
		die("memory that is not there is registered");
	want("WRITE as before", do_op(WRITE, addr, LEN, mr->rkey), IBV_WC_SUCCESS);
	addr += change_translation(mr, can_translate);

	mw = alloc_mw(b.pd, IBV_MW_TYPE_2);
	info = (struct ibv_mw_bind_info){ mr, addr, 64, RR };
	want("a bind", bind_window(&b, mw, next_key(mw->rkey), &info), IBV_WC_SUCCESS);
	if (!mr_rereg(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, 0) ||
	    !mr_rereg(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, b.buf, 4096, 0) ||
	    !mr_rereg(mr, IBV_REREG_MR_CHANGE_PD, other_pd, NULL, 0, 0))
		die("a region with a window bound to it is changed");
	ibv_dealloc_mw(mw);
	if (mr_rereg(mr, IBV_REREG_MR_CHANGE_PD, other_pd, NULL, 0, 0))
		die("change of PD: %m");
	want("READ by a QP of the old PD", do_op(READ, addr, LEN, mr->rkey), IBV_WC_REM_ACCESS_ERR);
	destroy_pair();
	if (ibv_dereg_mr(mr))
		die("a region that has changed cannot be deregistered: %m");
}

/* Objects in use cannot be destroyed. */
static void test_order(void)
{
	struct ibv_pd *pd = ibv_alloc_pd(b.ctx);
	struct ibv_mw *mw = alloc_mw(pd, IBV_MW_TYPE_2);

	if (!ibv_dealloc_pd(pd))
		die("a PD with a window is deallocated");
	if (ibv_dealloc_mw(mw) || ibv_dealloc_pd(pd))
		die("cannot clean up: %m");
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc != 5 && (argc != 6 || strcmp(argv[5], "no-translation")))
		die("usage: access DEVICE_A GID_INDEX DEVICE_B GID_INDEX [no-translation]");
	side_open(&a, argv[1], atoi(argv[2]), BUF);
	side_open(&b, argv[3], atoi(argv[4]), BUF);
	other_pd = ibv_alloc_pd(b.ctx);
	if (!other_pd)
		die("no second PD");

	try_all(MR);
	try_all(MW1);
	try_all(MW2);
	for (i = 0; i < ARRAY_SIZE(bind_rows); i++)
		test_bind_row(&bind_rows[i]);
	test_type_1_life();
	test_type_2_life();
	test_type_2_qp();
	test_zero_based();
	test_atomic_alignment();
	test_invalidate_others();
	test_rereg(argc == 5);
	test_order();

	if (ibv_dealloc_pd(other_pd))
		die("the second PD is still in use");
	side_close(&a);
	side_close(&b);
	printf("%u accesses answered as specified\n", tried);
	return 0;
}
