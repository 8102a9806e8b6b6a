/* SPDX-License-Identifier: GPL-2.0 */
/*
 * GRO bypass: received packets skip the network stack, from GRO to the endpoint. The packets of one
 * NAPI poll are delivered together by a tasklet, after the poll.
 */
#ifndef RXE_GRO_BYPASS_H
#define RXE_GRO_BYPASS_H

#include <linux/types.h>

struct rxe_gro_pkt;

/* Initialise the per-CPU queues. Context: module init, before the first socket is opened. */
void rxe_gro_bypass_start(void);

/* Stop the tasklets and wait for them. Context: module exit, after the last socket was closed. */
void rxe_gro_bypass_stop(void);

/**
 * rxe_gro_bypass() - queue a packet for delivery past the stack, if it is eligible
 * @pkt: packet in GRO, behind no buffer of its flow that GRO holds; consumed if queued, but its
 *	control block stays valid until the next call that queues a packet, or until the NAPI poll
 *	ends
 * @plain: IP header without options and UDP header precede the BTH; else only @pkt->skb is used
 *
 * The conditions are listed in ip/bypass.h. Packets that arrive in bursts are left to GRO: see
 * rxe_gro_bypass_note_merge().
 *
 * Context: softirq (NAPI poll), RCU read lock held.
 * Return: true if the packet has been queued; false if the stack has to receive it.
 */
bool rxe_gro_bypass(const struct rxe_gro_pkt *pkt, bool plain);

/*
 * Count a packet that GRO has merged, for the burst heuristic of rxe_gro_bypass(). Context: as
 * rxe_gro_bypass().
 */
void rxe_gro_bypass_note_merge(void);

#endif
