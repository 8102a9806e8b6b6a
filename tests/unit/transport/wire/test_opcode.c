// SPDX-License-Identifier: GPL-2.0
/* Table of the opcodes. */
#include "unit.h"
#include <roce/opcode.h>

#define REQ	  ROCE_IS_REQUEST
#define RESP	  ROCE_IS_RESPONSE
#define SEND_PKT  (REQ | ROCE_IS_SEND | ROCE_HAS_PAYLOAD)
#define WRITE_PKT (REQ | ROCE_IS_WRITE | ROCE_HAS_PAYLOAD)
#define READ_PKT  (RESP | ROCE_IS_READ | ROCE_HAS_PAYLOAD)
#define FIRST	  ROCE_IS_FIRST
#define LAST	  ROCE_IS_LAST
#define ONLY	  ROCE_IS_ONLY
#define RECV	  ROCE_USES_RECV

/* IBTA tables 38 and 39, in bytes and bits: nothing here is computed. */
static const struct row {
	u8 opcode;
	u8 hdr_len;
	u32 flags;
} rows[] = {
	{ 0x00, 12, SEND_PKT | FIRST },
	{ 0x01, 12, SEND_PKT },
	{ 0x02, 12, SEND_PKT | LAST | RECV },
	{ 0x03, 16, SEND_PKT | LAST | RECV | ROCE_HAS_IMM },
	{ 0x04, 12, SEND_PKT | ONLY | RECV },
	{ 0x05, 16, SEND_PKT | ONLY | RECV | ROCE_HAS_IMM },
	{ 0x06, 28, WRITE_PKT | FIRST | ROCE_HAS_RETH },
	{ 0x07, 12, WRITE_PKT },
	{ 0x08, 12, WRITE_PKT | LAST },
	{ 0x09, 16, WRITE_PKT | LAST | RECV | ROCE_HAS_IMM },
	{ 0x0a, 28, WRITE_PKT | ONLY | ROCE_HAS_RETH },
	{ 0x0b, 32, WRITE_PKT | ONLY | RECV | ROCE_HAS_RETH | ROCE_HAS_IMM },
	{ 0x0c, 28, REQ | ROCE_IS_READ | ONLY | ROCE_HAS_RETH },
	{ 0x0d, 16, READ_PKT | FIRST | ROCE_HAS_AETH },
	{ 0x0e, 12, READ_PKT },
	{ 0x0f, 16, READ_PKT | LAST | ROCE_HAS_AETH },
	{ 0x10, 16, READ_PKT | ONLY | ROCE_HAS_AETH },
	{ 0x11, 16, RESP | ONLY | ROCE_HAS_AETH },
	{ 0x12, 24, RESP | ROCE_IS_ATOMIC | ONLY | ROCE_HAS_AETH | ROCE_HAS_ATOMIC_ACK },
	{ 0x13, 40, REQ | ROCE_IS_ATOMIC | ONLY | ROCE_HAS_ATOMIC_ETH },
	{ 0x14, 40, REQ | ROCE_IS_ATOMIC | ONLY | ROCE_HAS_ATOMIC_ETH },
	{ 0x16, 16, SEND_PKT | LAST | RECV | ROCE_HAS_IETH },
	{ 0x17, 16, SEND_PKT | ONLY | RECV | ROCE_HAS_IETH },
	{ 0x1c, 32, REQ | ROCE_IS_FLUSH | ONLY | ROCE_HAS_FETH | ROCE_HAS_RETH },
	{ 0x1d, 28,
	  REQ | ROCE_IS_ATOMIC_WRITE | ONLY | ROCE_HAS_RETH | ROCE_HAS_PAYLOAD },
	/* UC */
	{ 0x20, 12, SEND_PKT | FIRST },
	{ 0x21, 12, SEND_PKT },
	{ 0x22, 12, SEND_PKT | LAST | RECV },
	{ 0x23, 16, SEND_PKT | LAST | RECV | ROCE_HAS_IMM },
	{ 0x24, 12, SEND_PKT | ONLY | RECV },
	{ 0x25, 16, SEND_PKT | ONLY | RECV | ROCE_HAS_IMM },
	{ 0x26, 28, WRITE_PKT | FIRST | ROCE_HAS_RETH },
	{ 0x27, 12, WRITE_PKT },
	{ 0x28, 12, WRITE_PKT | LAST },
	{ 0x29, 16, WRITE_PKT | LAST | RECV | ROCE_HAS_IMM },
	{ 0x2a, 28, WRITE_PKT | ONLY | ROCE_HAS_RETH },
	{ 0x2b, 32, WRITE_PKT | ONLY | RECV | ROCE_HAS_RETH | ROCE_HAS_IMM },
	/* UD */
	{ 0x64, 20, SEND_PKT | ONLY | RECV | ROCE_HAS_DETH },
	{ 0x65, 24, SEND_PKT | ONLY | RECV | ROCE_HAS_DETH | ROCE_HAS_IMM },
	/* CNP */
	{ 0x81, 28, ROCE_IS_CNP | ONLY },
};

