// SPDX-License-Identifier: GPL-2.0
/* uverbs commands issued directly. */
#include <errno.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_ioctl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "uverbs.h"

int mr_rereg(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *addr, size_t length,
	     int access)
{
	struct ib_uverbs_rereg_mr_resp resp;
	struct {
		struct ib_uverbs_cmd_hdr hdr;
		struct ib_uverbs_rereg_mr cmd;
	} req = {
		.hdr = { IB_USER_VERBS_CMD_REREG_MR, sizeof(req) / 4, sizeof(resp) / 4 },
		.cmd = {
			.response = (uintptr_t)&resp,
			.mr_handle = mr->handle,
			.flags = flags,
			.start = (uintptr_t)addr,
			.length = length,
			.hca_va = (uintptr_t)addr,
			.pd_handle = pd ? pd->handle : 0,
			.access_flags = access,
		},
	};

	if (write(mr->context->cmd_fd, &req, sizeof(req)) != sizeof(req))
		return errno;
	mr->lkey = resp.lkey;
	mr->rkey = resp.rkey;
	return 0;
}

int uverbs_call(struct ibv_context *ctx, uint16_t object, uint16_t method,
		struct ib_uverbs_attr *attrs, size_t n)
{
	struct {
		struct ib_uverbs_ioctl_hdr hdr;
		struct ib_uverbs_attr attrs[UVERBS_CALL_ATTRS];
	} cmd = {
		.hdr = {
			.length = sizeof(cmd.hdr) + n * sizeof(*attrs),
			.object_id = object,
			.method_id = method,
			.num_attrs = n,
			.driver_id = RDMA_DRIVER_RXE,
		},
	};

	memcpy(cmd.attrs, attrs, n * sizeof(*attrs));
	if (ioctl(ctx->cmd_fd, RDMA_VERBS_IOCTL, &cmd))
		return errno;
	memcpy(attrs, cmd.attrs, n * sizeof(*attrs));
	return 0;
}

int pd_reg_dmabuf(struct ibv_pd *pd, struct uverbs_region *r, int fd, uint64_t offset,
		  uint64_t length, uint64_t iova, uint64_t access)
{
	struct ib_uverbs_attr attrs[] = {
		UVERBS_ATTR(REG_DMABUF_MR_HANDLE, 0, 0),
		UVERBS_ATTR(REG_DMABUF_MR_PD_HANDLE, 0, pd->handle),
		UVERBS_ATTR(REG_DMABUF_MR_OFFSET, sizeof(offset), offset),
		UVERBS_ATTR(REG_DMABUF_MR_LENGTH, sizeof(length), length),
		UVERBS_ATTR(REG_DMABUF_MR_IOVA, sizeof(iova), iova),
		UVERBS_ATTR(REG_DMABUF_MR_FD, sizeof(uint32_t), (uint32_t)fd),
		UVERBS_ATTR(REG_DMABUF_MR_ACCESS_FLAGS, sizeof(access), access),
		UVERBS_ATTR(REG_DMABUF_MR_RESP_LKEY, sizeof(r->lkey), (uintptr_t)&r->lkey),
		UVERBS_ATTR(REG_DMABUF_MR_RESP_RKEY, sizeof(r->rkey), (uintptr_t)&r->rkey),
	};
	int err;

	err = uverbs_call(pd->context, UVERBS_OBJECT_MR, UVERBS_METHOD_REG_DMABUF_MR, attrs, 9);
	r->handle = attrs[0].data;
	return err;
}

int pd_advise(struct ibv_pd *pd, uint64_t advice, uint64_t flags, struct ibv_sge *sge, uint32_t n)
{
	struct ib_uverbs_attr attrs[] = {
		UVERBS_ATTR(ADVISE_MR_PD_HANDLE, 0, pd->handle),
		UVERBS_ATTR(ADVISE_MR_ADVICE, sizeof(advice), advice),
		UVERBS_ATTR(ADVISE_MR_FLAGS, sizeof(flags), flags),
		UVERBS_ATTR(ADVISE_MR_SGE_LIST, n * sizeof(*sge), (uintptr_t)sge),
	};

	return uverbs_call(pd->context, UVERBS_OBJECT_MR, UVERBS_METHOD_ADVISE_MR, attrs, 4);
}

int mr_query(struct ibv_context *ctx, uint32_t handle, uint64_t *length, uint64_t *iova)
{
	uint32_t lkey, rkey;
	struct ib_uverbs_attr attrs[] = {
		UVERBS_ATTR(QUERY_MR_HANDLE, 0, handle),
		UVERBS_ATTR(QUERY_MR_RESP_LKEY, sizeof(lkey), (uintptr_t)&lkey),
		UVERBS_ATTR(QUERY_MR_RESP_RKEY, sizeof(rkey), (uintptr_t)&rkey),
		UVERBS_ATTR(QUERY_MR_RESP_LENGTH, sizeof(*length), (uintptr_t)length),
		UVERBS_ATTR(QUERY_MR_RESP_IOVA, sizeof(*iova), (uintptr_t)iova),
	};

	return uverbs_call(ctx, UVERBS_OBJECT_MR, UVERBS_METHOD_QUERY_MR, attrs, 5);
}
