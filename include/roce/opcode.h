/* SPDX-License-Identifier: GPL-2.0 */
/*
 * BTH opcodes (IBTA table 38). The table behind roce_opcode() is the only definition of the headers
 * of an opcode, of its class and of its position in a message.
 */
#ifndef ROCE_OPCODE_H
#define ROCE_OPCODE_H

#include <linux/types.h>

/* Bits 7:5 of an opcode name the transport service. */
#define ROCE_OP_RC	0x00u
#define ROCE_OP_UC	0x20u
#define ROCE_OP_UD	0x60u
#define ROCE_OP_CNP	0x80u
#define ROCE_OP_SERVICE	0xe0u

/* Not a transport service: raw packet QP, whose messages are Ethernet frames. */
#define ROCE_RAW	0xe0u

/* Bits 4:0: the operation, the same for all services that support it. */
enum roce_op {
	ROCE_SEND_FIRST			= 0x00,
	ROCE_SEND_MIDDLE		= 0x01,
	ROCE_SEND_LAST			= 0x02,
	ROCE_SEND_LAST_IMM		= 0x03,
	ROCE_SEND_ONLY			= 0x04,
	ROCE_SEND_ONLY_IMM		= 0x05,
	ROCE_WRITE_FIRST		= 0x06,
	ROCE_WRITE_MIDDLE		= 0x07,
	ROCE_WRITE_LAST			= 0x08,
	ROCE_WRITE_LAST_IMM		= 0x09,
	ROCE_WRITE_ONLY			= 0x0a,
	ROCE_WRITE_ONLY_IMM		= 0x0b,
	ROCE_READ_REQUEST		= 0x0c,
	ROCE_READ_RESP_FIRST		= 0x0d,
	ROCE_READ_RESP_MIDDLE		= 0x0e,
	ROCE_READ_RESP_LAST		= 0x0f,
	ROCE_READ_RESP_ONLY		= 0x10,
	ROCE_ACKNOWLEDGE		= 0x11,
	ROCE_ATOMIC_ACKNOWLEDGE		= 0x12,
	ROCE_COMPARE_SWAP		= 0x13,
	ROCE_FETCH_ADD			= 0x14,
	ROCE_SEND_LAST_INV		= 0x16,
	ROCE_SEND_ONLY_INV		= 0x17,
	ROCE_FLUSH			= 0x1c,
	ROCE_ATOMIC_WRITE		= 0x1d,
};

/* Congestion notification packet (CNP, IBTA A17.9.3). */
#define ROCE_CNP	(ROCE_OP_CNP | 0x01)

/* Properties of an opcode. */
enum roce_opcode_flags {
	/* headers, in wire order */
	ROCE_HAS_DETH		= 1u << 0,
	ROCE_HAS_RETH		= 1u << 1,
	ROCE_HAS_ATOMIC_ETH	= 1u << 2,
	ROCE_HAS_AETH		= 1u << 3,
	ROCE_HAS_ATOMIC_ACK	= 1u << 4,
	ROCE_HAS_IMM		= 1u << 5,
	ROCE_HAS_IETH		= 1u << 6,
	ROCE_HAS_PAYLOAD	= 1u << 7,
	/* position in the message: FIRST, neither (MIDDLE), LAST, or both (ONLY) */
	ROCE_IS_FIRST		= 1u << 8,
	ROCE_IS_LAST		= 1u << 9,
	/* direction */
	ROCE_IS_REQUEST		= 1u << 10,
	ROCE_IS_RESPONSE	= 1u << 11,
	/* class */
	ROCE_IS_SEND		= 1u << 12,
	ROCE_IS_WRITE		= 1u << 13,
	ROCE_IS_READ		= 1u << 14,
	ROCE_IS_ATOMIC		= 1u << 15,
	/* request that consumes a receive WQE when it ends */
	ROCE_USES_RECV		= 1u << 16,
	/* more classes, and a header before the RETH */
	ROCE_IS_FLUSH		= 1u << 17,
	ROCE_IS_ATOMIC_WRITE	= 1u << 18,
	ROCE_HAS_FETH		= 1u << 19,
	/* congestion notification, with 16 reserved bytes behind the BTH */
	ROCE_IS_CNP		= 1u << 20,
};

#define ROCE_IS_ONLY	(ROCE_IS_FIRST | ROCE_IS_LAST)
#define ROCE_CLASS	(ROCE_IS_SEND | ROCE_IS_WRITE | ROCE_IS_READ | ROCE_IS_ATOMIC | \
			 ROCE_IS_FLUSH | ROCE_IS_ATOMIC_WRITE)
/* FLUSH or ATOMIC WRITE (IBTA A19), which an empty READ response answers. */
#define ROCE_IS_MPE	(ROCE_IS_FLUSH | ROCE_IS_ATOMIC_WRITE)

/**
 * struct roce_opcode_info - row of the opcode table
 * @name: name in the IBTA specification, for messages and traces
 * @flags: enum roce_opcode_flags
 * @hdr_len: bytes of BTH and all extended headers
 */
struct roce_opcode_info {
	const char *name;
	u32 flags;
	u8 hdr_len;
};

/**
 * roce_opcode() - look up an opcode
 * @opcode: byte 0 of the BTH, any value
 *
 * Return: the row, or NULL for an unknown opcode.
 */
const struct roce_opcode_info *roce_opcode(u8 opcode);

/**
 * roce_opcode_follows() - check the sequence of opcodes in a message
 * @prev: class bit of the message being received (ROCE_IS_SEND, ROCE_IS_WRITE),
 *        or 0 when the previous message has ended
 * @info: row of the request packet that arrived
 *
 * READs and atomics are one packet each and require @prev to be 0 (IBTA 9.7.4.1.5).
 *
 * Return: true if @info may follow.
 */
bool roce_opcode_follows(u32 prev, const struct roce_opcode_info *info);

#endif
