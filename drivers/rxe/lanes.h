/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets whose ICRCs are computed at once: by vector instructions, in one section
 * in which the kernel allows them, or else by interleaved tables.
 */
#ifndef RXE_LANES_H
#define RXE_LANES_H

#include <roce/icrc.h>

#define RXE_LANES ROCE_CRC_LANES

/**
 * struct rxe_lanes - packets waiting for the computation of their ICRCs
 * @n: packets
 * @lane: what follows the BTH of each up to the ICRC, and its running CRC up to
 *	and including the BTH
 */
struct rxe_lanes {
	u32 n;
	struct roce_crc_lane lane[RXE_LANES];
};

/* Choose what is fastest here, or what the module parameter "simd" asks for. */
void rxe_lanes_init(void);

static inline bool rxe_lanes_full(const struct rxe_lanes *l)
{
	return l->n == RXE_LANES;
}

static inline void rxe_lanes_add(struct rxe_lanes *l, u32 crc, u8 *buf, u32 len)
{
	l->lane[l->n++] = (struct roce_crc_lane){ .buf = buf, .len = len, .crc = crc };
}

/* Compute: each packet's ICRC has its place behind its lane. */
void rxe_lanes_run(struct rxe_lanes *l);

#endif
