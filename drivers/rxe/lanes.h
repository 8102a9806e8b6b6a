/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets whose ICRCs are computed one after the other: by vector instructions, in one section
 * in which the kernel allows them, or else without.
 */
#ifndef RXE_LANES_H
#define RXE_LANES_H

#include <roce/icrc.h>

#define RXE_LANES 4

/**
 * struct rxe_lane - a packet
 * @buf: what follows the BTH, up to the ICRC, whose place is behind it
 * @len: how many bytes
 * @crc: the running CRC up to and including the BTH; then the packet's
 */
struct rxe_lane {
	u8 *buf;
	u32 len;
	u32 crc;
};

/**
 * struct rxe_lanes - packets waiting for the computation of their ICRCs
 * @n: packets
 * @lane: they
 */
struct rxe_lanes {
	u32 n;
	struct rxe_lane lane[RXE_LANES];
};

/* Choose what is fastest here, or what the module parameter "simd" asks for. */
void rxe_lanes_init(void);

static inline bool rxe_lanes_full(const struct rxe_lanes *l)
{
	return l->n == RXE_LANES;
}

static inline void rxe_lanes_add(struct rxe_lanes *l, u32 crc, u8 *buf, u32 len)
{
	l->lane[l->n++] = (struct rxe_lane){ .buf = buf, .len = len, .crc = crc };
}

/* Compute all. */
void rxe_lanes_run(struct rxe_lanes *l);

#endif
