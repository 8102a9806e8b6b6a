// SPDX-License-Identifier: GPL-2.0
/* Memory regions (MR): ib_device_ops that register, reregister and deregister. */
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <rdma/ib_umem.h>
#include <rdma/ib_verbs.h>

#include "base/device.h"
#include "mem/dmabuf.h"
#include "mem/mr.h"
#include "mem/odp.h"
#include "mem/pmem.h"

/* Access flags of user regions. Of the optional ones, which are hints, all are accepted. */
#define RXE_MR_ACCESS                                                             \
	(IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ | \
	 IB_ACCESS_REMOTE_ATOMIC | IB_ACCESS_MW_BIND | IB_ACCESS_HUGETLB |        \
	 IB_ACCESS_FLUSH_GLOBAL | IB_ACCESS_OPTIONAL |                            \
	 (RXE_PMEM ? IB_ACCESS_FLUSH_PERSISTENT : 0) | (RXE_ODP ? IB_ACCESS_ON_DEMAND : 0))

struct rxe_mr *rxe_mr_alloc(struct ib_pd *pd, enum rxe_mem_kind kind, u32 access)
{
	struct rxe_mr *mr;

	mr = kzalloc(sizeof(*mr), GFP_KERNEL_ACCOUNT);
	if (!mr)
		return NULL;
	rxe_mem_init(&mr->mem, kind);
	mr->mem.owner = pd;
	mr->mem.access = access | RXE_ACCESS_LOCAL;
	mr->ibmr.pd = pd;
	mr->ibmr.device = pd->device;
	return mr;
}

int rxe_mr_publish(struct rxe_mr *mr, bool valid)
{
	int err = rxe_mem_publish(to_rxe_dev(mr->ibmr.device), &mr->mem, valid);

	mr->ibmr.lkey = mr->mem.last_key;
	mr->ibmr.rkey = mr->mem.last_key;
	return err;
}

/* A region of all kernel memory, for kernel consumers. Addresses are kernel virtual addresses. */
struct ib_mr *rxe_get_dma_mr(struct ib_pd *pd, int access)
{
	struct rxe_mr *mr = rxe_mr_alloc(pd, RXE_MEM_REGION, access);
	int err;

	if (!mr)
		return ERR_PTR(-ENOMEM);
	mr->mem.length = U64_MAX;
	err = rxe_mr_publish(mr, true);
	if (err) {
		kfree(mr);
		return ERR_PTR(err);
	}
	return &mr->ibmr;
}

/* kvmalloc() refuses more than 2 GiB, the table of a region of 1 TiB, with a kernel warning. */
static struct page **rxe_page_table_alloc(size_t n)
{
	size_t size = array_size(n, sizeof(struct page *));

	if (size > INT_MAX)
		return __vmalloc(size, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	return kvmalloc(size, GFP_KERNEL_ACCOUNT);
}

static struct page **rxe_umem_pages(struct ib_umem *umem)
{
	struct sg_page_iter iter;
	struct page **pages;
	size_t i = 0;

