// SPDX-License-Identifier: GPL-2.0
/* Packet parser, with valid and malformed packets. */
#include <pthread.h>
#include "unit.h"
#include <roce/packet.h>

#define ICRC 0xde, 0xad, 0xbe, 0xef

/* The last headers of the rows below, in hexadecimal so that a byte shows its place. */
#define BTH(op, flags) (op), (flags), 0xff, 0xfe, 0x00, 0x12, 0x34, 0x56, 0x80, 0xab, 0xcd, 0xef
#define RETH                                                                                      \
	0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x11, 0x12, 0x13, 0x14, 0x7f, 0xff, 0xff, \
		0xfe
#define ATOMIC                                                                                    \
	0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x11, 0x12, 0x13, 0x14, 0x21, 0x22, 0x23, \
		0x24, 0x25, 0x26, 0x27, 0x28, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38
#define AETH	   0x62, 0xa1, 0xa2, 0xa3
#define ATOMIC_ACK 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48
#define IMM	   0x51, 0x52, 0x53, 0x54
#define IETH	   0x61, 0x62, 0x63, 0x64
#define DETH	   0x71, 0x72, 0x73, 0x74, 0xff, 0x81, 0x82, 0x83

#define BYTES(...) .bytes = (const u8[]){ __VA_ARGS__ }, .len = sizeof((const u8[]){ __VA_ARGS__ })

static const struct row {
	const char *name;
	u32 payload_off;
	u32 payload_len;
	const u8 *bytes;
	u32 len;
} rows[] = {
	{ "SEND First", 12, 8, BYTES(BTH(0x00, 0x40), 1, 2, 3, 4, 5, 6, 7, 8, ICRC) },
	{ "SEND Middle", 12, 4, BYTES(BTH(0x01, 0x40), 1, 2, 3, 4, ICRC) },
	{ "SEND Last", 12, 3, BYTES(BTH(0x02, 0x50), 1, 2, 3, 0, ICRC) },
	{ "SEND Last Imm", 16, 2, BYTES(BTH(0x03, 0x60), IMM, 1, 2, 0, 0, ICRC) },
	{ "SEND Only", 12, 1, BYTES(BTH(0x04, 0x70), 1, 0, 0, 0, ICRC) },
	{ "SEND Only, empty", 12, 0, BYTES(BTH(0x04, 0x40), ICRC) },
	{ "SEND Only Imm", 16, 0, BYTES(BTH(0x05, 0x40), IMM, ICRC) },
	{ "WRITE First", 28, 4, BYTES(BTH(0x06, 0x40), RETH, 1, 2, 3, 4, ICRC) },
	{ "WRITE Middle", 12, 4, BYTES(BTH(0x07, 0x40), 1, 2, 3, 4, ICRC) },
	{ "WRITE Last", 12, 4, BYTES(BTH(0x08, 0x40), 1, 2, 3, 4, ICRC) },
	{ "WRITE Last Imm", 16, 3, BYTES(BTH(0x09, 0x50), IMM, 1, 2, 3, 0, ICRC) },
	{ "WRITE Only", 28, 0, BYTES(BTH(0x0a, 0x40), RETH, ICRC) },
	{ "WRITE Only Imm", 32, 1, BYTES(BTH(0x0b, 0x70), RETH, IMM, 1, 0, 0, 0, ICRC) },
	{ "READ Request", 28, 0, BYTES(BTH(0x0c, 0x40), RETH, ICRC) },
	{ "READ First", 16, 4, BYTES(BTH(0x0d, 0x40), AETH, 1, 2, 3, 4, ICRC) },
	{ "READ Middle", 12, 4, BYTES(BTH(0x0e, 0x40), 1, 2, 3, 4, ICRC) },
	{ "READ Last", 16, 1, BYTES(BTH(0x0f, 0x70), AETH, 1, 0, 0, 0, ICRC) },
	{ "READ Only", 16, 2, BYTES(BTH(0x10, 0x60), AETH, 1, 2, 0, 0, ICRC) },
	{ "Acknowledge", 16, 0, BYTES(BTH(0x11, 0x40), AETH, ICRC) },
	{ "Atomic Ack", 24, 0, BYTES(BTH(0x12, 0x40), AETH, ATOMIC_ACK, ICRC) },
	{ "CmpSwap", 40, 0, BYTES(BTH(0x13, 0x40), ATOMIC, ICRC) },
	{ "FetchAdd", 40, 0, BYTES(BTH(0x14, 0x40), ATOMIC, ICRC) },
	{ "SEND Last Inv", 16, 4, BYTES(BTH(0x16, 0x40), IETH, 1, 2, 3, 4, ICRC) },
	{ "SEND Only Inv", 16, 0, BYTES(BTH(0x17, 0x40), IETH, ICRC) },
	{ "UC WRITE Only Imm", 32, 4, BYTES(BTH(0x2b, 0x40), RETH, IMM, 1, 2, 3, 4, ICRC) },
	{ "UD SEND Only", 20, 2, BYTES(BTH(0x64, 0x60), DETH, 1, 2, 0, 0, ICRC) },
	{ "UD SEND Only Imm", 24, 0, BYTES(BTH(0x65, 0x40), DETH, IMM, ICRC) },
};

