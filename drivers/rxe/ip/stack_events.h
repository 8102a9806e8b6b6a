/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events of the network stack (tracepoints) that packets on a fast path do not pass.
 */
#ifndef RXE_STACK_EVENTS_H
#define RXE_STACK_EVENTS_H

#include <linux/types.h>

/* Look up the tracepoints, which are not exported. Context: module init. */
void rxe_stack_events_init(void);

/**
 * rxe_stack_events_tx() - check for a tracer of sent packets
 *
 * Context: any.
 * Return: true if net_dev_queue, net_dev_start_xmit or net_dev_xmit is enabled, by ftrace, perf or
 * BPF.
 */
bool rxe_stack_events_tx(void);

/* The same for received packets: netif_receive_skb. */
bool rxe_stack_events_rx(void);

#endif
