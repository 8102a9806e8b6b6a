/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Request packets that arrived ahead of their turn, held until it comes, so that
 * what a packet overtook or what was lost before it need not be followed by all
 * of it again. On the wire this is go-back-N as ever: the requester sends again
 * from the gap on, and what is held already counts as a duplicate.
 */
#ifndef ROCE_HELD_H
#define ROCE_HELD_H

#include <roce/qp.h>

/* Hold @pkt, whose PSN is ahead of resp.epsn, if it can be. */
void roce_reorder_insert(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt);

/* Is the packet of @psn, ahead of resp.epsn, held? */
bool roce_reorder_contains(const struct roce_resp *resp, u32 psn);

/* Take the packet of resp.epsn out, for the caller to release; or NULL. */
struct roce_pkt *roce_reorder_pop(struct roce_resp *resp);

/* Release what resp.epsn has passed. */
void roce_reorder_trim(struct roce_qp *qp);

/* Release everything. */
void roce_reorder_purge(struct roce_qp *qp);

#endif
