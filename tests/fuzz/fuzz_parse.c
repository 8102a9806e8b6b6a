// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the parser with arbitrary bytes. The builder must rebuild the same headers from accepted
 * packets. All CRC functions must agree.
 *
 * Input: a byte of options, then the packet from its BTH on.
 */
#include <string.h>
#include <roce/icrc.h>
#include <roce/packet.h>
#include "input.h"

#define NO_ICRC	 0x80 /* removed by hardware */
#define CUT_HDRS 0x40 /* only the first bytes are readable: as many as the low 6 bits say */
#define LINEAR	 0x3f

/* The header bits that the builder does not take from struct roce_hdr. */
static void copy_unbuilt_bits(u8 *to, const u8 *from, const struct roce_opcode_info *op)
{
	to[1] = (to[1] & ~ROCE_BTH_MIG) | (from[1] & ROCE_BTH_MIG);
	to[4] = from[4]; /* FECN, BECN, reserved */
	to[8] = from[8]; /* AckReq, reserved */
	if (op->flags & ROCE_IS_CNP)
		memcpy(to + 12, from + 12, sizeof(struct roce_cnp_rsvd));
	if (op->flags & ROCE_HAS_DETH)
		to[12 + 4] = from[12 + 4]; /* reserved */
	if (op->flags & ROCE_HAS_FETH) {
		memcpy(to + 12, from + 12, 3); /* reserved */
		to[15] |= from[15] & ~(ROCE_FETH_TYPE | ROCE_FETH_LEVEL);
	}
}

static void rebuild(const u8 *bth, const struct roce_pkt *pkt)
{
	struct roce_hdr h = {
		.opcode = pkt->opcode,
		.pad = pkt->pad,
		.solicited = pkt->solicited,
		.pkey = pkt->pkey,
		.qpn = pkt->qpn,
		.psn = pkt->psn,
		.va = pkt->va,
		.rkey = pkt->rkey,
		.dma_len = pkt->dma_len,
		.swap_add = pkt->swap_add,
		.compare = pkt->compare,
		.aeth = (u32)pkt->syndrome << 24 | pkt->msn,
		.orig = pkt->orig,
		.imm = pkt->imm,
		.inv_rkey = pkt->inv_rkey,
		.qkey = pkt->qkey,
		.src_qpn = pkt->src_qpn,
		.flush_type = pkt->flush_type,
		.flush_level = pkt->flush_level,
	};
	u8 buf[ROCE_MAX_HDR];

	require(roce_build(&h, buf) == pkt->op->hdr_len);
	copy_unbuilt_bits(buf, bth, pkt->op);
	require(!memcmp(buf, bth, pkt->op->hdr_len));
}

static void parse(const u8 *data, u32 len, u8 options)
{
	u32 icrc_len = options & NO_ICRC ? 0 : ROCE_ICRC_LEN;
	u32 linear = options & CUT_HDRS && (options & LINEAR) < len ? options & LINEAR : len;
	u8 *bth = malloc(linear); /* exact size, for the sanitizer */
	struct roce_pkt pkt = { 0 };

	memcpy(bth, data, linear);
	if (roce_parse(bth, linear, len, icrc_len, &pkt) == ROCE_DROP_NONE) {
		require(pkt.op == roce_opcode(data[0]));
		require(pkt.payload_off == pkt.op->hdr_len);
		require((u64)pkt.payload_off + pkt.payload_len + pkt.pad + icrc_len == len);
		rebuild(bth, &pkt);
	}
	free(bth);
}

/* Compute the CRC in one call and in two. */
static void crcs(const u8 *data, size_t len)
{
	size_t first = len ? len * data[0] / 256 : 0;

	require(roce_crc32(roce_crc32(~0u, data, first), data + first, len - first) ==
		roce_crc32(~0u, data, len));
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	roce_crc32_init();
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t len);
int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	struct input in = { data, len };
	u8 options = take8(&in);

	parse(in.p, in.left, options);
	crcs(in.p, in.left);
	return 0;
}
