// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz WQE validation with arbitrary ring elements: its results must be valid for the transport.
 *
 * Input: the QP's limits, then a ring element.
 */
#include <string.h>
#include <linux/minmax.h>
#include <rdma/rdma_user_rxe.h>
#include <roce/wire.h>
#include "input.h"
#include "qp/wqe.h"

/* Memory of exactly this size, for the sanitizer, filled from the input. */
static void *element(struct input in, size_t size)
{
	u8 *elem = calloc(1, size);

	memcpy(elem, in.p, min(in.left, size));
	return elem;
}

static u64 sum_of(const struct roce_sge *sge, u32 n)
{
	u64 sum = 0;

	while (n--)
		sum += sge++->length;
	return sum;
}

static void check_send(const struct roce_send_wqe *wqe, const struct rxe_wqe_limits *rules)
{
	require(wqe->opcode < ROCE_WR_OPCODES);
	/* Only kernel consumers may use fast registration. */
	require(wqe->opcode != ROCE_WR_REG_MR);
	require(!rules->signal_all || wqe->flags & ROCE_WR_SIGNALED);
	require(wqe->length <= ROCE_MAX_MSG);
	if (wqe->status != ROCE_SUCCESS)
		return;
	if (wqe->opcode == ROCE_WR_LOCAL_INV || wqe->opcode == ROCE_WR_BIND_MW) {
		require(!wqe->length && !wqe->num_sge && !(wqe->flags & ROCE_WR_INLINE));
		return;
	}
	if (wqe->opcode == ROCE_WR_FLUSH) {
		require(!wqe->num_sge && !(wqe->flags & ROCE_WR_INLINE));
		require(wqe->flush_type && wqe->flush_type < 4);
		require(wqe->flush_level <= ROCE_FLUSH_MR);
		return;
	}
	if (wqe->opcode == ROCE_WR_ATOMIC_WRITE) {
		require(wqe->flags & ROCE_WR_INLINE && wqe->length == 8 && !wqe->num_sge);
		return;
	}
	if (wqe->flags & ROCE_WR_INLINE) {
		require(wqe->length <= rules->max_inline && !wqe->num_sge);
		require(wqe->opcode != ROCE_WR_READ && wqe->opcode != ROCE_WR_COMPARE_SWAP &&
			wqe->opcode != ROCE_WR_FETCH_ADD);
		return;
	}
	require(wqe->num_sge <= rules->max_send_sge);
	require(sum_of(wqe->sge, wqe->num_sge) == wqe->length);
	if (wqe->opcode == ROCE_WR_COMPARE_SWAP || wqe->opcode == ROCE_WR_FETCH_ADD)
		require(wqe->num_sge == 1 && wqe->length == 8);
}

static void send(struct input in, const struct rxe_wqe_limits *rules)
{
	void *elem =
		element(in, rxe_wqe_send_elem_size(rules->max_send_sge, rules->max_inline));
	struct roce_send_wqe *wqe = malloc(rxe_wqe_stride(rules));

	memset(wqe, 0xa5, rxe_wqe_stride(rules));
	rxe_wqe_from_user(elem, rules, wqe);
	check_send(wqe, rules);
	free(wqe);
	free(elem);
}

static void recv(struct input in, const struct rxe_wqe_limits *rules)
{
	void *elem = element(in, rxe_wqe_recv_elem_size(rules->max_recv_sge));
	struct roce_recv_wqe *wqe =
		malloc(sizeof(*wqe) + rules->max_recv_sge * sizeof(wqe->sge[0]));

	memset(wqe, 0xa5, sizeof(*wqe));
	if (!rxe_recv_wqe_from_user(elem, rules, wqe)) {
		require(wqe->num_sge <= rules->max_recv_sge && wqe->length <= ROCE_MAX_MSG);
		require(sum_of(wqe->sge, wqe->num_sge) == wqe->length);
	}
	free(wqe);
	free(elem);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t len);
int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	struct input in = { data, len };
	struct rxe_wqe_limits rules = {
		.max_send_sge = take8(&in) & 31,
		.max_inline = take8(&in) * 2,
		.max_recv_sge = take8(&in) & 31,
		.signal_all = take8(&in) & 1,
	};

	send(in, &rules);
	recv(in, &rules);
	return 0;
}
