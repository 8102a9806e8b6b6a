/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An endpoint that waits for memory to be brought in (odp.h), which sleeps, while packets and
 * posts are handled where nobody can. What needs the memory is put off: packets received are
 * parked, in order, and what is to be sent is asked for again.
 */
#ifndef RXE_FAULT_H
#define RXE_FAULT_H

#include <linux/list.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "mem/mem.h"

struct roce_pkt;
struct rxe_ep;

/**
 * struct rxe_fault - part of an endpoint, under its lock
 * @work: brings the memory in
 * @parked: packets that wait for it
 * @nparked: how many
 * @want: what is being brought in, or was last
 * @pending: it is being
 * @err: why it could not be: for the next who asks for some of it, once
 */
struct rxe_fault {
	struct work_struct work;
	struct list_head parked;
	u32 nparked;
	struct rxe_mem_range want;
	bool pending;
	int err;
};

/* Once for the module. rxe_fault_stop() waits for all work. */
int rxe_fault_start(void);
void rxe_fault_stop(void);

void rxe_fault_init(struct rxe_ep *ep);

/**
 * rxe_page_fault_raise() - start to page in memory: rxe_mem_ctx.fault of a QP
 * @ctx: of the QP that needs the memory, part of its struct rxe_qp
 * @range: the memory
 *
 * Context: the endpoint's lock held.
 *
 * Return: -EAGAIN: page-in has been started, or another one of this endpoint is running, and the
 * endpoint is run when it ends; -EFAULT and other errors: page-in of this range has failed.
 */
int rxe_page_fault_raise(const struct rxe_mem_ctx *ctx, const struct rxe_mem_range *range);

/* Do packets have to queue behind those that are parked? */
static inline bool rxe_fault_waits(const struct rxe_fault *fault)
{
	return fault->nparked;
}

/*
 * Keep packets that cannot be taken now; those for which there is no room are lost, and what comes
 * behind one that is longer than the path MTU. Context: @ep locked.
 */
void rxe_page_fault_defer(struct rxe_ep *ep, const struct roce_pkt *pkts, u32 n);

/* The QP begins anew or ends: what is parked is nothing to it. Context: @ep locked. */
void rxe_page_fault_purge(struct rxe_ep *ep);

/* Wait for the work item. Context: process; nobody raises a fault any more. */
void rxe_fault_cancel(struct rxe_ep *ep);

#endif
