// SPDX-License-Identifier: GPL-2.0
/*
 * Fault injection: operations of each kind. A failed allocation loses a packet, or the doorbell
 * does not ring: the operation must complete all the same, or an unreliable one be lost as a
 * whole.
 */
#include <stdio.h>
#include <string.h>

#include "fault_rows.h"
#include "unreliable.h"

#define ATTEMPTS 40
#define LENGTH	 20000
#define GRH	 40

static const struct pair_attr attr = { .mtu = IBV_MTU_1024, .timeout = 10, .psn = 0xffff00 };

/**
 * struct operation - a kind of work request
 * @name: for the output
 * @opcode: of the WR
 * @length: bytes of payload
 * @receives: it takes a receive WR of the peer
 */
struct operation {
	const char *name;
	enum ibv_wr_opcode opcode;
	unsigned int length;
	bool receives;
};

static void post_recv(struct side *s, unsigned int length)
{
	struct ibv_sge sge = { (uintptr_t)s->buf, length, s->mr->lkey };
	struct ibv_recv_wr *bad, wr = { .sg_list = &sge, .num_sge = 1 };

	if (ibv_post_recv(s->qp, &wr, &bad))
		die("posting a receive fails: %m");
}

/*
 * Post @wr with call @nth failing. If the doorbell does not ring, that of a second WR, which
 * carries no data, covers it.
 */
static void post_with_failure(struct side *s, struct ibv_send_wr *wr, int nth)
{
	struct ibv_send_wr *bad, nothing = { .opcode = IBV_WR_RDMA_WRITE };
	bool failed;
	int err;

	fault_arm(nth);
	err = ibv_post_send(s->qp, wr, &bad);
	failed = fault_disarm();
	if (failed)
		fault_count();
	if (err && !failed)
		die("posting fails: %s", strerror(err));
	if (err && ibv_post_send(s->qp, &nothing, &bad))
		die("posting fails: %m");
}

static void wait_success(struct side *s, const char *name)
{
	struct ibv_wc wc;

	side_wait(s, &wc);
	if (wc.status != IBV_WC_SUCCESS)
		die("%s: %s", name, ibv_wc_status_str(wc.status));
}

static void reliable_once(const struct operation *op, int nth)
{
	struct ibv_sge sge = { (uintptr_t)fault_a.buf, op->length, fault_a.mr->lkey };
	struct ibv_send_wr wr = {
		.opcode = op->opcode,
		.sg_list = &sge,
		.num_sge = 1,
		.send_flags = IBV_SEND_SIGNALED,
	};

	if (op->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		wr.wr.atomic.remote_addr = (uintptr_t)fault_b.buf;
		wr.wr.atomic.rkey = fault_b.mr->rkey;
	} else {
		wr.wr.rdma.remote_addr = (uintptr_t)fault_b.buf;
		wr.wr.rdma.rkey = fault_b.mr->rkey;
	}
	if (op->receives)
		post_recv(&fault_b, op->length);
	post_with_failure(&fault_a, &wr, nth);
	wait_success(&fault_a, op->name);
	if (op->receives)
		wait_success(&fault_b, op->name);
}

static void reliable(void)
{
	static const struct operation ops[] = {
		{ "WRITE", IBV_WR_RDMA_WRITE, LENGTH, false },
		{ "WRITE with immediate", IBV_WR_RDMA_WRITE_WITH_IMM, LENGTH, true },
		{ "READ", IBV_WR_RDMA_READ, LENGTH, false },
		{ "SEND", IBV_WR_SEND, LENGTH, true },
		{ "atomic", IBV_WR_ATOMIC_FETCH_AND_ADD, 8, false },
	};
	size_t i;
	int nth;

	pair_create(&fault_a, &fault_b, &attr);
	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		fault_begin(ops[i].name);
		for (nth = 1; nth <= ATTEMPTS; nth++)
			reliable_once(&ops[i], nth);
		fault_end();
	}
	pair_destroy(&fault_a, &fault_b);
}

