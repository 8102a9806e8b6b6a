// SPDX-License-Identifier: GPL-2.0
/*
 * Keys (L_Key, R_Key): lookup, lifetime and access checks of regions and windows.
 */
#include <linux/hash.h>
#include <linux/random.h>
#include <linux/xarray.h>

#include "base/device.h"
#include "mem/mem.h"
#include "mem/odp.h"

/* Access that needs writable pages. */
#define RXE_ACCESS_WRITES \
	(IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_ATOMIC)

void rxe_mem_init(struct rxe_mem *mem, enum rxe_mem_kind kind)
{
	mem->kind = kind;
	spin_lock_init(&mem->lock);
	refcount_set(&mem->refs, 1);
	init_completion(&mem->idle);
}

/* The low byte of a key is random, so that a key cannot be guessed from its index. */
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
	rxe_mem_put_ref(mem);
	wait_for_completion(&mem->idle);
}

struct rxe_mem *rxe_mem_lookup(struct rxe_dev *dev, u32 key)
{
	return xa_load(&dev->mems, key >> RXE_KEY_BITS);
}

#ifdef CONFIG_PREEMPT_RT

/* Endpoints that share a lock do not copy at the same time: more than the CPUs of most machines. */
#define RXE_MEM_PINS_LOG2 6
#define RXE_MEM_PINS	  BIT(RXE_MEM_PINS_LOG2)

static spinlock_t rxe_mem_pins[RXE_MEM_PINS] = {
	[0 ... RXE_MEM_PINS - 1] = __SPIN_LOCK_UNLOCKED(rxe_mem_pins),
};

static spinlock_t *rxe_mem_pin_of(const struct rxe_mem_ctx *ctx)
{
	return &rxe_mem_pins[hash_ptr((void *)ctx, RXE_MEM_PINS_LOG2)];
}

void rxe_mem_pin(const struct rxe_mem_ctx *ctx)
{
	spinlock_t *pin = rxe_mem_pin_of(ctx);

	spin_lock(pin);
	__release(pin); /* for sparse, which knows no conditional locks */
}

void rxe_mem_unpin(const struct rxe_mem_ctx *ctx)
{
	spinlock_t *pin = rxe_mem_pin_of(ctx);

	__acquire(pin);
	spin_unlock(pin);
}

/*
 * Wait for copies. Each holder has a pin lock since before it took its reference: once a lock has
 * been taken here, its former holders have put their references, and later ones see the invalid
 * key. References without a pin are put without a copy: see rxe_mem_get_odp_ref().
 */
static void rxe_mem_wait_for_copies(struct rxe_mem *mem)
{
	u32 i;

	if (refcount_read(&mem->refs) == 1)
		return;
	for (i = 0; i < RXE_MEM_PINS; i++) {
		spin_lock(&rxe_mem_pins[i]);
		spin_unlock(&rxe_mem_pins[i]);
	}
}

#else

/* Ends: no reference is added for long, and all are put within a batch of packets. */
static void rxe_mem_wait_for_copies(struct rxe_mem *mem)
{
	while (refcount_read(&mem->refs) > 1)
		cpu_relax();
}

#endif

void rxe_mem_quiesce(struct rxe_mem *mem)
{
	lockdep_assert_held(&mem->lock);
	WRITE_ONCE(mem->key, 0);
	/*
	 * Pairs with smp_mb__after_atomic() in rxe_mem_get_ref(): it takes a reference and then
	 * reads the key, we write the key and then read the references. Either it sees that the key
	 * is invalid, or we see its reference.
	 */
	smp_mb();
	rxe_mem_wait_for_copies(mem);
	/*
	 * Pairs with the release in refcount_dec_and_test(): copies under those references have
	 * been done before anything that the caller does next.
	 */
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

/*
 * Look up a valid key, and take a reference. The key is read after the reference has been taken, as
 * rxe_mem_quiesce() waits for references only: see there.
 */
static struct rxe_mem *rxe_mem_get_ref(struct rxe_dev *dev, u32 key)
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
	smp_mb__after_atomic(); /* pairs with smp_mb() in rxe_mem_quiesce() */
	/* Pairs with the release in rxe_mem_validate_key(). */
	if (smp_load_acquire(&mem->key) == key)
		return mem;
	rxe_mem_put_ref(mem);
	return NULL;
}

struct rxe_mem *rxe_mem_get_odp_ref(struct rxe_dev *dev, u32 key)
{
	struct rxe_mem *mem;

	local_bh_disable();
	mem = rxe_mem_get_ref(dev, key);
	if (mem && !mem->odp) {
		rxe_mem_put_ref(mem);
		mem = NULL;
	}
	local_bh_enable();
	return mem;
}

void rxe_mem_put_ref(struct rxe_mem *mem)
{
	if (refcount_dec_and_test(&mem->refs))
		complete(&mem->idle);
}

bool rxe_mem_matches(const struct rxe_mem *mem, const struct rxe_mem_ctx *ctx, u32 key, u64 addr,
		     u64 len, u32 access)
{
	/*
	 * No key is 0, as indices start at 1. The other fields were ordered by the acquire in
	 * rxe_mem_get_ref(), and do not change while the reference is held.
	 */
	return READ_ONCE(mem->key) == key && rxe_mem_grants(mem, ctx, access) &&
	       (!len || rxe_mem_covers(mem, addr, len));
}

struct rxe_mem *rxe_mem_check(const struct rxe_mem_ctx *ctx, u32 key, u64 addr, u64 len,
			      u32 access)
{
	struct rxe_mem *mem = rxe_mem_get_ref(ctx->dev, key);

	if (!mem)
		return ERR_PTR(-EACCES);
	if (rxe_mem_matches(mem, ctx, key, addr, len, access))
		return mem;
	rxe_mem_put_ref(mem);
	return ERR_PTR(-EACCES);
}

/*
 * Lock the pages of an on-demand region until rxe_mem_put(). If they are not resident, put the
 * caller's reference and start page-in.
 */
static struct rxe_mem *rxe_mem_lock_pages(struct rxe_mem *mem, const struct rxe_mem_ctx *ctx,
					  u64 addr, u64 len, u32 access)
{
	const struct rxe_mem_range range = {
		.key = mem->key,
		.addr = addr,
		.len = len,
		.write = access & RXE_ACCESS_WRITES,
	};
	int err;

	if (rxe_odp_read_lock(mem->odp, addr, len, range.write))
		return mem;
	err = ctx->fault(ctx, &range, mem->odp->paging);
	rxe_mem_put_ref(mem);
	return ERR_PTR(err);
}

struct rxe_mem *rxe_mem_get(const struct rxe_mem_ctx *ctx, u32 key, u64 addr, u64 len, u32 access)
{
	struct rxe_mem *mem = rxe_mem_check(ctx, key, addr, len, access);

	if (!IS_ERR(mem) && unlikely(mem->odp))
		return rxe_mem_lock_pages(mem, ctx, addr, len, access);
	return mem;
}

void rxe_mem_put(struct rxe_mem *mem)
{
	if (unlikely(mem->odp))
		rxe_odp_read_unlock(mem->odp);
	rxe_mem_put_ref(mem);
}
