/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPAT_LINUX_DMA_BUF_H
#define COMPAT_LINUX_DMA_BUF_H

#include_next <linux/dma-buf.h>

/* What MODULE_IMPORT_NS() wants for the namespace of these symbols: a string, or a word. */
#ifdef RXE_HAVE_IMPORT_NS_STRING
#define RXE_NS_DMA_BUF "DMA_BUF"
#else
#define RXE_NS_DMA_BUF DMA_BUF
#endif

/* Mapping came without a lock before there were two of it. */
#ifndef RXE_HAVE_DMA_BUF_VMAP_UNLOCKED
#define dma_buf_vmap_unlocked	dma_buf_vmap
#define dma_buf_vunmap_unlocked dma_buf_vunmap
#endif

#endif
