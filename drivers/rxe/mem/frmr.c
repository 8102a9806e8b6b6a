// SPDX-License-Identifier: GPL-2.0
/* Fast registration of memory (FRMR, FRWR): page lists, REG_MR, LOCAL_INV. */
#include <linux/log2.h>
#include <linux/slab.h>

#include "base/device.h"
#include "mem/frmr.h"
#include "mem/mr.h"

#define RXE_FRMR_ACCESS                                                           \
	(IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ | \
	 IB_ACCESS_REMOTE_ATOMIC | IB_ACCESS_OPTIONAL)

struct ib_mr *rxe_alloc_mr(struct ib_pd *pd, enum ib_mr_type type, u32 max_pages)
{
	struct rxe_mr *mr;
	int err = -ENOMEM;

	if (type != IB_MR_TYPE_MEM_REG)
		return ERR_PTR(-EOPNOTSUPP);
	if (!max_pages || max_pages > RXE_MAX_FRMR_PAGES) {
		ibdev_dbg(pd->device, "a fast registration of %u pages, not 1 to %u\n", max_pages,
			  RXE_MAX_FRMR_PAGES);
		return ERR_PTR(-EINVAL);
	}
	mr = rxe_mr_alloc(pd, RXE_MEM_FRMR, 0);
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

static int rxe_frmr_list_page(struct ib_mr *ibmr, u64 addr)
{
	struct rxe_mr *mr = to_rxe_mr(ibmr);

	if (mr->num_listed == mr->max_listed)
		return -ENOMEM;
	mr->next_pages[mr->num_listed++] = ib_virt_dma_to_ptr(addr);
	return 0;
}

/*
 * The pages go to a list of their own: the peer may access those of the last REG_MR until the next
 * one is executed.
 */
int rxe_map_mr_sg(struct ib_mr *ibmr, struct scatterlist *sg, int nents, unsigned int *offset)
{
	struct rxe_mr *mr = to_rxe_mr(ibmr);

	if (!is_power_of_2(ibmr->page_size))
		return -EINVAL;
	mr->num_listed = 0;
	return ib_sg_to_pages(ibmr, sg, nents, offset, rxe_frmr_list_page);
}

int rxe_frmr_check(const struct ib_mr *ibmr, const struct rxe_reg *reg)
{
	const struct rxe_mr *mr = container_of_const(ibmr, struct rxe_mr, ibmr);

	if (mr->mem.kind != RXE_MEM_FRMR || reg->access & ~RXE_FRMR_ACCESS)
		return -EINVAL;
	if ((mr->mem.last_key ^ reg->key) >> RXE_KEY_BITS)
		return -EINVAL;
	return 0;
}

/* Context: the region locked, its key invalid. */
static int rxe_frmr_apply_list(struct rxe_mr *mr, const struct rxe_reg *reg)
{
	struct rxe_mem *mem = &mr->mem;
	u32 n = READ_ONCE(mr->num_listed);
	u32 shift, offset;
	u64 size;

	/* Without pages, @page_size is not set. */
	if (!n)
		return -EINVAL;
	shift = ilog2(mr->ibmr.page_size);
	offset = reg->iova & (BIT(shift) - 1);
	size = (u64)n << shift;
	if (offset > size || reg->length > size - offset)
		return -EINVAL;
	/* A flush makes the key invalid without waiting for copies. */
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

int rxe_frmr_register(const struct rxe_mem_ctx *ctx, const struct rxe_reg *reg)
{
	struct rxe_mem *mem = rxe_mem_lookup(ctx->dev, reg->key);
	int err = -EINVAL;

	if (!mem || mem->kind != RXE_MEM_FRMR)
		return -EINVAL;
	spin_lock(&mem->lock);
	/* A valid key must be invalidated first (IBTA 11.4.1.1). */
	if (!mem->dying && !mem->key && mem->owner == ctx->pd)
		err = rxe_frmr_apply_list(container_of(mem, struct rxe_mr, mem), reg);
	spin_unlock(&mem->lock);
	return err;
}

/*
 * The low byte of @key is not checked for LOCAL_INV: a consumer whose REG_MR or LOCAL_INV has been
 * flushed increments it, and invalidates a key that the region never had. The peer must name the
 * region's key.
 */
int rxe_frmr_invalidate(const struct rxe_mem_ctx *ctx, struct rxe_mem *mem, u32 key, bool remote)
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

void rxe_frmr_flushed(const struct rxe_mem_ctx *ctx, u32 key)
{
	struct rxe_mem *mem = rxe_mem_lookup(ctx->dev, key);

	if (!mem || mem->kind != RXE_MEM_FRMR || mem->owner != ctx->pd)
		return;
	spin_lock(&mem->lock);
	WRITE_ONCE(mem->key, 0);
	spin_unlock(&mem->lock);
}
