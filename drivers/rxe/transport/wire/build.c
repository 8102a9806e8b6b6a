// SPDX-License-Identifier: GPL-2.0
/* Packet headers: BTH and extended headers from struct roce_hdr. */
#include <linux/string.h>
#include <asm/byteorder.h>
#include <roce/packet.h>
#include <roce/psn.h>

/*
 * MigReq is always set, as QPs never leave the path migration state MIGRATED (IBTA 17.2.8.1.1). A
 * clear bit makes some adapters process the packet on their slow path.
 */
static u8 *build_bth(const struct roce_hdr *h, u8 *p)
{
	struct roce_bth *bth = (void *)p;

	bth->opcode = h->opcode;
	bth->flags = ROCE_BTH_MIG | h->pad << ROCE_BTH_PAD_SHIFT;
	if (h->solicited)
		bth->flags |= ROCE_BTH_SE;
	bth->pkey = cpu_to_be16(h->pkey);
	bth->qpn = cpu_to_be32((h->qpn & ROCE_BTH_QPN) | (h->becn ? ROCE_BTH_BECN : 0));
	bth->psn = cpu_to_be32(h->psn & ROCE_BTH_PSN);
	return p + sizeof(*bth);
}

static u8 *build_deth(const struct roce_hdr *h, u8 *p)
{
	struct roce_deth *deth = (void *)p;

	deth->qkey = cpu_to_be32(h->qkey);
	deth->src_qpn = cpu_to_be32(h->src_qpn & ROCE_BTH_QPN);
	return p + sizeof(*deth);
}

static u8 *build_feth(const struct roce_hdr *h, u8 *p)
{
	struct roce_feth *feth = (void *)p;

	feth->type_level = cpu_to_be32((u32)h->flush_level << ROCE_FETH_LEVEL_SHIFT |
				       (h->flush_type & ROCE_FETH_TYPE));
	return p + sizeof(*feth);
}

static u8 *build_reth(const struct roce_hdr *h, u8 *p)
{
	struct roce_reth *reth = (void *)p;

	reth->va = cpu_to_be64(h->va);
	reth->rkey = cpu_to_be32(h->rkey);
	reth->length = cpu_to_be32(h->dma_len);
	return p + sizeof(*reth);
}

static u8 *build_atomic_eth(const struct roce_hdr *h, u8 *p)
{
	struct roce_atomic_eth *eth = (void *)p;

	eth->va = cpu_to_be64(h->va);
	eth->rkey = cpu_to_be32(h->rkey);
	eth->swap_add = cpu_to_be64(h->swap_add);
	eth->compare = cpu_to_be64(h->compare);
	return p + sizeof(*eth);
}

static u8 *build_aeth(const struct roce_hdr *h, u8 *p)
{
	struct roce_aeth *aeth = (void *)p;

	aeth->syndrome_msn = cpu_to_be32(h->aeth);
	return p + sizeof(*aeth);
}

static u8 *build_atomic_ack(const struct roce_hdr *h, u8 *p)
{
	struct roce_atomic_ack_eth *eth = (void *)p;

	eth->orig = cpu_to_be64(h->orig);
	return p + sizeof(*eth);
}

static u8 *build_imm(const struct roce_hdr *h, u8 *p)
{
	struct roce_immdt *imm = (void *)p;

	imm->data = h->imm;
	return p + sizeof(*imm);
}

static u8 *build_ieth(const struct roce_hdr *h, u8 *p)
{
	struct roce_ieth *ieth = (void *)p;

	ieth->rkey = cpu_to_be32(h->inv_rkey);
	return p + sizeof(*ieth);
}

static u8 *build_cnp_rsvd(u8 *p)
{
	memset(p, 0, sizeof(struct roce_cnp_rsvd));
	return p + sizeof(struct roce_cnp_rsvd);
}

u8 roce_build(const struct roce_hdr *h, u8 *buf)
{
	u32 flags = roce_opcode(h->opcode)->flags;
	u8 *p = build_bth(h, buf);

	if (flags & ROCE_HAS_DETH)
		p = build_deth(h, p);
	if (flags & ROCE_HAS_FETH)
		p = build_feth(h, p);
	if (flags & ROCE_HAS_RETH)
		p = build_reth(h, p);
	if (flags & ROCE_HAS_ATOMIC_ETH)
		p = build_atomic_eth(h, p);
	if (flags & ROCE_HAS_AETH)
		p = build_aeth(h, p);
	if (flags & ROCE_HAS_ATOMIC_ACK)
		p = build_atomic_ack(h, p);
	if (flags & ROCE_HAS_IMM)
		p = build_imm(h, p);
	if (flags & ROCE_HAS_IETH)
		p = build_ieth(h, p);
	if (flags & ROCE_IS_CNP)
		p = build_cnp_rsvd(p);
	return p - buf;
}

void roce_run_header(const struct roce_tx_run *run, u32 i, u8 *buf)
{
	struct roce_bth *bth = (void *)buf;
	u32 psn = roce_psn_add(run->psn, i);

	if (run->ack_last && i == run->npkts - 1u)
		psn |= ROCE_BTH_ACKREQ;
	memcpy(buf, run->hdr, run->hdr_len);
	bth->psn = cpu_to_be32(psn);
}