static u8 *guard;

/* Parse a copy that ends where memory ends. */
static enum roce_drop parse(const u8 *bytes, u32 len, struct roce_pkt *pkt)
{
	return roce_parse(guard_put(guard, bytes, len), len, len, ROCE_ICRC_LEN, pkt);
}

static void check_extended(const struct row *row, const struct roce_pkt *pkt)
{
	u32 flags = pkt->op->flags;

	if (flags & (ROCE_HAS_RETH | ROCE_HAS_ATOMIC_ETH)) {
		row_equal(row->name, pkt->va, 0x0102030405060708);
		row_equal(row->name, pkt->rkey, 0x11121314);
	}
	if (flags & ROCE_HAS_RETH)
		row_equal(row->name, pkt->dma_len, 0x7ffffffe);
	if (flags & ROCE_HAS_ATOMIC_ETH) {
		row_equal(row->name, pkt->swap_add, 0x2122232425262728);
		row_equal(row->name, pkt->compare, 0x3132333435363738);
	}
	if (flags & ROCE_HAS_AETH) {
		row_equal(row->name, pkt->syndrome, 0x62);
		row_equal(row->name, pkt->msn, 0xa1a2a3);
	}
	if (flags & ROCE_HAS_ATOMIC_ACK)
		row_equal(row->name, pkt->orig, 0x4142434445464748);
	if (flags & ROCE_HAS_IMM)
		row_check(row->name, !memcmp(&pkt->imm, (u8[]){ IMM }, 4));
	if (flags & ROCE_HAS_IETH)
		row_equal(row->name, pkt->inv_rkey, 0x61626364);
	if (flags & ROCE_HAS_DETH) {
		row_equal(row->name, pkt->qkey, 0x71727374);
		row_equal(row->name, pkt->src_qpn, 0x818283);
	}
}

static void well_formed(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];
		struct roce_pkt pkt = { .cookie = &pkt };

		row_equal(row->name, parse(row->bytes, row->len, &pkt), ROCE_DROP_NONE);
		row_check(row->name, pkt.op == roce_opcode(row->bytes[0]));
		row_check(row->name, pkt.cookie == &pkt);
		row_equal(row->name, pkt.opcode, row->bytes[0]);
		row_equal(row->name, pkt.pkey, 0xfffe);
		row_equal(row->name, pkt.qpn, 0x123456);
		row_equal(row->name, pkt.psn, 0xabcdef);
		row_check(row->name, pkt.ack_req && !pkt.solicited && !pkt.becn);
		row_equal(row->name, pkt.payload_off, row->payload_off);
		row_equal(row->name, pkt.payload_len, row->payload_len);
		check_extended(row, &pkt);
	}
}

