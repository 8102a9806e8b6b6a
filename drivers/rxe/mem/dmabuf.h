/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dma-bufs: memory that another driver shares. The CPU copies, so that the memory needs a kernel
 * address: memory that only devices can access is rejected.
 */
#ifndef RXE_DMABUF_H
#define RXE_DMABUF_H

#include <linux/types.h>

struct rxe_dmabuf;

/**
 * rxe_dmabuf_get() - take a reference to a dma-buf, and map it
 * @fd: file descriptor of the calling process
 * @offset: first byte wanted
 * @length: bytes wanted
 * @base: result: kernel address of byte @offset
 *
 * The mapping pins the buffer: its driver does not move it.
 *
 * Context: process, may sleep.
 *
 * Return: the dma-buf, to be released by rxe_dmabuf_put(); or ERR_PTR: -EBADF or -EINVAL: @fd is no
 * dma-buf, the range exceeds it, or its driver does not map it; -EOPNOTSUPP: it is I/O memory.
 */
struct rxe_dmabuf *rxe_dmabuf_get(int fd, u64 offset, u64 length, void **base);

/* Unmap and release the dma-buf; NULL is allowed. Context: process, may sleep. */
void rxe_dmabuf_put(struct rxe_dmabuf *buf);

#endif
