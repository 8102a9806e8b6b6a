// SPDX-License-Identifier: GPL-2.0
/*
 * Test memory regions of dma-bufs: a peer writes to, reads from and executes atomics on one; local
 * operations use it as source and destination; it outlives all other references to the buffer; file
 * descriptors of other kinds and ranges outside the buffer are rejected.
 *
 * 	dmabuf DEVICE_A GID_INDEX DEVICE_B GID_INDEX
 *
 * The buffer is B's. /dev/udmabuf makes it from B's own memory, or vgem, a graphics driver without
 * hardware, allocates it, if the kernel has them. The device's user libraries have no call to
 * register a dma-buf, so the program issues the kernel's command.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libdrm/drm.h>
#include <linux/udmabuf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pair.h"
#include "uverbs.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define SIZE	      (64 * 4096u)
#define OFFSET	      5000u /* not at the beginning of a page */
#define LENGTH	      (SIZE - OFFSET - 1000)
#define IOVA	      (0x700000000000ull + OFFSET)
#define FULL                                                                      \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | \
	 IBV_ACCESS_REMOTE_ATOMIC)

static struct side a, b;

/* Return: 0 or the error. */
static int reg(struct uverbs_region *r, int fd, uint64_t offset, uint64_t length, uint64_t iova,
	       uint64_t access)
{
	return pd_reg_dmabuf(b.pd, r, fd, offset, length, iova, access);
}

static void dereg(const struct uverbs_region *r)
{
	struct ib_uverbs_attr attr = UVERBS_ATTR(DESTROY_MR_HANDLE, 0, r->handle);
	int err = uverbs_call(b.ctx, UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY, &attr, 1);

	if (err)
		die("cannot deregister: %s", strerror(err));
}

static int memory(void)
{
	int fd = memfd_create("dmabuf", MFD_ALLOW_SEALING);

	if (fd < 0 || ftruncate(fd, SIZE) || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK))
		die("memfd: %s", strerror(errno));
	return fd;
}

/* Make a dma-buf of the pages of *@mem; -1 if the kernel does not support it. */
static int udmabuf(int *mem)
{
	struct udmabuf_create create = { .size = SIZE };
	int dev = open("/dev/udmabuf", O_RDWR), buf;

	if (dev < 0)
		return -1;
	*mem = create.memfd = memory();
	buf = ioctl(dev, UDMABUF_CREATE, &create);
	if (buf < 0)
		die("udmabuf: %s", strerror(errno));
	close(dev);
	return buf;
}

/* Allocate an image of 256 x 256 pixels; -1 if there is no graphics driver. */
static int vgem(int *mem)
{
	struct drm_mode_create_dumb create = { .width = 256, .height = 256, .bpp = 32 };
	struct drm_prime_handle prime = { .flags = DRM_CLOEXEC | DRM_RDWR };
	int dev = open("/dev/dri/card0", O_RDWR);

	if (dev < 0)
		return -1;
	if (ioctl(dev, DRM_IOCTL_MODE_CREATE_DUMB, &create) || create.size != SIZE)
		die("vgem: no %u bytes: %s", SIZE, strerror(errno));
	prime.handle = create.handle;
	if (ioctl(dev, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime))
		die("vgem: %s", strerror(errno));
	close(dev);
	*mem = dup(prime.fd);
	return prime.fd;
}

static void pair_up(void)
{
	struct pair_attr attr = { .mtu = IBV_MTU_1024, .timeout = 14, .psn = 0xfffff0 };

	pair_create(&a, &b, &attr);
}

/* Post a work request of @s, from or to its memory at @local. */
static void post(struct side *s, enum ibv_wr_opcode opcode, uint64_t local, uint32_t lkey,
		 uint32_t len, uint64_t remote, uint32_t rkey)
{
	struct ibv_sge sge = { local, len, lkey };
	struct ibv_send_wr *bad, wr = {
		.wr_id = 1,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = opcode,
		.send_flags = IBV_SEND_SIGNALED,
	};

	if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		wr.wr.atomic.remote_addr = remote;
		wr.wr.atomic.rkey = rkey;
		wr.wr.atomic.compare_add = 5;
	} else {
		wr.wr.rdma.remote_addr = remote;
		wr.wr.rdma.rkey = rkey;
	}
	if (ibv_post_send(s->qp, &wr, &bad))
		die("posting failed");
}

