// SPDX-License-Identifier: GPL-2.0
/* Memory windows (MW): allocation, bind, invalidation. */
#include <linux/slab.h>

#include "base/device.h"
#include "mem/mw.h"

#define RXE_MW_REMOTE \
	(IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ | IB_ACCESS_REMOTE_ATOMIC)

/* Libraries may set LOCAL_WRITE, which has no meaning for a window. */
#define RXE_MW_ACCESS (RXE_MW_REMOTE | IB_ACCESS_LOCAL_WRITE | IB_ZERO_BASED)

int rxe_alloc_mw(struct ib_mw *ibmw, struct ib_udata *udata)
{
	struct rxe_mw *mw = to_rxe_mw(ibmw);
	int err;

	if (ibmw->type != IB_MW_TYPE_1 && ibmw->type != IB_MW_TYPE_2)
		return -EOPNOTSUPP;
	mw->mem = kzalloc(sizeof(*mw->mem), GFP_KERNEL_ACCOUNT);
	if (!mw->mem)
		return -ENOMEM;
	rxe_mem_init(mw->mem,
		     ibmw->type == IB_MW_TYPE_1 ? RXE_MEM_WINDOW_1 : RXE_MEM_WINDOW_2);
	mw->mem->pd = ibmw->pd;
	err = rxe_mem_publish(to_rxe_dev(ibmw->device), mw->mem, false);
	if (err) {
		kfree(mw->mem);
		return err;
	}
	ibmw->rkey = mw->mem->last_key;
	return 0;
}

/* Context: the window locked; the caller holds no reference to it. */
static void rxe_mw_unbind(struct rxe_mem *mem)
{
	if (!mem->region)
		return;
	rxe_mem_quiesce(mem);
	/* After the copies. Pairs with atomic_cmpxchg() in rxe_mr_block_binds(). */
	(void)atomic_dec_return_release(&mem->region->windows);
	mem->region = NULL;
	mem->pages = NULL;
	mem->base = NULL;
	mem->owner = NULL;
}

int rxe_dealloc_mw(struct ib_mw *ibmw)
{
	struct rxe_mem *mem = to_rxe_mw(ibmw)->mem;

	spin_lock_bh(&mem->lock);
	rxe_mw_unbind(mem);
	mem->dying = true;
	spin_unlock_bh(&mem->lock);
	rxe_mem_unpublish(to_rxe_dev(ibmw->device), mem);
	kfree_rcu(mem, rcu);
	return 0;
}

/*
 * True if @key is the window's R_Key, as the user may know it: a library that has not polled the
 * completion of a failed BIND_MW assumes that the window has the new R_Key.
 */
static bool rxe_mw_rkey_matches(const struct rxe_mem *mem, u32 key)
{
	return key == mem->last_key || (mem->failed_bind_key && key == mem->failed_bind_key);
}

/* BIND_MW has failed or been flushed. Context: the window locked. */
static void rxe_mw_record_failed_bind(struct rxe_mem *mem, const struct rxe_mem_ctx *ctx,
				      const struct rxe_bind *bind)
{
	if (mem->kind == RXE_MEM_WINDOW_1 && mem->pd == ctx->pd &&
	    rxe_mw_rkey_matches(mem, bind->old_rkey) &&
	    !((mem->last_key ^ bind->new_rkey) >> RXE_KEY_BITS))
		mem->failed_bind_key = bind->new_rkey;
}

/* True if IBTA 10.6.7.2 allows the bind. Context: the window locked. */
static bool rxe_mw_bind_ok(const struct rxe_mem_ctx *ctx, const struct rxe_mem *mem,
			   const struct rxe_bind *bind)
{
	if (mem->dying || mem->pd != ctx->pd)
		return false;
	if ((mem->last_key ^ bind->new_rkey) >> RXE_KEY_BITS || bind->access & ~RXE_MW_ACCESS)
		return false;
	if (!rxe_mw_rkey_matches(mem, bind->old_rkey))
		return false;
	if (mem->kind == RXE_MEM_WINDOW_1)
		return !(bind->access & IB_ZERO_BASED);
	/* Type 2: must be free, and get another key (IBTA 10.6.7.2.2). */
	return !mem->region && bind->length && bind->new_rkey != mem->last_key;
}

/*
 * The region to bind to, with a reference and counted in @windows; NULL if the bind is not allowed.
 */
static struct rxe_mem *rxe_mw_get_region(const struct rxe_mem_ctx *ctx,
					 const struct rxe_bind *bind)
{
	u32 access = RXE_ACCESS_LOCAL | IB_ACCESS_MW_BIND;
	struct rxe_mem *region;

	if (bind->access & (IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_ATOMIC))
		access |= IB_ACCESS_LOCAL_WRITE;
	region = rxe_mem_get(ctx, bind->lkey, bind->addr, bind->length, access);
	if (IS_ERR(region))
		return NULL;
	if (!atomic_inc_unless_negative(&region->windows)) {
		rxe_mem_put(region);
		return NULL;
	}
	return region;
}