	pages = rxe_page_table_alloc(ib_umem_num_pages(umem));
	if (!pages)
		return NULL;
	rxe_umem_for_each_page(umem, &iter)
		pages[i++] = sg_page_iter_page(&iter);
	return pages;
}

static int rxe_mr_set_pages(struct rxe_mr *mr, struct ib_umem *umem)
{
	size_t n = ib_umem_num_pages(umem);
	struct page **pages;

	pages = rxe_umem_pages(umem);
	if (!pages) {
		ibdev_dbg(mr->ibmr.device,
			  "no memory for the page table of a region of %llu bytes: %zu pages\n",
			  mr->mem.length, n);
		return -ENOMEM;
	}
	if (mr->mem.persistent && !rxe_pmem_are_pages(pages, n)) {
		ibdev_dbg(mr->ibmr.device,
			  "a region with IB_ACCESS_FLUSH_PERSISTENT is not of persistent memory\n");
		kvfree(pages);
		return -EINVAL;
	}
	mr->mem.pages = pages;
	return 0;
}

static int rxe_mr_pin_pages(struct rxe_mr *mr, u64 start, u64 length, int access)
{
	struct ib_umem *umem;
	int err;

	umem = rxe_umem_get(mr->ibmr.pd, start, length, access);
	if (IS_ERR(umem))
		return PTR_ERR(umem);
	err = rxe_mr_set_pages(mr, umem);
	if (err) {
		ib_umem_release(umem);
		return err;
	}
	mr->umem = umem;
	return 0;
}

static int rxe_mr_create_odp(struct rxe_mr *mr, u64 start, u64 length)
{
	struct rxe_odp *odp = rxe_odp_create(start, length, mr->mem.iova, mr->mem.persistent);

	if (IS_ERR(odp))
		return PTR_ERR(odp);
	mr->mem.odp = odp;
	return 0;
}

static void rxe_mr_release(struct rxe_mr *mr)
{
	kvfree(mr->next_pages);
	kvfree(mr->next_segs);
	kvfree(mr->mem.vas);
	kvfree(mr->mem.segs);
	kvfree(mr->mem.pages);
	ib_umem_release(mr->umem);
	rxe_dmabuf_put(mr->dmabuf);
	rxe_odp_destroy(mr->mem.odp);
}

static int rxe_check_access(int access)
{
	if (access & ~RXE_MR_ACCESS)
		return -EOPNOTSUPP;
	/* A window refers to the pages of its region, which must be pinned. */
	if ((access & IB_ACCESS_ON_DEMAND) && (access & IB_ACCESS_MW_BIND))
		return -EOPNOTSUPP;
	return 0;
}

static int rxe_check_range(u64 start, u64 length, u64 va)
{
	/* An address aligned to 8 must be memory aligned to 8, for atomics. */
	if (offset_in_page(start) != offset_in_page(va))
		return -EINVAL;
	if (!length || va + length < va)
		return -EINVAL;
	return 0;
}

/* ib_core sets the reported range of memory that ibv_reg_mr() registers, and of no other. */
static void rxe_mr_set_range(struct rxe_mr *mr, u64 va, u64 length)
{
	mr->mem.iova = va;
	mr->mem.length = length;
	mr->ibmr.iova = va;
	mr->ibmr.length = length;
}

static struct ib_mr *rxe_reg_user(struct ib_pd *pd, u64 start, u64 length, u64 va, int access)
{
	struct rxe_mr *mr;
	int err;

	err = rxe_check_access(access);
	if (!err)
		err = rxe_check_range(start, length, va);
	if (err)
		return ERR_PTR(err);
	mr = rxe_mr_alloc(pd, RXE_MEM_REGION, access);
	if (!mr)
		return ERR_PTR(-ENOMEM);
	rxe_mr_set_range(mr, va, length);
	mr->mem.page_offset = offset_in_page(start);
	mr->mem.persistent = access & IB_ACCESS_FLUSH_PERSISTENT;

