/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets of equal length whose ICRCs are computed at once.
 */
#ifndef RXE_LANES_H
#define RXE_LANES_H

#include <roce/icrc.h>

#define RXE_LANES 4

/**
 * struct rxe_lanes - packets waiting for the computation of their ICRCs
 * @n: packets
 * @len: bytes between the BTH and the ICRC of each
 * @crc: running values: up to and including the BTH, then up to the ICRC
 * @buf: what follows the BTH
 */
struct rxe_lanes {
	u32 n;
	u32 len;
	u32 crc[RXE_LANES];
	u8 *buf[RXE_LANES];
};

/* Must those that wait be done with before a packet with @len can be added? */
static inline bool rxe_lanes_full(const struct rxe_lanes *l, u32 len)
{
	return l->n == RXE_LANES || (l->n && l->len != len);
}

static inline void rxe_lanes_add(struct rxe_lanes *l, u32 crc, u8 *buf, u32 len)
{
	l->len = len;
	l->crc[l->n] = crc;
	l->buf[l->n++] = buf;
}

/* Compute: each packet's ICRC has its place at buf[i] + len. */
static inline void rxe_lanes_run(struct rxe_lanes *l)
{
	u32 i;

	if (l->n == RXE_LANES) {
		roce_crc32_x4(l->crc, (const void *const *)l->buf, l->len);
		return;
	}
	for (i = 0; i < l->n; i++)
		l->crc[i] = roce_crc32(l->crc[i], l->buf[i], l->len);
}

#endif
