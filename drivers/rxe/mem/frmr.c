// SPDX-License-Identifier: GPL-2.0
#include <linux/log2.h>
#include <linux/slab.h>

#include "base/device.h"
#include "mem/frmr.h"
#include "mem/mr.h"

#define RXE_FAST_ACCESS                                                           \
	(IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ | \
	 IB_ACCESS_REMOTE_ATOMIC | IB_ACCESS_OPTIONAL)

struct ib_mr *rxe_alloc_mr(struct ib_pd *pd, enum ib_mr_type type, u32 max_pages)
{
	struct rxe_mr *mr;
	int err = -ENOMEM;

	if (type != IB_MR_TYPE_MEM_REG)
		return ERR_PTR(-EOPNOTSUPP);
	if (!max_pages || max_pages > RXE_MAX_FAST_PAGES) {
		ibdev_dbg(pd->device, "a fast registration of %u pages, not 1 to %u\n", max_pages,
			  RXE_MAX_FAST_PAGES);
		return ERR_PTR(-EINVAL);
	}
	mr = rxe_mr_alloc(pd, RXE_MEM_FAST, 0);
	if (!mr)
		return ERR_PTR(-ENOMEM);
	mr->max_listed = max_pages;
	mr->next_pages = kvcalloc(max_pages, sizeof(*mr->next_pages), GFP_KERNEL);
	mr->mem.vas = kvcalloc(max_pages, sizeof(*mr->mem.vas), GFP_KERNEL);
	if (!mr->next_pages || !mr->mem.vas)
		goto err_free_lists;
	err = rxe_mr_publish(mr, false);
	if (err)
		goto err_free_lists;
	return &mr->ibmr;

err_free_lists:
	kvfree(mr->mem.vas);
	kvfree(mr->next_pages);
	kfree(mr);
	return ERR_PTR(err);
}

static int rxe_fast_list_page(struct ib_mr *ibmr, u64 addr)
{
	struct rxe_mr *mr = to_rxe_mr(ibmr);

	if (mr->num_listed == mr->max_listed)
		return -ENOMEM;
	mr->next_pages[mr->num_listed++] = ib_virt_dma_to_ptr(addr);
	return 0;
}

/*
 * The pages are put on a list of their own: until REG_MR has its turn, the peer may
 * still use those registered before.
 */
int rxe_map_mr_sg(struct ib_mr *ibmr, struct scatterlist *sg, int nents, unsigned int *offset)
{
	struct rxe_mr *mr = to_rxe_mr(ibmr);

	if (!is_power_of_2(ibmr->page_size))
		return -EINVAL;
	mr->num_listed = 0;
	return ib_sg_to_pages(ibmr, sg, nents, offset, rxe_fast_list_page);
}

int rxe_fast_check(const struct ib_mr *ibmr, const struct rxe_reg *reg)
{
	const struct rxe_mr *mr = container_of_const(ibmr, struct rxe_mr, ibmr);

	if (mr->mem.kind != RXE_MEM_FAST || reg->access & ~RXE_FAST_ACCESS)
		return -EINVAL;
	if ((mr->mem.last_key ^ reg->key) >> RXE_KEY_BITS)
		return -EINVAL;
	return 0;
}

/* Context: the region locked and not gone. */
static int rxe_fast_publish_list(struct rxe_mr *mr, const struct rxe_reg *reg)
{
	struct rxe_mem *mem = &mr->mem;
	u32 n = READ_ONCE(mr->num_listed);
	u32 shift, offset;
	u64 size;

	/* Without a list there is no page size either. */
	if (!n)
		return -EINVAL;
	shift = ilog2(mr->ibmr.page_size);
	offset = reg->iova & (BIT(shift) - 1);
	size = (u64)n << shift;
	if (offset > size || reg->length > size - offset)
		return -EINVAL;
	/* What a flush has invalidated may still be in use. */
	rxe_mem_quiesce(mem);
	memcpy(mem->vas, mr->next_pages, n * sizeof(*mem->vas));
	mem->access = reg->access | RXE_ACCESS_LOCAL;
	mem->iova = reg->iova;
	mem->length = reg->length;
	mem->page_shift = shift;
	mem->page_offset = offset;
	rxe_mem_validate_key(mem, reg->key);
	return 0;
}

int rxe_fast_register(const struct rxe_mem_ctx *ctx, const struct rxe_reg *reg)
{
	struct rxe_mem *mem = rxe_mem_lookup(ctx->dev, reg->key);
	int err = -EINVAL;

	if (!mem || mem->kind != RXE_MEM_FAST)
		return -EINVAL;
	spin_lock(&mem->lock);
	/* A key that is valid has to be invalidated first (IBTA 11.4.1.1). */
	if (!mem->dying && !mem->key && mem->owner == ctx->pd)
		err = rxe_fast_publish_list(container_of(mem, struct rxe_mr, mem), reg);
	spin_unlock(&mem->lock);
	return err;
}

/*
 * Consumers that have lost a REG_MR or LOCAL_INV to a flush go on to the next low byte
 * and invalidate that: whichever it is, the region becomes free. The peer has to name the key.
 */
int rxe_fast_invalidate(const struct rxe_mem_ctx *ctx, struct rxe_mem *mem, u32 key, bool remote)
{
	int err = -EINVAL;

	spin_lock(&mem->lock);
	if (!mem->dying && mem->owner == ctx->pd && (!remote || mem->last_key == key)) {
		rxe_mem_quiesce(mem);
		err = 0;
	}
	spin_unlock(&mem->lock);
	return err;
}

/* Does not wait for copies, one of which may be ours: nothing has been promised. */
void rxe_fast_flushed(const struct rxe_mem_ctx *ctx, u32 key)
{
	struct rxe_mem *mem = rxe_mem_lookup(ctx->dev, key);

	if (!mem || mem->kind != RXE_MEM_FAST || mem->owner != ctx->pd)
		return;
	spin_lock(&mem->lock);
	WRITE_ONCE(mem->key, 0);
	spin_unlock(&mem->lock);
}