/*
 * Cut anywhere, a packet is too short unless the cut only shortens the payload;
 * then it must not be a multiple of four any more, or parse to that length.
 */
static void truncated(void **state)
{
	size_t i;
	u32 len;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		for (len = 0; len < rows[i].len; len++) {
			const struct row *row = &rows[i];
			u32 pad = row->bytes[1] >> 4 & 3;
			struct roce_pkt pkt;
			enum roce_drop drop = parse(row->bytes, len, &pkt);

			if (len < row->payload_off + pad + ROCE_ICRC_LEN)
				row_equal(row->name, drop, ROCE_DROP_TOO_SHORT);
			else
				row_equal(row->name, drop,
					  (row->len - len) % 4 ? ROCE_DROP_PAYLOAD :
								 ROCE_DROP_NONE);
		}
}

/* With only @linear bytes in reach, nothing behind them may be touched. */
static void headers_out_of_reach(void **state)
{
	size_t i;
	u32 linear;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		for (linear = 0; linear <= rows[i].payload_off; linear++) {
			const struct row *row = &rows[i];
			u8 *bth = guard_put(guard, row->bytes, linear);
			struct roce_pkt pkt;

			row_equal(row->name, roce_parse(bth, linear, row->len, ROCE_ICRC_LEN, &pkt),
				  linear < row->payload_off ? ROCE_DROP_TOO_SHORT : ROCE_DROP_NONE);
		}
}

static void icrc_taken_off(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];
		u32 len = row->len - ROCE_ICRC_LEN;
		u8 *bth = guard_put(guard, row->bytes, len);
		struct roce_pkt pkt;

		row_equal(row->name, roce_parse(bth, len, len, 0, &pkt), ROCE_DROP_NONE);
		row_equal(row->name, pkt.payload_len, row->payload_len);
	}
}

static void bth_bits(void **state)
{
	static const struct {
		const char *name;
		u8 at, value;
		bool solicited, becn, ack_req;
	} bits[] = {
		{ "none", 8, 0x00, false, false, false },
		{ "SE", 1, 0xc0, true, false, true },
		{ "MigReq clear", 1, 0x00, false, false, true },
		{ "FECN", 4, 0x80, false, false, true },
		{ "BECN", 4, 0x40, false, true, true },
		{ "reserved by the QP", 4, 0x3f, false, false, true },
		{ "reserved by the PSN", 8, 0x7f, false, false, false },
		{ "AckReq", 8, 0x80, false, false, true },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bits); i++) {
		u8 bytes[] = { BTH(0x04, 0x40), ICRC };
		struct roce_pkt pkt;

		bytes[bits[i].at] = bits[i].value;
		row_equal(bits[i].name, parse(bytes, sizeof(bytes), &pkt), ROCE_DROP_NONE);
		row_equal(bits[i].name, pkt.solicited, bits[i].solicited);
		row_equal(bits[i].name, pkt.becn, bits[i].becn);
		row_equal(bits[i].name, pkt.ack_req, bits[i].ack_req);
		row_equal(bits[i].name, pkt.qpn, 0x123456);
		row_equal(bits[i].name, pkt.psn, 0xabcdef);
	}
}

static void versions(void **state)
{
	u32 tver;

	(void)state;
	for (tver = 0; tver < 16; tver++) {
		u8 bytes[] = { BTH(0x04, 0x40 | tver), ICRC };
		struct roce_pkt pkt;

		assert_int_equal(parse(bytes, sizeof(bytes), &pkt),
				 tver ? ROCE_DROP_VERSION : ROCE_DROP_NONE);
	}
}

