// SPDX-License-Identifier: GPL-2.0
/* Cache of one memory reference: lookup by key, check of the range, release. */
#include <linux/err.h>

#include "mem/cache.h"

static bool rxe_mem_cache_hit(const struct rxe_mem_cache *cache, u32 key, u64 addr, u32 len,
			      u32 access)
{
	return cache->mem && rxe_mem_matches(cache->mem, cache->ctx, key, addr, len, access);
}

/* True: the caller's reference is the cache's now. The cache was empty before. */
static bool rxe_mem_cache_insert(struct rxe_mem_cache *cache, struct rxe_mem *mem)
{
	if (!cache->enabled || mem->odp)
		return false;
	cache->mem = mem;
	return true;
}

struct rxe_mem *rxe_mem_cache_get(struct rxe_mem_cache *cache, u32 key, u64 addr, u32 len,
				  u32 access)
{
	struct rxe_mem *mem;

	if (rxe_mem_cache_hit(cache, key, addr, len, access))
		return cache->mem;
	rxe_mem_cache_drop(cache);
	rxe_mem_pin(cache->ctx);
	mem = rxe_mem_get(cache->ctx, key, addr, len, access);
	if (IS_ERR(mem))
		rxe_mem_unpin(cache->ctx);
	else
		rxe_mem_cache_insert(cache, mem);
	return mem;
}

int rxe_mem_cache_check(struct rxe_mem_cache *cache, u32 key, u64 addr, u32 len, u32 access,
			bool *on_demand)
{
	struct rxe_mem *mem;

	if (rxe_mem_cache_hit(cache, key, addr, len, access))
		return 0;
	rxe_mem_cache_drop(cache);
	rxe_mem_pin(cache->ctx);
	mem = rxe_mem_check(cache->ctx, key, addr, len, access);
	if (!IS_ERR(mem)) {
		if (mem->odp)
			*on_demand = true;
		if (rxe_mem_cache_insert(cache, mem))
			return 0;
		rxe_mem_put_ref(mem);
	}
	rxe_mem_unpin(cache->ctx);
	return PTR_ERR_OR_ZERO(mem);
}
