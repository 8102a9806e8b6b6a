/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Payload gather: reads the payload of packets from inline data, from the SGEs of a send WQE, or
 * from the memory that a READ request names.
 */
#ifndef RXE_PAYLOAD_H
#define RXE_PAYLOAD_H

#include <roce/qp.h>
#include "base/crc.h"

struct rxe_mem;
struct rxe_mem_cache;

/**
 * struct rxe_payload_iter - iterator over the payload of consecutive packets of a run
 * @cache: memory cache of the endpoint
 * @crc_ctx: CRC context for the ICRCs; NULL if the adapter computes them
 * @crc: running ICRC of the packet being written
 * @wqe: WQE whose SGEs are read; NULL for a READ response
 * @data: next byte of inline data; NULL if there is none
 * @rkey: READ response: R_Key
 * @va: READ response: address of the first byte
 * @len: bytes left to read
 * @sge: index of the SGE to read when @range_left is 0
 * @skip: bytes at the start of that SGE that belong to earlier packets
 * @mem: memory of the current range, with a reference; NULL if there is none
 * @addr: next byte of the current range
 * @range_left: bytes left in the current range, which is an SGE or all of the READ response
 * @err: why rxe_payload_read() failed: -EAGAIN: a page is not resident; 0, or another error: the
 *	memory is not accessible
 *
 * A range keeps its reference from packet to packet: one iterator for all packets of a run looks up
 * each SGE once.
 */
struct rxe_payload_iter {
	struct rxe_mem_cache *cache;
	const struct rxe_crc *crc_ctx;
	u32 crc;
	const struct roce_send_wqe *wqe;
	const u8 *data;
	u32 rkey;
	u64 va;
	u32 len;
	u32 sge;
	u32 skip;
	struct rxe_mem *mem;
	u64 addr;
	u32 range_left;
	int err;
};

/**
 * rxe_payload_open() - start to read payload
 * @s: iterator, written; to be closed by rxe_payload_close()
 * @cache: memory cache of the endpoint
 * @crc_ctx: CRC context; NULL if the adapter computes the ICRCs
 * @run: packets
 * @pkt: index in @run of the first packet to read
 * @npkts: packets to read
 *
 * Context: the endpoint's lock held until rxe_payload_close().
 */
void rxe_payload_open(struct rxe_payload_iter *s, struct rxe_mem_cache *cache,
		      const struct rxe_crc *crc_ctx, const struct roce_tx_run *run, u32 pkt,
		      u32 npkts);

/* Drop the memory reference of @s. Context: the endpoint's lock held. */
void rxe_payload_close(struct rxe_payload_iter *s);

/**
 * rxe_payload_read() - copy the next bytes of payload and add them to the ICRC
 * @s: iterator
 * @dst: destination
 * @len: bytes, at most the rest of the payload
 *
 * Memory is read once, so that the ICRC matches the copied bytes even if a program writes to the
 * memory at the same time.
 *
 * Context: the endpoint's lock held.
 * Return: true; false if the memory cannot be read now, or at all: see @s->err.
 */
bool rxe_payload_read(struct rxe_payload_iter *s, u8 *dst, u32 len);

/* Add the @len bytes at @p to the running ICRC. No effect if the adapter computes the ICRCs. */
static inline void rxe_payload_sum(struct rxe_payload_iter *s, const u8 *p, u32 len)
{
	if (s->crc_ctx && len)
		s->crc = rxe_crc32(s->crc_ctx, s->crc, p, len);
}

#endif
