// SPDX-License-Identifier: GPL-2.0
/*
 * Test the verbs as kernel consumers use them: posting, polling and notification, shared receive
 * queues, and fast registration with invalidations and flushes.
 *
 * Uses the two devices "rxe_a" and "rxe_b", which must reach each other. Loading the module runs
 * the
 * tests. It fails if one of them fails; otherwise the module stays loaded.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <net/ipv6.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_verbs.h>

#define PAGES	 4
#define SG_OFF	 100 /* offset in the first page */
#define BUF	 (PAGES * PAGE_SIZE)
#define LENGTH	 (BUF - SG_OFF)
#define LIMIT	 (20 * HZ)
#define MAX_WR	 64
#define ACCESS	 (IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ)

static unsigned int rounds = 50;
module_param(rounds, uint, 0444);
MODULE_PARM_DESC(rounds, "invalidations of memory that is being written to");

/**
 * struct side - one end
 * @buf: BUF contiguous bytes
 * @pages: BUF bytes in PAGES separate pages, listed in @sg from SG_OFF on
 * @mr: fast registration of @pages
 */
struct side {
	struct ib_device *dev;
	struct ib_pd *pd;
	struct ib_cq *cq;
	struct ib_qp *qp;
	struct ib_srq *srq;
	struct completion comp;
	void *buf;
	struct page *pages[PAGES];
	struct scatterlist sg[PAGES];
	struct ib_mr *mr;
	union ib_gid gid;
	int gid_index;
};

static struct side a, b;

