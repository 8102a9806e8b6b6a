// SPDX-License-Identifier: GPL-2.0
/*
 * Payload gather: SGE walk with memory lookup, copy and ICRC.
 */
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "mem/cache.h"
#include "mem/mem.h"
#include "tx/payload.h"

static void rxe_payload_skip_sges(struct rxe_payload_iter *s, u32 offset)
{
	while (s->sge < s->wqe->num_sge && offset >= s->wqe->sge[s->sge].length)
		offset -= s->wqe->sge[s->sge++].length;
	s->skip = offset;
}

void rxe_payload_open(struct rxe_payload_iter *s, struct rxe_mem_cache *cache,
		      const struct rxe_crc *crc_ctx, const struct roce_tx_run *run, u32 pkt,
		      u32 npkts)
{
	const struct roce_payload *payload = &run->payload;
	u32 offset = pkt * run->seg_len;

	memset(s, 0, sizeof(*s));
	s->cache = cache;
	s->crc_ctx = crc_ctx;
	s->len = npkts * run->seg_len;
	s->wqe = payload->wqe;
	if (!s->wqe) {
		s->rkey = payload->rkey;
		s->va = payload->va + offset;
	} else if (s->wqe->flags & ROCE_WR_INLINE) {
		s->data = s->wqe->data + payload->offset + offset;
	} else if (s->len) {
		rxe_payload_skip_sges(s, payload->offset + offset);
	}
}

void rxe_payload_close(struct rxe_payload_iter *s)
{
	if (s->mem)
		rxe_mem_cache_put(s->cache, s->mem);
	s->mem = NULL;
}

static bool rxe_payload_get_mem(struct rxe_payload_iter *s, u32 key, u64 addr, u32 len, u32 access)
{
	struct rxe_mem *mem;

	rxe_payload_close(s);
	mem = rxe_mem_cache_get(s->cache, key, addr, len, access);
	if (IS_ERR(mem)) {
		s->err = PTR_ERR(mem);
		return false;
	}
	s->mem = mem;
	s->addr = addr;
	s->range_left = len;
	return true;
}

static bool rxe_payload_next_sge(struct rxe_payload_iter *s)
{
	const struct roce_sge *sge;
	u32 skip = s->skip;

	do {
		if (s->sge >= s->wqe->num_sge)
			return false;
		sge = &s->wqe->sge[s->sge++];
	} while (!sge->length);
	s->skip = 0;
	return rxe_payload_get_mem(s, sge->lkey, sge->addr + skip, min(sge->length - skip, s->len),
			    RXE_ACCESS_LOCAL);
}

static bool rxe_payload_next_range(struct rxe_payload_iter *s)
{
	if (s->wqe)
		return rxe_payload_next_sge(s);
	return rxe_payload_get_mem(s, s->rkey, s->va, s->len, IB_ACCESS_REMOTE_READ);
}

static void rxe_payload_copy(struct rxe_payload_iter *s, u8 *dst, u32 len)
{
	if (s->crc_ctx)
		s->crc = rxe_mem_read_crc(s->crc_ctx, s->crc, s->mem, s->addr, dst, len);
	else
		rxe_mem_read(s->mem, s->addr, dst, len);
}

bool rxe_payload_read(struct rxe_payload_iter *s, u8 *dst, u32 len)
{
	if (s->data) {
		memcpy(dst, s->data, len);
		rxe_payload_sum(s, dst, len);
		s->data += len;
		return true;
	}
	while (len) {
		u32 n;

		if (!s->range_left && !rxe_payload_next_range(s))
			return false;
		n = min(len, s->range_left);
		rxe_payload_copy(s, dst, n);
		s->addr += n;
		s->range_left -= n;
		s->len -= n;
		dst += n;
		len -= n;
	}
	return true;
}
