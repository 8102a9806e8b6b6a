/* SPDX-License-Identifier: GPL-2.0 */
/*
 * struct iosys_map, the address of a mapped buffer. It was struct dma_buf_map before, and
 * dma_buf_vmap() of still older kernels returns the bare address of memory.
 */
#ifndef COMPAT_LINUX_IOSYS_MAP_H
#define COMPAT_LINUX_IOSYS_MAP_H

#if defined(RXE_HAVE_IOSYS_MAP_H)
#include_next <linux/iosys-map.h>
#elif defined(RXE_HAVE_DMA_BUF_MAP_H)
#include <linux/dma-buf-map.h>
#define iosys_map dma_buf_map
#else
#include <linux/types.h>

struct iosys_map {
	void *vaddr;
	bool is_iomem;
};
#endif

#endif
