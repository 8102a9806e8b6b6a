/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Links: RDMA devices that users add to network interfaces, each of which has one
 * at most and takes it along wherever it goes.
 */
#ifndef RXE_LINK_H
#define RXE_LINK_H

int rxe_link_init(void);

/* Removes what links there are. When it returns, no device is left. */
void rxe_link_exit(void);

#endif
