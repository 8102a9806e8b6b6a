/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pacing of READ responses, for requesters that do not limit themselves.
 *
 * The congestion window of a requester limits its own packets. What limits READ responses is how
 * much a requester asks for, and a standard requester asks for as much as its initiator depth
 * allows. After a loss it requests all responses again from the first missing one on (IBTA
 * 9.7.5.1.3, go-back-N), so behind a short queue most responses are discarded. Such a repeated READ
 * is a sign of congestion, and from then on the responses are paced.
 *
 * Requesters of this driver repeat a READ in parts, by which the responder knows them. They have a
 * congestion window for READ responses, and are not paced.
 *
 * All times are in ns, rates in packets per second.
 */
#ifndef ROCE_READ_PACING_H
#define ROCE_READ_PACING_H

#include <roce/qp.h>

/**
 * roce_read_pacing_allowance() - get how many responses may be sent now
 * @resp: the responder, with scheduled responses
 * @now: time
 *
 * Return: packets; U32_MAX if the responses are not paced. If 0, the pacing timer is armed.
 */
u32 roce_read_pacing_allowance(struct roce_resp *resp, u64 now);

/* Account for @npkts responses sent. */
void roce_read_pacing_on_sent(struct roce_resp *resp, u64 now, u32 npkts);

/*
 * Process a new READ request of PSN @psn, before it takes a responder resource: the requester has
 * received the responses of the READ whose resource it will take.
 */
void roce_read_pacing_on_request(struct roce_resp *resp, u64 now, u32 psn);

/**
 * roce_read_pacing_on_repeat() - process a repeated READ request
 * @resp: the responder
 * @now: time
 * @res: the resource of the READ, before the responses are scheduled again
 * @psn: first response that is asked for: the requester has received those before it
 * @end: last response that is asked for
 */
void roce_read_pacing_on_repeat(struct roce_resp *resp, u64 now, const struct roce_rsrc *res,
				u32 psn, u32 end);

/* Process a CNP: switches have marked responses. */
void roce_read_pacing_on_cnp(struct roce_resp *resp, u64 now);

/* Process a READ request with BECN: the requester reacts to marks itself. */
void roce_read_pacing_on_becn(struct roce_resp *resp);

/* Process a packet that a queue of this host has dropped. */
void roce_read_pacing_on_congestion(struct roce_resp *resp, u64 now);

/* Return the expiry of the pacing timer, ROCE_NEVER if nothing waits for it. */
static inline u64 roce_read_pacing_deadline(const struct roce_resp *resp)
{
	return resp->pacing.waiting && resp->first_scheduled ? resp->pacing.next_tx : ROCE_NEVER;
}

#endif