static void bind_type_1(struct ibv_mr *mr)
{
	struct ibv_mw_bind bind = {
		.send_flags = IBV_SEND_SIGNALED,
		.bind_info = { mr, (uintptr_t)fault_a.buf, LENGTH, IBV_ACCESS_REMOTE_WRITE },
	};
	struct ibv_mw *mw = ibv_alloc_mw(fault_a.pd, IBV_MW_TYPE_1);
	struct ibv_send_wr *bad, nothing = { .opcode = IBV_WR_RDMA_WRITE };
	bool failed;
	int nth, err;

	if (!mw)
		die("no window: %m");
	fault_begin("bound type 1 window");
	for (nth = 1; nth <= ATTEMPTS / 4; nth++) {
		fault_arm(nth);
		err = ibv_bind_mw(fault_a.qp, mw, &bind);
		failed = fault_disarm();
		if (failed)
			fault_count();
		if (err && !failed)
			die("binding fails: %s", strerror(err));
		if (err && ibv_post_send(fault_a.qp, &nothing, &bad))
			die("posting fails: %m");
		/* The library takes the binding for not posted. */
		if (err)
			mw->rkey = ibv_inc_rkey(mw->rkey);
		wait_success(&fault_a, "binding");
	}
	fault_end();
	if (ibv_dealloc_mw(mw))
		die("cannot free the window: %m");
}

static void bind_type_2(struct ibv_mr *mr)
{
	struct ibv_mw *mw = ibv_alloc_mw(fault_a.pd, IBV_MW_TYPE_2);
	int nth;

	if (!mw)
		die("no window: %m");
	fault_begin("bound and invalidated type 2 window");
	for (nth = 1; nth <= ATTEMPTS / 4; nth++) {
		struct ibv_send_wr bind = {
			.opcode = IBV_WR_BIND_MW,
			.send_flags = IBV_SEND_SIGNALED,
			.bind_mw = {
				.mw = mw,
				.rkey = ibv_inc_rkey(mw->rkey),
				.bind_info = { mr, (uintptr_t)fault_a.buf, LENGTH,
					       IBV_ACCESS_REMOTE_WRITE },
			},
		};
		struct ibv_send_wr invalidate = {
			.opcode = IBV_WR_LOCAL_INV,
			.send_flags = IBV_SEND_SIGNALED,
			.invalidate_rkey = bind.bind_mw.rkey,
		};

		post_with_failure(&fault_a, &bind, nth);
		wait_success(&fault_a, "binding");
		mw->rkey = bind.bind_mw.rkey;
		post_with_failure(&fault_a, &invalidate, nth);
		wait_success(&fault_a, "invalidation");
	}
	fault_end();
	if (ibv_dealloc_mw(mw))
		die("cannot free the window: %m");
}

static void windows(void)
{
	struct ibv_mr *mr = ibv_reg_mr(fault_a.pd, fault_a.buf, fault_a.size,
				       IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
					       IBV_ACCESS_MW_BIND);

	if (!mr)
		die("no region: %m");
	pair_create(&fault_a, &fault_b, &attr);
	bind_type_1(mr);
	bind_type_2(mr);
	pair_destroy(&fault_a, &fault_b);
	if (ibv_dereg_mr(mr))
		die("cannot deregister: %m");
}

/* Wait for the message with immediate data @imm; earlier ones may have been lost. */
static void wait_imm(struct side *s, uint32_t imm, const char *name)
{
	struct ibv_wc wc;

	do {
		side_wait(s, &wc);
		if (wc.status != IBV_WC_SUCCESS)
			die("%s: %s", name, ibv_wc_status_str(wc.status));
	} while (wc.imm_data != imm);
}

/* A message with a call failing, and one without: the second must arrive. */
static void unreliable_once(const struct operation *op, struct ibv_ah *ah, int nth)
{
	struct ibv_sge sge = { (uintptr_t)fault_a.buf, op->length, fault_a.mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.opcode = op->opcode,
		.sg_list = &sge,
		.num_sge = 1,
		.send_flags = IBV_SEND_SIGNALED,
		.imm_data = 2 * nth,
	};
	bool failed;
	int err;

	if (ah) {
		wr.wr.ud.ah = ah;
		wr.wr.ud.remote_qpn = fault_b.qp->qp_num;
		wr.wr.ud.remote_qkey = UNRELIABLE_QKEY;
	} else {
		wr.wr.rdma.remote_addr = (uintptr_t)fault_b.buf;
		wr.wr.rdma.rkey = fault_b.mr->rkey;
	}
	post_recv(&fault_b, op->length + GRH);
	post_recv(&fault_b, op->length + GRH);
	/* If the doorbell does not ring, the second message's covers this one. */
	fault_arm(nth);
	err = ibv_post_send(fault_a.qp, &wr, &bad);
	failed = fault_disarm();
	if (failed)
		fault_count();
	if (err && !failed)
		die("%s: posting fails: %s", op->name, strerror(err));
	wr.imm_data++;
	err = ibv_post_send(fault_a.qp, &wr, &bad);
	if (err)
		die("%s: posting fails: %s", op->name, strerror(err));
	wait_success(&fault_a, op->name);
	wait_success(&fault_a, op->name);
	wait_imm(&fault_b, wr.imm_data, op->name);
}