static void done(struct side *s)
{
	struct ibv_wc wc;

	side_expect(s, 1, IBV_WC_SUCCESS, &wc);
}

static void same(const void *p, const void *q, size_t len, const char *what)
{
	if (memcmp(p, q, len))
		die("%s: other bytes", what);
}

static void fill(uint8_t *p, size_t len, uint32_t seed)
{
	size_t i;

	for (i = 0; i < len; i++)
		p[i] = (seed + i) * 2654435761u >> 24;
}

/* @mem is the process's mapping of the buffer. */
static void test_remote(const struct uverbs_region *r, uint8_t *mem)
{
	uint64_t value = 7, at = 4096 * 3 - OFFSET, length = 0, iova = 0;

	if (mr_query(b.ctx, r->handle, &length, &iova) || length != LENGTH || iova != IOVA)
		die("the kernel reports %llu bytes at %#llx", (unsigned long long)length,
		    (unsigned long long)iova);

	fill(a.buf, LENGTH, 1);
	post(&a, IBV_WR_RDMA_WRITE, (uintptr_t)a.buf, a.mr->lkey, LENGTH, IOVA, r->rkey);
	done(&a);
	same(a.buf, mem + OFFSET, LENGTH, "WRITE");

	fill(mem + OFFSET, LENGTH, 2);
	post(&a, IBV_WR_RDMA_READ, (uintptr_t)a.buf, a.mr->lkey, LENGTH, IOVA, r->rkey);
	done(&a);
	same(a.buf, mem + OFFSET, LENGTH, "READ");

	memcpy(mem + OFFSET + at, &value, sizeof(value));
	post(&a, IBV_WR_ATOMIC_FETCH_AND_ADD, (uintptr_t)a.buf, a.mr->lkey, 8, IOVA + at, r->rkey);
	done(&a);
	same(a.buf, &value, sizeof(value), "what was there before FETCH AND ADD");
	value += 5;
	same(mem + OFFSET + at, &value, sizeof(value), "FETCH AND ADD");
}

static void test_local(const struct uverbs_region *r, uint8_t *mem)
{
	struct ibv_sge sge = { IOVA, LENGTH, r->lkey };
	struct ibv_recv_wr *bad, wr = { .wr_id = 1, .sg_list = &sge, .num_sge = 1 };

	fill(a.buf, LENGTH, 3);
	if (ibv_post_recv(b.qp, &wr, &bad))
		die("cannot post a receive");
	post(&a, IBV_WR_SEND, (uintptr_t)a.buf, a.mr->lkey, LENGTH, 0, 0);
	done(&a);
	done(&b);
	same(a.buf, mem + OFFSET, LENGTH, "receiving");

	fill(mem + OFFSET, LENGTH, 4);
	post(&b, IBV_WR_RDMA_WRITE, IOVA, r->lkey, LENGTH, (uintptr_t)a.buf, a.mr->rkey);
	done(&b);
	same(a.buf, mem + OFFSET, LENGTH, "sending");
}

/* Each rejected request ends the connection. */
static void refused(const char *what, enum ibv_wr_opcode opcode, uint32_t len, uint64_t remote,
		    uint32_t rkey)
{
	struct ibv_wc wc;

	pair_up();
	post(&a, opcode, (uintptr_t)a.buf, a.mr->lkey, len, remote, rkey);
	side_wait(&a, &wc);
	if (wc.status != IBV_WC_REM_ACCESS_ERR)
		die("%s: %s", what, ibv_wc_status_str(wc.status));
	pair_destroy(&a, &b);
}

