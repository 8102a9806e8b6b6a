/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared receive queues (IBTA 10.2.9). QPs take their receive WQEs from one ring.
 */
#ifndef RXE_SRQ_H
#define RXE_SRQ_H

#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>
#include <roce/qp.h>

#include "qp/ring.h"
#include "qp/wqe.h"

/**
 * struct rxe_srq - a shared receive queue
 * @ibsrq: the RDMA core's part
 * @lock: protects the rest; taken inside endpoints' locks, with interrupts off, since a
 *	kernel consumer may post in any context
 * @rq: the ring, of a user or of the kernel
 * @rules: what a WQE may ask for
 * @limit: the consumer is to be told when fewer WQEs than that are left; 0: it is not
 * @limit_events: events that @tell has to raise
 * @tell: raises them; consumers do what they like in their handlers
 * @resize: one resize at a time
 */
struct rxe_srq {
	struct ib_srq ibsrq;
	spinlock_t lock;
	struct rxe_ring rq;
	struct rxe_wqe_limits rules;
	u32 limit;
	u32 limit_events;
	struct work_struct tell;
	struct mutex resize;
};

static inline struct rxe_srq *to_rxe_srq(struct ib_srq *ibsrq)
{
	return container_of(ibsrq, struct rxe_srq, ibsrq);
}

int rxe_create_srq(struct ib_srq *ibsrq, struct ib_srq_init_attr *init, struct ib_udata *udata);
int rxe_modify_srq(struct ib_srq *ibsrq, struct ib_srq_attr *attr, enum ib_srq_attr_mask mask,
		   struct ib_udata *udata);
int rxe_query_srq(struct ib_srq *ibsrq, struct ib_srq_attr *attr);
int rxe_destroy_srq(struct ib_srq *ibsrq, struct ib_udata *udata);

/* Post receives of a kernel consumer; users do without a call. */
int rxe_post_srq_recv(struct ib_srq *ibsrq, const struct ib_recv_wr *wr,
		      const struct ib_recv_wr **bad_wr);

/**
 * rxe_srq_take() - take the next receive WQE
 * @srq: SRQ
 * @wqe: result, room for @srq->rules.max_recv_sge SGEs
 *
 * Return: like roce_ops.recv_wqe.
 */
int rxe_srq_take(struct rxe_srq *srq, struct roce_recv_wqe *wqe);

#endif
