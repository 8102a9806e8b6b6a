/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Links ("rdma link add ... type rxe"): the RDMA devices that administrators add to network
 * interfaces. An interface has at most one. The device follows its interface to another network
 * namespace, and is removed with it.
 */
#ifndef RXE_LINK_H
#define RXE_LINK_H

/*
 * Register the link type "rxe" and the netdevice notifier. Context: module init.
 * Return: 0 or -errno.
 */
int rxe_link_init(void);

/* Undo rxe_link_init() and remove all links; no device is left afterwards. Context: module exit. */
void rxe_link_exit(void);

#endif
