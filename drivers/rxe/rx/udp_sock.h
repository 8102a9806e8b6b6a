/* SPDX-License-Identifier: GPL-2.0 */
/*
 * UDP sockets for port 4791, one for IPv4 and one for IPv6 in each network
 * namespace that has RDMA devices: made with its first, released with its last.
 */
#ifndef RXE_SOCK_H
#define RXE_SOCK_H

struct net;
struct rxe_dev;

int rxe_sock_init(void);
void rxe_sock_exit(void);

/**
 * rxe_net_attach() - receive and send for a device in a namespace
 * @net: the namespace of the device's network interface
 * @dev: device, added to the namespace's list; dev->net is set
 *
 * Context: process; takes a mutex.
 * Return: 0, or -errno of the socket calls (-EADDRINUSE: another driver or
 *	program holds UDP port 4791).
 */
int rxe_net_attach(struct net *net, struct rxe_dev *dev);

/**
 * rxe_sock_leave() - undo
 * @dev: device; nothing happens if it is in no namespace
 *
 * When it returns, dev->net is NULL, no receive path reaches the device, and no
 * endpoint has a route of the namespace, or looks one up.
 */
void rxe_sock_leave(struct rxe_dev *dev);

/* The devices of @net, under RCU: entries are rxe_dev.net_node. */
struct list_head *rxe_net_devs(struct net *net);

#endif
