// SPDX-License-Identifier: GPL-2.0
/* The ring of the sending QP is found as its library maps it. */
#include <string.h>

#include "flush_wr.h"
#include "rings.h"

struct side a, b;
static struct rxe_queue_buf *sq;

void connect_pair(int access)
{
	struct pair_attr attr = { .mtu = IBV_MTU_1024, .timeout = 14, .psn = 0xfffffe };
	struct ibv_qp_attr qp_attr = { .qp_access_flags = access };

	rings_mapped = 0;
	pair_create(&a, &b, &attr);
	sq = ring_mapped[1];
	if (rings_mapped != 4 || 1u << sq->log2_elem_size < sizeof(struct rxe_send_wqe) + 8)
		die("the second ring mapped is not the send queue's");
	if (ibv_modify_qp(b.qp, &qp_attr, IBV_QP_ACCESS_FLAGS))
		die("access rights %#x of a QP: %m", access);
}

static struct rxe_send_wqe *new_wqe(uint32_t opcode)
{
	struct rxe_send_wqe *wqe = ring_element(sq, sq->producer_index, sq->index_mask,
						sq->log2_elem_size);

	memset(wqe, 0, 1u << sq->log2_elem_size);
	wqe->wr.opcode = opcode;
	wqe->wr.send_flags = IBV_SEND_SIGNALED;
	return wqe;
}

static void post_wqe(void)
{
	__atomic_store_n(&sq->producer_index, (sq->producer_index + 1) & sq->index_mask,
			 __ATOMIC_RELEASE);
	ring_doorbell(&a);
}

void post_flush(const struct flush_wr *wr)
{
	struct rxe_send_wqe *wqe = new_wqe(WR_FLUSH);

	memcpy(&wqe->wr.wr, wr, sizeof(*wr));
	post_wqe();
}

void post_word(uint64_t addr, uint32_t rkey, uint64_t value, uint32_t length)
{
	struct rxe_send_wqe *wqe = new_wqe(WR_ATOMIC_WRITE);

	wqe->wr.wr.rdma.remote_addr = addr;
	wqe->wr.wr.rdma.rkey = rkey;
	wqe->dma.length = length;
	wqe->dma.resid = length;
	memcpy(wqe->dma.inline_data, &value, sizeof(value));
	post_wqe();
}

void post(enum ibv_wr_opcode opcode, uint32_t from, uint32_t len, uint64_t addr,
		 uint32_t rkey, uint64_t operand)
{
	struct ibv_sge sge = { (uintptr_t)a.buf + from, len, a.mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = opcode,
		.send_flags = IBV_SEND_SIGNALED,
		.wr.rdma = { addr, rkey },
	};

	if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		wr.wr.atomic.compare_add = operand;
		wr.wr.atomic.rkey = rkey;
	}
	if (ibv_post_send(a.qp, &wr, &bad))
		die("posting failed: %m");
}

void expect(const char *what, int opcode)
{
	struct ibv_wc wc;

	side_wait(&a, &wc);
	if (wc.status != IBV_WC_SUCCESS || (int)wc.opcode != opcode)
		die("%s: %s, opcode %d; expected opcode %d", what, ibv_wc_status_str(wc.status),
		    wc.opcode, opcode);
}
