/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cache of one memory reference, as each endpoint has one. Packets of a batch mostly reach the same
 * region: with the cache, it is looked up and referenced once per batch instead of once per packet.
 *
 * The cache is valid within a section, from rxe_mem_cache_begin() to rxe_mem_cache_end(). All
 * functions need the endpoint's lock, which is held over the whole section. rxe_mem_quiesce(), on
 * any CPU, waits until the reference has been put; so does the endpoint's own invalidation, which
 * is why it calls rxe_mem_cache_drop() first. On PREEMPT_RT the reference comes with a pin lock,
 * inside of which no rxe_mem.lock may be taken: also for that, drop it first.
 */
#ifndef RXE_MEM_CACHE_H
#define RXE_MEM_CACHE_H

#include "mem/mem.h"

/**
 * struct rxe_mem_cache - a memory reference, kept from one packet to the next
 * @ctx: on whose behalf keys are looked up
 * @mem: the memory, with a reference that the cache holds; NULL if there is none. Never an
 *	on-demand region, whose pages cannot be held for long
 * @enabled: within a section
 */
struct rxe_mem_cache {
	const struct rxe_mem_ctx *ctx;
	struct rxe_mem *mem;
	bool enabled;
};

/* Put a reference that came from the cache, and its pin. */
static inline void rxe_mem_cache_release(struct rxe_mem_cache *cache, struct rxe_mem *mem)
{
	rxe_mem_put(mem);
	rxe_mem_unpin(cache->ctx);
}

/* Put the cached reference; the section goes on. */
static inline void rxe_mem_cache_drop(struct rxe_mem_cache *cache)
{
	if (cache->mem)
		rxe_mem_cache_release(cache, cache->mem);
	cache->mem = NULL;
}

/* Begin a section: from here on, references are cached. Sections do not nest. */
static inline void rxe_mem_cache_begin(struct rxe_mem_cache *cache)
{
	cache->enabled = true;
}

/* End the section, and put the cached reference. Context: before bottom halves are enabled. */
static inline void rxe_mem_cache_end(struct rxe_mem_cache *cache)
{
	rxe_mem_cache_drop(cache);
	cache->enabled = false;
}

/**
 * rxe_mem_cache_get() - rxe_mem_get() through the cache
 * @cache: cache; outside of a section it keeps nothing
 *
 * The other parameters are those of rxe_mem_get(). The result is valid until the next
 * rxe_mem_cache_get() or rxe_mem_cache_check() of the same cache.
 *
 * Return: as rxe_mem_get(); to be released by rxe_mem_cache_put().
 */
struct rxe_mem *rxe_mem_cache_get(struct rxe_mem_cache *cache, u32 key, u64 addr, u32 len,
				  u32 access);

/* Release the result of rxe_mem_cache_get(): the reference is put unless it is the cached one. */
static inline void rxe_mem_cache_put(struct rxe_mem_cache *cache, struct rxe_mem *mem)
{
	if (mem != cache->mem)
		rxe_mem_cache_release(cache, mem);
}

/**
 * rxe_mem_cache_check() - check a key, and cache its memory, which mostly is accessed next
 * @cache: cache
 * @key: L_Key or R_Key
 * @addr: first byte
 * @len: bytes; 0: only the key and its access rights are checked
 * @access: as for rxe_mem_get()
 * @on_demand: set to true if @key names an on-demand region, else left alone
 *
 * Return: 0, also if the memory is not resident; -EACCES.
 */
int rxe_mem_cache_check(struct rxe_mem_cache *cache, u32 key, u64 addr, u32 len, u32 access,
			bool *on_demand);

#endif
