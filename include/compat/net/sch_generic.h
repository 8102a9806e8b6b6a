/* SPDX-License-Identifier: GPL-2.0 */
/* Statistics of a qdisc, whose type and accessors changed. */
#ifndef COMPAT_NET_SCH_GENERIC_H
#define COMPAT_NET_SCH_GENERIC_H

#include_next <net/sch_generic.h>

/* Packets that @q has dequeued since it was made. Context: RCU read lock held. */
static inline u64 rxe_qdisc_dequeued(const struct Qdisc *q)
{
#ifdef RXE_HAVE_BASIC_SYNC
	struct gnet_stats_basic_sync sum;

	gnet_stats_basic_sync_init(&sum);
	gnet_stats_add_basic(&sum, q->cpu_bstats, (struct gnet_stats_basic_sync *)&q->bstats, true);
	return u64_stats_read(&sum.packets);
#else
	struct gnet_stats_basic_packed sum = {};

	__gnet_stats_copy_basic(NULL, &sum, q->cpu_bstats,
				(struct gnet_stats_basic_packed *)&q->bstats);
	return sum.packets;
#endif
}

#endif
