// SPDX-License-Identifier: GPL-2.0
/*
 * Reorder queue of the responder: an array indexed by PSN modulo its size.
 */
#include <linux/build_bug.h>

#include <roce/psn.h>
#include "transport/common/reorder.h"

/* 200 ms: a requester that has not filled the hole by then has probably given up. */
#define ROCE_REORDER_TIMEOUT_NS (200 * 1000 * 1000ull)

/* Two PSNs that can be buffered at the same time have different slots, across the wrap, too. */
static_assert(!((ROCE_PSN_MASK + 1) % ROCE_REORDER_SLOTS));

static u32 slot_of(u32 psn)
{
	return psn % ROCE_REORDER_SLOTS;
}

bool roce_reorder_contains(const struct roce_resp *resp, u32 psn)
{
	const struct roce_pkt *pkt = resp->reorder.pkts[slot_of(psn)];

	return pkt && pkt->psn == psn;
}

void roce_reorder_insert(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt)
{
	struct roce_resp *resp = &qp->resp;
	u32 slot = slot_of(pkt->psn);
	struct roce_pkt *copy;

	/* A packet longer than the MTU is invalid: it is NAKed when retransmitted in order. */
	if (!qp->ops->retain_pkt || pkt->payload_len > qp->attr.mtu ||
	    (resp->reorder.pkts && resp->reorder.pkts[slot]) ||
	    (u32)roce_psn_diff(pkt->psn, resp->epsn) >= ROCE_REORDER_SLOTS)
		return;
	copy = qp->ops->retain_pkt(qp, pkt);
	if (!copy)
		return;
	resp->reorder.pkts[slot] = copy;
	resp->reorder.count++;
	resp->reorder.expires = now + ROCE_REORDER_TIMEOUT_NS;
}

static struct roce_pkt *remove_slot(struct roce_resp *resp, u32 slot)
{
	struct roce_pkt *pkt = resp->reorder.pkts[slot];

	if (pkt)
		resp->reorder.count--;
	resp->reorder.pkts[slot] = NULL;
	return pkt;
}

struct roce_pkt *roce_reorder_pop(struct roce_resp *resp)
{
	if (!resp->reorder.count || !roce_reorder_contains(resp, resp->epsn))
		return NULL;
	return remove_slot(resp, slot_of(resp->epsn));
}

void roce_reorder_trim(struct roce_qp *qp)
{
	struct roce_resp *resp = &qp->resp;
	u32 i;

	for (i = 0; i < ROCE_REORDER_SLOTS && resp->reorder.count; i++)
		if (resp->reorder.pkts[i] &&
		    roce_psn_before(resp->reorder.pkts[i]->psn, resp->epsn))
			qp->ops->release_pkt(qp, remove_slot(resp, i));
}

void roce_reorder_purge(struct roce_qp *qp)
{
	struct roce_resp *resp = &qp->resp;
	u32 i;

	for (i = 0; i < ROCE_REORDER_SLOTS && resp->reorder.count; i++)
		if (resp->reorder.pkts[i])
			qp->ops->release_pkt(qp, remove_slot(resp, i));
}
