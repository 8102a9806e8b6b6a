// SPDX-License-Identifier: GPL-2.0
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <rdma/ib_umem.h>
#include <rdma/ib_verbs.h>

#include "device.h"
#include "mr.h"

/* Hints apart, what a region of a user can be registered for. */
#define RXE_MR_ACCESS                                                             \
	(IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ | \
	 IB_ACCESS_REMOTE_ATOMIC | IB_ACCESS_MW_BIND | IB_ACCESS_HUGETLB | IB_ACCESS_OPTIONAL)

static struct rxe_mr *rxe_mr_alloc(struct ib_pd *pd, u32 access)
{
	struct rxe_mr *mr;

	mr = kzalloc(sizeof(*mr), GFP_KERNEL_ACCOUNT);
	if (!mr)
		return NULL;
	mr->mem.pd = pd;
	mr->mem.access = access;
	refcount_set(&mr->mem.refs, 1);
	init_completion(&mr->mem.idle);
	return mr;
}

/*
 * Give the region a key, and let packets find it. The key is written last: until
 * then the region answers to none. An index is not used again before all others
 * were, and a peer would have to guess the low byte as well.
 */
static int rxe_mr_publish(struct rxe_mr *mr)
{
	struct rxe_dev *dev = to_rxe_dev(mr->mem.pd->device);
	u32 index, key;
	int err;

	err = xa_alloc_cyclic(&dev->mems, &index, &mr->mem, XA_LIMIT(1, U32_MAX >> RXE_KEY_BITS),
			      &dev->next_mem, GFP_KERNEL_ACCOUNT);
	if (err < 0)
		return err == -EBUSY ? -ENOSPC : err;
	key = index << RXE_KEY_BITS | (get_random_u32() & GENMASK(RXE_KEY_BITS - 1, 0));
	mr->ibmr.lkey = key;
	mr->ibmr.rkey = key;
	WRITE_ONCE(mr->mem.key, key);
	return 0;
}

/*
 * No new user finds it, the last one leaves within the time of a copy, whatever
 * the peer does. Who still looks at it under RCU only finds that it is gone.
 */
static void rxe_mr_unpublish(struct rxe_mr *mr)
{
	struct rxe_dev *dev = to_rxe_dev(mr->ibmr.device);

	xa_erase(&dev->mems, mr->mem.key >> RXE_KEY_BITS);
	rxe_mem_put(&mr->mem);
	wait_for_completion(&mr->mem.idle);
}

struct ib_mr *rxe_get_dma_mr(struct ib_pd *pd, int access)
{
	struct rxe_mr *mr = rxe_mr_alloc(pd, access);
	int err;

	if (!mr)
		return ERR_PTR(-ENOMEM);
	mr->mem.length = U64_MAX;
	err = rxe_mr_publish(mr);
	if (err) {
		kfree(mr);
		return ERR_PTR(err);
	}
	return &mr->ibmr;
}

static struct page **rxe_umem_pages(struct ib_umem *umem)
{
	struct sg_page_iter iter;
	struct page **pages;
	size_t i = 0;

	pages = kvmalloc_array(ib_umem_num_pages(umem), sizeof(*pages), GFP_KERNEL_ACCOUNT);
	if (!pages)
		return NULL;
	for_each_sgtable_page(&umem->sgt_append.sgt, &iter, 0)
		pages[i++] = sg_page_iter_page(&iter);
	return pages;
}

static int rxe_mr_pin(struct rxe_mr *mr, u64 start, u64 length, int access)
{
	struct ib_umem *umem;
	struct page **pages;

	umem = ib_umem_get_va(mr->mem.pd->device, start, length, access);
	if (IS_ERR(umem))
		return PTR_ERR(umem);
	pages = rxe_umem_pages(umem);
	if (!pages) {
		ib_umem_release(umem);
		return -ENOMEM;
	}
	mr->mem.umem = umem;
	mr->mem.pages = pages;
	return 0;
}

static void rxe_mr_unpin(struct rxe_mr *mr)
{
	kvfree(mr->mem.pages);
	ib_umem_release(mr->mem.umem);
}

static int rxe_check_user_mr(u64 start, u64 length, u64 va, int access)
{
	if (access & ~RXE_MR_ACCESS)
		return -EOPNOTSUPP;
	/* Aligned addresses are to be aligned words: atomics rely on it. */
	if (offset_in_page(start) != offset_in_page(va))
		return -EINVAL;
	if (!length || va + length < va)
		return -EINVAL;
	return 0;
}

static struct ib_mr *rxe_reg_user(struct ib_pd *pd, u64 start, u64 length, u64 va, int access)
{
	struct rxe_mr *mr;
	int err;

	err = rxe_check_user_mr(start, length, va, access);
	if (err)
		return ERR_PTR(err);
	mr = rxe_mr_alloc(pd, access);
	if (!mr)
		return ERR_PTR(-ENOMEM);
	mr->mem.iova = va;
	mr->mem.length = length;
	mr->mem.page_offset = offset_in_page(start);

	err = rxe_mr_pin(mr, start, length, access);
	if (err)
		goto err_free_mr;
	err = rxe_mr_publish(mr);
	if (err)
		goto err_unpin;
	return &mr->ibmr;

err_unpin:
	rxe_mr_unpin(mr);
err_free_mr:
	kfree(mr);
	return ERR_PTR(err);
}

struct ib_mr *rxe_reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 va, int access,
			      RXE_DMAH_PARAM struct ib_udata *udata)
{
	if (RXE_DMAH)
		return ERR_PTR(-EOPNOTSUPP);
	return rxe_reg_user(pd, start, length, va, access);
}

struct ib_mr *rxe_rereg_user_mr(struct ib_mr *ibmr, int flags, u64 start, u64 length, u64 va,
				int access, struct ib_pd *pd, struct ib_udata *udata)
{
	struct rxe_mr *mr = to_rxe_mr(ibmr);
	int err;

	if (!(flags & IB_MR_REREG_ACCESS))
		access = mr->mem.access;
	else if (access & ~RXE_MR_ACCESS)
		return ERR_PTR(-EOPNOTSUPP);
	/* Other memory is another region; the caller deregisters the old one. */
	if (flags & IB_MR_REREG_TRANS)
		return rxe_reg_user(flags & IB_MR_REREG_PD ? pd : ibmr->pd, start, length, va,
				    access);
	err = ib_umem_check_rereg(mr->mem.umem, flags, access);
	if (err)
		return ERR_PTR(err);
	WRITE_ONCE(mr->mem.access, access);
	if (flags & IB_MR_REREG_PD)
		WRITE_ONCE(mr->mem.pd, pd);
	return NULL;
}

int rxe_dereg_mr(struct ib_mr *ibmr, struct ib_udata *udata)
{
	struct rxe_mr *mr = to_rxe_mr(ibmr);

	rxe_mr_unpublish(mr);
	rxe_mr_unpin(mr);
	kfree_rcu(mr, mem.rcu);
	return 0;
}