static const struct row *row_of(u32 opcode)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].opcode == opcode)
			return &rows[i];
	return NULL;
}

static void every_byte(void **state)
{
	u32 opcode;

	(void)state;
	for (opcode = 0; opcode < 256; opcode++) {
		const struct roce_opcode_info *info = roce_opcode(opcode);
		const struct row *row = row_of(opcode);

		if (!info != !row)
			fail_msg("opcode %#x: %s", opcode, info ? "known" : "unknown");
		if (!row)
			continue;
		row_equal(info->name, info->hdr_len, row->hdr_len);
		row_equal(info->name, info->flags, row->flags);
	}
}

static void names(void **state)
{
	(void)state;
	assert_string_equal(roce_opcode(0x03)->name, "RC SEND Last with Immediate");
	assert_string_equal(roce_opcode(0x2a)->name, "UC RDMA WRITE Only");
	assert_string_equal(roce_opcode(0x64)->name, "UD SEND Only");
}

/* Every request against every state that a message can be in. */
static void follows(void **state)
{
	static const u32 prevs[] = { 0, ROCE_IS_SEND, ROCE_IS_WRITE };
	static const struct {
		u8 opcode;
		bool ok[3]; /* by prevs[] */
	} table[] = {
		{ ROCE_SEND_FIRST, { true, false, false } },
		{ ROCE_SEND_MIDDLE, { false, true, false } },
		{ ROCE_SEND_LAST, { false, true, false } },
		{ ROCE_SEND_LAST_IMM, { false, true, false } },
		{ ROCE_SEND_LAST_INV, { false, true, false } },
		{ ROCE_SEND_ONLY, { true, false, false } },
		{ ROCE_SEND_ONLY_IMM, { true, false, false } },
		{ ROCE_SEND_ONLY_INV, { true, false, false } },
		{ ROCE_WRITE_FIRST, { true, false, false } },
		{ ROCE_WRITE_MIDDLE, { false, false, true } },
		{ ROCE_WRITE_LAST, { false, false, true } },
		{ ROCE_WRITE_LAST_IMM, { false, false, true } },
		{ ROCE_WRITE_ONLY, { true, false, false } },
		{ ROCE_WRITE_ONLY_IMM, { true, false, false } },
		{ ROCE_READ_REQUEST, { true, false, false } },
		{ ROCE_COMPARE_SWAP, { true, false, false } },
		{ ROCE_FETCH_ADD, { true, false, false } },
	};
	size_t i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(table); i++)
		for (j = 0; j < ARRAY_SIZE(prevs); j++) {
			const struct roce_opcode_info *info = roce_opcode(table[i].opcode);

			row_equal(info->name, roce_opcode_follows(prevs[j], info), table[i].ok[j]);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte),
		cmocka_unit_test(names),
		cmocka_unit_test(follows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
