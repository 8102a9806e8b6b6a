// SPDX-License-Identifier: GPL-2.0
/* Invalidation of keys of memory windows and fast registrations. */
#include <linux/errno.h>

#include "mem/frmr.h"
#include "mem/invalidate.h"
#include "mem/mem.h"
#include "mem/mw.h"

int rxe_mem_invalidate(const struct rxe_mem_ctx *ctx, u32 key, bool remote)
{
	struct rxe_mem *mem = rxe_mem_lookup(ctx->dev, key);

	if (!mem)
		return -EINVAL;
	switch (mem->kind) {
	case RXE_MEM_FRMR:
		return rxe_frmr_invalidate(ctx, mem, key, remote);
	case RXE_MEM_WINDOW_2:
		return rxe_mw_invalidate(ctx, mem, key);
	default:
		/* Other regions are deregistered, type 1 windows are unbound by a BIND_MW. */
		return -EINVAL;
	}
}