static void test_access(const struct uverbs_region *r, int buf)
{
	struct uverbs_region read_only;
	int err = reg(&read_only, buf, OFFSET, LENGTH, IOVA, IBV_ACCESS_REMOTE_READ);

	if (err)
		die("read-only: %s", strerror(err));
	refused("a byte behind the end", IBV_WR_RDMA_WRITE, 2, IOVA + LENGTH - 1, r->rkey);
	refused("a byte before the beginning", IBV_WR_RDMA_READ, 2, IOVA - 1, r->rkey);
	refused("a WRITE to what is to be read", IBV_WR_RDMA_WRITE, 1, IOVA, read_only.rkey);
	dereg(&read_only);
	refused("what has been deregistered", IBV_WR_RDMA_READ, 1, IOVA, read_only.rkey);
}

struct bad_row {
	const char *what;
	uint64_t offset, length, iova;
	int error;
};

static const struct bad_row bad_rows[] = {
	{ "nothing", 0, 0, 0, EINVAL },
	{ "a byte too long", 0, SIZE + 1, 0, EINVAL },
	{ "behind the end", SIZE, 1, 0, EINVAL },
	{ "a length that wraps", 4096, UINT64_MAX - 100, 0, EINVAL },
	{ "an offset that wraps", UINT64_MAX - 4095, 8192, 0, EINVAL },
	{ "addresses that wrap", 0, 8192, UINT64_MAX - 4095, EINVAL },
	{ "another place in the page", 8, 64, 0, EINVAL },
};

static void test_refusals(int buf)
{
	struct uverbs_region r;
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(bad_rows); i++) {
		const struct bad_row *row = &bad_rows[i];

		err = reg(&r, buf, row->offset, row->length, row->iova, FULL);
		if (err != row->error)
			die("%s: %s", row->what, strerror(err));
	}
}

static void test_no_dmabuf(void)
{
	struct uverbs_region r;
	int fd = memory();
	int err = reg(&r, fd, 0, 4096, 0, FULL);

	if (err != EINVAL)
		die("a file that is no dma-buf: %s", strerror(err));
	err = reg(&r, 1000, 0, 4096, 0, FULL);
	if (err != EBADF)
		die("no file: %s", strerror(err));
	close(fd);
}

/* The process maps @fd to access the bytes of @buf. Closes both. */
static void test_buffer(int fd, int buf)
{
	uint8_t *mem = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	struct uverbs_region r;
	int err;

	if (mem == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	err = reg(&r, buf, OFFSET, LENGTH, IOVA, FULL);
	if (err)
		die("a dma-buf: %s", strerror(err));
	pair_up();
	test_remote(&r, mem);
	test_local(&r, mem);
	pair_destroy(&a, &b);
	test_access(&r, buf);

	/* From here on, only the region holds a reference to the buffer. */
	close(buf);
	close(fd);
	pair_up();
	test_remote(&r, mem);
	pair_destroy(&a, &b);
	dereg(&r);
	munmap(mem, SIZE);
}

static const struct source {
	const char *name;
	int (*make)(int *mem);
} sources[] = {
	{ "udmabuf", udmabuf },
	{ "vgem", vgem },
};

int main(int argc, char **argv)
{
	unsigned int tested = 0;
	int buf, mem;
	size_t i;

	if (argc != 5)
		die("usage: dmabuf DEVICE_A GID_INDEX DEVICE_B GID_INDEX");
	side_open(&a, argv[1], atoi(argv[2]), SIZE);
	side_open(&b, argv[3], atoi(argv[4]), SIZE);
	test_no_dmabuf();
	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		buf = sources[i].make(&mem);
		if (buf < 0)
			continue;
		test_refusals(buf);
		test_buffer(mem, buf);
		printf("%s%s", tested++ ? " and " : "dma-bufs as they should be: ",
		       sources[i].name);
	}
	printf("%s\n", tested ? "" : "no exporter of dma-bufs here: refusals only");
	side_close(&a);
	side_close(&b);
	return 0;
}
