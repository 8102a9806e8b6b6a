/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Responder resources (IBTA 9.7.5.1.3): the ring of the latest READs, atomics, FLUSHes and ATOMIC
 * WRITEs, from which their responses are sent and duplicate requests are answered.
 *
 * Resources are taken in the order of PSNs, so the ring is in the order of PSNs, too, and scheduled
 * responses are sent in the order of the ring, as the requester expects them.
 */
#ifndef ROCE_RESOURCES_H
#define ROCE_RESOURCES_H

#include <roce/qp.h>

/**
 * roce_rsrc_new() - take the oldest slot for a new request
 * @resp: the responder
 *
 * The slot is in use from roce_rsrc_schedule() on.
 *
 * Return: a zeroed slot; NULL if there are none, or if the oldest request has never been answered
 * in full: the requester exceeds its initiator depth.
 */
struct roce_rsrc *roce_rsrc_new(struct roce_resp *resp);

/* Return the slot that was taken last; there are slots. */
const struct roce_rsrc *roce_rsrc_newest(const struct roce_resp *resp);

/* Undo roce_rsrc_new(): the request was not executed. */
void roce_rsrc_release_last(struct roce_resp *resp);

/**
 * roce_rsrc_find() - find the resource of a duplicate request
 * @resp: the responder
 * @psn: PSN of the request, or of one of its responses
 * @kind: its kind
 *
 * Return: the newest resource of that kind with responses at @psn, or NULL.
 */
struct roce_rsrc *roce_rsrc_find(struct roce_resp *resp, u32 psn, enum roce_rsrc_kind kind);

/**
 * roce_rsrc_schedule() - send or repeat responses of a resource
 * @resp: the responder
 * @res: the resource
 * @psn: PSN of the first response to send
 * @end: PSN of the last
 *
 * Responses that are scheduled already are neither dropped nor sent twice.
 */
void roce_rsrc_schedule(struct roce_resp *resp, struct roce_rsrc *res, u32 psn, u32 end);

/* The last response of resp.first_scheduled has been sent. */
void roce_rsrc_complete(struct roce_resp *resp);

/* Do not repeat the responses of @res, which have all been sent before. */
void roce_rsrc_cancel_replay(struct roce_resp *resp, struct roce_rsrc *res);

/* Cancel all scheduled responses. */
void roce_rsrc_cancel_all(struct roce_resp *resp);

/* Release all resources. */
void roce_rsrc_clear(struct roce_resp *resp);

/* All responses had been sent before those that are scheduled, or that were scheduled last. */
static inline bool roce_rsrc_is_replay(const struct roce_rsrc *res)
{
	return res->state == ROCE_RSRC_REPLAYING || res->state == ROCE_RSRC_REPLAYED;
}

#endif
