/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets: received ones in parsed form, and runs of packets to send.
 */
#ifndef ROCE_PACKET_H
#define ROCE_PACKET_H

#include <linux/types.h>
#include <roce/opcode.h>
#include <roce/wire.h>

/* Reasons to drop a malformed packet; each has a counter. */
enum roce_drop {
	ROCE_DROP_NONE,
	ROCE_DROP_TOO_SHORT,	/* shorter than its headers, pad and ICRC */
	ROCE_DROP_OPCODE,	/* unknown opcode */
	ROCE_DROP_VERSION,	/* transport header version is not 0 */
	ROCE_DROP_PAYLOAD,	/* payload or pad that the opcode does not allow */
};

/**
 * struct roce_pkt - received packet, parsed
 * @op: row of the opcode table, not NULL after a successful parse
 * @cookie: private to the caller: finds the payload (the skb)
 * @opcode: BTH opcode
 * @pad: 0..3 bytes behind the payload
 * @solicited: BTH solicited event bit
 * @ack_req: BTH AckReq bit
 * @becn: BTH backward congestion bit
 * @ce: the packet was marked CE on its way (RFC 3168); false after roce_parse(), set by the caller
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
 * Host byte order except @imm. Fields of headers that the opcode does not have are undefined.
 */
struct roce_pkt {
	const struct roce_opcode_info *op;
	void *cookie;
	u8 opcode;
	u8 pad;
	bool solicited;
	bool ack_req;
	bool becn;
	bool ce;
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
 * @icrc_len: bytes of ICRC at the end: ROCE_ICRC_LEN, or 0 if hardware has removed it
 * @pkt: the result; @pkt->cookie is not written
 *
 * Never reads beyond @linear, whatever lengths the packet contains.
 *
 * Return: ROCE_DROP_NONE, or the reason why the packet is malformed.
 */
enum roce_drop roce_parse(const u8 *bth, u32 linear, u32 len, u32 icrc_len,
			  struct roce_pkt *pkt);

struct roce_send_wqe;

/**
 * struct roce_payload - source of the payload of a run
 * @wqe: the SGEs or inline data of this send WQE, or NULL
 * @offset: bytes from the start of the message, with @wqe
 * @va: without @wqe: READ response: address in the memory region
 * @rkey: without @wqe: key of the READ request
 */
struct roce_payload {
	struct roce_send_wqe *wqe;
	u32 offset;
	u32 rkey;
	u64 va;
};

/**
 * struct roce_tx_run - run: packets that differ in PSN and payload only
 * @hdr: BTH and extended headers of the first packet, wire order
 * @hdr_len: bytes in @hdr
 * @pad: 0..3 pad bytes behind the payload; not 0 only in runs of one packet
 * @ack_last: the last packet of the run has AckReq set
 * @cnp: CNP: one packet, alone in its skb, with a DSCP of its own
 * @new_skb: start a new skb, so that the run is not lost together with the previous one
 * @npkts: packets in the run, at least 1
 * @psn: PSN of the first packet
 * @seg_len: payload bytes in each packet, may be 0
 * @payload: source of npkts * seg_len bytes
 *
 * The packets of a run have equal lengths, so it can be sent as one GSO skb. Opcodes whose extended
 * headers differ by packet form runs of one packet.
 */
struct roce_tx_run {
	u8 hdr[ROCE_MAX_HDR];
	u8 hdr_len;
	u8 pad;
	bool ack_last;
	bool new_skb;
	bool cnp;
	u16 npkts;
	u32 psn;
	u32 seg_len;
	struct roce_payload payload;
};

/**
 * roce_run_header() - write the headers of one packet of a run
 * @run: the run
 * @i: index of the packet, 0..npkts-1
 * @buf: room for @run->hdr_len bytes
 */
void roce_run_header(const struct roce_tx_run *run, u32 i, u8 *buf);

/* Bytes from BTH to ICRC of each packet of a run. */
static inline u32 roce_run_pkt_len(const struct roce_tx_run *run)
{
	return run->hdr_len + run->seg_len + run->pad + ROCE_ICRC_LEN;
}

/**
 * struct roce_hdr - header fields of a packet to send
 *
 * Host byte order except @imm. Only the fields of the opcode's headers are used. @aeth is
 * syndrome << 24 | msn.
 */
struct roce_hdr {
	u8 opcode;
	u8 pad;
	bool solicited;
	bool becn;
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
 * AckReq is clear; roce_run_header() sets it for @ack_last.
 *
 * Return: bytes written.
 */
u8 roce_build(const struct roce_hdr *h, u8 *buf);

#endif
