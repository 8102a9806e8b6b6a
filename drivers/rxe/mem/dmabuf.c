// SPDX-License-Identifier: GPL-2.0
/* dma-buf memory regions: pin and map the buffer of an exporter. */
#include <linux/dma-buf.h>
#include <linux/err.h>
#include <linux/iosys-map.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "mem/dmabuf.h"

/**
 * struct rxe_dmabuf - a mapped dma-buf
 * @buf: the buffer, with a reference
 * @map: its mapping, which pins it
 */
struct rxe_dmabuf {
	struct dma_buf *buf;
	struct iosys_map map;
};

static bool rxe_dmabuf_covers(const struct dma_buf *buf, u64 offset, u64 length)
{
	return length && offset <= buf->size && length <= buf->size - offset;
}

static int rxe_dmabuf_map(struct rxe_dmabuf *d)
{
	int err = dma_buf_vmap_unlocked(d->buf, &d->map);

	if (err)
		return err;
	if (d->map.is_iomem)
		err = -EOPNOTSUPP;
	else
		err = dma_buf_begin_cpu_access(d->buf, DMA_BIDIRECTIONAL);
	if (err)
		dma_buf_vunmap_unlocked(d->buf, &d->map);
	return err;
}

struct rxe_dmabuf *rxe_dmabuf_get(int fd, u64 offset, u64 length, void **base)
{
	struct rxe_dmabuf *d = kzalloc(sizeof(*d), GFP_KERNEL_ACCOUNT);
	int err;

	if (!d)
		return ERR_PTR(-ENOMEM);
	d->buf = dma_buf_get(fd);
	if (IS_ERR(d->buf)) {
		err = PTR_ERR(d->buf);
		goto err_free;
	}
	err = rxe_dmabuf_covers(d->buf, offset, length) ? rxe_dmabuf_map(d) : -EINVAL;
	if (err)
		goto err_put;
	*base = d->map.vaddr + offset;
	return d;

err_put:
	dma_buf_put(d->buf);
err_free:
	kfree(d);
	return ERR_PTR(err);
}

void rxe_dmabuf_put(struct rxe_dmabuf *d)
{
	if (!d)
		return;
	dma_buf_end_cpu_access(d->buf, DMA_BIDIRECTIONAL);
	dma_buf_vunmap_unlocked(d->buf, &d->map);
	dma_buf_put(d->buf);
	kfree(d);
}

MODULE_IMPORT_NS(RXE_NS_DMA_BUF);
