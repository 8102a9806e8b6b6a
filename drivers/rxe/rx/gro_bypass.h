/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets taken out of the interface's GRO, past the network stack. What is taken in one poll of
 * the interface is received together, once the poll is over.
 */
#ifndef RXE_GRO_BYPASS_H
#define RXE_GRO_BYPASS_H

#include <linux/types.h>

struct rxe_gro_pkt;

/* Once for the module; rxe_gro_bypass_stop() when nothing can be taken any more. */
void rxe_gro_bypass_start(void);
void rxe_gro_bypass_stop(void);

/**
 * rxe_gro_bypass() - take a buffer, if it is for an endpoint and the stack would change nothing
 * @pkt: the buffer, in GRO, data at the network header; consumed if taken, though its control block
 *	is there until the next is taken or the poll ends
 *
 * It is left to GRO if many came together before it: see rxe_gro_bypass_note_merge().
 *
 * Context: softirq, RCU read lock held.
 * Return: has it been taken?
 */
bool rxe_gro_bypass(const struct rxe_gro_pkt *pkt);

/* One has been joined to a buffer that rxe_gro_bypass() has left to GRO. Context: the same. */
void rxe_gro_bypass_note_merge(void);

#endif