static void unreliable(enum ibv_qp_type type, const struct operation *op)
{
	struct ibv_ah_attr to = {
		.is_global = 1,
		.port_num = 1,
		.grh = { .dgid = fault_b.gid, .sgid_index = fault_a.gid_index, .hop_limit = 9 },
	};
	struct ibv_ah *ah = type == IBV_QPT_UD ? ibv_create_ah(fault_a.pd, &to) : NULL;
	int nth;

	if (type == IBV_QPT_UD && !ah)
		die("no AH: %m");
	unreliable_create(&fault_a, type);
	unreliable_create(&fault_b, type);
	unreliable_to_rts(&fault_a, &fault_b, type);
	unreliable_to_rts(&fault_b, &fault_a, type);
	fault_begin(op->name);
	for (nth = 1; nth <= ATTEMPTS; nth++)
		unreliable_once(op, ah, nth);
	fault_end();
	pair_destroy(&fault_a, &fault_b);
	if (ah && ibv_destroy_ah(ah))
		die("cannot destroy the AH: %m");
}

/* A raw packet QP in RTS. */
static void raw_create(struct side *s)
{
	struct ibv_qp_attr to = { .qp_state = IBV_QPS_INIT, .port_num = 1 };

	unreliable_create(s, IBV_QPT_RAW_PACKET);
	if (ibv_modify_qp(s->qp, &to, IBV_QP_STATE | IBV_QP_PORT))
		die("raw packet QP to INIT: %m");
	for (to.qp_state = IBV_QPS_RTR; to.qp_state <= IBV_QPS_RTS; to.qp_state++)
		if (ibv_modify_qp(s->qp, &to, IBV_QP_STATE))
			die("raw packet QP to state %d: %m", to.qp_state);
}

/* A broadcast frame with a call failing, and one without: both complete. */
static void raw(void)
{
	struct ibv_sge sge = { (uintptr_t)fault_a.buf, 64, fault_a.mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.opcode = IBV_WR_SEND,
		.sg_list = &sge,
		.num_sge = 1,
		.send_flags = IBV_SEND_SIGNALED,
	};
	int nth, err;
	bool failed;

	raw_create(&fault_a);
	memset(fault_a.buf, 0xff, 6);
	memcpy(fault_a.buf + 12, "\x88\xb5", 2); /* EtherType for local experiments */
	fault_begin("raw packet");
	for (nth = 1; nth <= ATTEMPTS; nth++) {
		fault_arm(nth);
		err = ibv_post_send(fault_a.qp, &wr, &bad);
		failed = fault_disarm();
		if (failed)
			fault_count();
		if ((err && !failed) || ibv_post_send(fault_a.qp, &wr, &bad))
			die("raw packet: posting fails: %m");
		wait_success(&fault_a, "raw packet");
		wait_success(&fault_a, "raw packet");
	}
	fault_end();
	side_destroy_qp(&fault_a);
}

void fault_traffic(void)
{
	static const struct operation uc[] = {
		{ "WRITE of UC", IBV_WR_RDMA_WRITE_WITH_IMM, LENGTH, true },
		{ "SEND of UC", IBV_WR_SEND_WITH_IMM, LENGTH, true },
	};
	static const struct operation ud = { "datagram", IBV_WR_SEND_WITH_IMM, 1000, true };

	reliable();
	windows();
	unreliable(IBV_QPT_UC, &uc[0]);
	unreliable(IBV_QPT_UC, &uc[1]);
	unreliable(IBV_QPT_UD, &ud);
	raw();
}
