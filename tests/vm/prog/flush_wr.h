/* SPDX-License-Identifier: GPL-2.0 */
/*
 * FLUSH and ATOMIC WRITE from one connected QP to another. Older libraries have no call for them,
 * so the work requests are written into the ring.
 */
#ifndef TEST_FLUSH_WR_H
#define TEST_FLUSH_WR_H

#include <stdint.h>

#include "pair.h"

/* Older headers lack these. */
#define WR_FLUSH	  14
#define WR_ATOMIC_WRITE	  15
#define WC_FLUSH	  8
#define WC_ATOMIC_WRITE	  9
#define CAP_FLUSH_GLOBAL  (1ull << 38)
#define CAP_FLUSH_PERSIST (1ull << 39)
#define CAP_ATOMIC_WRITE  (1ull << 40)

#define LW IBV_ACCESS_LOCAL_WRITE
#define RW IBV_ACCESS_REMOTE_WRITE
#define RR IBV_ACCESS_REMOTE_READ
#define RA IBV_ACCESS_REMOTE_ATOMIC
#define FG (1 << 8)
#define FP (1 << 9)

enum { GLOBAL = 1, PERSISTENT = 2 };
enum { RANGE, REGION };

struct flush_wr {
	uint64_t remote_addr;
	uint32_t length;
	uint32_t rkey;
	uint8_t type;
	uint8_t level;
};

/* A executes operations on B's memory. */
extern struct side a, b;

/* Connect a QP on each side; B's has these access rights. Die on failure. */
void connect_pair(int access);

void post_flush(const struct flush_wr *wr);

/* Post an ATOMIC WRITE. @length: 8, or a wrong one */
void post_word(uint64_t addr, uint32_t rkey, uint64_t value, uint32_t length);

/* Post a WRITE, or an atomic with @operand, whose local memory is at offset @from of a.buf. */
void post(enum ibv_wr_opcode opcode, uint32_t from, uint32_t len, uint64_t addr, uint32_t rkey,
	  uint64_t operand);

/* Wait for A's next completion, which must be of @opcode. */
void expect(const char *what, int opcode);

#endif
