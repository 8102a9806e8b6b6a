/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RoCEv2 wire format: InfiniBand transport headers over UDP (IBTA volume 1, chapter 9, and annex
 * A17). Multi-byte fields are big endian.
 */
#ifndef ROCE_WIRE_H
#define ROCE_WIRE_H

#include <linux/types.h>
#include <linux/build_bug.h>

#define ROCE_UDP_PORT		4791
#define ROCE_ICRC_LEN		4

/* Base transport header (IBTA 9.2) */
struct roce_bth {
	u8	opcode;
	u8	flags;		/* ROCE_BTH_SE, _MIG, _PAD, _TVER */
	__be16	pkey;
	__be32	qpn;		/* FECN, BECN, 6 reserved bits, destination QP */
	__be32	psn;		/* AckReq, 7 reserved bits, PSN */
} __packed;

#define ROCE_BTH_SE		0x80u
#define ROCE_BTH_MIG		0x40u
#define ROCE_BTH_PAD		0x30u
#define ROCE_BTH_PAD_SHIFT	4
#define ROCE_BTH_TVER		0x0fu
#define ROCE_BTH_FECN		0x80000000u
#define ROCE_BTH_BECN		0x40000000u
#define ROCE_BTH_QPN		0x00ffffffu
#define ROCE_BTH_ACKREQ		0x80000000u
#define ROCE_BTH_PSN		0x00ffffffu

/* RDMA extended transport header (IBTA 9.3.3) */
struct roce_reth {
	__be64	va;
	__be32	rkey;
	__be32	length;
} __packed;

/* Atomic extended transport header (IBTA 9.3.4) */
struct roce_atomic_eth {
	__be64	va;
	__be32	rkey;
	__be64	swap_add;
	__be64	compare;
} __packed;

/* ACK extended transport header (IBTA 9.3.5) */
struct roce_aeth {
	__be32	syndrome_msn;	/* syndrome in the top 8 bits, MSN below */
} __packed;

/* Atomic ACK extended transport header (IBTA 9.3.5.3) */
struct roce_atomic_ack_eth {
	__be64	orig;
} __packed;

/* Behind the BTH of a CNP (IBTA A17.9.3): zero */
struct roce_cnp_rsvd {
	u8	zero[16];
} __packed;

/* Immediate data (IBTA 9.3.6) */
struct roce_immdt {
	__be32	data;
} __packed;

/* Invalidate extended transport header (IBTA 9.3.7) */
struct roce_ieth {
	__be32	rkey;
} __packed;

/* FLUSH extended transport header (IBTA A19.4) */
struct roce_feth {
	__be32	type_level;	/* placement type in bits 3:0, selectivity level in 5:4 */
} __packed;

#define ROCE_FETH_TYPE		0x0fu
#define ROCE_FETH_LEVEL		0x30u
#define ROCE_FETH_LEVEL_SHIFT	4

/* Datagram extended transport header (IBTA 9.3.2) */
struct roce_deth {
	__be32	qkey;
	__be32	src_qpn;
} __packed;

static_assert(sizeof(struct roce_bth) == 12);
static_assert(sizeof(struct roce_reth) == 16);
static_assert(sizeof(struct roce_atomic_eth) == 28);
static_assert(sizeof(struct roce_aeth) == 4);
static_assert(sizeof(struct roce_atomic_ack_eth) == 8);
static_assert(sizeof(struct roce_immdt) == 4);
static_assert(sizeof(struct roce_ieth) == 4);
static_assert(sizeof(struct roce_feth) == 4);
static_assert(sizeof(struct roce_deth) == 8);

/* The longest sequence of headers: BTH and AtomicETH. */
#define ROCE_MAX_HDR	(sizeof(struct roce_bth) + sizeof(struct roce_atomic_eth))

#define ROCE_MIN_MTU	256u
#define ROCE_MAX_MTU	4096u
#define ROCE_MAX_MSG	0x80000000u	/* 2 GiB (IBTA 9.7.7) */

/*
 * AETH syndromes (IBTA table 44): bits 6:5 select the kind, bits 4:0 its value:
 * the credit count of an ACK, the timer code of an RNR NAK, the code of a NAK.
 */
#define ROCE_AETH_SYNDROME_SHIFT 24
#define ROCE_AETH_MSN		0x00ffffffu
#define ROCE_AETH_KIND		0x60u
#define ROCE_AETH_VALUE		0x1fu
#define ROCE_AETH_ACK		0x00u
#define ROCE_AETH_RNR_NAK	0x20u
#define ROCE_AETH_NAK		0x60u
#define ROCE_AETH_UNLIMITED	0x1fu	/* credit value: no end-to-end flow control */

#define ROCE_NAK_PSN_SEQ	0x60u
#define ROCE_NAK_INV_REQ	0x61u
#define ROCE_NAK_REM_ACCESS	0x62u
#define ROCE_NAK_REM_OP		0x63u
#define ROCE_NAK_INV_RD_REQ	0x64u

#endif
