/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the payload of packets comes from: inline data, SGEs, or the memory that a READ asked for.
 */
#ifndef RXE_SOURCE_H
#define RXE_SOURCE_H

#include <roce/qp.h>
#include "base/crc.h"

struct rxe_ep;
struct rxe_mem;

/**
 * struct rxe_payload_iter - the payload of consecutive packets of a run
 * @ep: endpoint
 * @crc_ctx: what computes ICRCs, NULL if the adapter does
 * @crc: running ICRC of the packet being written
 * @wqe: WQE whose SGEs are read, NULL for a READ response
 * @data: inline data still to be read
 * @rkey: READ response: key of the memory
 * @va: READ response: address to read from next
 * @len: bytes still to be read
 * @sge: SGE to read from when @range_left is used up
 * @skip: bytes of it to leave out
 * @mem: pinned region of the piece being read, or NULL
 * @addr: next byte in @mem
 * @range_left: bytes left there
 * @not_resident: the next piece is not in memory
 */
struct rxe_payload_iter {
	struct rxe_ep *ep;
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
	bool not_resident;
};

/* The payload of @npkts packets of @run, from packet @pkt on. To be closed. */
void rxe_source_open(struct rxe_payload_iter *s, struct rxe_ep *ep, const struct rxe_crc *section,
		     const struct roce_tx_run *run, u32 pkt, u32 npkts);

void rxe_source_close(struct rxe_payload_iter *s);

/*
 * Copies the next @len bytes, each of which is read once: they count in the ICRC as they go. False
 * if they are not, or no longer, accessible; see @not_resident of struct rxe_payload_iter.
 */
bool rxe_source_read(struct rxe_payload_iter *s, u8 *dst, u32 len);

/* What is written to @p counts in the ICRC. */
static inline void rxe_source_sum(struct rxe_payload_iter *s, const u8 *p, u32 len)
{
	if (s->crc_ctx && len)
		s->crc = rxe_crc32(s->crc_ctx, s->crc, p, len);
}

#endif
