/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory of another driver, which shares it as a dma-buf. We copy by CPU, so that it has to have
 * kernel addresses: what only devices can reach is refused.
 */
#ifndef RXE_DMABUF_H
#define RXE_DMABUF_H

#include <linux/types.h>

struct rxe_dmabuf;

/**
 * rxe_dmabuf_open() - get hold of a dma-buf, which stays where it is from now on
 * @fd: file descriptor of the caller's
 * @offset: first byte wanted
 * @length: bytes wanted
 * @base: result: kernel address of the first byte
 *
 * Context: process.
 *
 * Return: the dma-buf, to be released by rxe_dmabuf_close(); or ERR_PTR: -EBADF, -EINVAL: no
 * dma-buf, not as long, or one that its driver does not map; -EOPNOTSUPP: it lies on a device.
 */
struct rxe_dmabuf *rxe_dmabuf_open(int fd, u64 offset, u64 length, void **base);

/* NULL is none. Context: process. */
void rxe_dmabuf_close(struct rxe_dmabuf *buf);

#endif
