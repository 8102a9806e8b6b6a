// SPDX-License-Identifier: GPL-2.0
/*
 * Trace events of the network stack: lookup by name, and whether a tracer is attached.
 */
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "ip/stack_events.h"

#ifdef CONFIG_TRACEPOINTS
/* NULL where the kernel has no tracepoint of that name. */
static struct tracepoint *rxe_event_queue __read_mostly;
static struct tracepoint *rxe_event_start_xmit __read_mostly;
static struct tracepoint *rxe_event_xmit __read_mostly;
static struct tracepoint *rxe_event_receive __read_mostly;

static const struct {
	const char *name;
	struct tracepoint **tp;
} rxe_stack_events[] = {
	{ "net_dev_queue", &rxe_event_queue },
	{ "net_dev_start_xmit", &rxe_event_start_xmit },
	{ "net_dev_xmit", &rxe_event_xmit },
	{ "netif_receive_skb", &rxe_event_receive },
};

static void rxe_stack_events_note(struct tracepoint *tp, void *priv)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rxe_stack_events); i++)
		if (!strcmp(tp->name, rxe_stack_events[i].name))
			*rxe_stack_events[i].tp = tp;
}

void rxe_stack_events_init(void)
{
	for_each_kernel_tracepoint(rxe_stack_events_note, NULL);
}

static bool rxe_stack_event_traced(const struct tracepoint *tp)
{
	return tp && rcu_access_pointer(tp->funcs);
}

bool rxe_stack_events_tx(void)
{
	return rxe_stack_event_traced(rxe_event_queue) ||
	       rxe_stack_event_traced(rxe_event_start_xmit) ||
	       rxe_stack_event_traced(rxe_event_xmit);
}

bool rxe_stack_events_rx(void)
{
	return rxe_stack_event_traced(rxe_event_receive);
}
#else
void rxe_stack_events_init(void)
{
}

bool rxe_stack_events_tx(void)
{
	return false;
}

bool rxe_stack_events_rx(void)
{
	return false;
}
#endif
