// SPDX-License-Identifier: GPL-2.0
/* Packet headers, built. */
#include "unit.h"
#include <linux/unaligned.h>
#include <roce/packet.h>

/* Every field has a value, so that a header which does not belong shows. */
static struct roce_hdr all_fields(u8 opcode)
{
	return (struct roce_hdr){
		.opcode = opcode,
		.pkey = 0xffff,
		.qpn = 0x123456,
		.psn = 0xabcdef,
		.va = 0x0102030405060708,
		.rkey = 0x11121314,
		.dma_len = 0x7ffffffe,
		.swap_add = 0x2122232425262728,
		.compare = 0x3132333435363738,
		.aeth = 0x62a1a2a3,
		.orig = 0x4142434445464748,
		.imm = cpu_to_be32(0x51525354),
		.inv_rkey = 0x61626364,
		.qkey = 0x71727374,
		.src_qpn = 0x818283,
		.flush_type = 0x3,
		.flush_level = 0x2,
	};
}

/* Literal bytes, so that a fault common to builder and parser cannot hide. */
static void bytes_on_the_wire(void **state)
{
	static const struct {
		const char *name;
		u8 opcode;
		u8 len;
		const char *bytes;
	} rows[] = {
		{ "SEND Middle", 0x01, 12,
		  "\x01\x40\xff\xff\x00\x12\x34\x56\x00\xab\xcd\xef" },
		{ "WRITE Only Imm", 0x0b, 32,
		  "\x0b\x40\xff\xff\x00\x12\x34\x56\x00\xab\xcd\xef\x01\x02\x03\x04"
		  "\x05\x06\x07\x08\x11\x12\x13\x14\x7f\xff\xff\xfe\x51\x52\x53\x54" },
		{ "Atomic Ack", 0x12, 24,
		  "\x12\x40\xff\xff\x00\x12\x34\x56\x00\xab\xcd\xef\x62\xa1\xa2\xa3"
		  "\x41\x42\x43\x44\x45\x46\x47\x48" },
		{ "CmpSwap", 0x13, 40,
		  "\x13\x40\xff\xff\x00\x12\x34\x56\x00\xab\xcd\xef\x01\x02\x03\x04"
		  "\x05\x06\x07\x08\x11\x12\x13\x14\x21\x22\x23\x24\x25\x26\x27\x28"
		  "\x31\x32\x33\x34\x35\x36\x37\x38" },
		{ "SEND Only Inv", 0x17, 16,
		  "\x17\x40\xff\xff\x00\x12\x34\x56\x00\xab\xcd\xef\x61\x62\x63\x64" },
		{ "FLUSH", 0x1c, 32,
		  "\x1c\x40\xff\xff\x00\x12\x34\x56\x00\xab\xcd\xef\x00\x00\x00\x23"
		  "\x01\x02\x03\x04\x05\x06\x07\x08\x11\x12\x13\x14\x7f\xff\xff\xfe" },
		{ "ATOMIC WRITE", 0x1d, 28,
		  "\x1d\x40\xff\xff\x00\x12\x34\x56\x00\xab\xcd\xef\x01\x02\x03\x04"
		  "\x05\x06\x07\x08\x11\x12\x13\x14\x7f\xff\xff\xfe" },
		{ "UD SEND Only Imm", 0x65, 24,
		  "\x65\x40\xff\xff\x00\x12\x34\x56\x00\xab\xcd\xef\x71\x72\x73\x74"
		  "\x00\x81\x82\x83\x51\x52\x53\x54" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct roce_hdr h = all_fields(rows[i].opcode);
		u8 buf[ROCE_MAX_HDR];

		row_equal(rows[i].name, roce_build(&h, buf), rows[i].len);
		row_check(rows[i].name, !memcmp(buf, rows[i].bytes, rows[i].len));
	}
}

static void check_extended(const struct roce_hdr *h, const struct roce_pkt *pkt)
{
	const char *name = pkt->op->name;
	u32 flags = pkt->op->flags;

	if (flags & (ROCE_HAS_RETH | ROCE_HAS_ATOMIC_ETH)) {
		row_equal(name, pkt->va, h->va);
		row_equal(name, pkt->rkey, h->rkey);
	}
	if (flags & ROCE_HAS_RETH)
		row_equal(name, pkt->dma_len, h->dma_len);
	if (flags & ROCE_HAS_ATOMIC_ETH) {
		row_equal(name, pkt->swap_add, h->swap_add);
		row_equal(name, pkt->compare, h->compare);
	}
	if (flags & ROCE_HAS_AETH)
		row_equal(name, (u32)pkt->syndrome << 24 | pkt->msn, h->aeth);
	if (flags & ROCE_HAS_ATOMIC_ACK)
		row_equal(name, pkt->orig, h->orig);
	if (flags & ROCE_HAS_IMM)
		row_check(name, pkt->imm == h->imm);
	if (flags & ROCE_HAS_IETH)
		row_equal(name, pkt->inv_rkey, h->inv_rkey);
	if (flags & ROCE_HAS_DETH) {
		row_equal(name, pkt->qkey, h->qkey);
		row_equal(name, pkt->src_qpn, h->src_qpn);
	}
	if (flags & ROCE_HAS_FETH) {
		row_equal(name, pkt->flush_type, h->flush_type);
		row_equal(name, pkt->flush_level, h->flush_level);
	}
}

static void round_trip(void **state)
{
	u32 opcode;

	(void)state;
	for (opcode = 0; opcode < 256; opcode++) {
		const struct roce_opcode_info *op = roce_opcode(opcode);
		struct roce_hdr h = all_fields(opcode);
		struct roce_pkt pkt;
		u8 buf[ROCE_MAX_HDR + 4 + ROCE_ICRC_LEN];
		u32 len;

		if (!op)
			continue;
		h.solicited = opcode & 1;
		if (op->flags & ROCE_HAS_PAYLOAD && op->flags & ROCE_IS_LAST)
			h.pad = 3;
		len = roce_build(&h, buf);
		row_equal(op->name, len, op->hdr_len);
		len += (h.pad ? 4 : 0) + ROCE_ICRC_LEN;
		row_equal(op->name, roce_parse(buf, len, len, ROCE_ICRC_LEN, &pkt), ROCE_DROP_NONE);
		row_check(op->name, pkt.op == op);
		row_equal(op->name, pkt.opcode, opcode);
		row_equal(op->name, pkt.pad, h.pad);
		row_equal(op->name, pkt.payload_len, h.pad ? 1 : 0);
		row_equal(op->name, pkt.solicited, h.solicited);
		row_equal(op->name, pkt.pkey, h.pkey);
		row_equal(op->name, pkt.qpn, h.qpn);
		row_equal(op->name, pkt.psn, h.psn);
		row_check(op->name, !pkt.ack_req && !pkt.becn);
		check_extended(&h, &pkt);
	}
}

/* Values wider than their fields must not spill into the bits beside them. */
static void narrow_fields(void **state)
{
	struct roce_hdr h = all_fields(0x64);
	struct roce_pkt pkt;
	u8 buf[ROCE_MAX_HDR];

	(void)state;
	h.psn = h.qpn = h.src_qpn = 0xff000001;
	assert_int_equal(roce_build(&h, buf), 20);
	assert_int_equal(roce_parse(buf, 20, 20, 0, &pkt), ROCE_DROP_NONE);
	assert_int_equal(pkt.psn, 1);
	assert_int_equal(pkt.qpn, 1);
	assert_int_equal(pkt.src_qpn, 1);
	assert_false(pkt.ack_req || pkt.becn);
	assert_int_equal(buf[16], 0);
}

static void runs(void **state)
{
	static const struct {
		const char *name;
		u32 psn;
		u16 npkts;
		bool ack_last;
		u32 i;
		u32 word; /* AckReq and PSN on the wire */
	} rows[] = {
		{ "first of one", 7, 1, false, 0, 0x00000007 },
		{ "first of one, AckReq", 7, 1, true, 0, 0x80000007 },
		{ "first of many", 7, 3, true, 0, 0x00000007 },
		{ "inner", 7, 3, true, 1, 0x00000008 },
		{ "last", 7, 3, true, 2, 0x80000009 },
		{ "last without AckReq", 7, 3, false, 2, 0x00000009 },
		{ "the last PSN", 0xfffffe, 4, true, 1, 0x00ffffff },
		{ "over the wrap", 0xfffffe, 4, true, 2, 0x00000000 },
		{ "over the wrap, AckReq", 0xfffffe, 4, true, 3, 0x80000001 },
		{ "longest", 0, 0xffff, true, 0xfffe, 0x8000fffe },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct roce_hdr h = all_fields(0x0b);
		struct roce_tx_run run = { .npkts = rows[i].npkts,
					   .psn = rows[i].psn,
					   .ack_last = rows[i].ack_last };
		u8 buf[ROCE_MAX_HDR];

		run.hdr_len = roce_build(&h, run.hdr);
		memset(buf, 0xee, sizeof(buf));
		roce_run_header(&run, rows[i].i, buf);
		row_equal(rows[i].name, get_unaligned_be32(buf + 8), rows[i].word);
		row_check(rows[i].name, !memcmp(buf, run.hdr, 8));
		row_check(rows[i].name, !memcmp(buf + 12, run.hdr + 12, run.hdr_len - 12));
		row_equal(rows[i].name, buf[run.hdr_len], 0xee);
	}
}

static void run_length(void **state)
{
	struct roce_tx_run run = { .hdr_len = 16, .seg_len = 1023, .pad = 1 };

	(void)state;
	assert_int_equal(roce_run_pkt_len(&run), 16 + 1024 + 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_on_the_wire), cmocka_unit_test(round_trip),
		cmocka_unit_test(narrow_fields),     cmocka_unit_test(runs),
		cmocka_unit_test(run_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
