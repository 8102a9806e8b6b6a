/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Page faults of an endpoint: page-in of on-demand memory (mem/odp.h), of pages around it and, when
 * memory is accessed in ascending order, ahead of it; and the received packets that are deferred
 * until it ends.
 *
 * Page-in sleeps, but packets are handled in softirqs. So a fault starts a work item, and requests
 * that need the memory are retried when it has ended. Received packets are deferred here, in order;
 * the transport keeps its place in the send queue and in the responses.
 *
 * An endpoint pages in one range at a time.
 */
#ifndef RXE_PAGE_FAULT_H
#define RXE_PAGE_FAULT_H

#include <linux/list.h>
#include <linux/types.h>

#include "mem/mem.h"
#include "mem/paging.h"

struct roce_pkt;
struct rxe_ep;

/**
 * struct rxe_page_fault - part of an endpoint, under its lock
 * @page_in: pages in @range
 * @done: called when @page_in has ended, with its result: 0 or -errno. Context: process, no lock
 *	held
 * @deferred: received packets that wait for memory, struct rxe_deferred_pkt, in order of arrival
 * @ndeferred: length of @deferred
 * @range: the last range that page-in was started for; does not change while @pending
 * @next: end of the memory that it paged in, with what it paged in beside @range
 * @ahead: bytes to be paged in behind @range, if @rest is not less
 * @rest: bytes behind @range that the work request writes
 * @pending: @page_in waits or runs
 * @err: with which error the last page-in failed, else 0. Returned once, to the next request for a
 *	part of @range; without it, such a request would be retried for ever
 */
struct rxe_page_fault {
	struct rxe_page_in page_in;
	void (*done)(struct rxe_page_fault *fault, int err);
	struct list_head deferred;
	u32 ndeferred;
	struct rxe_mem_range range;
	u64 next;
	u32 ahead;
	u64 rest;
	bool pending;
	int err;
};

/**
 * rxe_page_fault_init() - initialise the page faults of a new endpoint
 * @ep: endpoint
 * @done: see struct rxe_page_fault; has to call rxe_page_fault_finish() unless @ep is dead
 */
void rxe_page_fault_init(struct rxe_ep *ep, void (*done)(struct rxe_page_fault *fault, int err));

/**
 * rxe_page_fault_raise() - start page-in: rxe_mem_ctx.fault of a QP
 * @ctx: of the QP that needs the memory, part of its struct rxe_qp
 * @range: the memory
 * @paging: the page-ins of the process whose memory it is; the caller has a reference
 *
 * Context: the endpoint's lock held.
 *
 * Return: -EAGAIN: page-in has been started, or another one of this endpoint is running, and the
 * endpoint is run when it ends; -EFAULT and other errors: page-in of this range has failed.
 */
int rxe_page_fault_raise(const struct rxe_mem_ctx *ctx, const struct rxe_mem_range *range,
			 struct rxe_paging *paging);

/**
 * rxe_page_fault_finish() - the work item has ended: handle deferred packets
 * @ep: endpoint, its lock held
 * @err: result of the page-in
 *
 * Handles deferred packets in order, until one faults again. The caller runs the endpoint then.
 */
void rxe_page_fault_finish(struct rxe_ep *ep, int err);

/* True: packets that arrive must be deferred behind others, and timers must not expire. */
static inline bool rxe_page_fault_has_deferred(const struct rxe_page_fault *fault)
{
	return fault->ndeferred;
}

/**
 * rxe_page_fault_defer() - defer received packets until page-in has ended
 * @ep: endpoint, its lock held
 * @pkts: packets, of which copies are made; their buffers are retained
 * @n: how many
 *
 * If one cannot be deferred, it and those behind it are dropped and counted: the peer retransmits
 * them. Reasons are that RXE_MAX_DEFERRED_PKTS are deferred already, that there is no memory, or
 * that the packet is longer than the path MTU.
 */
void rxe_page_fault_defer(struct rxe_ep *ep, const struct roce_pkt *pkts, u32 n);

/* Drop deferred packets: the QP is reset or destroyed. Context: @ep locked. */
void rxe_page_fault_purge(struct rxe_ep *ep);

/* Wait for the work item. Context: process; the endpoint is dead, so that none is queued. */
void rxe_page_fault_cancel(struct rxe_ep *ep);

#endif
