// SPDX-License-Identifier: GPL-2.0
/* Fuzz the requester and completer: any work requests, any responses, and timeouts. */
#include "fuzz_qp.h"

/* snd.una, a PSN near it, snd.max, or any PSN. */
static u32 take_psn(struct world *w)
{
	const struct roce_req *req = &w->qp.req;
	u8 how = take8(&w->in);

	if (how < 0x60)
		return req->snd.una;
	if (how < 0xc0)
		return roce_psn_add(req->snd.una, how & 0x1f);
	if (how < 0xf0)
		return roce_psn_add(req->snd.max, (how & 0xf) - 0xcu);
	return take32(&w->in) & ROCE_PSN_MASK;
}

/* The payload length that the READ in flight expects, or any length. */
static u32 take_payload(struct world *w, u32 psn)
{
	const struct roce_qp *qp = &w->qp;
	const struct roce_send_wqe *wqe = roce_sq_wqe(qp, qp->sq.cons);
	u32 offset;

	if (take8(&w->in) > 0xd0 || qp->sq.cons == qp->sq.prod || psn != wqe->last_psn)
		return take_length(&w->in, qp->attr.mtu);
	offset = ((psn - wqe->first_psn) & ROCE_PSN_MASK) * qp->attr.mtu;
	return wqe->length - offset;
}

static void step_response(struct world *w)
{
	static const u8 ops[] = { ROCE_ACKNOWLEDGE,	   ROCE_ACKNOWLEDGE,
				  ROCE_READ_RESP_FIRST,	   ROCE_READ_RESP_MIDDLE,
				  ROCE_READ_RESP_LAST,	   ROCE_READ_RESP_ONLY,
				  ROCE_ATOMIC_ACKNOWLEDGE, ROCE_ATOMIC_ACKNOWLEDGE };
	struct roce_pkt *pkt = &w->pkt[w->npkts];
	u8 how = take8(&w->in), op = ops[how & 7];

	*pkt = (struct roce_pkt){ .opcode = op, .op = roce_opcode(op) };
	pkt->psn = take_psn(w);
	pkt->syndrome = how & 0x10 ? take8(&w->in) : ROCE_AETH_UNLIMITED;
	if (pkt->op->flags & ROCE_HAS_PAYLOAD)
		pkt->payload_len = take_payload(w, pkt->psn);
	fit_payload(pkt);
	add_packet(w, !(how & 8));
}

static void step(struct world *w)
{
	u8 what = take8(&w->in);

	if (what < 0x40)
		step_post(w);
	else if (what < 0x70)
		step_tx(w);
	else if (what < 0xb0)
		step_response(w);
	else if (what < 0xc8)
		step_pass(w);
	else if (what < 0xe8)
		step_common(w, what);
	else
		w->faults = take8(&w->in) & take8(&w->in) & take8(&w->in);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t len);
int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	world_run(data, len, step);
	return 0;
}
