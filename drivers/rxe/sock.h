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
 * rxe_sock_join() - receive for a device in a namespace
 * @net: the namespace of the device's network interface
 * @dev: device, added to the namespace's list
 *
 * Context: process; takes a mutex.
 * Return: 0, or -errno of the socket calls (-EADDRINUSE: another driver or
 *	program holds UDP port 4791).
 */
int rxe_sock_join(struct net *net, struct rxe_dev *dev);

/* Undo; when it returns, no receive path of @net reaches @dev any more. */
void rxe_sock_leave(struct net *net, struct rxe_dev *dev);

/* The devices of @net, under RCU: entries are rxe_dev.net_node. */
struct list_head *rxe_sock_devs(struct net *net);

#endif
