/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Commands of the kernel that not all libraries of the device have, given to it directly.
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
 * A command with @n attributes, UVERBS_CALL_ATTRS at most, which the kernel may change. Return: 0,
 * or the error.
 */
int uverbs_call(struct ibv_context *ctx, uint16_t object, uint16_t method,
		struct ib_uverbs_attr *attrs, size_t n);

/* ibv_advise_mr(). Return: 0, or the error. */
int pd_advise(struct ibv_pd *pd, uint64_t advice, uint64_t flags, struct ibv_sge *sge, uint32_t n);

/*
 * Changes a region as @flags say (IBV_REREG_MR_CHANGE_*). Return: 0, or the error, in errno as
 * well.
 */
int mr_rereg(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *addr, size_t length,
	     int access);

#endif
