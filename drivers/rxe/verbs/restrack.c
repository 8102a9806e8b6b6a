// SPDX-License-Identifier: GPL-2.0
/*
 * Resource tracking (restrack): driver attributes of QPs, CQs, MRs and SRQs for "rdma resource".
 *
 * The names of the attributes are user-visible and must not change.
 *
 * RDMA cores without rdma_restrack_begin_del() call these functions while the object's destroy_*
 * runs, and until its memory is freed. They return -EAGAIN for an object whose endpoint or ring is
 * gone: the RDMA core skips such objects. MRs are not affected, as it drops them from its tables
 * before dereg_mr.
 */
#include <net/netlink.h>
#include <rdma/rdma_netlink.h>
#include <rdma/restrack.h>
#include <uapi/rdma/rdma_netlink.h>

#include <roce/info.h>

#include "qp/cq.h"
#include "mem/mr.h"
#include "mem/odp.h"
#include "qp/qp.h"
#include "qp/srq.h"
#include "verbs/verbs.h"

/**
 * struct rxe_res_attr - driver attribute in a netlink message
 * @name: name, words joined by underscores
 * @value: value, in the unit that the name ends in, if it has one
 */
struct rxe_res_attr {
	const char *name;
	u32 value;
};

static int rxe_res_put(struct sk_buff *msg, const struct rxe_res_attr *attrs, u32 n)
{
	struct nlattr *table = nla_nest_start(msg, RDMA_NLDEV_ATTR_DRIVER);
	u32 i;

	if (!table)
		return -EMSGSIZE;
	for (i = 0; i < n; i++)
		if (rdma_nl_put_driver_u32(msg, attrs[i].name, attrs[i].value))
			goto err_cancel;
	nla_nest_end(msg, table);
	return 0;

err_cancel:
	nla_nest_cancel(msg, table);
	return -EMSGSIZE;
}

/* Receive WQEs posted and not consumed; the user's index is masked, so at most the ring's size. */
static u32 rxe_res_posted_recvs(const struct rxe_qp *qp)
{
	const struct rxe_ring *rq = &qp->rq;

	return rq->buf ? (rxe_ring_user_producer(rq) - rq->index) & rq->mask : 0;
}

/* Context: the endpoint's lock held. */
static int rxe_res_put_qp(struct sk_buff *msg, const struct rxe_qp *qp,
			  const struct roce_qp_info *info)
{
	const struct roce_qp *transport = &qp->ep->transport;
	const struct rxe_res_attr attrs[] = {
		{ "sq_size", transport->sq.mask + 1 },
		{ "sq_posted", info->sq_posted },
		{ "sq_unsent", info->sq_unsent },
		{ "req_psn", info->nxt },
		{ "req_unacked_psn", info->una },
		{ "req_max_psn", info->max },
		{ "req_window", info->window },
		{ "req_rd_atomic", info->rd_atomic },
		{ "req_retries_left", info->retries_left },
		{ "req_rnr_retries_left", info->rnr_retries_left },
		{ "req_rnr_wait", info->rnr_wait },
		{ "req_rtt_us", div_u64(info->srtt, NSEC_PER_USEC) },
		{ "req_rto_us", div_u64(info->rto, NSEC_PER_USEC) },
		{ "rq_size", qp->rq.buf ? qp->rq.mask : 0 },
		{ "rq_posted", rxe_res_posted_recvs(qp) },
		{ "resp_psn", info->epsn },
		{ "resp_msn", info->msn },
		{ "resp_held", info->reorder_count },
		{ "resp_reads_pending", info->responses_scheduled },
	};

	return rxe_res_put(msg, attrs, ARRAY_SIZE(attrs));
}

int rxe_fill_res_qp(struct sk_buff *msg, struct ib_qp *ibqp)
{
	struct rxe_qp *qp = to_rxe_qp(ibqp);
	struct rxe_ep *ep = rxe_qp_lock_ep(qp);
	struct roce_qp_info info;
	int err;

	if (!ep)
		return -EAGAIN;
	roce_qp_get_info(&ep->transport, &info);
	err = rxe_res_put_qp(msg, qp, &info);
	rxe_qp_unlock_ep(ep);
	return err;
}

/* Context: the CQ's lock held. */
static int rxe_res_put_cq(struct sk_buff *msg, const struct rxe_cq *cq)
{
	const struct rxe_ring *ring = &cq->ring;
	const struct rxe_res_attr attrs[] = {
		{ "size", ring->mask },
		{ "used", (ring->index - rxe_ring_user_consumer(ring)) & ring->mask },
		{ "armed", cq->armed },
		{ "overflowed", cq->overflowed },
	};

	return rxe_res_put(msg, attrs, ARRAY_SIZE(attrs));
}

int rxe_fill_res_cq(struct sk_buff *msg, struct ib_cq *ibcq)
{
	struct rxe_cq *cq = to_rxe_cq(ibcq);
	int err;

	spin_lock_irq(&cq->lock);
	err = cq->ring.buf ? rxe_res_put_cq(msg, cq) : -EAGAIN;
	spin_unlock_irq(&cq->lock);
	return err;
}

int rxe_fill_res_mr(struct sk_buff *msg, struct ib_mr *ibmr)
{
	struct rxe_mr *mr = to_rxe_mr(ibmr);
	struct rxe_mem *mem = &mr->mem;
	const struct rxe_res_attr attrs[] = {
		{ "access", READ_ONCE(mem->access) & ~RXE_ACCESS_LOCAL },
		{ "valid", !!READ_ONCE(mem->key) },
		{ "fast_reg_pages", mr->max_listed },
		{ "windows", max(atomic_read(&mem->windows), 0) },
		{ "on_demand", !!mem->odp },
	};

	return rxe_res_put(msg, attrs, ARRAY_SIZE(attrs));
}

/* Context: the SRQ's lock held. */
static int rxe_res_put_srq(struct sk_buff *msg, const struct rxe_srq *srq)
{
	const struct rxe_ring *rq = &srq->rq;
	const struct rxe_res_attr attrs[] = {
		{ "size", rq->mask },
		{ "posted", (rxe_ring_user_producer(rq) - rq->index) & rq->mask },
		{ "max_sge", srq->rules.max_recv_sge },
		{ "limit", srq->limit },
	};

	return rxe_res_put(msg, attrs, ARRAY_SIZE(attrs));
}

int rxe_fill_res_srq(struct sk_buff *msg, struct ib_srq *ibsrq)
{
	struct rxe_srq *srq = to_rxe_srq(ibsrq);
	int err;

	spin_lock_irq(&srq->lock);
	err = srq->rq.buf ? rxe_res_put_srq(msg, srq) : -EAGAIN;
	spin_unlock_irq(&srq->lock);
	return err;
}