	if (access & IB_ACCESS_ON_DEMAND)
		err = rxe_mr_create_odp(mr, start, length);
	else
		err = rxe_mr_pin_pages(mr, start, length, access);
	if (err)
		goto err_free_mr;
	err = rxe_mr_publish(mr, true);
	if (err)
		goto err_release;
	return &mr->ibmr;

err_release:
	rxe_mr_release(mr);
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

static struct ib_mr *rxe_reg_dmabuf(struct ib_pd *pd, struct rxe_dmabuf *dmabuf, void *base,
				    u64 length, u64 va, int access)
{
	struct rxe_mr *mr = rxe_mr_alloc(pd, RXE_MEM_REGION, access);
	int err;

	if (!mr)
		return ERR_PTR(-ENOMEM);
	rxe_mr_set_range(mr, va, length);
	mr->mem.base = base;
	mr->dmabuf = dmabuf;
	err = rxe_mr_publish(mr, true);
	if (err) {
		kfree(mr);
		return ERR_PTR(err);
	}
	return &mr->ibmr;
}

struct ib_mr *rxe_reg_user_mr_dmabuf(struct ib_pd *pd, u64 offset, u64 length, u64 va, int fd,
				     int access, RXE_DMAH_PARAM RXE_DMABUF_LAST)
{
	struct rxe_dmabuf *dmabuf;
	struct ib_mr *ibmr;
	void *base;
	int err;

	/* Whose memory a dma-buf is, is not known. */
	if (RXE_DMAH || access & IB_ACCESS_FLUSH_PERSISTENT)
		return ERR_PTR(-EOPNOTSUPP);
	err = rxe_check_access(access);
	if (!err)
		err = rxe_check_range(offset, length, va);
	if (err)
		return ERR_PTR(err);
	dmabuf = rxe_dmabuf_get(fd, offset, length, &base);
	if (IS_ERR(dmabuf)) {
		ibdev_dbg(pd->device, "dma-buf %d cannot be mapped from %llu on (error %ld)\n", fd,
			  offset, PTR_ERR(dmabuf));
		return ERR_CAST(dmabuf);
	}
	ibmr = rxe_reg_dmabuf(pd, dmabuf, base, length, va, access);
	if (IS_ERR(ibmr))
		rxe_dmabuf_put(dmabuf);
	return ibmr;
}

/* Windows have copies of the region's fields: it must not change or go while one is bound. */
static bool rxe_mr_block_binds(struct rxe_mr *mr)
{
	if (!atomic_cmpxchg(&mr->mem.windows, 0, INT_MIN))
		return true;
	ibdev_dbg(mr->ibmr.device, "memory region %#x has windows bound to it\n", mr->mem.last_key);
	return false;
}

static int rxe_mr_change(struct rxe_mr *mr, int flags, int access, struct ib_pd *pd)
{
	int err;

	/* Pinned memory cannot become on demand, nor on-demand memory pinned. */
	if (!!(access & IB_ACCESS_ON_DEMAND) != !!mr->mem.odp)
		return -EOPNOTSUPP;
	/* Data copied to the region before has not been written back. */
	if (access & IB_ACCESS_FLUSH_PERSISTENT && !mr->mem.persistent)
		return -EOPNOTSUPP;
	err = mr->umem ? ib_umem_check_rereg(mr->umem, flags, access) : 0;
	if (err)
		return err;
	if (!rxe_mr_block_binds(mr))
		return -EBUSY;
	spin_lock_bh(&mr->mem.lock);
	WRITE_ONCE(mr->mem.access, access | RXE_ACCESS_LOCAL);
	if (flags & IB_MR_REREG_PD)
		WRITE_ONCE(mr->mem.owner, pd);
	spin_unlock_bh(&mr->mem.lock);
	atomic_set(&mr->mem.windows, 0);
	/* Wait for copies under the old rights: bottom halves are off during copies. */
	synchronize_rcu();
	return 0;
}

struct ib_mr *rxe_rereg_user_mr(struct ib_mr *ibmr, int flags, u64 start, u64 length, u64 va,
				int access, struct ib_pd *pd, struct ib_udata *udata)
{
	struct rxe_mr *mr = to_rxe_mr(ibmr);
	int err;

	if (!(flags & IB_MR_REREG_ACCESS))
		access = mr->mem.access & ~RXE_ACCESS_LOCAL;
	err = rxe_check_access(access);
	if (err)
		return ERR_PTR(err);
	if (!(flags & IB_MR_REREG_TRANS))
		return ERR_PTR(rxe_mr_change(mr, flags, access, pd));
	/* For other memory, make a new region: the RDMA core deregisters the old one. */
	if (atomic_read(&mr->mem.windows))
		return ERR_PTR(-EBUSY);
	return rxe_reg_user(flags & IB_MR_REREG_PD ? pd : ibmr->pd, start, length, va, access);
}

int rxe_dereg_mr(struct ib_mr *ibmr, struct ib_udata *udata)
{
	struct rxe_mr *mr = to_rxe_mr(ibmr);

	if (!rxe_mr_block_binds(mr))
		return -EBUSY;
	rxe_mem_unpublish(to_rxe_dev(ibmr->device), &mr->mem);
	rxe_mr_release(mr);
	kfree_rcu(mr, mem.rcu);
	return 0;
}
