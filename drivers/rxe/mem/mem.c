// SPDX-License-Identifier: GPL-2.0
/*
 * Keys (L_Key, R_Key): lookup, lifetime and access checks of regions and windows.
 */
#include <linux/random.h>
#include <linux/xarray.h>

#include "base/device.h"
#include "mem/mem.h"
#include "mem/odp.h"

/* Rights to change memory. */
#define RXE_ACCESS_WRITES \
	(IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_ATOMIC)

void rxe_mem_init(struct rxe_mem *mem, enum rxe_mem_kind kind)
{
	mem->kind = kind;
	spin_lock_init(&mem->lock);
	refcount_set(&mem->refs, 1);
	init_completion(&mem->idle);
}

/* The low byte of a key is random: who has an index does not have a key yet. */
int rxe_mem_publish(struct rxe_dev *dev, struct rxe_mem *mem, bool valid)
{
	u32 index;
	int err;

	err = rxe_id_alloc(&dev->mem_ids, &dev->mems,
			      XA_LIMIT(1, U32_MAX >> RXE_KEY_BITS), &index);
	if (err)
		return err;
	mem->last_key = index << RXE_KEY_BITS | get_random_u32_below(BIT(RXE_KEY_BITS));
	if (valid)
		mem->key = mem->last_key;
	err = xa_err(xa_store(&dev->mems, index, mem, GFP_KERNEL_ACCOUNT));
	if (err)
		xa_erase(&dev->mems, index);
	return err;
}

void rxe_mem_unpublish(struct rxe_dev *dev, struct rxe_mem *mem)
{
	spin_lock_bh(&mem->lock);
	mem->dying = true;
	WRITE_ONCE(mem->key, 0);
	spin_unlock_bh(&mem->lock);

	xa_erase(&dev->mems, mem->last_key >> RXE_KEY_BITS);
	rxe_mem_unpin(mem);
	wait_for_completion(&mem->idle);
}

struct rxe_mem *rxe_mem_lookup(struct rxe_dev *dev, u32 key)
{
	return xa_load(&dev->mems, key >> RXE_KEY_BITS);
}

void rxe_mem_quiesce(struct rxe_mem *mem)
{
	lockdep_assert_held(&mem->lock);
	WRITE_ONCE(mem->key, 0);
	/* Who pins it from here on sees no key: pairs with rxe_mem_pin(). */
	smp_mb();
	while (refcount_read(&mem->refs) > 1)
		cpu_relax();
	/* And what they did with it has been done. */
	smp_rmb();
}

static bool rxe_mem_grants(const struct rxe_mem *mem, const struct rxe_mem_ctx *ctx, u32 access)
{
	const struct ib_pd *pd = access & RXE_ACCESS_RECV ? ctx->recv_pd : ctx->pd;
	const void *owner = READ_ONCE(mem->owner);
	u32 needed = access & ~RXE_ACCESS_RECV;

	return (owner == pd || owner == ctx) &&
	       (READ_ONCE(mem->access) & needed) == needed;
}

/* The key is looked at once it is pinned, so that it cannot be taken away behind our back. */
static struct rxe_mem *rxe_mem_pin(struct rxe_dev *dev, u32 key)
{
	struct rxe_mem *mem;

	lockdep_assert_in_softirq();
	rcu_read_lock();
	mem = xa_load(&dev->mems, key >> RXE_KEY_BITS);
	if (mem && !refcount_inc_not_zero(&mem->refs))
		mem = NULL;
	rcu_read_unlock();
	if (!mem)
		return NULL;
	smp_mb__after_atomic();
	if (smp_load_acquire(&mem->key) == key)
		return mem;
	rxe_mem_unpin(mem);
	return NULL;
}

struct rxe_mem *rxe_mem_pin_odp(struct rxe_dev *dev, u32 key)
{
	struct rxe_mem *mem;

	local_bh_disable();
	mem = rxe_mem_pin(dev, key);
	if (mem && !mem->odp) {
		rxe_mem_unpin(mem);
		mem = NULL;
	}
	local_bh_enable();
	return mem;
}

void rxe_mem_unpin(struct rxe_mem *mem)
{
	if (refcount_dec_and_test(&mem->refs))
		complete(&mem->idle);
}

bool rxe_mem_matches(const struct rxe_mem *mem, const struct rxe_mem_ctx *ctx, u32 key, u64 addr,
		     u64 len, u32 access)
{
	/*
	 * Index 0 names nothing, so that no key is 0. While it is pinned nothing but the key
	 * changes, and who has pinned it has loaded the key before the rest.
	 */
	return READ_ONCE(mem->key) == key && rxe_mem_grants(mem, ctx, access) &&
	       (!len || rxe_mem_covers(mem, addr, len));
}

struct rxe_mem *rxe_mem_check(const struct rxe_mem_ctx *ctx, u32 key, u64 addr, u64 len,
			      u32 access)
{
	struct rxe_mem *mem = rxe_mem_pin(ctx->dev, key);

	if (!mem)
		return ERR_PTR(-EACCES);
	if (rxe_mem_matches(mem, ctx, key, addr, len, access))
		return mem;
	rxe_mem_unpin(mem);
	return ERR_PTR(-EACCES);
}

/* Have the pages of @mem, which is pinned, stay until rxe_mem_put(). */
static struct rxe_mem *rxe_mem_hold_pages(struct rxe_mem *mem, const struct rxe_mem_ctx *ctx,
					  u64 addr, u64 len, u32 access)
{
	const struct rxe_mem_range range = {
		.key = mem->key,
		.addr = addr,
		.len = len,
		.write = access & RXE_ACCESS_WRITES,
	};

	if (rxe_odp_read_lock(mem->odp, addr, len, range.write))
		return mem;
	rxe_mem_unpin(mem);
	return ERR_PTR(ctx->fault(ctx, &range));
}

struct rxe_mem *rxe_mem_get(const struct rxe_mem_ctx *ctx, u32 key, u64 addr, u64 len, u32 access)
{
	struct rxe_mem *mem = rxe_mem_check(ctx, key, addr, len, access);

	if (!IS_ERR(mem) && unlikely(mem->odp))
		return rxe_mem_hold_pages(mem, ctx, addr, len, access);
	return mem;
}

void rxe_mem_put(struct rxe_mem *mem)
{
	if (unlikely(mem->odp))
		rxe_odp_release(mem->odp);
	rxe_mem_unpin(mem);
}
