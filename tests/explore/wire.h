/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The explorer's wire, in place of the simulator's link: the caller chooses what happens to each
 * packet.
 */
#ifndef EXPLORE_WIRE_H
#define EXPLORE_WIRE_H

#include "link.h"

/* One-way delay, ns. */
#define WIRE_DELAY 10000ull

/**
 * enum fate - what happens to a packet
 * @FATE_DELIVERED: it arrives after WIRE_DELAY
 * @FATE_LOST: it does not arrive
 * @FATE_DOUBLED: it arrives, and again two delays later
 * @FATE_REORDERED: it arrives behind the next packet of its direction that is sent in time, else
 *	half a delay late
 */
enum fate {
	FATE_DELIVERED,
	FATE_LOST,
	FATE_DOUBLED,
	FATE_REORDERED,
	FATES
};

extern const char *const fate_names[FATES];

/* The oldest packet sent that has no fate yet, or NULL. */
const struct frame *wire_undecided(void);

/* Decide its fate. */
void wire_decide(struct link *link, u64 now, enum fate fate);

/* Call @see with each packet that is undecided or in flight, in order. */
void wire_each(const struct link *link, void (*see)(const struct frame *f, void *to), void *to);

#endif
