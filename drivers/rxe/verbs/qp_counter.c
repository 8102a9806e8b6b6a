// SPDX-License-Identifier: GPL-2.0
/*
 * Counters bound to QPs ("rdma statistic qp bind"), struct rdma_counter.
 */
#include <linux/percpu.h>
#include <linux/rcupdate.h>

#include "base/counters.h"
#include "base/device.h"
#include "qp/qp.h"
#include "verbs/verbs.h"

/* Converted through an integer: the XArray has no __percpu pointers (named address space). */
static struct rxe_counters __percpu *rxe_counter_set(struct rdma_counter *counter)
{
	void *entry = xa_load(&to_rxe_dev(counter->device)->counter_sets, counter->id);

	return (struct rxe_counters __percpu __force *)(unsigned long)entry;
}

/* Allocate the counter set and the id of a counter when its first QP is bound. */
static int rxe_counter_number(struct rdma_counter *counter)
{
	struct rxe_counters __percpu *set = alloc_percpu(struct rxe_counters);
	int err;

	if (!set)
		return -ENOMEM;
	err = xa_alloc(&to_rxe_dev(counter->device)->counter_sets, &counter->id,
		       (void *)(unsigned long __force)set, XA_LIMIT(1, S32_MAX), GFP_KERNEL);
	if (err)
		free_percpu(set);
	return err;
}

static void rxe_counter_free_set(struct rdma_counter *counter)
{
	struct rxe_counters __percpu *set = rxe_counter_set(counter);

	xa_erase(&to_rxe_dev(counter->device)->counter_sets, counter->id);
	/* The data path uses the set within an RCU read-side section. */
	synchronize_rcu();
	free_percpu(set);
}

/*
 * ib_core requires the driver to set ibqp.counter: by it, ib_core finds the bound QPs to unbind.
 * False: the QP has been destroyed.
 */
static bool rxe_qp_set_counters(struct rxe_qp *qp, struct rdma_counter *counter,
				struct rxe_counters __percpu *set)
{
	struct rxe_ep *ep = rxe_qp_lock_ep(qp);

	if (!ep)
		return false;
	qp->ibqp.counter = counter;
	WRITE_ONCE(ep->flow.counters, set);
	rxe_qp_unlock_ep(ep);
	return true;
}

int rxe_counter_bind_qp(struct rdma_counter *counter, struct ib_qp *ibqp RXE_COUNTER_PORT)
{
	bool first = !counter->id;
	int err = first ? rxe_counter_number(counter) : 0;

	if (err || rxe_qp_set_counters(to_rxe_qp(ibqp), counter, rxe_counter_set(counter)))
		return err;
	/* ib_core frees a counter whose first QP is not bound, without rxe_counter_dealloc(). */
	if (first) {
		rxe_counter_free_set(counter);
		counter->id = 0;
	}
	return -EINVAL;
}

int rxe_counter_unbind_qp(struct ib_qp *ibqp RXE_COUNTER_PORT)
{
	if (!rxe_qp_set_counters(to_rxe_qp(ibqp), NULL, to_rxe_dev(ibqp->device)->counters))
		ibqp->counter = NULL;
	return 0;
}

int rxe_counter_dealloc(struct rdma_counter *counter)
{
	rxe_counter_free_set(counter);
	return 0;
}

struct rdma_hw_stats *rxe_counter_alloc_stats(struct rdma_counter *counter)
{
	return rxe_alloc_hw_port_stats(counter->device, 1);
}

int rxe_counter_update_stats(struct rdma_counter *counter)
{
	struct rxe_counters __percpu *set;
	int i;

	rcu_read_lock();
	set = rxe_counter_set(counter);
	for (i = 0; set && i < RXE_COUNTERS; i++)
		counter->stats->value[i] = rxe_counters_sum(set, i);
	rcu_read_unlock();
	return 0;
}

/* Required by ib_core. The set is allocated when the first QP is bound. */
void rxe_counter_init(struct rdma_counter *counter)
{
}