static void unknown_opcodes(void **state)
{
	u8 bytes[64] = { BTH(0, 0x40) };
	struct roce_pkt pkt;
	u32 opcode;

	(void)state;
	for (opcode = 0; opcode < 256; opcode++) {
		bytes[0] = opcode;
		if (!roce_opcode(opcode))
			assert_int_equal(parse(bytes, sizeof(bytes), &pkt), ROCE_DROP_OPCODE);
	}
}

/* Each opcode with each pad count over 0 to 8 bytes of payload and pad. */
static void pads(void **state)
{
	u32 opcode, pad, n;

	(void)state;
	for (opcode = 0; opcode < 256; opcode++) {
		const struct roce_opcode_info *op = roce_opcode(opcode);

		for (pad = 0; op && pad < 4; pad++)
			for (n = pad; n <= 8; n++) {
				u8 bytes[64] = { BTH(opcode, 0x40 | pad << 4) };
				struct roce_pkt pkt;
				bool ok = op->flags & ROCE_HAS_PAYLOAD ?
						  n % 4 == 0 && (!pad || op->flags & ROCE_IS_LAST) :
						  n == 0;

				row_equal(op->name,
					  parse(bytes, op->hdr_len + n + ROCE_ICRC_LEN, &pkt),
					  ok ? ROCE_DROP_NONE : ROCE_DROP_PAYLOAD);
				if (ok)
					row_equal(op->name, pkt.payload_len, n - pad);
			}
	}
}

static void jumbo(void **state)
{
	u8 bytes[] = { BTH(0x01, 0x40) };
	struct roce_pkt pkt;

	(void)state;
	assert_int_equal(roce_parse(guard_put(guard, bytes, sizeof(bytes)), sizeof(bytes),
				    12 + 4096 + 4, ROCE_ICRC_LEN, &pkt),
			 ROCE_DROP_NONE);
	assert_int_equal(pkt.payload_len, 4096);
	assert_int_equal(roce_parse(guard_put(guard, bytes, sizeof(bytes)), sizeof(bytes),
				    0xfffffffc, ROCE_ICRC_LEN, &pkt),
			 ROCE_DROP_NONE);
	assert_int_equal(pkt.payload_len, 0xfffffffc - 16);
}

static bool changing;

/* Alternate between SEND Only and UD SEND Only, until @changing is cleared. */
static void *change_opcode(void *opcode)
{
	volatile u8 *p = opcode;

	while (__atomic_load_n(&changing, __ATOMIC_RELAXED))
		*p ^= 0x04 ^ 0x64;
	return NULL;
}

/* A program of this host may write to the memory that its packets lie in. */
static void changed_meanwhile(void **state)
{
	u8 bytes[] = { BTH(0x04, 0x40), DETH, 1, 2, 3, 4, ICRC };
	u8 *at = guard_put(guard, bytes, sizeof(bytes));
	struct roce_pkt pkt;
	pthread_t thread;
	u32 i;

	(void)state;
	changing = true;
	assert_false(pthread_create(&thread, NULL, change_opcode, at));
	for (i = 0; i < 1000000; i++) {
		roce_parse(at, sizeof(bytes), sizeof(bytes), ROCE_ICRC_LEN, &pkt);
		if (pkt.op != roce_opcode(pkt.opcode))
			break;
	}
	__atomic_store_n(&changing, false, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	assert_int_equal(i, 1000000);
}

static int setup(void **state)
{
	guard_setup(state);
	guard = *state;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(well_formed),
		cmocka_unit_test(truncated),
		cmocka_unit_test(headers_out_of_reach),
		cmocka_unit_test(icrc_taken_off),
		cmocka_unit_test(bth_bits),
		cmocka_unit_test(versions),
		cmocka_unit_test(unknown_opcodes),
		cmocka_unit_test(pads),
		cmocka_unit_test(jumbo),
		cmocka_unit_test(changed_meanwhile),
	};

	return cmocka_run_group_tests(tests, setup, guard_teardown);
}