static void rxe_mw_set(struct rxe_mem *mem, struct rxe_mem *region, struct rxe_mem_ctx *ctx,
		       const struct rxe_bind *bind)
{
	u64 offset = bind->addr - region->iova;

	mem->region = region;
	mem->owner = mem->kind == RXE_MEM_WINDOW_1 ? (const void *)ctx->pd : ctx;
	mem->access = bind->access & RXE_MW_REMOTE;
	mem->iova = bind->access & IB_ZERO_BASED ? 0 : bind->addr;
	mem->length = bind->length;
	mem->persistent = region->persistent;
	mem->pages = region->pages;
	mem->page_offset = offset_in_page(region->page_offset + offset);
	if (mem->pages)
		mem->pages += (region->page_offset + offset) >> PAGE_SHIFT;
	else
		mem->base = region->base + offset;
	if (mem->kind == RXE_MEM_WINDOW_2)
		ctx->has_type2_mw = true;
}

/* Context: the window locked. */
static int rxe_mw_rebind(struct rxe_mem_ctx *ctx, struct rxe_mem *mem, const struct rxe_bind *bind)
{
	struct rxe_mem *region = NULL;

	if (!rxe_mw_bind_ok(ctx, mem, bind))
		return -EINVAL;
	if (bind->length) {
		region = rxe_mw_get_region(ctx, bind);
		if (!region)
			return -EINVAL;
	}
	rxe_mw_unbind(mem);
	mem->failed_bind_key = 0;
	if (region) {
		rxe_mw_set(mem, region, ctx, bind);
		rxe_mem_validate_key(mem, bind->new_rkey);
		rxe_mem_put(region);
	} else {
		mem->last_key = bind->new_rkey;
	}
	return 0;
}

static struct rxe_mem *rxe_mw_lookup(const struct rxe_mem_ctx *ctx, u32 key)
{
	struct rxe_mem *mem = rxe_mem_lookup(ctx->dev, key);

	return mem && (mem->kind == RXE_MEM_WINDOW_1 || mem->kind == RXE_MEM_WINDOW_2) ? mem : NULL;
}

int rxe_mw_bind(struct rxe_mem_ctx *ctx, const struct rxe_bind *bind)
{
	struct rxe_mem *mem = rxe_mw_lookup(ctx, bind->old_rkey);
	int err;

	if (!mem)
		return -EINVAL;
	spin_lock(&mem->lock);
	err = rxe_mw_rebind(ctx, mem, bind);
	if (err)
		rxe_mw_record_failed_bind(mem, ctx, bind);
	spin_unlock(&mem->lock);
	return err;
}

void rxe_mw_flushed(const struct rxe_mem_ctx *ctx, const struct rxe_bind *bind)
{
	struct rxe_mem *mem = rxe_mw_lookup(ctx, bind->old_rkey);

	if (!mem)
		return;
	spin_lock(&mem->lock);
	rxe_mw_record_failed_bind(mem, ctx, bind);
	spin_unlock(&mem->lock);
}

int rxe_mw_invalidate(const struct rxe_mem_ctx *ctx, struct rxe_mem *mem, u32 key)
{
	int err = -EINVAL;

	spin_lock(&mem->lock);
	if (!mem->dying && mem->last_key == key && mem->pd == ctx->pd &&
	    (!mem->region || mem->owner == ctx)) {
		rxe_mw_unbind(mem);
		err = 0;
	}
	spin_unlock(&mem->lock);
	return err;
}

/* Context: RCU read lock held. */
static void rxe_mw_unbind_if_owned(struct rxe_mem *mem, const void *owner)
{
	spin_lock_bh(&mem->lock);
	if (mem->kind == RXE_MEM_WINDOW_2 && mem->owner == owner)
		rxe_mw_unbind(mem);
	spin_unlock_bh(&mem->lock);
}

void rxe_mw_unbind_qp(struct rxe_mem_ctx *ctx)
{
	struct rxe_dev *dev = ctx->dev;
	unsigned long index = 0;
	struct rxe_mem *mem;

	if (!ctx->has_type2_mw)
		return;
	do {
		rcu_read_lock();
		mem = xa_find(&dev->mems, &index, ULONG_MAX, XA_PRESENT);
		if (mem)
			rxe_mw_unbind_if_owned(mem, ctx);
		rcu_read_unlock();
		index++;
		cond_resched();
	} while (mem);
}
