// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of a device: names in hw_counters, mapping from the transport's counts, sums.
 */
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <rdma/ib_verbs.h>

#include "base/counters.h"
#include "base/device.h"

#define RXE_COUNTER_DESC(id, counter, ...) [RXE_CNT_##id].name = (counter),

static const struct rdma_stat_desc rxe_counter_descs[RXE_COUNTERS] = {
	RXE_COUNTER_TABLE(RXE_COUNTER_DESC, RXE_COUNTER_DESC, RXE_COUNTER_DESC)
};

#define RXE_COUNTER_OF_ROCE(id, name, count, ...) [ROCE_COUNT_##count] = RXE_CNT_##id,

const u8 rxe_counter_of_roce[ROCE_COUNTS] = {
	RXE_COUNTER_TABLE(RXE_COUNTER_SKIP, RXE_COUNTER_OF_ROCE, RXE_COUNTER_OF_ROCE)
};

/* Each ROCE_COUNT_* has one row: without one, it would be added to counter 0, sent_pkts. */
#define RXE_ROCE_COUNT_BIT(id, name, count, ...) | BIT_ULL(ROCE_COUNT_##count)
#define RXE_ROCE_COUNT_ONE(id, name, count, ...) +1
static_assert((0 RXE_COUNTER_TABLE(RXE_COUNTER_SKIP, RXE_ROCE_COUNT_BIT, RXE_ROCE_COUNT_BIT)) ==
	      BIT_ULL(ROCE_COUNTS) - 1);
static_assert((0 RXE_COUNTER_TABLE(RXE_COUNTER_SKIP, RXE_ROCE_COUNT_ONE, RXE_ROCE_COUNT_ONE)) ==
	      ROCE_COUNTS);
static_assert(RXE_COUNTERS <= U8_MAX);

void rxe_count(struct rxe_dev *dev, enum rxe_counter what, u64 n)
{
	this_cpu_add(dev->counters->v[what], n);
}

struct rdma_hw_stats *rxe_alloc_hw_port_stats(struct ib_device *ibdev, rxe_port_t port)
{
	/* Older RDMA cores also ask for counters of the device, as port 0. There are none. */
	if (!port)
		return NULL;
	return rdma_alloc_hw_stats_struct(rxe_counter_descs, RXE_COUNTERS,
					  RDMA_HW_STATS_DEFAULT_LIFESPAN);
}

u64 rxe_counters_sum(const struct rxe_counters __percpu *counters, enum rxe_counter what)
{
	u64 sum = 0;
	int cpu;

	/* That CPU may be adding, by a plain access where there is no instruction for it. */
	for_each_possible_cpu(cpu)
		sum += data_race(READ_ONCE(per_cpu_ptr(counters, cpu)->v[what]));
	return sum;
}

u64 rxe_counter_sum(struct rxe_dev *dev, enum rxe_counter what)
{
	return rxe_counters_sum(dev->counters, what);
}

int rxe_get_hw_stats(struct ib_device *ibdev, struct rdma_hw_stats *stats, rxe_port_t port,
		     int index)
{
	int i;

	/* Port 0 stands for the device, which has no counters of its own. */
	if (!port || !stats)
		return -EINVAL;
	for (i = 0; i < RXE_COUNTERS; i++)
		stats->value[i] = rxe_counter_sum(to_rxe_dev(ibdev), i);
	return RXE_COUNTERS;
}
