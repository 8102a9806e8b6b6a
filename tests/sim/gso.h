/* SPDX-License-Identifier: GPL-2.0 */
/*
 * GSO buffers of a simulated host: which packets the driver sends in one buffer.
 */
#ifndef SIM_GSO_H
#define SIM_GSO_H

#include "tx/gso_watch.h"

struct host;

/**
 * struct gso - GSO state of a host
 * @watch: the driver's detection of paths without GSO
 * @left: packets of the current buffer yet to be sent
 * @off: the detection has found that each packet needs a buffer of its own
 */
struct gso {
	struct rxe_gso_watch watch[2];
	u32 left;
	bool off;
};

/*
 * Note packet @i of @run, a run of @h->batch, as the next packet. Returns true if it is the first
 * packet of a buffer.
 */
bool gso_next(struct host *h, const struct roce_tx_run *run, u32 i);

#endif
