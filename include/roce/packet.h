/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets on their way in and out: parsed once at the edge, built from runs.
 */
#ifndef ROCE_PACKET_H
#define ROCE_PACKET_H

#include <linux/types.h>
#include <roce/opcode.h>
#include <roce/wire.h>

/* Why a packet was not taken. Drivers count each reason apart. */
enum roce_drop {
	ROCE_DROP_NONE,
	ROCE_DROP_TOO_SHORT,	/* ends before its headers, pad or ICRC do */
	ROCE_DROP_OPCODE,	/* no such opcode */
	ROCE_DROP_VERSION,	/* transport header version is not 0 */
	ROCE_DROP_PAYLOAD,	/* payload on an opcode that has none, or pad where none may be */
};

/**
 * struct roce_pkt - a received packet, parsed
 * @op: the opcode's row, never NULL after a successful parse
 * @cookie: the caller's, to find the payload again (an skb)
 * @opcode: BTH opcode
 * @pad: 0..3 bytes behind the payload
 * @solicited: BTH solicited event bit
 * @ack_req: BTH AckReq bit
 * @becn: BTH backward congestion bit
 * @pkey: host order
 * @qpn: destination QP, 24 bits
 * @psn: 24 bits
 * @payload_off: bytes from the start of the BTH to the payload
 * @payload_len: bytes of payload, without pad and ICRC
 * @va: RETH or AtomicETH
 * @rkey: RETH or AtomicETH
 * @dma_len: RETH, bytes
 * @swap_add: AtomicETH
 * @compare: AtomicETH
 * @orig: AtomicAckETH
 * @syndrome: AETH
 * @msn: AETH, 24 bits
 * @imm: immediate data, as on the wire
 * @inv_rkey: IETH
 * @qkey: DETH
 * @src_qpn: DETH, 24 bits
 * @flush_type: FETH, ROCE_FLUSH_GLOBAL and ROCE_FLUSH_PERSISTENT
 * @flush_level: FETH, ROCE_FLUSH_RANGE or ROCE_FLUSH_MR
 *
 * Host byte order but for @imm. Fields of headers that the opcode does not
 * carry are undefined.
 */
struct roce_pkt {
	const struct roce_opcode_info *op;
	void *cookie;
	u8 opcode;
	u8 pad;
	bool solicited;
	bool ack_req;
	bool becn;
	u8 syndrome;
	u16 pkey;
	u32 qpn;
	u32 psn;
	u32 payload_off;
	u32 payload_len;
	u32 rkey;
	u32 dma_len;
	u64 va;
	u64 swap_add;
	u64 compare;
	u64 orig;
	u32 msn;
	__be32 imm;
	u32 inv_rkey;
	u32 qkey;
	u32 src_qpn;
	u8 flush_type;
	u8 flush_level;
};

/**
 * roce_parse() - parse the transport headers of one packet
 * @bth: start of the BTH
 * @linear: bytes readable at @bth; ROCE_MAX_HDR, or the whole packet if shorter,
 *          is always enough
 * @len: bytes from the BTH to the end of the ICRC (the UDP payload)
 * @icrc_len: bytes of ICRC at the end, ROCE_ICRC_LEN; 0 if hardware took it off
 * @pkt: where the result goes; @pkt->cookie is left alone
 *
 * Nothing is read beyond @linear, whatever the packet claims.
 *
 * Return: ROCE_DROP_NONE, or why the packet is malformed.
 */
enum roce_drop roce_parse(const u8 *bth, u32 linear, u32 len, u32 icrc_len,
			  struct roce_pkt *pkt);

struct roce_send_wqe;

/**
 * struct roce_payload - where the payload of an outgoing run comes from
 * @wqe: the SGEs or inline data of this send WQE, or NULL
 * @offset: bytes from the start of the message, with @wqe
 * @va: with no @wqe: remote-side address, a READ response
 * @rkey: with no @wqe: the key the requester gave
 */
struct roce_payload {
	struct roce_send_wqe *wqe;
	u32 offset;
	u32 rkey;
	u64 va;
};

/**
 * struct roce_tx_run - packets alike but for PSN and payload
 * @hdr: BTH and extended headers of the first packet, wire order
 * @hdr_len: bytes in @hdr
 * @pad: 0..3 pad bytes behind the payload; not 0 only in runs of one packet
 * @ack_last: the last packet of the run has AckReq set
 * @new_skb: not in one buffer with what precedes it, so that both are not lost together
 * @npkts: packets in the run, at least 1
 * @psn: of the first packet
 * @seg_len: payload bytes in each packet, may be 0
 * @payload: where npkts * seg_len bytes come from
 *
 * A run can be handed to the stack as one segmented buffer: its packets have
 * equal lengths. Opcodes with extended headers that differ by packet make runs
 * of one.
 */
struct roce_tx_run {
	u8 hdr[ROCE_MAX_HDR];
	u8 hdr_len;
	u8 pad;
	bool ack_last;
	bool new_skb;
	u16 npkts;
	u32 psn;
	u32 seg_len;
	struct roce_payload payload;
};

/**
 * roce_run_header() - write the headers of one packet of a run
 * @run: the run
 * @i: packet, 0..npkts-1
 * @buf: room for @run->hdr_len bytes
 */
void roce_run_header(const struct roce_tx_run *run, u32 i, u8 *buf);

/* Bytes on the wire of each packet of a run, from BTH to ICRC. */
static inline u32 roce_run_pkt_len(const struct roce_tx_run *run)
{
	return run->hdr_len + run->seg_len + run->pad + ROCE_ICRC_LEN;
}

/**
 * struct roce_hdr - what goes into the headers of an outgoing packet
 *
 * Host byte order but for @imm; only the fields that the opcode carries are
 * used. @aeth is syndrome << 24 | msn.
 */
struct roce_hdr {
	u8 opcode;
	u8 pad;
	bool solicited;
	u16 pkey;
	u32 qpn;
	u32 psn;
	u64 va;
	u32 rkey;
	u32 dma_len;
	u64 swap_add;
	u64 compare;
	u32 aeth;
	u64 orig;
	__be32 imm;
	u32 inv_rkey;
	u32 qkey;
	u32 src_qpn;
	u8 flush_type;
	u8 flush_level;
};

/**
 * roce_build() - write the transport headers of one packet
 * @h: the fields; @h->opcode must be known to roce_opcode()
 * @buf: room for ROCE_MAX_HDR bytes
 *
 * AckReq is left clear (a run's @ack_last says where it goes).
 *
 * Return: bytes written.
 */
u8 roce_build(const struct roce_hdr *h, u8 *buf);

#endif
