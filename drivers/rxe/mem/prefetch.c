// SPDX-License-Identifier: GPL-2.0
/* Prefetch of on-demand regions: ibv_advise_mr(), at once or by a work item. */
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "base/device.h"
#include "mem/mem.h"
#include "mem/odp.h"
#include "mem/paging.h"
#include "mem/prefetch.h"

/**
 * struct rxe_prefetch - a list of ranges to be paged in
 * @work: pages them in
 * @how: for reading, writing, or resident pages only
 * @n: number of ranges
 * @range: the ranges
 * @range.mem: region, with a reference
 * @range.addr: first address
 * @range.len: bytes
 */
struct rxe_prefetch {
	struct work_struct work;
	enum rxe_odp_how how;
	u32 n;
	struct {
		struct rxe_mem *mem;
		u64 addr;
		u64 len;
	} range[];
};

/* Not over the enumeration: it has fewer names on older kernels. */
static int rxe_prefetch_how(u32 advice)
{
	switch (advice) {
	case IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH:
		return RXE_ODP_READ;
	case IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE:
		return RXE_ODP_WRITE;
	case IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT:
		return RXE_ODP_NO_FAULT;
	default:
		return -EOPNOTSUPP;
	}
}

static int rxe_prefetch_check(const struct rxe_mem *mem, const struct ib_pd *pd,
			      const struct ib_sge *sge, enum rxe_odp_how how)
{
	if (READ_ONCE(mem->owner) != pd || !rxe_mem_covers(mem, sge->addr, sge->length))
		return -EFAULT;
	if (how == RXE_ODP_WRITE && !(READ_ONCE(mem->access) & IB_ACCESS_LOCAL_WRITE))
		return -EPERM;
	return 0;
}

/* Add the range of @sge, with a reference to its region. */
static int rxe_prefetch_add(struct rxe_prefetch *p, struct ib_pd *pd, const struct ib_sge *sge)
{
	struct rxe_mem *mem = rxe_mem_get_odp_ref(to_rxe_dev(pd->device), sge->lkey);
	int err = mem ? rxe_prefetch_check(mem, pd, sge, p->how) : -EFAULT;

	if (err) {
		ibdev_dbg(pd->device, "%u bytes at %#llx with key %#x cannot be prefetched: %d\n",
			  sge->length, sge->addr, sge->lkey, err);
		if (mem)
			rxe_mem_put_ref(mem);
		return err;
	}
	p->range[p->n].mem = mem;
	p->range[p->n].addr = sge->addr;
	p->range[p->n].len = sge->length;
	p->n++;
	return 0;
}

static void rxe_prefetch_free(struct rxe_prefetch *p)
{
	u32 i;

	for (i = 0; i < p->n; i++)
		rxe_mem_put_ref(p->range[i].mem);
	kvfree(p);
}

static int rxe_prefetch_run(const struct rxe_prefetch *p)
{
	int err = 0;
	u32 i;

	for (i = 0; i < p->n && !err; i++)
		err = rxe_odp_fault_in(p->range[i].mem->odp, p->range[i].addr, p->range[i].len,
				       p->how);
	return err;
}

/* All ranges are of one protection domain, so in general of one process. */
static struct rxe_paging *rxe_prefetch_paging(const struct rxe_prefetch *p)
{
	return p->range[0].mem->odp->paging;
}

/* Errors are ignored: the page is paged in when it is accessed, or the access fails. */
static void rxe_prefetch_work(struct work_struct *work)
{
	struct rxe_prefetch *p = container_of(work, struct rxe_prefetch, work);

	rxe_prefetch_run(p);
	rxe_paging_end_prefetch(rxe_prefetch_paging(p));
	rxe_prefetch_free(p);
}

static bool rxe_prefetch_queue(struct rxe_prefetch *p)
{
	INIT_WORK(&p->work, rxe_prefetch_work);
	return rxe_paging_start_prefetch(rxe_prefetch_paging(p), &p->work);
}

int rxe_advise_mr(struct ib_pd *pd, enum ib_uverbs_advise_mr_advice advice, u32 flags,
		  struct ib_sge *sges, u32 n, struct uverbs_attr_bundle *attrs)
{
	int err = 0, how = rxe_prefetch_how(advice);
	struct rxe_prefetch *p;

	if (how < 0)
		return how;
	p = kvzalloc(struct_size(p, range, n), GFP_KERNEL_ACCOUNT);
	if (!p)
		return -ENOMEM;
	p->how = how;
	while (p->n < n && !err)
		err = rxe_prefetch_add(p, pd, &sges[p->n]);
	if (err)
		goto err_free;
	if (!(flags & IB_UVERBS_ADVISE_MR_FLAG_FLUSH) && rxe_prefetch_queue(p))
		return 0;
	err = rxe_prefetch_run(p);

err_free:
	rxe_prefetch_free(p);
	return err;
}
