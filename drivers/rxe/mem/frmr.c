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

static int rxe_frmr_alloc_lists(struct rxe_mr *mr, enum ib_mr_type type)
{
	u32 n = mr->max_listed;

	if (type == IB_MR_TYPE_SG_GAPS) {
		mr->next_segs = kvcalloc(n, sizeof(*mr->next_segs), GFP_KERNEL);
		mr->mem.segs = kvcalloc(n, sizeof(*mr->mem.segs), GFP_KERNEL);
		return mr->next_segs && mr->mem.segs ? 0 : -ENOMEM;
	}
	mr->next_pages = kvcalloc(n, sizeof(*mr->next_pages), GFP_KERNEL);
	mr->mem.vas = kvcalloc(n, sizeof(*mr->mem.vas), GFP_KERNEL);
	return mr->next_pages && mr->mem.vas ? 0 : -ENOMEM;
}

static void rxe_frmr_free(struct rxe_mr *mr)
{
	kvfree(mr->next_pages);
	kvfree(mr->next_segs);
	kvfree(mr->mem.vas);
	kvfree(mr->mem.segs);
	kfree(mr);
}

struct ib_mr *rxe_alloc_mr(struct ib_pd *pd, enum ib_mr_type type, u32 max_entries)
{
	struct rxe_mr *mr;
	int err;

	if (type != IB_MR_TYPE_MEM_REG && type != IB_MR_TYPE_SG_GAPS)
		return ERR_PTR(-EOPNOTSUPP);
	if (!max_entries || max_entries > RXE_MAX_FRMR_PAGES) {
		ibdev_dbg(pd->device, "a fast registration of %u entries, not 1 to %u\n",
			  max_entries, RXE_MAX_FRMR_PAGES);
		return ERR_PTR(-EINVAL);
	}
	mr = rxe_mr_alloc(pd, RXE_MEM_FRMR, 0);
	if (!mr)
		return ERR_PTR(-ENOMEM);
	mr->max_listed = max_entries;
	err = rxe_frmr_alloc_lists(mr, type);
	if (!err)
		err = rxe_mr_publish(mr, false);
	if (err) {
		rxe_frmr_free(mr);
		return ERR_PTR(err);
	}
	return &mr->ibmr;
}

static int rxe_frmr_list_page(struct ib_mr *ibmr, u64 addr)
{
	struct rxe_mr *mr = to_rxe_mr(ibmr);

	if (mr->num_listed == mr->max_listed)
		return -ENOMEM;
	mr->next_pages[mr->num_listed++] = ib_virt_dma_to_ptr(addr);
	return 0;
}

/* Segments of any address and length, as many as there is room for. */
static int rxe_frmr_list_segs(struct rxe_mr *mr, struct scatterlist *sgl, int nents,
			      unsigned int *offset)
{
	unsigned int skip = offset ? *offset : 0;
	struct scatterlist *sg;
	u64 len = 0;
	int i;

	if (nents <= 0 || skip > sg_dma_len(sgl))
		return -EINVAL;
	nents = min_t(u32, nents, mr->max_listed);
	mr->ibmr.iova = sg_dma_address(sgl) + skip;
	for_each_sg(sgl, sg, nents, i) {
		mr->next_segs[i].off = len;
		mr->next_segs[i].va = ib_virt_dma_to_ptr(sg_dma_address(sg) + skip);
		len += sg_dma_len(sg) - skip;
		skip = 0;
	}
	mr->ibmr.length = len;
	mr->listed_bytes = len;
	mr->num_listed = nents;
	if (offset)
		*offset = 0;
	return nents;
}

/*
 * The pages go to a list of their own: the peer may access those of the last REG_MR until the next
 * one is executed.
 */
int rxe_map_mr_sg(struct ib_mr *ibmr, struct scatterlist *sg, int nents, unsigned int *offset)
{
	struct rxe_mr *mr = to_rxe_mr(ibmr);

	if (mr->next_segs)
		return rxe_frmr_list_segs(mr, sg, nents, offset);
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
	/* An earlier REG_MR may be executed now: it changes the other bits. */
	if ((READ_ONCE(mr->mem.last_key) ^ reg->key) >> RXE_KEY_BITS)
		return -EINVAL;
	return 0;
}

/* Context: the region locked, its key invalid. */
static int rxe_frmr_apply_pages(struct rxe_mr *mr, const struct rxe_reg *reg)
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
	mem->page_shift = shift;
	mem->page_offset = offset;
	return 0;
}

/* Context: as rxe_frmr_apply_pages(). */
static int rxe_frmr_apply_segs(struct rxe_mr *mr, const struct rxe_reg *reg)
{
	struct rxe_mem *mem = &mr->mem;
	u32 n = READ_ONCE(mr->num_listed);

	if (!n || reg->length > mr->listed_bytes)
		return -EINVAL;
	rxe_mem_quiesce(mem);
	memcpy(mem->segs, mr->next_segs, n * sizeof(*mem->segs));
	mem->nsegs = n;
	return 0;
}

/* Context: as rxe_frmr_apply_pages(). */
static int rxe_frmr_apply_list(struct rxe_mr *mr, const struct rxe_reg *reg)
{
	struct rxe_mem *mem = &mr->mem;
	int err = mr->next_segs ? rxe_frmr_apply_segs(mr, reg) : rxe_frmr_apply_pages(mr, reg);

	if (err)
		return err;
	/* Resource tracking reads it without the lock. */
	WRITE_ONCE(mem->access, reg->access | RXE_ACCESS_LOCAL);
	mem->iova = reg->iova;
	mem->length = reg->length;
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
