/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A standard READ requester (go-back-N). Only the number of outstanding READs bounds it. When a
 * response arrives out of order, it re-requests all responses from the expected one on, once until
 * that one has arrived; its timer does the same. The in-tree driver does so by its timer alone,
 * which each response restarts.
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
 * @timer_only: it does not react to responses out of order
 * @expected: number of the response expected; its PSN is the low 24 bits
 * @next: number of the next READ's first response
 * @rewound: responses have been re-requested, and @expected has not arrived since
 * @timer: 67 ms have passed without one, or without any response if @timer_only
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
	bool timer_only;
	u64 expected;
	u64 next;
	bool rewound;
	struct event timer;
	u64 bytes;
	u64 resent;
};

void gbn_read_init(struct gbn_read *r, struct host *host, const struct stream_config *stream,
		   const struct qp_config *qp, struct port *dst);

#endif
