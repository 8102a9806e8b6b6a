/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Module parameters that tune the data path.
 *
 * Their names, types, defaults and permissions are those which patched versions of the
 * in-kernel driver have had, since installations set them in modprobe.d or write to them
 * at boot. A limit at its default is chosen by the transport; any other value is an upper bound
 * of what it chooses. Written values hold for what is sent from then on.
 */
#ifndef RXE_PARAMS_H
#define RXE_PARAMS_H

#include <linux/types.h>

/**
 * struct rxe_params - what has been written
 * @max_window: packets of a QP that may be unacknowledged, U32_MAX: no limit
 * @cwnd_limited_by_txq: @max_window comes from inflight_skbs_per_qp_high
 * @max_ack_interval: packets between two requests for acknowledgement, U32_MAX: no limit
 */
struct rxe_params {
	u32 max_window;
	bool cwnd_limited_by_txq;
	u32 max_ack_interval;
};

/* The limits as they are now; may change at any time. */
void rxe_params_get(struct rxe_params *p);

/* Packets that one pass over a QP may send before others have their turn. */
u32 rxe_params_budget(void);

/* May packets lie in page fragments, which is what segmentation offload needs? */
bool rxe_params_use_sg(void);

/* Is the state of a QP to be logged when it enters the error state? */
bool rxe_params_dump_qp(void);

#endif
