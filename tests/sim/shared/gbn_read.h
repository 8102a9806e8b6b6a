/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A standard READ requester (go-back-N), as the in-tree driver and simple adapters have it. Only
 * the number of outstanding READs bounds it. When a response arrives out of order, it re-requests
 * all responses from the expected one on, once until that one has arrived; its timer does the same.
 */
#ifndef SHARED_GBN_READ_H
#define SHARED_GBN_READ_H

#include "endpoint.h"

/**
 * struct gbn_read - see above
 * @host: its way out
 * @port: responses arrive here
 * @dst: the responder's port
 * @size: bytes of a READ
 * @depth: READs outstanding
 * @mtu: path MTU
 * @per_read: responses of a READ
 * @expected: number of the response expected; its PSN is the low 24 bits
 * @next: number of the next READ's first response
 * @rewound: responses have been re-requested, and @expected has not arrived since
 * @timer: 67 ms have passed without one
 * @bytes: payload received in order
 * @resent: READ requests retransmitted
 */
struct gbn_read {
	struct net *net;
	struct host *host;
	struct port port;
	struct port *dst;
	u32 flow;
	u32 size;
	u32 depth;
	u32 mtu;
	u32 per_read;
	u64 expected;
	u64 next;
	bool rewound;
	struct event timer;
	u64 bytes;
	u64 resent;
};

void gbn_read_init(struct gbn_read *r, struct host *host, u32 size, u32 depth, u32 mtu,
		   struct port *dst);

#endif
