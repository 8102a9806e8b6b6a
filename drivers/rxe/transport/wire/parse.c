// SPDX-License-Identifier: GPL-2.0
/* Packet parser: headers of untrusted packets to struct roce_pkt. */
#include <asm/byteorder.h>
#include <roce/packet.h>

static void parse_bth(const struct roce_bth *bth, struct roce_pkt *pkt)
{
	u32 qpn = be32_to_cpu(bth->qpn);
	u32 psn = be32_to_cpu(bth->psn);

	pkt->pad = (bth->flags & ROCE_BTH_PAD) >> ROCE_BTH_PAD_SHIFT;
	pkt->solicited = bth->flags & ROCE_BTH_SE;
	pkt->pkey = be16_to_cpu(bth->pkey);
	pkt->becn = qpn & ROCE_BTH_BECN;
	pkt->ce = false;
	pkt->qpn = qpn & ROCE_BTH_QPN;
	pkt->ack_req = psn & ROCE_BTH_ACKREQ;
	pkt->psn = psn & ROCE_BTH_PSN;
}

static const u8 *parse_deth(const u8 *p, struct roce_pkt *pkt)
{
	const struct roce_deth *deth = (const void *)p;

	pkt->qkey = be32_to_cpu(deth->qkey);
	pkt->src_qpn = be32_to_cpu(deth->src_qpn) & ROCE_BTH_QPN;
	return p + sizeof(*deth);
}

static const u8 *parse_feth(const u8 *p, struct roce_pkt *pkt)
{
	const struct roce_feth *feth = (const void *)p;
	u32 v = be32_to_cpu(feth->type_level);

	pkt->flush_type = v & ROCE_FETH_TYPE;
	pkt->flush_level = (v & ROCE_FETH_LEVEL) >> ROCE_FETH_LEVEL_SHIFT;
	return p + sizeof(*feth);
}

static const u8 *parse_reth(const u8 *p, struct roce_pkt *pkt)
{
	const struct roce_reth *reth = (const void *)p;

	pkt->va = be64_to_cpu(reth->va);
	pkt->rkey = be32_to_cpu(reth->rkey);
	pkt->dma_len = be32_to_cpu(reth->length);
	return p + sizeof(*reth);
}

static const u8 *parse_atomic_eth(const u8 *p, struct roce_pkt *pkt)
{
	const struct roce_atomic_eth *eth = (const void *)p;

	pkt->va = be64_to_cpu(eth->va);
	pkt->rkey = be32_to_cpu(eth->rkey);
	pkt->swap_add = be64_to_cpu(eth->swap_add);
	pkt->compare = be64_to_cpu(eth->compare);
	return p + sizeof(*eth);
}

static const u8 *parse_aeth(const u8 *p, struct roce_pkt *pkt)
{
	const struct roce_aeth *aeth = (const void *)p;
	u32 v = be32_to_cpu(aeth->syndrome_msn);

	pkt->syndrome = v >> ROCE_AETH_SYNDROME_SHIFT;
	pkt->msn = v & ROCE_AETH_MSN;
	return p + sizeof(*aeth);
}

static const u8 *parse_atomic_ack(const u8 *p, struct roce_pkt *pkt)
{
	const struct roce_atomic_ack_eth *eth = (const void *)p;

	pkt->orig = be64_to_cpu(eth->orig);
	return p + sizeof(*eth);
}

static const u8 *parse_imm(const u8 *p, struct roce_pkt *pkt)
{
	const struct roce_immdt *imm = (const void *)p;

	pkt->imm = imm->data;
	return p + sizeof(*imm);
}

static const u8 *parse_ieth(const u8 *p, struct roce_pkt *pkt)
{
	const struct roce_ieth *ieth = (const void *)p;

	pkt->inv_rkey = be32_to_cpu(ieth->rkey);
	return p + sizeof(*ieth);
}

/* @p is the byte after the BTH; all headers of the opcode are readable. */
static void parse_extended(const u8 *p, struct roce_pkt *pkt)
{
	u32 flags = pkt->op->flags;

	if (flags & ROCE_HAS_DETH)
		p = parse_deth(p, pkt);
	if (flags & ROCE_HAS_FETH)
		p = parse_feth(p, pkt);
	if (flags & ROCE_HAS_RETH)
		p = parse_reth(p, pkt);
	if (flags & ROCE_HAS_ATOMIC_ETH)
		p = parse_atomic_eth(p, pkt);
	if (flags & ROCE_HAS_AETH)
		p = parse_aeth(p, pkt);
	if (flags & ROCE_HAS_ATOMIC_ACK)
		p = parse_atomic_ack(p, pkt);
	if (flags & ROCE_HAS_IMM)
		p = parse_imm(p, pkt);
	if (flags & ROCE_HAS_IETH)
		p = parse_ieth(p, pkt);
}

/*
 * The pad rounds the payload up to four bytes (IBTA 9.2.3). Only the last packet of a message can
 * have a pad: the payload of the others is the path MTU.
 */
static bool payload_ok(const struct roce_pkt *pkt)
{
	u32 flags = pkt->op->flags;

	if (!(flags & ROCE_HAS_PAYLOAD))
		return !pkt->payload_len && !pkt->pad;
	if (!(flags & ROCE_IS_LAST) && pkt->pad)
		return false;
	return !((pkt->payload_len + pkt->pad) & 3);
}

enum roce_drop roce_parse(const u8 *bth, u32 linear, u32 len, u32 icrc_len, struct roce_pkt *pkt)
{
	const struct roce_bth *h = (const void *)bth;
	u32 overhead;

	if (linear < sizeof(*h) || len < sizeof(*h))
		return ROCE_DROP_TOO_SHORT;
	if (h->flags & ROCE_BTH_TVER)
		return ROCE_DROP_VERSION;
	/* Read once: packets of this host may be in memory that a program can write. */
	pkt->opcode = READ_ONCE(h->opcode);
	pkt->op = roce_opcode(pkt->opcode);
	if (!pkt->op)
		return ROCE_DROP_OPCODE;
	parse_bth(h, pkt);

	overhead = pkt->op->hdr_len + pkt->pad + icrc_len;
	if (linear < pkt->op->hdr_len || len < overhead)
		return ROCE_DROP_TOO_SHORT;
	pkt->payload_off = pkt->op->hdr_len;
	pkt->payload_len = len - overhead;
	if (!payload_ok(pkt))
		return ROCE_DROP_PAYLOAD;
	/* Packets of the middle of a message have no other headers, and are the most frequent. */
	if (pkt->op->hdr_len > sizeof(*h))
		parse_extended(bth + sizeof(*h), pkt);
	return ROCE_DROP_NONE;
}
