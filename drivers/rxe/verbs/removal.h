/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Removal of a device under user programs: flush of their work requests.
 */
#ifndef RXE_REMOVAL_H
#define RXE_REMOVAL_H

struct rxe_ep;

/**
 * rxe_removal_flush_all() - flush all WRs of a user QP whose device is being removed
 * @ep: its endpoint; nothing happens for one of a kernel consumer
 *
 * Context: process; may sleep. The QP exists until the return.
 */
void rxe_removal_flush_all(struct rxe_ep *ep);

/*
 * Register the ib_client, before the first link; unregister it, after the last. Context: process;
 * may sleep. Return: 0 or -ENOMEM.
 */
int rxe_removal_init(void);
void rxe_removal_exit(void);

#endif
