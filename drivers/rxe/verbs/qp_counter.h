/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of chosen queue pairs ("rdma statistic qp"). A set of them takes the place of the
 * device's for the queue pairs bound to it; the RDMA core adds it to the device's when it is
 * asked for those.
 */
#ifndef RXE_QP_STATS_H
#define RXE_QP_STATS_H

#include <rdma/ib_verbs.h>
#include <rdma/rdma_counter.h>

/**
 * struct rxe_qp_stats - the RDMA core's counter; its id names a set of the device's @counter_sets
 * @counter: the RDMA core's part
 */
struct rxe_qp_stats {
	struct rdma_counter counter;
};

/* As the RDMA core calls them. Context: process. */
int rxe_counter_bind_qp(struct rdma_counter *counter, struct ib_qp *ibqp RXE_COUNTER_PORT);
int rxe_counter_unbind_qp(struct ib_qp *ibqp RXE_COUNTER_PORT);
int rxe_counter_dealloc(struct rdma_counter *counter);
struct rdma_hw_stats *rxe_counter_alloc_stats(struct rdma_counter *counter);
int rxe_counter_update_stats(struct rdma_counter *counter);
void rxe_counter_init(struct rdma_counter *counter);

#endif
