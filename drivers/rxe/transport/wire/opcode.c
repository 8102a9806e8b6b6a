// SPDX-License-Identifier: GPL-2.0
/* Table of the opcodes: names, lengths of the headers, properties. */
#include <linux/kernel.h>
#include <roce/opcode.h>
#include <roce/wire.h>

#define HDR(flags, has, type) ((flags) & (has) ? sizeof(struct type) : 0)

/* clang-format off */
#define HDR_LEN(f)						\
	(sizeof(struct roce_bth) +				\
	 HDR(f, ROCE_HAS_DETH, roce_deth) +			\
	 HDR(f, ROCE_HAS_FETH, roce_feth) +			\
	 HDR(f, ROCE_HAS_RETH, roce_reth) +			\
	 HDR(f, ROCE_HAS_ATOMIC_ETH, roce_atomic_eth) +		\
	 HDR(f, ROCE_HAS_AETH, roce_aeth) +			\
	 HDR(f, ROCE_HAS_ATOMIC_ACK, roce_atomic_ack_eth) +	\
	 HDR(f, ROCE_HAS_IMM, roce_immdt) +			\
	 HDR(f, ROCE_HAS_IETH, roce_ieth) +			\
	 HDR(f, ROCE_IS_CNP, roce_cnp_rsvd))
/* clang-format on */

#define ROW(service, op, ibta_name, f)          \
	[ROCE_OP_##service | ROCE_##op] = {     \
		.name = #service " " ibta_name, \
		.flags = (f),                   \
		.hdr_len = HDR_LEN(f),          \
	}

#define FIRST ROCE_IS_FIRST
#define LAST  ROCE_IS_LAST
#define ONLY  ROCE_IS_ONLY
#define IMM   ROCE_HAS_IMM
#define IETH  ROCE_HAS_IETH
#define RETH  ROCE_HAS_RETH
#define RECV  ROCE_USES_RECV

#define SEND_REQ   (ROCE_IS_REQUEST | ROCE_IS_SEND | ROCE_HAS_PAYLOAD)
#define WRITE_REQ  (ROCE_IS_REQUEST | ROCE_IS_WRITE | ROCE_HAS_PAYLOAD)
#define READ_REQ   (ROCE_IS_REQUEST | ROCE_IS_READ | RETH | ONLY)
#define ATOMIC_REQ (ROCE_IS_REQUEST | ROCE_IS_ATOMIC | ROCE_HAS_ATOMIC_ETH | ONLY)
#define FLUSH_REQ  (ROCE_IS_REQUEST | ROCE_IS_FLUSH | ROCE_HAS_FETH | RETH | ONLY)
#define ATOMIC_WRITE_REQ (ROCE_IS_REQUEST | ROCE_IS_ATOMIC_WRITE | RETH | ONLY | ROCE_HAS_PAYLOAD)
#define ACK	   (ROCE_IS_RESPONSE | ROCE_HAS_AETH | ONLY)

/* A middle READ response is the only response without an AETH (IBTA 9.7.5.2). */
#define READ_RESP (ROCE_IS_RESPONSE | ROCE_IS_READ | ROCE_HAS_PAYLOAD)
#define READ_ACK  (READ_RESP | ROCE_HAS_AETH)

/* Opcodes of both RC and UC. */
/* clang-format off */
#define SEND_AND_WRITE(service)								\
	ROW(service, SEND_FIRST, "SEND First", SEND_REQ | FIRST),			\
	ROW(service, SEND_MIDDLE, "SEND Middle", SEND_REQ),				\
	ROW(service, SEND_LAST, "SEND Last", SEND_REQ | LAST | RECV),			\
	ROW(service, SEND_LAST_IMM, "SEND Last with Immediate", SEND_REQ | LAST | IMM | RECV),\
	ROW(service, SEND_ONLY, "SEND Only", SEND_REQ | ONLY | RECV),			\
	ROW(service, SEND_ONLY_IMM, "SEND Only with Immediate", SEND_REQ | ONLY | IMM | RECV),\
	ROW(service, WRITE_FIRST, "RDMA WRITE First", WRITE_REQ | RETH | FIRST),	\
	ROW(service, WRITE_MIDDLE, "RDMA WRITE Middle", WRITE_REQ),			\
	ROW(service, WRITE_LAST, "RDMA WRITE Last", WRITE_REQ | LAST),			\
	ROW(service, WRITE_LAST_IMM, "RDMA WRITE Last with Immediate",			\
	    WRITE_REQ | LAST | IMM | RECV),						\
	ROW(service, WRITE_ONLY, "RDMA WRITE Only", WRITE_REQ | RETH | ONLY),		\
	ROW(service, WRITE_ONLY_IMM, "RDMA WRITE Only with Immediate",			\
	    WRITE_REQ | RETH | ONLY | IMM | RECV)
/* clang-format on */

static const struct roce_opcode_info opcodes[] = {
	SEND_AND_WRITE(RC),
	ROW(RC, READ_REQUEST, "RDMA READ Request", READ_REQ),
	ROW(RC, READ_RESP_FIRST, "RDMA READ response First", READ_ACK | FIRST),
	ROW(RC, READ_RESP_MIDDLE, "RDMA READ response Middle", READ_RESP),
	ROW(RC, READ_RESP_LAST, "RDMA READ response Last", READ_ACK | LAST),
	ROW(RC, READ_RESP_ONLY, "RDMA READ response Only", READ_ACK | ONLY),
	ROW(RC, ACKNOWLEDGE, "Acknowledge", ACK),
	ROW(RC, ATOMIC_ACKNOWLEDGE, "ATOMIC Acknowledge",
	    ACK | ROCE_IS_ATOMIC | ROCE_HAS_ATOMIC_ACK),
	ROW(RC, COMPARE_SWAP, "CmpSwap", ATOMIC_REQ),
	ROW(RC, FETCH_ADD, "FetchAdd", ATOMIC_REQ),
	ROW(RC, SEND_LAST_INV, "SEND Last with Invalidate", SEND_REQ | LAST | IETH | RECV),
	ROW(RC, SEND_ONLY_INV, "SEND Only with Invalidate", SEND_REQ | ONLY | IETH | RECV),
	ROW(RC, FLUSH, "FLUSH", FLUSH_REQ),
	ROW(RC, ATOMIC_WRITE, "ATOMIC WRITE", ATOMIC_WRITE_REQ),

	SEND_AND_WRITE(UC),

	ROW(UD, SEND_ONLY, "SEND Only", SEND_REQ | ONLY | ROCE_HAS_DETH | RECV),
	ROW(UD, SEND_ONLY_IMM, "SEND Only with Immediate",
	    SEND_REQ | ONLY | ROCE_HAS_DETH | IMM | RECV),

	[ROCE_CNP] = {
		.name = "CNP",
		.flags = ROCE_IS_CNP | ONLY,
		.hdr_len = HDR_LEN(ROCE_IS_CNP),
	},
};

const struct roce_opcode_info *roce_opcode(u8 opcode)
{
	if (opcode >= ARRAY_SIZE(opcodes) || !opcodes[opcode].name)
		return NULL;
	return &opcodes[opcode];
}

bool roce_opcode_follows(u32 prev, const struct roce_opcode_info *info)
{
	return prev == (info->flags & ROCE_IS_FIRST ? 0 : info->flags & ROCE_CLASS);
}
