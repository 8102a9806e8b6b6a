/* SPDX-License-Identifier: GPL-2.0 */
/*
 * uverbs commands that some versions of the device's library lack, issued directly.
 */
#ifndef TEST_UVERBS_H
#define TEST_UVERBS_H

#include <infiniband/verbs.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <stddef.h>
#include <stdint.h>

#define UVERBS_CALL_ATTRS 9
#define UVERBS_ATTR(id, size, value) \
	{                                                                                     \
		.attr_id = UVERBS_ATTR_##id, .len = (size), .flags = UVERBS_ATTR_F_MANDATORY, \
		.data = (value)                                                               \
	}

/*
 * Issue a command with @n attributes (at most UVERBS_CALL_ATTRS), which the kernel may modify.
 * Return: 0, or the error.
 */
int uverbs_call(struct ibv_context *ctx, uint16_t object, uint16_t method,
		struct ib_uverbs_attr *attrs, size_t n);

/**
 * struct uverbs_region - a region of a dma-buf
 * @handle: the kernel's handle of the MR
 * @lkey: local key
 * @rkey: remote key
 */
struct uverbs_region {
	uint32_t handle;
	uint32_t lkey;
	uint32_t rkey;
};

/* As ibv_reg_dmabuf_mr(). Return: 0, or the error. */
int pd_reg_dmabuf(struct ibv_pd *pd, struct uverbs_region *r, int fd, uint64_t offset,
		  uint64_t length, uint64_t iova, uint64_t access);

/* ibv_advise_mr(). Return: 0, or the error. */
int pd_advise(struct ibv_pd *pd, uint64_t advice, uint64_t flags, struct ibv_sge *sge, uint32_t n);

/*
 * Re-register a region as @flags specify (IBV_REREG_MR_CHANGE_*). Return: 0, or the error, which is
 * also in errno.
 */
int mr_rereg(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *addr, size_t length,
	     int access);

/*
 * Read the length and the address that the kernel reports of a region, as ibv_import_mr() does.
 * Return: 0, or the error.
 */
int mr_query(struct ibv_context *ctx, uint32_t handle, uint64_t *length, uint64_t *iova);

#endif
