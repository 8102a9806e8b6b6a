/* SPDX-License-Identifier: GPL-2.0 */
/* dma-buf: the symbol namespace and the unlocked mapping functions of older kernels. */
#ifndef COMPAT_LINUX_DMA_BUF_H
#define COMPAT_LINUX_DMA_BUF_H

#include_next <linux/dma-buf.h>

/* The argument of MODULE_IMPORT_NS(): a string since 6.13, a bare word before. */
#ifdef RXE_HAVE_IMPORT_NS_STRING
#define RXE_NS_DMA_BUF "DMA_BUF"
#else
#define RXE_NS_DMA_BUF DMA_BUF
#endif

/* Before 6.2, dma_buf_vmap() was the function that takes no lock. */
#ifndef RXE_HAVE_DMA_BUF_VMAP_UNLOCKED
#define dma_buf_vmap_unlocked	dma_buf_vmap
#define dma_buf_vunmap_unlocked dma_buf_vunmap
#endif

#endif