#define CHECK(cond)                                                                   \
	do {                                                                          \
		if (!(cond)) {                                                        \
			pr_err("%s:%d: failed: %s\n", __func__, __LINE__, #cond);     \
			return -EINVAL;                                               \
		}                                                                     \
	} while (0)

#define EQUAL(got, want)                                                              \
	do {                                                                          \
		long got_ = (got), want_ = (want);                                    \
		if (got_ != want_) {                                                  \
			pr_err("%s:%d: %s is %ld, not %ld\n", __func__, __LINE__,     \
			       #got, got_, want_);                                    \
			return -EINVAL;                                               \
		}                                                                     \
	} while (0)

#define TRY(call)                                                                     \
	do {                                                                          \
		int err_ = (call);                                                    \
		if (err_) {                                                           \
			pr_err("%s:%d: %s: %d\n", __func__, __LINE__, #call, err_);   \
			return err_;                                                  \
		}                                                                     \
	} while (0)

/* Of the consumer: its handler takes it, and it posts with it held. */
static DEFINE_SPINLOCK(consumer);

static void on_completion(struct ib_cq *cq, void *context)
{
	unsigned long flags;

	spin_lock_irqsave(&consumer, flags);
	complete(&((struct side *)context)->comp);
	spin_unlock_irqrestore(&consumer, flags);
}

/* Get the next completion: poll, arm the CQ, poll again, sleep. */
static int wait_wc(struct side *s, struct ib_wc *wc)
{
	unsigned long end = jiffies + LIMIT;

	memset(wc, 0, sizeof(*wc));
	while (time_before(jiffies, end)) {
		if (ib_poll_cq(s->cq, 1, wc) == 1)
			return 0;
		if (ib_req_notify_cq(s->cq, IB_CQ_NEXT_COMP | IB_CQ_REPORT_MISSED_EVENTS) > 0)
			continue;
		wait_for_completion_timeout(&s->comp, LIMIT);
	}
	pr_err("no completion in %u s\n", LIMIT / HZ);
	return -ETIMEDOUT;
}

static int expect_wc(struct side *s, enum ib_wc_status status, enum ib_wc_opcode opcode)
{
	struct ib_wc wc;

	TRY(wait_wc(s, &wc));
	EQUAL(wc.status, status);
	if (status == IB_WC_SUCCESS)
		EQUAL(wc.opcode, opcode);
	CHECK(wc.qp == s->qp);
	return 0;
}

/*
 * Setup.
 */

static int find_gid(struct side *s)
{
	const struct ib_gid_attr *attr;
	int i;
	bool found;

	for (i = 0; i < 64; i++) {
		attr = rdma_get_gid_attr(s->dev, 1, i);
		if (IS_ERR(attr))
			continue;
		found = attr->gid_type == IB_GID_TYPE_ROCE_UDP_ENCAP &&
			ipv6_addr_v4mapped((struct in6_addr *)&attr->gid);
		s->gid = attr->gid;
		s->gid_index = i;
		rdma_put_gid_attr(attr);
		if (found)
			return 0;
	}
	return -ENOENT;
}

static int open_side(struct side *s)
{
	struct ib_cq_init_attr cq_attr = { .cqe = 4 * MAX_WR };
	int i;

	CHECK(s->dev);
	init_completion(&s->comp);
	TRY(find_gid(s));
	s->pd = ib_alloc_pd(s->dev, 0);
	TRY(PTR_ERR_OR_ZERO(s->pd));
	s->cq = ib_create_cq(s->dev, on_completion, NULL, s, &cq_attr);
	TRY(PTR_ERR_OR_ZERO(s->cq));
	s->mr = ib_alloc_mr(s->pd, IB_MR_TYPE_MEM_REG, PAGES);
	TRY(PTR_ERR_OR_ZERO(s->mr));
	s->buf = (void *)__get_free_pages(GFP_KERNEL, get_order(BUF));
	CHECK(s->buf);
	sg_init_table(s->sg, PAGES);
	/* In descending order, so that the pages are not contiguous. */
	for (i = 0; i < PAGES; i++) {
		s->pages[i] = alloc_page(GFP_KERNEL | __GFP_ZERO);
		CHECK(s->pages[i]);
	}
	for (i = 0; i < PAGES; i++)
		sg_set_page(&s->sg[i], s->pages[PAGES - 1 - i], i ? PAGE_SIZE : PAGE_SIZE - SG_OFF,
			    i ? 0 : SG_OFF);
	EQUAL(ib_dma_map_sg(s->dev, s->sg, PAGES, DMA_BIDIRECTIONAL), PAGES);
	return 0;
}

static int close_side(struct side *s)
{
	int i;

	for (i = 0; i < PAGES; i++)
		if (s->pages[i])
			__free_page(s->pages[i]);
	free_pages((unsigned long)s->buf, get_order(BUF));
	if (!IS_ERR_OR_NULL(s->mr))
		TRY(ib_dereg_mr(s->mr));
	if (!IS_ERR_OR_NULL(s->cq))
		ib_destroy_cq(s->cq);
	if (!IS_ERR_OR_NULL(s->pd))
		ib_dealloc_pd(s->pd);
	return 0;
}

static int create_qp(struct side *s)
{
	struct ib_qp_init_attr init = {
		.send_cq = s->cq,
		.recv_cq = s->cq,
		.srq = s->srq,
		.cap = { .max_send_wr = MAX_WR,
			 .max_recv_wr = MAX_WR,
			 .max_send_sge = 2,
			 .max_recv_sge = 2,
			 .max_inline_data = 64 },
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.qp_type = IB_QPT_RC,
	};

	s->qp = ib_create_qp(s->pd, &init);
	return PTR_ERR_OR_ZERO(s->qp);
}

static int connect_to(struct side *s, const struct side *peer)
{
	struct ib_qp_attr attr = {
		.qp_state = IB_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = ACCESS,
	};

	TRY(ib_modify_qp(s->qp, &attr,
			 IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS));
	attr.qp_state = IB_QPS_RTR;
	attr.path_mtu = IB_MTU_1024;
	attr.dest_qp_num = peer->qp->qp_num;
	attr.rq_psn = 0xfffff0;
	attr.max_dest_rd_atomic = 4;
	attr.min_rnr_timer = 1;
	attr.ah_attr.type = RDMA_AH_ATTR_TYPE_ROCE;
	rdma_ah_set_grh(&attr.ah_attr, (union ib_gid *)&peer->gid, 0, s->gid_index, 64, 0);
	rdma_ah_set_port_num(&attr.ah_attr, 1);
	TRY(ib_modify_qp(s->qp, &attr,
			 IB_QP_STATE | IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN |
				 IB_QP_MAX_DEST_RD_ATOMIC | IB_QP_MIN_RNR_TIMER));
	attr.qp_state = IB_QPS_RTS;
	attr.timeout = 14;
	attr.retry_cnt = 7;
	attr.rnr_retry = 7;
	attr.sq_psn = 0xfffff0;
	attr.max_rd_atomic = 4;
	TRY(ib_modify_qp(s->qp, &attr,
			 IB_QP_STATE | IB_QP_TIMEOUT | IB_QP_RETRY_CNT | IB_QP_RNR_RETRY |
				 IB_QP_SQ_PSN | IB_QP_MAX_QP_RD_ATOMIC));
	return 0;
}

static int connect_pair(void)
{
	TRY(create_qp(&a));
	TRY(create_qp(&b));
	TRY(connect_to(&a, &b));
	TRY(connect_to(&b, &a));
	return 0;
}

static void destroy_pair(void)
{
	struct ib_wc wc;

	if (!IS_ERR_OR_NULL(a.qp))
		ib_destroy_qp(a.qp);
	if (!IS_ERR_OR_NULL(b.qp))
		ib_destroy_qp(b.qp);
	a.qp = NULL;
	b.qp = NULL;
	while (!IS_ERR_OR_NULL(a.cq) && ib_poll_cq(a.cq, 1, &wc) > 0)
		;
	while (!IS_ERR_OR_NULL(b.cq) && ib_poll_cq(b.cq, 1, &wc) > 0)
		;
}

static int reconnect(void)
{
	destroy_pair();
	return connect_pair();
}

static int set_error(struct side *s)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_ERR };

	return ib_modify_qp(s->qp, &attr, IB_QP_STATE);
}

/*
 * Work requests.
 */

static int post_recv(struct side *s, void *buf, u32 len)
{
	struct ib_sge sge = { (uintptr_t)buf, len, s->pd->local_dma_lkey };
	struct ib_recv_wr wr = { .wr_id = 2, .sg_list = &sge, .num_sge = 1 };

	return s->srq ? ib_post_srq_recv(s->srq, &wr, NULL) : ib_post_recv(s->qp, &wr, NULL);
}

static int post_send(struct side *s, enum ib_wr_opcode opcode, u32 len, u32 inv_rkey, int flags)
{
	struct ib_sge sge = { (uintptr_t)s->buf, len, s->pd->local_dma_lkey };
	struct ib_send_wr wr = { .wr_id = 1,
				 .sg_list = &sge,
				 .num_sge = 1,
				 .opcode = opcode,
				 .send_flags = IB_SEND_SIGNALED | flags };

	wr.ex.invalidate_rkey = inv_rkey;
	return ib_post_send(s->qp, &wr, NULL);
}

static int post_rdma(struct side *s, enum ib_wr_opcode opcode, u64 addr, u32 len, u32 rkey)
{
	struct ib_sge sge = { (uintptr_t)s->buf, len, s->pd->local_dma_lkey };
	struct ib_rdma_wr wr = {
		.wr = { .wr_id = 1,
			.sg_list = &sge,
			.num_sge = 1,
			.opcode = opcode,
			.send_flags = IB_SEND_SIGNALED },
		.remote_addr = addr,
		.rkey = rkey,
	};

	return ib_post_send(s->qp, &wr.wr, NULL);
}

static int rdma(enum ib_wr_opcode opcode, u64 addr, u32 len, u32 rkey, enum ib_wc_status status)
{
	TRY(post_rdma(&a, opcode, addr, len, rkey));
	return expect_wc(&a, status,
			 opcode == IB_WR_RDMA_READ ? IB_WC_RDMA_READ : IB_WC_RDMA_WRITE);
}

static struct ib_send_wr inv_wr(u32 rkey)
{
	struct ib_send_wr wr = { .wr_id = 3,
				 .opcode = IB_WR_LOCAL_INV,
				 .send_flags = IB_SEND_SIGNALED };

	wr.ex.invalidate_rkey = rkey;
	return wr;
}

static int post_inv(struct side *s, u32 rkey)
{
	struct ib_send_wr wr = inv_wr(rkey);

	return ib_post_send(s->qp, &wr, NULL);
}

static int invalidate(struct side *s, u32 rkey)
{
	TRY(post_inv(s, rkey));
	return expect_wc(s, IB_WC_SUCCESS, IB_WC_LOCAL_INV);
}

static struct ib_reg_wr reg_wr_of(struct side *s)
{
	return (struct ib_reg_wr){
		.wr = { .wr_id = 4, .opcode = IB_WR_REG_MR, .send_flags = IB_SEND_SIGNALED },
		.mr = s->mr,
		.key = s->mr->rkey,
		.access = ACCESS,
	};
}

/* Map the pages, and increment the key. */
static int list_pages(struct side *s)
{
	EQUAL(ib_map_mr_sg(s->mr, s->sg, PAGES, NULL, PAGE_SIZE), PAGES);
	EQUAL(s->mr->length, LENGTH);
	ib_update_fast_reg_key(s->mr, ib_inc_rkey(s->mr->rkey));
	return 0;
}

static int post_reg(struct side *s)
{
	struct ib_reg_wr wr;

	TRY(list_pages(s));
	wr = reg_wr_of(s);
	return ib_post_send(s->qp, &wr.wr, NULL);
}

static int reg(struct side *s)
{
	TRY(post_reg(s));
	return expect_wc(s, IB_WC_SUCCESS, IB_WC_REG_MR);
}

/*
 * Tests. Each starts with a connected pair and B's region free.
 */

static int test_messages(void)
{
	struct ib_wc wc;

	get_random_bytes(a.buf, BUF);
	memset(b.buf, 0, BUF);
	TRY(post_recv(&b, b.buf, BUF));
	TRY(post_send(&a, IB_WR_SEND, BUF, 0, 0));
	TRY(expect_wc(&a, IB_WC_SUCCESS, IB_WC_SEND));
	TRY(wait_wc(&b, &wc));
	EQUAL(wc.status, IB_WC_SUCCESS);
	EQUAL(wc.opcode, IB_WC_RECV);
	EQUAL(wc.byte_len, BUF);
	EQUAL(wc.wr_id, 2);
	EQUAL(memcmp(a.buf, b.buf, BUF), 0);

	memset(b.buf, 0, BUF);
	TRY(post_recv(&b, b.buf, BUF));
	TRY(post_send(&a, IB_WR_SEND, 64, 0, IB_SEND_INLINE));
	memset(a.buf, 0xff, 64);
	TRY(expect_wc(&a, IB_WC_SUCCESS, IB_WC_SEND));
	TRY(expect_wc(&b, IB_WC_SUCCESS, IB_WC_RECV));
	CHECK(memcmp(a.buf, b.buf, 64));
	return 0;
}

static int test_refused(void)
{
	struct ib_reg_wr reg = reg_wr_of(&b);
	struct ib_sge sge[3] = {};
	struct ib_send_wr wr = { .opcode = IB_WR_SEND, .sg_list = sge, .num_sge = 3 };
	const struct ib_send_wr *bad = NULL;
	int i, err;

	EQUAL(ib_post_send(a.qp, &wr, &bad), -EINVAL);
	CHECK(bad == &wr);
	wr.num_sge = 0;
	wr.opcode = IB_WR_BIND_MW;
	EQUAL(ib_post_send(a.qp, &wr, NULL), -EOPNOTSUPP);
	wr.opcode = IB_WR_LSO;
	EQUAL(ib_post_send(a.qp, &wr, NULL), -EOPNOTSUPP);
	EQUAL(post_send(&a, IB_WR_SEND, 65, 0, IB_SEND_INLINE), -EINVAL);
	reg.key += 0x100;
	EQUAL(ib_post_send(b.qp, &reg.wr, NULL), -EINVAL);
	reg = reg_wr_of(&b);
	reg.access = IB_ACCESS_ON_DEMAND;
	EQUAL(ib_post_send(b.qp, &reg.wr, NULL), -EINVAL);
	EQUAL(PTR_ERR(ib_alloc_mr(b.pd, IB_MR_TYPE_MEM_REG,
				  b.dev->attrs.max_fast_reg_page_list_len + 1)),
	      -EINVAL);
	EQUAL(PTR_ERR(ib_alloc_mr(b.pd, IB_MR_TYPE_SG_GAPS,
				  b.dev->attrs.max_fast_reg_page_list_len + 1)),
	      -EINVAL);
	EQUAL(PTR_ERR(ib_alloc_mr(b.pd, IB_MR_TYPE_DM, 1)), -EOPNOTSUPP);
	/* The queue accepts as many receives as requested, and no more. */
	for (i = 0, err = 0; !err && i < 4 * MAX_WR; i++)
		err = post_recv(&b, b.buf, 8);
	EQUAL(err, -ENOMEM);
	CHECK(i > MAX_WR);
	return 0;
}

/* A region without mapped pages. */
static int test_unlisted(void)
{
	struct ib_mr *mr = ib_alloc_mr(b.pd, IB_MR_TYPE_MEM_REG, 1);
	struct ib_reg_wr wr = reg_wr_of(&b);
	int err;

	TRY(PTR_ERR_OR_ZERO(mr));
	wr.mr = mr;
	wr.key = mr->rkey;
	err = ib_post_send(b.qp, &wr.wr, NULL);
	if (!err)
		err = expect_wc(&b, IB_WC_LOC_QP_OP_ERR, 0);
	TRY(ib_dereg_mr(mr));
	return err;
}

static int test_register(void)
{
	u64 iova;
	u32 rkey;

	TRY(reg(&b));
	iova = b.mr->iova;
	rkey = b.mr->rkey;
	get_random_bytes(a.buf, BUF);
	TRY(rdma(IB_WR_RDMA_WRITE, iova, LENGTH, rkey, IB_WC_SUCCESS));
	EQUAL(memcmp(a.buf, page_address(b.pages[PAGES - 1]) + SG_OFF, PAGE_SIZE - SG_OFF), 0);
	EQUAL(memcmp(a.buf + LENGTH - PAGE_SIZE, page_address(b.pages[0]), PAGE_SIZE), 0);
	memcpy(b.buf, a.buf, LENGTH);
	memset(a.buf, 0, BUF);
	TRY(rdma(IB_WR_RDMA_READ, iova + 1, LENGTH - 1, rkey, IB_WC_SUCCESS));
	EQUAL(memcmp(a.buf, b.buf + 1, LENGTH - 1), 0);
	TRY(rdma(IB_WR_RDMA_WRITE, iova + 1, LENGTH, rkey, IB_WC_REM_ACCESS_ERR));
	TRY(reconnect());
	TRY(rdma(IB_WR_RDMA_WRITE, iova - 1, 8, rkey, IB_WC_REM_ACCESS_ERR));
	TRY(reconnect());
	TRY(rdma(IB_WR_RDMA_WRITE, iova, 8, rkey ^ 1, IB_WC_REM_ACCESS_ERR));
	TRY(reconnect());
	return invalidate(&b, rkey);
}

/* Some consumers choose the upper half of the address. */
static int test_own_address(void)
{
	struct ib_reg_wr wr;

	TRY(list_pages(&b));
	b.mr->iova = (b.mr->iova & 0xffffffff) | 0x1234567800000000ull;
	wr = reg_wr_of(&b);
	TRY(ib_post_send(b.qp, &wr.wr, NULL));
	TRY(expect_wc(&b, IB_WC_SUCCESS, IB_WC_REG_MR));
	get_random_bytes(a.buf, BUF);
	TRY(rdma(IB_WR_RDMA_WRITE, b.mr->iova, LENGTH, b.mr->rkey, IB_WC_SUCCESS));
	EQUAL(memcmp(a.buf + LENGTH - PAGE_SIZE, page_address(b.pages[0]), PAGE_SIZE), 0);
	return invalidate(&b, b.mr->rkey);
}

/* Segments that neither begin nor end at the boundaries of pages. */
#define SEGS 5
static const struct {
	u32 page;
	u32 off;
	u32 len;
} segs[SEGS] = {
	{ 3, 100, 1 }, { 0, 0, PAGE_SIZE }, { 2, 7, 2000 }, { 2, 2500, 13 }, { 1, 4000, 96 },
};

static void fill_segs(struct side *s, struct scatterlist sg[SEGS])
{
	int i;

	sg_init_table(sg, SEGS);
	for (i = 0; i < SEGS; i++) {
		sg_set_page(&sg[i], s->pages[segs[i].page], segs[i].len, segs[i].off);
		memset(page_address(s->pages[segs[i].page]), 0x5a, PAGE_SIZE);
	}
}

/* Compare @len bytes of the region from @off on with @want. */
static int check_segs(struct side *s, const u8 *want, u32 off, u32 len)
{
	u32 i, at = 0, pos;
	const u8 *p;

	for (i = 0; i < SEGS; at += segs[i++].len) {
		p = page_address(s->pages[segs[i].page]);
		for (pos = 0; pos < segs[i].len; pos++)
			if (at + pos >= off && at + pos < off + len)
				EQUAL(p[segs[i].off + pos], want[at + pos - off]);
	}
	/* The bytes behind a segment, and before one. */
	EQUAL(((u8 *)page_address(s->pages[2]))[2007], 0x5a);
	EQUAL(((u8 *)page_address(s->pages[1]))[3999], 0x5a);
	return 0;
}

static int test_gaps_of(struct ib_mr *mr)
{
	struct scatterlist sg[SEGS];
	struct ib_reg_wr wr = reg_wr_of(&b);
	unsigned int skip = 0;
	u32 i, total = 0;

	for (i = 0; i < SEGS; i++)
		total += segs[i].len;
	fill_segs(&b, sg);
	EQUAL(ib_dma_map_sg(b.dev, sg, SEGS, DMA_BIDIRECTIONAL), SEGS);
	EQUAL(ib_map_mr_sg(mr, sg, SEGS, &skip, PAGE_SIZE), SEGS);
	EQUAL(mr->length, total);
	ib_update_fast_reg_key(mr, ib_inc_rkey(mr->rkey));
	wr.mr = mr;
	wr.key = mr->rkey;
	TRY(ib_post_send(b.qp, &wr.wr, NULL));
	TRY(expect_wc(&b, IB_WC_SUCCESS, IB_WC_REG_MR));
	get_random_bytes(a.buf, BUF);
	TRY(rdma(IB_WR_RDMA_WRITE, mr->iova, total, mr->rkey, IB_WC_SUCCESS));
	TRY(check_segs(&b, a.buf, 0, total));
	memcpy(b.buf, a.buf, total);
	memset(a.buf, 0, BUF);
	TRY(rdma(IB_WR_RDMA_READ, mr->iova + 1, total - 2, mr->rkey, IB_WC_SUCCESS));
	EQUAL(memcmp(a.buf, b.buf + 1, total - 2), 0);
	/* Each byte by itself, at the boundaries of segments. */
	for (i = PAGE_SIZE - 1; i < PAGE_SIZE + 3; i++)
		TRY(rdma(IB_WR_RDMA_WRITE, mr->iova + i, 1, mr->rkey, IB_WC_SUCCESS));
	for (i = PAGE_SIZE - 1; i < PAGE_SIZE + 3; i++)
		TRY(check_segs(&b, a.buf, i, 1));
	TRY(rdma(IB_WR_RDMA_WRITE, mr->iova + total - 1, 2, mr->rkey, IB_WC_REM_ACCESS_ERR));
	TRY(reconnect());
	/* Only a part of the list fits. */
	EQUAL(ib_map_mr_sg(mr, sg, 1, NULL, PAGE_SIZE), 1);
	EQUAL(mr->length, 1);
	return invalidate(&b, mr->rkey);
}

static int test_gaps(void)
{
	struct ib_mr *mr = ib_alloc_mr(b.pd, IB_MR_TYPE_SG_GAPS, SEGS);
	int err;

#ifdef HAVE_KERNEL_CAPS
	CHECK(b.dev->attrs.kernel_cap_flags & IBK_SG_GAPS_REG);
#else
	CHECK(b.dev->attrs.device_cap_flags & IB_DEVICE_SG_GAPS_REG);
#endif
	TRY(PTR_ERR_OR_ZERO(mr));
	err = test_gaps_of(mr);
	TRY(ib_dereg_mr(mr));
	mr = ib_alloc_mr(b.pd, IB_MR_TYPE_SG_GAPS, SEGS - 1);
	TRY(PTR_ERR_OR_ZERO(mr));
	if (!err) {
		struct scatterlist sg[SEGS];

		fill_segs(&b, sg);
		ib_dma_map_sg(b.dev, sg, SEGS, DMA_BIDIRECTIONAL);
		err = ib_map_mr_sg(mr, sg, SEGS, NULL, PAGE_SIZE) == SEGS - 1 ? 0 : -EINVAL;
	}
	TRY(ib_dereg_mr(mr));
	return err;
}

static int test_invalidate(void)
{
	TRY(invalidate(&b, b.mr->rkey)); /* it is free */
	TRY(reg(&b));
	TRY(invalidate(&b, b.mr->rkey));
	TRY(invalidate(&b, b.mr->rkey));
	TRY(rdma(IB_WR_RDMA_WRITE, b.mr->iova, 8, b.mr->rkey, IB_WC_REM_ACCESS_ERR));
	TRY(reconnect());
	/* Skip a key, as after a registration that was not executed. */
	TRY(reg(&b));
	TRY(invalidate(&b, ib_inc_rkey(b.mr->rkey)));
	TRY(reg(&b));
	/* A valid region cannot be registered, and is not changed. */
	TRY(post_reg(&b));
	TRY(expect_wc(&b, IB_WC_LOC_QP_OP_ERR, 0));
	TRY(reconnect());
	TRY(rdma(IB_WR_RDMA_WRITE, b.mr->iova, 8,
		 (b.mr->rkey & ~0xff) | ((b.mr->rkey - 1) & 0xff), IB_WC_SUCCESS));
	return invalidate(&b, b.mr->rkey);
}

/* Invalidate, register again and notify the peer, all in one post. */
static int test_chain(void)
{
	struct ib_send_wr inv, send;
	struct ib_sge sge = { (uintptr_t)b.buf, 8, b.pd->local_dma_lkey };
	struct ib_reg_wr again;
	u32 before;

	TRY(reg(&b));
	before = b.mr->rkey;
	inv = inv_wr(before);
	TRY(list_pages(&b));
	again = reg_wr_of(&b);
	send = (struct ib_send_wr){
		.opcode = IB_WR_SEND, .sg_list = &sge, .num_sge = 1, .send_flags = IB_SEND_SIGNALED
	};
	inv.next = &again.wr;
	again.wr.next = &send;
	TRY(post_recv(&a, a.buf, 8));
	TRY(ib_post_send(b.qp, &inv, NULL));
	TRY(expect_wc(&a, IB_WC_SUCCESS, IB_WC_RECV));
	TRY(rdma(IB_WR_RDMA_WRITE, b.mr->iova, 8, b.mr->rkey, IB_WC_SUCCESS));
	TRY(expect_wc(&b, IB_WC_SUCCESS, IB_WC_LOCAL_INV));
	TRY(expect_wc(&b, IB_WC_SUCCESS, IB_WC_REG_MR));
	TRY(expect_wc(&b, IB_WC_SUCCESS, IB_WC_SEND));
	TRY(rdma(IB_WR_RDMA_WRITE, b.mr->iova, 8, before, IB_WC_REM_ACCESS_ERR));
	TRY(reconnect());
	return invalidate(&b, b.mr->rkey);
}

static int test_send_invalidate(void)
{
	struct ib_wc wc;

	TRY(reg(&b));
	TRY(post_recv(&b, b.buf, 64));
	TRY(post_send(&a, IB_WR_SEND_WITH_INV, 64, b.mr->rkey, 0));
	TRY(expect_wc(&a, IB_WC_SUCCESS, IB_WC_SEND));
	TRY(wait_wc(&b, &wc));
	EQUAL(wc.status, IB_WC_SUCCESS);
	CHECK(wc.wc_flags & IB_WC_WITH_INVALIDATE);
	EQUAL(wc.ex.invalidate_rkey, b.mr->rkey);
	TRY(rdma(IB_WR_RDMA_WRITE, b.mr->iova, 8, b.mr->rkey, IB_WC_REM_ACCESS_ERR));
	TRY(reconnect());
	/* The peer must use the valid key. */
	TRY(reg(&b));
	TRY(post_recv(&b, b.buf, 64));
	TRY(post_send(&a, IB_WR_SEND_WITH_INV, 64, b.mr->rkey ^ 1, 0));
	TRY(expect_wc(&a, IB_WC_REM_ACCESS_ERR, 0));
	TRY(reconnect());
	return invalidate(&b, b.mr->rkey);
}

/* After a flush, the region can be registered. */
static int test_flush(void)
{
	TRY(set_error(&b));
	TRY(post_reg(&b));
	TRY(expect_wc(&b, IB_WC_WR_FLUSH_ERR, 0));
	TRY(post_recv(&b, b.buf, 8));
	TRY(expect_wc(&b, IB_WC_WR_FLUSH_ERR, 0));
	TRY(reconnect());
	TRY(reg(&b));
	TRY(set_error(&b));
	TRY(post_inv(&b, b.mr->rkey));
	TRY(expect_wc(&b, IB_WC_WR_FLUSH_ERR, 0));
	TRY(reconnect());
	TRY(reg(&b));
	TRY(rdma(IB_WR_RDMA_WRITE, b.mr->iova, LENGTH, b.mr->rkey, IB_WC_SUCCESS));
	return invalidate(&b, b.mr->rkey);
}

/*
 * The handler must not run in the context of the post, which completes the work request at once.
 * PREEMPT_RT: the lock leaves interrupts on.
 */
static int test_locked(void)
{
	unsigned long flags;
	int err;

	TRY(set_error(&b));
	reinit_completion(&b.comp);
	ib_req_notify_cq(b.cq, IB_CQ_NEXT_COMP);
	spin_lock_irqsave(&consumer, flags);
	err = post_recv(&b, b.buf, 8);
	if (!err)
		err = post_send(&b, IB_WR_SEND, 8, 0, IB_SEND_SIGNALED);
	spin_unlock_irqrestore(&consumer, flags);
	if (err)
		return err;
	CHECK(wait_for_completion_timeout(&b.comp, LIMIT));
	TRY(expect_wc(&b, IB_WC_WR_FLUSH_ERR, 0));
	return expect_wc(&b, IB_WC_WR_FLUSH_ERR, 0);
}

/*
 * A writes continuously; returns when a WRITE has failed. On a single CPU, a WRITE has completed
 * when the post returns, so that the wait never sleeps: without the explicit yield, the task that
 * invalidates would never run.
 */
static int writer(void *arg)
{
	struct ib_wc wc;
	int err;

	do {
		err = post_rdma(&a, IB_WR_RDMA_WRITE, b.mr->iova, LENGTH, b.mr->rkey);
		if (!err)
			err = wait_wc(&a, &wc);
		cond_resched();
	} while (!err && wc.status == IB_WC_SUCCESS);
	if (!err && wc.status != IB_WC_REM_ACCESS_ERR)
		err = -EPROTO;
	complete(arg);
	return err;
}

/* After the invalidation has completed, no byte may be written. */
static int test_under_fire(void)
{
	DECLARE_COMPLETION_ONSTACK(done);
	struct task_struct *task;
	int err, i;
	unsigned int round;

	for (round = 0; round < rounds; round++) {
		TRY(reg(&b));
		memset(a.buf, round + 1, BUF);
		reinit_completion(&done);
		task = kthread_create(writer, &done, "frwr");
		TRY(PTR_ERR_OR_ZERO(task));
		get_task_struct(task);
		wake_up_process(task);
		usleep_range(round * 20, round * 40 + 1);
		err = invalidate(&b, b.mr->rkey);
		for (i = 0; !err && i < PAGES; i++)
			memset(page_address(b.pages[i]), 0, PAGE_SIZE);
		wait_for_completion(&done);
		if (!err)
			err = kthread_stop(task);
		put_task_struct(task);
		TRY(err);
		for (i = 0; i < PAGES; i++)
			CHECK(!memchr_inv(page_address(b.pages[i]), 0, PAGE_SIZE));
		TRY(reconnect());
	}
	return 0;
}

static int test_srq(void)
{
	struct ib_srq_init_attr init = { .attr = { .max_wr = 16, .max_sge = 1 } };
	struct ib_srq_attr attr = { .max_wr = 100 };
	int err, i;

	destroy_pair();
	b.srq = ib_create_srq(b.pd, &init);
	err = PTR_ERR_OR_ZERO(b.srq);
	if (err) {
		b.srq = NULL;
		return err;
	}
	TRY(connect_pair());
	for (i = 0; i < 16; i++)
		TRY(post_recv(&b, b.buf, 64));
	TRY(ib_modify_srq(b.srq, &attr, IB_SRQ_MAX_WR));
	for (; i < 50; i++)
		TRY(post_recv(&b, b.buf, 64));
	for (i = 0; i < 50; i++) {
		TRY(post_send(&a, IB_WR_SEND, 64, 0, 0));
		TRY(expect_wc(&a, IB_WC_SUCCESS, IB_WC_SEND));
		TRY(expect_wc(&b, IB_WC_SUCCESS, IB_WC_RECV));
	}
	EQUAL(ib_post_recv(b.qp, &(struct ib_recv_wr){}, NULL), -EOPNOTSUPP);
	destroy_pair();
	ib_destroy_srq(b.srq);
	b.srq = NULL;
	return connect_pair();
}

/* The QP of a user of the rdma_rw API takes large requests; others get what they ask for. */
static int test_rdma_rw(void)
{
	struct ib_qp_init_attr init = {
		.send_cq = a.cq,
		.recv_cq = a.cq,
		.cap = { .max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 5, .max_recv_sge = 1 },
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.qp_type = IB_QPT_RC,
		.port_num = 1,
	};
	struct ib_qp *qp;

	qp = ib_create_qp(a.pd, &init);
	TRY(PTR_ERR_OR_ZERO(qp));
	TRY(ib_destroy_qp(qp));
	EQUAL(init.cap.max_send_sge, 5);
	init.cap.max_rdma_ctxs = 1;
	qp = ib_create_qp(a.pd, &init);
	TRY(PTR_ERR_OR_ZERO(qp));
	TRY(ib_destroy_qp(qp));
	EQUAL(init.cap.max_send_sge, 16);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(void);
} tests[] = {
	{ "messages", test_messages },
	{ "what is refused", test_refused },
	{ "nothing listed", test_unlisted },
	{ "registration", test_register },
	{ "own addresses", test_own_address },
	{ "segments with gaps", test_gaps },
	{ "invalidation", test_invalidate },
	{ "a chain of them", test_chain },
	{ "SEND with invalidate", test_send_invalidate },
	{ "flushes", test_flush },
	{ "posts with a lock held", test_locked },
	{ "invalidation under fire", test_under_fire },
	{ "shared receive queue", test_srq },
	{ "rdma_rw", test_rdma_rw },
};

static int run_tests(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tests); i++) {
		pr_info("%s\n", tests[i].name);
		TRY(reconnect());
		TRY(tests[i].run());
	}
	return 0;
}

static int frwr_add(struct ib_device *dev)
{
	if (!strcmp(dev_name(&dev->dev), "rxe_a"))
		a.dev = dev;
	if (!strcmp(dev_name(&dev->dev), "rxe_b"))
		b.dev = dev;
	return 0;
}

static void frwr_remove(struct ib_device *dev, void *data)
{
}

static struct ib_client frwr_client = { .name = "frwr", .add = frwr_add, .remove = frwr_remove };

static int __init frwr_init(void)
{
	int err;

	err = ib_register_client(&frwr_client);
	if (err)
		return err;
	err = open_side(&a);
	if (!err)
		err = open_side(&b);
	if (!err)
		err = run_tests();
	destroy_pair();
	if (b.srq)
		ib_destroy_srq(b.srq);
	if (close_side(&b) || close_side(&a))
		err = -EBUSY;
	ib_unregister_client(&frwr_client);
	return err;
}

static void __exit frwr_exit(void)
{
}

module_init(frwr_init);
module_exit(frwr_exit);
MODULE_DESCRIPTION("Tests of what kernel consumers of an RDMA device rely on");
MODULE_LICENSE("GPL");
