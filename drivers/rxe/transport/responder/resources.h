/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The responder's records of READs and atomics: a ring of the latest ones, and
 * the queue of those whose responses are still to be sent.
 */
#ifndef ROCE_RECORDS_H
#define ROCE_RECORDS_H

#include <roce/qp.h>

/*
 * A cleared record in the oldest slot; NULL if that one has never been answered
 * in full: the requester has more outstanding than it may.
 */
struct roce_rsrc *roce_rsrc_new(struct roce_resp *resp);

/* Undo roce_rsrc_new(). */
void roce_rsrc_release_last(struct roce_resp *resp);

enum roce_rsrc_kind {
	ROCE_RSRC_READ,
	ROCE_RSRC_ATOMIC,
	ROCE_RSRC_PLACED,	/* FLUSH, ATOMIC WRITE; of length 0 */
};

/* The record of that kind that covers @psn, or NULL. */
struct roce_rsrc *roce_rsrc_find(struct roce_resp *resp, u32 psn, enum roce_rsrc_kind kind);

/* Send the responses from @psn to @end, again if need be. */
void roce_rsrc_schedule(struct roce_resp *resp, struct roce_rsrc *res, u32 psn, u32 end);

/* The record to send from, or NULL; and the end of its sending. */
struct roce_rsrc *roce_rsrc_pending(const struct roce_resp *resp);
void roce_rsrc_complete(struct roce_resp *resp);

/* @res is not to be answered again. */
void roce_rsrc_cancel(struct roce_resp *resp, struct roce_rsrc *res);

/* Forget what is still to be sent. */
void roce_rsrc_cancel_all(struct roce_resp *resp);

/* Forget everything. */
void roce_rsrc_clear(struct roce_resp *resp);

#endif
