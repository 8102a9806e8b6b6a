/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared receive queues, SRQ (IBTA 10.2.9): one ring of receive WQEs for several QPs.
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
 * @lock: protects @rq, @limit and @limit_events. Taken inside endpoints' locks, with interrupts
 *	off, as kernel consumers may post in any context
 * @rq: ring of a user or of a kernel consumer
 * @rules: limits of WQEs; set when the SRQ is created
 * @limit: raise IB_EVENT_SRQ_LIMIT_REACHED when fewer WQEs are left; 0: disarmed
 * @limit_events: events that @limit_work has to raise
 * @limit_work: raises the events in process context, where handlers may sleep
 * @resize: serialises modifications
 */
struct rxe_srq {
	struct ib_srq ibsrq;
	spinlock_t lock;
	struct rxe_ring rq;
	struct rxe_wqe_limits rules;
	u32 limit;
	u32 limit_events;
	struct work_struct limit_work;
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

/* Post receive WQEs of a kernel consumer; user space writes to the ring. Context: any. */
int rxe_post_srq_recv(struct ib_srq *ibsrq, const struct ib_recv_wr *wr,
		      const struct ib_recv_wr **bad_wr);

/**
 * rxe_srq_pop() - remove the next receive WQE
 * @srq: SRQ
 * @wqe: result; has room for @srq->rules.max_recv_sge SGEs
 *
 * Queues the limit event if it is armed and fewer WQEs than the limit are left.
 *
 * Context: bottom halves off; an endpoint's lock may be held.
 *
 * Return: as roce_ops.get_recv_wqe.
 */
int rxe_srq_pop(struct rxe_srq *srq, struct roce_recv_wqe *wqe);

#endif
