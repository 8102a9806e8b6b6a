/* SPDX-License-Identifier: GPL-2.0 */
/* dma-buf: the symbol namespace and the unlocked mapping functions of older kernels. */
#ifndef COMPAT_LINUX_DMA_BUF_H
#define COMPAT_LINUX_DMA_BUF_H

#include <linux/iosys-map.h>
#include_next <linux/dma-buf.h>

/*
 * The argument of MODULE_IMPORT_NS(): a string since 6.13, a bare word before. Before 5.16 the
 * functions were in no namespace; the name of one that has no symbols has no effect.
 */
#ifdef RXE_HAVE_IMPORT_NS_STRING
#define RXE_NS_DMA_BUF "DMA_BUF"
#else
#define RXE_NS_DMA_BUF DMA_BUF
#endif

/* Before 6.2, dma_buf_vmap() was the function that takes no lock. */
#if defined(RXE_HAVE_DMA_BUF_VMAP_UNLOCKED)
#elif defined(RXE_HAVE_DMA_BUF_VMAP_MAP)
#define dma_buf_vmap_unlocked	dma_buf_vmap
#define dma_buf_vunmap_unlocked dma_buf_vunmap
#else
/* Before 5.11 it returned an address, and exporters mapped system memory only. */
static inline int dma_buf_vmap_unlocked(struct dma_buf *dmabuf, struct iosys_map *map)
{
	map->vaddr = dma_buf_vmap(dmabuf);
	map->is_iomem = false;
	return map->vaddr ? 0 : -ENOMEM;
}

static inline void dma_buf_vunmap_unlocked(struct dma_buf *dmabuf, struct iosys_map *map)
{
	dma_buf_vunmap(dmabuf, map->vaddr);
}
#endif

#endif
