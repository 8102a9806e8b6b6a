// SPDX-License-Identifier: GPL-2.0
/* Any sequence of request packets, sensible and not, into one QP. */
#include "fuzz_qp.h"

/* Expected, near, or anywhere. */
static u32 take_psn(struct world *w)
{
	u8 how = take8(&w->in);

	if (how < 0x80)
		return w->qp.resp.psn;
	if (how < 0xf0)
		return roce_psn_add(w->qp.resp.psn, (how & 0x3f) - 0x20u);
	return take32(&w->in) & ROCE_PSN_MASK;
}

static u64 take_va(struct input *in)
{
	u8 how = take8(in);

	if (how < 0xf0)
		return WORLD_VA + how * 0x100u;
	return (u64)take32(in) << 32 | take32(in);
}

static void step_request(struct world *w)
{
	struct roce_pkt *pkt = &w->pkt[w->npkts];
	u8 how = take8(&w->in), op = take8(&w->in) & 0x1f;

	*pkt = (struct roce_pkt){ .opcode = op, .op = roce_opcode(op) };
	if (!pkt->op)
		return;
	pkt->psn = take_psn(w);
	pkt->ack_req = how & 1;
	pkt->solicited = how & 2;
	pkt->rkey = how & 0xf0 ? WORLD_RKEY : 1;
	if (pkt->op->flags & ROCE_HAS_PAYLOAD)
		pkt->payload_len = take_length(&w->in, w->qp.attr.mtu);
	if (pkt->op->flags & (ROCE_HAS_RETH | ROCE_HAS_ATOMIC_ETH))
		pkt->va = take_va(&w->in);
	if (pkt->op->flags & ROCE_HAS_RETH)
		pkt->dma_len = take_msg_length(&w->in, w->qp.attr.mtu);
	fit_payload(pkt);
	if (pkt->op->flags & ROCE_IS_ONLY && how & 8 && pkt->op->flags & ROCE_IS_WRITE)
		pkt->dma_len = pkt->payload_len;
	add_packet(w, !(how & 4));
}

static void step_recv(struct world *w)
{
	u8 how = take8(&w->in);

	w->recvs += how & 3;
	w->recv_bad = (how & 0xfc) == 0xfc;
	w->recv_len = take16(&w->in);
}

static void step(struct world *w)
{
	u8 what = take8(&w->in);

	if (what < 0x90)
		step_request(w);
	else if (what < 0xb0)
		step_tx(w);
	else if (what < 0xc0)
		step_recv(w);
	else if (what < 0xd0)
		step_raw(w);
	else if (what < 0xd8)
		step_reset(w);
	else if (what < 0xe0)
		step_state(w);
	else if (what < 0xe8)
		step_tx_failed(w);
	else if (what < 0xf0)
		world_resources(w);
	else
		w->faults = take8(&w->in) & take8(&w->in) & take8(&w->in);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t len);
int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	world_run(data, len, step);
	return 0;
}
