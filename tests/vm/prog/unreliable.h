/* SPDX-License-Identifier: GPL-2.0 */
/* QPs of the unreliable services. All functions exit on failure. */
#ifndef TEST_UNRELIABLE_H
#define TEST_UNRELIABLE_H

#include "pair.h"

#define UNRELIABLE_QKEY 0x1234567

/* Create a QP of UC, UD or raw packets, with 128 WRs in each queue. */
void unreliable_create(struct side *s, enum ibv_qp_type type);

/* Take a new QP to RTS; one of UC is connected to that of @peer. */
void unreliable_to_rts(struct side *s, const struct side *peer, enum ibv_qp_type type);

#endif
