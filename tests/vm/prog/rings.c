// SPDX-License-Identifier: GPL-2.0
/* Rings shared with the kernel, found by wrapping mmap(). */
#include <rdma/ib_user_verbs.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rings.h"

struct rxe_queue_buf *ring_mapped[4];
unsigned int rings_mapped;

void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t off)
{
	void *p = (void *)syscall(SYS_mmap, addr, len, prot, flags, fd, off);

	if (fd >= 0 && p != MAP_FAILED && (flags & MAP_SHARED))
		ring_mapped[rings_mapped++ % 4] = p;
	return p;
}

void *mmap64(void *addr, size_t len, int prot, int flags, int fd, off_t off)
{
	return mmap(addr, len, prot, flags, fd, off);
}

void ring_doorbell(const struct side *s)
{
	struct {
		struct ib_uverbs_cmd_hdr hdr;
		struct ib_uverbs_post_send cmd;
	} msg = {
		.hdr.command = IB_USER_VERBS_CMD_POST_SEND,
		.hdr.in_words = sizeof(msg) / 4,
		.hdr.out_words = sizeof(struct ib_uverbs_post_send_resp) / 4,
		.cmd.qp_handle = s->qp->handle,
		.cmd.wqe_size = sizeof(struct ib_uverbs_send_wr),
	};
	struct ib_uverbs_post_send_resp resp;

	msg.cmd.response = (uintptr_t)&resp;
	if (write(s->ctx->cmd_fd, &msg, sizeof(msg)) != sizeof(msg))
		die("the doorbell failed: %m");
}
